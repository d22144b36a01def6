#include "solve/galerkin.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

// P with the projectors of held rows, from the definition.
Eigen::MatrixXd prolongation(const CoarseLattice& lattice, const HeldRows& held) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(3 * lattice.rows(), 3 * lattice.nodes());
  for (int32_t r = 0; r < lattice.rows(); ++r) {
    const Mat3d projector = held.at(r) ? *held.at(r) : Mat3d::identity();
    for (int corner = 0; corner < 8; ++corner)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          P(3 * r + i, 3 * lattice.corners[lattice.group[r]][corner] + j) +=
              double{lattice.weight[r][corner]} * projector(i, j);
  }
  return P;
}

struct Case {
  Model model;
  CoarseLattice lattice;
  HeldRows held;
  energy::BlockMatrix A;

  Case(const Model& m, double spacing) : model(m) {
    const System system(model);
    std::vector<Vec3d> places = model.X;
    for (Vec3d& p : places) p = p / spacing;
    lattice = make_coarse_lattice(places, model.elements, system.dofs().block_of_node());
    held.reset(system.dofs().block_count());
    for (const auto& partial : system.dofs().partials())
      held.add(system.dofs().block_of_node()[partial.node], partial.P);
    A.reset(system.pattern(), energy::Precision::single);
    system.assemble(deformed(model, 0), Hessian::exact, A);
  }
  energy::BlockMatrix coarse() const {
    const Galerkin galerkin(A.pattern(), lattice);
    energy::BlockMatrix C;
    C.reset(galerkin.pattern(), energy::Precision::single);
    galerkin.multiply(A, held, C);
    return C;
  }
};

void expect_dense_product(const Case& each) {
  const energy::BlockMatrix C = each.coarse();
  const Eigen::MatrixXd P = prolongation(each.lattice, each.held);
  const Eigen::MatrixXd expected = P.transpose() * dense(each.A) * P;
  EXPECT_LT((dense(C) - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff());
}

TEST(Galerkin, IsTheDenseProduct) {
  expect_dense_product({held_block({.cells = {7, 4, 4}, .jitter = 0.2}), 0.6});
}

TEST(Galerkin, LeavesOutHeldDirections) {
  Model model = held_block({.cells = {5, 4, 4}, .jitter = 0.1, .hold_right = false});
  hold(model, "plane", face_nodes({5, 4, 4}, 0, true), {{}}, model::Hold::plane,
       normalized(Vec3d{1, 0.3, 0.2}));
  hold(model, "rail", {8, 9}, {{}}, model::Hold::line, normalized(Vec3d{0.2, 1, -0.5}));
  expect_dense_product({model, 0.7});
}

// Links join bodies, so that rows have columns in groups that share no coarse node with them.
TEST(Galerkin, CouplesWhatLinksJoin) {
  Model model = held_block({.cells = {4, 2, 2}});
  const int32_t other = add_block(model, {.cells = {2, 2, 2}, .size = {1, 1, 1}});
  add_set(model, other, *material::find_law("neo_hookean"), 1e5, 0.3);
  add_link(model, model::Site::at_node(20), model::Site::at_node(model.bodies[other].nodes.begin + 3), 1e4,
           2e4);
  expect_dense_product({model, 0.8});
}

TEST(Galerkin, HasTheSameBitsForAnyThreads) {
  const Case each(held_block({.cells = {14, 9, 9}, .jitter = 0.2}), 0.3);
  set_thread_count(1);
  const energy::BlockMatrix one = each.coarse();
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    const energy::BlockMatrix many = each.coarse();
    EXPECT_TRUE(std::equal(one.single(), one.single() + 9 * one.pattern().blocks(), many.single()));
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve
