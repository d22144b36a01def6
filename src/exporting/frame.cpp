#include "exporting/frame.h"

namespace sinew::exporting {

using measure::Target;

mesh::TriMesh surface_of(const FrameMesh& mesh) {
  mesh::TriMesh out;
  out.vertices.assign(mesh.points.begin(), mesh.points.end());
  out.elements.assign(mesh.surface.begin(), mesh.surface.end());
  for (const FrameField& field : mesh.fields)
    if (field.on_nodes || mesh.tets.empty())
      (field.on_nodes ? out.vertex_data : out.element_data)[field.name] = {field.width, field.values};
  return out;
}

FrameMaker::FrameMaker(const model::Model& model, std::span<const std::string> fields) : model_(model) {
  for (const std::string& name : fields)
    for (const Target on : {Target::node, Target::tet})
      if (const measure::Quantity* quantity = measure::find_quantity(name, on))
        quantities_.push_back(quantity);
  for (const model::Body& body : model.bodies) {
    const int32_t first = body.nodes.begin;
    auto& tets = tets_.emplace_back(model.tets.begin() + body.tets.begin, model.tets.begin() + body.tets.end);
    for (auto& tet : tets)
      for (int32_t& node : tet) node -= first;
    auto& edges = edges_.emplace_back();
    if (body.elements == model::Elements::quadratic)
      edges.assign(model.edge_nodes.begin() + body.tets.begin, model.edge_nodes.begin() + body.tets.end);
    for (auto& list : edges)
      for (int32_t& node : list) node -= first;
    auto& surface = surface_.emplace_back(body.surface);
    for (auto& triangle : surface)
      for (int32_t& node : triangle) node -= first;
  }
}

Frame FrameMaker::make(int64_t index, const measure::Snapshot& snapshot) const {
  Frame frame{index, snapshot.state().time(), {}, {}};
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Body& body = model_.bodies[b];
    FrameMesh& mesh = frame.meshes.emplace_back();
    mesh.name = body.name;
    mesh.points = snapshot.state().x().subspan(body.nodes.begin, body.nodes.size());
    mesh.tets = tets_[b];
    mesh.edges = edges_[b];
    mesh.surface = surface_[b];
    for (const measure::Quantity* quantity : quantities_) {
      FrameField& field = mesh.fields.emplace_back();
      field.name = quantity->name;
      field.unit = quantity->unit;
      field.on_nodes = quantity->on == Target::node;
      field.width = quantity->width;
      field.values.resize(measure::value_count(model_, *quantity, static_cast<int>(b)));
      quantity->evaluate(snapshot, static_cast<int>(b), field.values);
    }
  }
  return frame;
}

}  // namespace sinew::exporting
