#include "exporting/frame.h"

#include <algorithm>

#include "io/obj.h"

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

std::string obj_of(const FrameMesh& mesh) {
  mesh::TriMesh surface = surface_of(mesh);
  mesh::Attribute& texture = surface.element_data[mesh::texture_data] = {6, {}};
  for (const mesh::FlatTriangle& corners : mesh.texture) append_texture(texture, corners);
  return io::format_obj(surface);
}

FrameMaker::FrameMaker(const model::Model& model, std::span<const std::string> fields) : model_(model) {
  for (const std::string& name : fields)
    for (const Target on : {Target::node, Target::element})
      if (const measure::Quantity* quantity = measure::find_quantity(name, on))
        quantities_.push_back(quantity);
  for (const model::Body& body : model.bodies) {
    const int32_t first = body.nodes.begin;
    auto& tets = tets_.emplace_back();
    auto& edges = edges_.emplace_back();
    for (int32_t e = body.elements.begin; e < body.elements.end && body.kind->is_tet(); ++e) {
      tets.push_back(model.elements.nodes<4>(e));
      for (int32_t& node : tets.back()) node -= first;
      const std::span<const int32_t> others = model.elements[e].subspan(4);
      if (others.empty()) continue;
      std::copy(others.begin(), others.end(), edges.emplace_back().begin());
      for (int32_t& node : edges.back()) node -= first;
    }
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
    mesh.points = snapshot.state().x().subspan(body.nodes.begin, body.visible().size());
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
