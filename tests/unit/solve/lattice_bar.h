#pragma once
// The bar that the constraint and nodal methods are compared on: 9 x 5 x 5 nodes, cells of 1/8 m, cut into five tets each
// with alternating parity, the face x = 0 clamped; soft and light.
#include <numeric>
#include <tuple>

#include "mesh/shapes.h"
#include "unit/solve/held_block.h"

namespace sinew::sample {

// A box of 1/8 m cells cut into five tets each, from `corner`; cells in the order of x, then y, then z.
inline int32_t add_lattice(model::Model& model, const std::array<int32_t, 3>& cells, const Vec3d& corner,
                           const char* law, double young = 1000) {
  const Vec3d size = {0.125 * cells[0], 0.125 * cells[1], 0.125 * cells[2]};
  const auto box = mesh::make_box({.size = size, .cells = cells, .split = mesh::Split::five});
  EXPECT_TRUE(box);
  mesh::TetMesh sorted;
  for (const Vec3d& X : box->vertices) sorted.vertices.push_back(X + corner);
  std::vector<int32_t> order(box->elements.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cell = [&](int32_t t) {
    const int32_t c = t / 5;
    return std::tuple(c % cells[0], c / cells[0] % cells[1], c / cells[0] / cells[1]);
  };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return cell(a) < cell(b); });
  for (int32_t t : order) sorted.elements.push_back(box->elements[t]);
  const auto body = static_cast<int32_t>(model.bodies.size());
  model::add_body(model, "lattice" + std::to_string(body), element::default_kind(), sorted);
  model.params.density.push_back({{10}});
  add_set(model, body, *material::find_law(law), young, 0.3);
  return body;
}

inline model::Model lattice_bar(const char* law = "corotated") {
  model::Model model;
  const std::array<int32_t, 3> cells = {8, 4, 4};
  add_lattice(model, cells, {0, 0, 0}, law);
  hold(model, "left", face_nodes(cells, 0, false));
  add_gravity(model, {0, -9.8, 0});
  return model;
}

}  // namespace sinew::sample
