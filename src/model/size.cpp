#include "model/size.h"

#include "base/count_text.h"

namespace sinew::model {

Size size_of(const Body& body) {
  const int64_t elements = body.elements.size();
  const bool sheet = body.kind->is_triangle();
  return {body.visible().size(), sheet ? 0 : elements, sheet ? elements : 0};
}

Size size_of(const Model& model) {
  Size sum;
  for (const Body& body : model.bodies) {
    const Size size = size_of(body);
    sum.nodes += size.nodes;
    sum.tets += size.tets;
    sum.triangles += size.triangles;
  }
  return sum;
}

std::string elements_text(const Size& size) {
  if (size.triangles == 0) return count_text(size.tets, "tet");
  const std::string triangles = count_text(size.triangles, "triangle");
  return size.tets == 0 ? triangles : count_text(size.tets, "tet") + " and " + triangles;
}

std::string size_text(const Size& size) {
  return count_text(size.nodes, "node") + ", " + elements_text(size);
}

}  // namespace sinew::model
