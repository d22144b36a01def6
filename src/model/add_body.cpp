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

}  // namespace sinew::model
