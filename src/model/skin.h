#pragma once
// A surface that a body carries and that is shown and exported in place of its own. Nothing acts on it: it is no part of
// the Model.
//
//     if (const Skin* skin = skin_of(built.skins, body)) draw(positions(*skin, x), skin->triangles);
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew::model {

struct Skin {
  std::vector<geometry::EmbeddedPoint> points;  // in model node ids
  std::vector<int32_t> tets;                    // of the model, that carry the points
  std::vector<Triangle> triangles;              // outward, ids among the points; none: the body has no skin
  std::vector<float>
      layers;  // of each tet of the body: how many layers lie at its place at rest; may be empty
};

// One for each body; null: no body has any.
using Skins = std::shared_ptr<const std::vector<Skin>>;

inline const Skin* skin_of(const Skins& skins, size_t body) {
  return skins && !(*skins)[body].triangles.empty() ? &(*skins)[body] : nullptr;
}

// The positions of the points [m], given x of all nodes of the model.
inline std::vector<Vec3d> positions(const Skin& skin, std::span<const Vec3d> x) {
  std::vector<Vec3d> out;
  out.reserve(skin.points.size());
  for (const geometry::EmbeddedPoint& point : skin.points) out.push_back(geometry::position(point, x));
  return out;
}

}  // namespace sinew::model
