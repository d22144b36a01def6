#include "model/add_body.h"

namespace sinew::model {

Body& add_body(Model& model, std::string name, const element::Kind& kind, const mesh::TetMesh& mesh,
               const mesh::TriBoundary& boundary) {
  const auto first_node = static_cast<int32_t>(model.X.size());
  const auto first_element = static_cast<int32_t>(model.elements.size());
  model.X.insert(model.X.end(), mesh.vertices.begin(), mesh.vertices.end());
  model.elements.append(mesh, first_node);
  Body& body = model.bodies.emplace_back();
  body.name = std::move(name);
  body.nodes = {first_node, static_cast<int32_t>(model.X.size())};
  body.elements = {first_element, static_cast<int32_t>(model.elements.size())};
  body.kind = &kind;
  body.surface = boundary.triangles;
  for (Triangle& triangle : body.surface)
    for (int32_t& node : triangle) node += first_node;
  body.behind = boundary.tet;
  for (int32_t& element : body.behind) element += first_element;
  return body;
}

}  // namespace sinew::model
