#pragma once
// Small models for tests: jittered boxes with one or several laws, deformed poses, and terms by name.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "energy/term.h"
#include "math/random.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "model/add_body.h"
#include "unit/law_fields.h"

namespace sinew::sample {

using math::Mat3d;
using math::Vec3d;

inline Vec3d random_vector(const math::Random& random, uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1), random.uniform(3 * i + 2, -1, 1)};
}

inline std::vector<Vec3d> random_vectors(uint64_t seed, size_t count) {
  std::vector<Vec3d> list(count);
  for (size_t i = 0; i < count; ++i) list[i] = random_vector(math::Random(seed), i);
  return list;
}

struct BlockOptions {
  std::array<int32_t, 3> cells = {3, 2, 2};
  Vec3d size = {1.5, 1, 1};              // [m]
  double jitter = 0.15;                  // of every node, as a fraction of a cell
  double density = 800;                  // [kg/m^3]
  std::string_view elements = "linear";  // element::Kind::name
  mesh::Split split = mesh::Split::six;
};

// Adds a body "block<k>" to the model, without a law.
inline int32_t add_block(model::Model& model, const BlockOptions& options = {}) {
  auto mesh = mesh::make_box({.size = options.size, .cells = options.cells, .split = options.split});
  EXPECT_TRUE(mesh);
  const element::Kind& kind = *element::find_kind(options.elements);
  double h = INFINITY;  // shortest side of a cell
  for (int k = 0; k < 3; ++k) h = std::min(h, options.size[k] / options.cells[k]);
  const math::Random random(40 + model.bodies.size());
  for (size_t i = 0; i < mesh->vertices.size(); ++i)
    mesh->vertices[i] += random_vector(random, i) * (options.jitter * h);
  const size_t corners = mesh->vertices.size();
  if (kind.nodes == 10) mesh::add_edge_nodes(*mesh);
  for (size_t i = corners; i < mesh->vertices.size(); ++i)  // edges are curved
    mesh->vertices[i] += random_vector(random, i) * (0.2 * options.jitter * h);
  const std::string name = "block" + std::to_string(model.bodies.size());
  model::add_body(model, name, kind, *mesh, mesh::boundary(*mesh));
  model.params.density.push_back({{options.density}});
  return static_cast<int32_t>(model.bodies.size()) - 1;
}

struct SheetOptions {
  std::array<int32_t, 2> cells = {4, 3};
  std::array<double, 2> size = {1.5, 1};  // [m]
  double jitter = 0.15;                   // of every node in the plane, as a fraction of a cell
  double rise = 0.2;                      // a wave out of the plane [m]
  double thickness = 0.01;                // [m]
  double density = 800;                   // [kg/m^3]
};

// A sheet with one diagonal in each cell, alternating.
inline mesh::TriMesh sheet_mesh(const SheetOptions& options, uint64_t seed = 60) {
  mesh::TriMesh mesh;
  const auto [nx, ny] = options.cells;
  const double dx = options.size[0] / nx, dy = options.size[1] / ny;
  const math::Random random(seed);
  for (int32_t j = 0; j <= ny; ++j)
    for (int32_t i = 0; i <= nx; ++i) {
      const Vec3d shift = random_vector(random, mesh.vertices.size()) * (options.jitter * std::min(dx, dy));
      mesh.vertices.push_back({i * dx + shift[0], j * dy + shift[1],
                               options.rise * std::sin(2 * i * dx / options.size[0] + 3 * j * dy)});
    }
  for (int32_t j = 0; j < ny; ++j)
    for (int32_t i = 0; i < nx; ++i) {
      const int32_t a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = c - 1;
      if ((i + j) % 2)
        mesh.elements.insert(mesh.elements.end(), {{a, b, c}, {a, c, d}});
      else
        mesh.elements.insert(mesh.elements.end(), {{a, b, d}, {b, c, d}});
    }
  return mesh;
}

// Adds a body "sheet<k>" to the model, without a law and without bending.
inline int32_t add_sheet(model::Model& model, const SheetOptions& options = {}) {
  const std::string name = "sheet" + std::to_string(model.bodies.size());
  model::add_shell(model, name, sheet_mesh(options, 60 + model.bodies.size()), options.thickness);
  model.params.density.push_back({{options.density}});
  return static_cast<int32_t>(model.bodies.size()) - 1;
}

// A set of a body's elements e with (e % every) == 0. Fields beside young and poisson take their default, or 1.
inline void add_set(model::Model& model, int32_t body, const material::Law& law, double young = 1e4,
                    double poisson = 0.3, int32_t every = 1) {
  model::ElasticSet set{body, &law, {}};
  for (int32_t e = model.bodies[body].elements.begin; e < model.bodies[body].elements.end; ++e)
    if (e % every == 0) set.elements.push_back(e);
  model.sets.push_back(set);
  std::vector<model::ParamField> fields;
  for (double value : material::field_values(law, young, poisson)) fields.push_back({{value}});
  model.params.material.push_back(fields);
}

// Of every element a share of 0.02 to 1 is material.
inline void cover_in_part(model::Model& model) {
  const math::Random random(12);
  model.coverage.clear();
  for (size_t e = 0; e < model.elements.size(); ++e) model.coverage.push_back(random.uniform(e, 0.02, 1));
}

// A covered model of one body and set with whole elements in place of covered ones, and as much less of Young's modulus and density:
// energies are linear in these.
inline model::Model scaled_instead(const model::Model& covered) {
  model::Model model = covered;
  model.coverage.clear();
  model::ParamField &young = model.params.material[0][0], &density = model.params.density[0];
  const double E = young.values[0], rho = density.values[0];
  young.values.clear();
  density.values.clear();
  for (double share : covered.coverage) {
    young.values.push_back(E * share);
    density.values.push_back(rho * share);
  }
  return model;
}

inline model::Model block(const char* law = "neo_hookean", const BlockOptions& options = {}) {
  model::Model model;
  add_set(model, add_block(model, options), *material::find_law(law));
  return model;
}

inline model::Model sheet(const char* law = "stvk", const SheetOptions& options = {}) {
  model::Model model;
  add_set(model, add_sheet(model, options), *material::find_law(law));
  return model;
}

inline void add_link(model::Model& model, const model::Site& a, const model::Site& b, double k_normal,
                     double k_tangent, double rest_length = 0) {
  model::Link link;
  link.a = a, link.b = b, link.rest_length = rest_length;
  link.normal = normalized(Vec3d{1, 2, -2});
  model.links.push_back(link);
  model.params.link_normal.push_back(k_normal);
  model.params.link_tangent.push_back(k_tangent);
}

// A stretched, sheared and turned pose with noise: no element keeps its shape.
inline std::vector<Vec3d> deformed(const model::Model& model, double noise = 0.02) {
  const Mat3d A = Mat3d::columns({1.1, 0.2, -0.1}, {-0.3, 0.9, 0.2}, {0.15, -0.1, 1.2});
  std::vector<Vec3d> x;
  const auto random = random_vectors(7, model.X.size());
  for (size_t i = 0; i < model.X.size(); ++i)
    x.push_back(A * model.X[i] + Vec3d{0.3, -0.2, 0.1} + random[i] * noise);
  return x;
}

// Stiffness times the square of an edge [N].
inline double force_scale(const model::Model& model) {
  const auto scales = model.scales(model.params, 0);
  return scales.stiffness * scales.edge * scales.edge;
}

inline energy::Terms terms_named(const model::Model& model, std::string_view name) {
  energy::Terms terms;
  for (const energy::TermKind* kind : energy::term_kinds())
    if (kind->name == name) kind->make(model, terms);
  for (auto& term : terms) term->bind(model.params);
  return terms;
}

inline std::vector<double> inputs_at(const model::Model& model, double time) {
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(time, inputs);
  return inputs;
}

}  // namespace sinew::sample
