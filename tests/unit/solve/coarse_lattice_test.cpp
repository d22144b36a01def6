#include "solve/coarse_lattice.h"

#include <gtest/gtest.h>
#include <map>

#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

std::vector<Vec3d> places(const Model& model, double spacing) {
  std::vector<Vec3d> list = model.X;
  for (Vec3d& p : list) p = p / spacing;
  return list;
}

std::vector<int32_t> all_rows(const Model& model) {
  std::vector<int32_t> rows(model.X.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int32_t>(i);
  return rows;
}

Model solid(const std::array<int32_t, 3>& cells, const Vec3d& size, double jitter = 0) {
  Model model;
  const int32_t body = add_block(model, {.cells = cells, .size = size, .jitter = jitter});
  add_set(model, body, *material::find_law("neo_hookean"), 1e5, 0.3);
  return model;
}

Vec3d linear_field(const Vec3d& X) {
  return {0.3 + X[0] - 2 * X[1], 5 * X[2] - 0.1 * X[0], 1 + X[0] + X[1] + X[2]};
}

// The largest error with which a level takes a linear field of coarse nodes to finer ones.
double error_on_linear_fields(const CoarseLattice& lattice, std::span<const Vec3d> fine_places) {
  std::vector<Vec3d> coarse(lattice.nodes()), fine(lattice.rows());
  for (int32_t i = 0; i < lattice.nodes(); ++i) {
    const auto& p = lattice.place[i];
    coarse[i] = linear_field({double(p[0]), double(p[1]), double(p[2])});
  }
  lattice.prolong(coarse, fine);
  double error = 0;
  for (size_t i = 0; i < fine.size(); ++i)
    error = std::max(error, norm(fine[i] - linear_field(fine_places[i])));
  return error;
}

TEST(CoarseLattice, ReproducesLinearFieldsOnEveryLevel) {
  const Model model = solid({12, 9, 10}, {1.2, 0.9, 1}, 0.2);
  std::vector<Vec3d> fine = places(model, 0.23);
  CoarseLattice lattice = make_coarse_lattice(fine, model.elements, all_rows(model));
  for (int level = 0; level < 3; ++level) {
    ASSERT_EQ(lattice.rows(), static_cast<int32_t>(fine.size()));
    EXPECT_LT(error_on_linear_fields(lattice, fine), 2e-6)
        << "level " << level;  // weights in single precision
    fine.clear();
    for (const auto& p : lattice.place) fine.push_back(Vec3d{0.5 * p[0], 0.5 * p[1], 0.5 * p[2]});
    lattice = coarsen(lattice);
  }
}

TEST(CoarseLattice, OfABlockIsTheLattice) {
  const Model model = solid({8, 8, 8}, {1, 1, 1});
  // Nodes lie on the planes of a lattice of a quarter: 5 x 5 x 5 coarse nodes, then 3 x 3 x 3, then 2 x 2 x 2.
  CoarseLattice lattice = make_coarse_lattice(places(model, 0.25), model.elements, all_rows(model));
  EXPECT_EQ(lattice.nodes(), 125);
  lattice = coarsen(lattice);
  EXPECT_EQ(lattice.nodes(), 27);
  lattice = coarsen(lattice);
  EXPECT_EQ(lattice.nodes(), 8);
}

TEST(CoarseLattice, RestrictionIsTheTransposeOfProlongation) {
  const Model model = solid({7, 5, 6}, {1.4, 1, 1.2}, 0.2);
  const CoarseLattice lattice = make_coarse_lattice(places(model, 0.55), model.elements, all_rows(model));
  const std::vector<Vec3d> a = random_vectors(1, lattice.rows()), b = random_vectors(2, lattice.nodes());
  std::vector<Vec3d> Pb(a.size()), Pta(b.size()), sums;
  lattice.prolong(b, Pb);
  lattice.restrict_to(a, Pta, sums);
  double left = 0, right = 0;
  for (size_t i = 0; i < a.size(); ++i) left += dot(a[i], Pb[i]);
  for (size_t i = 0; i < b.size(); ++i) right += dot(b[i], Pta[i]);
  EXPECT_NEAR(left, right, 1e-12 * a.size());
}

// Two beams a hair apart lie in the same cells and share nothing, on any level.
TEST(CoarseLattice, WhatIsNotConnectedHasFunctionsOfItsOwn) {
  Model model;
  for (int k = 0; k < 2; ++k) {
    const auto box = mesh::make_box({.size = {4, 0.4, 0.4}, .cells = {20, 2, 2}});
    mesh::TetMesh beam = *box;
    for (Vec3d& X : beam.vertices) X += Vec3d{0, 0.41 * k, 0};
    model::add_body(model, "beam" + std::to_string(k), element::default_kind(), beam);
    model.params.density.push_back({{1000}});
    add_set(model, k, *material::find_law("neo_hookean"), 1e5, 0.3);
  }
  CoarseLattice lattice = make_coarse_lattice(places(model, 0.5), model.elements, all_rows(model));
  std::vector<int> beam(lattice.rows());
  for (size_t i = 0; i < beam.size(); ++i) beam[i] = static_cast<int32_t>(i) >= model.bodies[1].nodes.begin;
  for (int level = 0; level < 3; ++level) {
    std::vector<int> owner(lattice.nodes(), -1);
    for (int32_t r = 0; r < lattice.rows(); ++r)
      for (int c = 0; c < 8; ++c) {
        if (lattice.weight[r][c] == 0) continue;
        int& mine = owner[lattice.corners[lattice.group[r]][c]];
        EXPECT_TRUE(mine == -1 || mine == beam[r]);
        mine = beam[r];
      }
    beam = owner;
    lattice = coarsen(lattice);
  }
}

// Held nodes have no row; what they join still hangs together.
TEST(CoarseLattice, HeldNodesHaveNoPart) {
  const Model model = held_block({.cells = {6, 3, 3}});
  const model::DofMap dofs(model);
  const CoarseLattice lattice = make_coarse_lattice(places(model, 0.7), model.elements, dofs.block_of_node());
  EXPECT_EQ(lattice.rows(), dofs.block_count());
  for (int32_t g : lattice.group) EXPECT_GE(g, 0);
}

// Groups of one colour may be worked on at the same time.
TEST(CoarseLattice, GroupsOfOneColourShareNoNode) {
  const Model model = solid({9, 8, 7}, {0.9, 0.8, 0.7}, 0.2);
  const CoarseLattice lattice = make_coarse_lattice(places(model, 0.13), model.elements, all_rows(model));
  ASSERT_GT(lattice.corners.size(), 100u);
  for (const auto& colour : lattice.chunks.colours) {
    std::map<int32_t, int32_t> chunk_of;
    for (int32_t chunk : colour) {
      const auto [begin, end] = lattice.chunks.range(chunk);
      for (int64_t g = begin; g < end; ++g)
        for (int32_t corner : lattice.corners[g])
          EXPECT_EQ(chunk_of.try_emplace(corner, chunk).first->second, chunk);
    }
  }
}

}  // namespace
}  // namespace sinew::solve
