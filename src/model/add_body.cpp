#include "model/add_body.h"

#include <algorithm>

namespace sinew::model {

namespace {

constexpr double min_coverage = 0.02;

// The coverage with a least one; what elements have above it goes down by one factor, which keeps the sum.
std::vector<double> sound_coverage(std::span<const double> given, const mesh::TetMesh& mesh) {
  std::vector<double> coverage(given.begin(), given.end());
  const std::vector<double> volumes = mesh::tet_volumes(mesh);
  double volume = 0, material = 0, above = 0;
  for (size_t e = 0; e < volumes.size(); ++e) {
    volume += volumes[e];
    material += volumes[e] * coverage[e];
  }
  const double least = std::min(min_coverage, material / volume / 2);
  if (*std::min_element(coverage.begin(), coverage.end()) >= least) return coverage;
  for (size_t e = 0; e < volumes.size(); ++e) above += volumes[e] * std::max(coverage[e] - least, 0.0);
  const double factor = (material - least * volume) / above;
  for (double& share : coverage) share = least + factor * std::max(share - least, 0.0);
  return coverage;
}

}  // namespace

Body& add_body(Model& model, std::string name, const element::Kind& kind, const mesh::TetMesh& mesh,
               const mesh::TriBoundary& boundary, std::span<const double> coverage) {
  const auto first_node = static_cast<int32_t>(model.X.size());
  const auto first_element = static_cast<int32_t>(model.elements.size());
  model.X.insert(model.X.end(), mesh.vertices.begin(), mesh.vertices.end());
  model.elements.append(mesh, first_node);
  if (!coverage.empty()) {
    model.coverage.resize(first_element, 1.0);
    for (const double share : sound_coverage(coverage, mesh)) model.coverage.push_back(share);
  } else if (!model.coverage.empty()) {
    model.coverage.resize(model.elements.size(), 1.0);
  }
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

std::array<math::Vec<double, 2>, 2> flat_edges(const std::array<Vec3d, 3>& X, const Vec3d& warp) {
  const Vec3d e1 = X[1] - X[0], e2 = X[2] - X[0], n = normalized(cross(e1, e2));
  Vec3d axis = warp - n * dot(n, warp);
  if (norm(axis) < 1e-6 * norm(warp)) axis = e1;
  const Vec3d u = normalized(axis), v = cross(n, u);
  return {{{dot(e1, u), dot(e1, v)}, {dot(e2, u), dot(e2, v)}}};
}

Body& add_shell(Model& model, std::string name, const mesh::TriMesh& mesh, double thickness,
                std::vector<std::array<math::Vec<double, 2>, 2>> flat, const Vec3d& warp) {
  const auto first_node = static_cast<int32_t>(model.X.size());
  const auto first_element = static_cast<int32_t>(model.elements.size());
  model.X.insert(model.X.end(), mesh.vertices.begin(), mesh.vertices.end());
  model.elements.append(mesh.elements, first_node);
  if (!model.coverage.empty()) model.coverage.resize(model.elements.size(), 1.0);
  Body& body = model.bodies.emplace_back();
  body.name = std::move(name);
  body.nodes = {first_node, static_cast<int32_t>(model.X.size())};
  body.elements = {first_element, static_cast<int32_t>(model.elements.size())};
  body.kind = element::find_kind("triangle");
  body.thickness = thickness;
  const auto hinges = static_cast<int32_t>(model.hinges.size());
  body.hinges = {hinges, hinges};
  body.flat = std::move(flat);
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto& [a, b, c] = mesh.elements[e];
    body.surface.push_back({first_node + a, first_node + b, first_node + c});
    body.behind.push_back(first_element + static_cast<int32_t>(e));
    if (body.flat.size() <= e)
      body.flat.push_back(flat_edges({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, warp));
  }
  return body;
}

}  // namespace sinew::model
