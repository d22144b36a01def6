#pragma once
// Bodies of triangles for tests: grids of squares cut in two, flat or bent at rest.
#include <functional>

#include "math/random.h"
#include "model/add_body.h"
#include "model/add_hinges.h"
#include "unit/law_fields.h"

namespace sinew::sample {

using math::Vec3d;

enum class Diagonals { one_way, alternating };

struct PlateOptions {
  std::array<int32_t, 2> cells = {4, 3};
  std::array<double, 2> size = {1.2, 0.9};  // [m]
  Diagonals diagonals = Diagonals::alternating;
  double jitter = 0.2;  // of every node inside, in the plane, as a fraction of a cell
  double thickness = 0.05;
  const char* law = "stvk";
  double young = 1e4, poisson = 0.3;
  model::Bending bending = model::Bending::shell;
  model::RestAngles rest = model::RestAngles::of_positions;
  bool weighted = true;
  std::function<Vec3d(const Vec3d&)> shape = nullptr;  // where the points of the plane are at rest
};

inline mesh::TriMesh plate_mesh(const PlateOptions& options) {
  mesh::TriMesh mesh;
  const auto [nx, ny] = options.cells;
  const math::Random random(17);
  const double w = options.size[0] / nx, h = options.size[1] / ny;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const auto k = static_cast<uint64_t>(j * (nx + 1) + i);
      const double share = i > 0 && i < nx && j > 0 && j < ny ? options.jitter : 0;
      mesh.vertices.push_back({w * (i + share * random.uniform(2 * k, -1, 1)),
                               h * (j + share * random.uniform(2 * k + 1, -1, 1)), 0});
    }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      if (options.diagonals == Diagonals::one_way || (i + j) % 2 == 0) {
        mesh.elements.push_back({a, b, c});
        mesh.elements.push_back({a, c, d});
      } else {
        mesh.elements.push_back({a, b, d});
        mesh.elements.push_back({b, c, d});
      }
    }
  return mesh;
}

// Adds a body of the mesh with its law and its hinges.
inline int32_t add_plate(model::Model& model, const mesh::TriMesh& mesh, const PlateOptions& options) {
  model::Body& body =
      model::add_shell(model, "plate" + std::to_string(model.bodies.size()), mesh, options.thickness);
  const auto b = static_cast<int32_t>(model.bodies.size()) - 1;
  model::ElasticSet set{b, material::find_law(options.law), {}};
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) set.elements.push_back(e);
  model.sets.push_back(set);
  std::vector<model::ParamField> fields;
  for (double value : material::field_values(*set.law, options.young, options.poisson))
    fields.push_back({{value}});
  model.params.material.push_back(fields);
  model.params.density.push_back({{1000}});
  model.params.rigidity.resize(model.bodies.size(), {{0}});
  model::add_hinges(model, options.bending, options.rest, options.weighted);
  return b;
}

inline model::Model plate(const PlateOptions& options = {}) {
  mesh::TriMesh mesh = plate_mesh(options);
  if (options.shape)
    for (Vec3d& X : mesh.vertices) X = options.shape(X);
  model::Model model;
  add_plate(model, mesh, options);
  return model;
}

// The plane as a bowl with a twist.
inline Vec3d bowl(const Vec3d& p) {
  return {p[0], p[1], 0.4 * p[0] * p[0] - 0.3 * p[1] * p[1] + 0.2 * p[0] * p[1]};
}

// Four triangles that face outwards: each has the same corner beyond all its edges.
inline mesh::TriMesh tetrahedron_surface() {
  mesh::TriMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0.1}, {0.3, 0.2, 0.9}};
  mesh.elements = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return mesh;
}

// Is an unknown that is no point of its body.
inline bool is_hidden(const model::Model& model, size_t node) {
  for (const model::Body& body : model.bodies)
    if (static_cast<int32_t>(node) >= body.nodes.end - body.hidden &&
        static_cast<int32_t>(node) < body.nodes.end)
      return true;
  return false;
}

// Attaches the nodes for which choose(X) holds to a frame that turns with time.
template <class Choose>
void clamp(model::Model& model, model::Hold hold, const Vec3d& direction, const Choose& choose,
           double angle = 0) {
  model::Attachment attachment;
  attachment.name = "clamp" + std::to_string(model.attachments.size());
  attachment.hold = hold;
  attachment.direction = direction;
  attachment.pose = model.inputs.add_pose(
      attachment.name,
      {{.time = 0}, {.time = 1, .translate = {0.1, 0, 0}, .axis = {0.6, 0, 0.8}, .angle = angle}});
  for (size_t i = 0; i < model.X.size(); ++i)
    if (!is_hidden(model, i) && choose(model.X[i])) attachment.nodes.push_back(static_cast<int32_t>(i));
  attachment.clamped = attachment.nodes;
  model.attachments.push_back(attachment);
}

}  // namespace sinew::sample
