#include "model/bounds.h"

#include <algorithm>

namespace sinew::model {

mesh::Bounds bounds(const Model& model, std::span<const Vec3d> x) {
  mesh::Bounds box;
  bool first = true;
  for (const Body& body : model.bodies) {
    const Range seen = body.visible();
    if (seen.size() == 0) continue;
    const mesh::Bounds own = mesh::bounding_box(x.subspan(seen.begin, seen.size()));
    for (int k = 0; k < 3; ++k) {
      box.low[k] = first ? own.low[k] : std::min(box.low[k], own.low[k]);
      box.high[k] = first ? own.high[k] : std::max(box.high[k], own.high[k]);
    }
    first = false;
  }
  return box;
}

}  // namespace sinew::model
