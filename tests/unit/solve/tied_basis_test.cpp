// The change of basis in which stiff ties are single unknowns: against dense products, and what it leaves of the stiffness of ties.
#include "solve/tied_basis.h"

#include <gtest/gtest.h>

#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

// Two blocks side by side, a gap between them; the first one is held.
struct Blocks {
  Model model;
  std::vector<int32_t> right_of_first, left_of_second;

  explicit Blocks(const std::array<int32_t, 3>& cells = {3, 2, 2}) {
    model = held_block({.cells = cells, .size = {1, 1, 1}, .jitter = 0.1, .hold_right = false});
    const int32_t other = add_block(model, {.cells = cells, .size = {1, 1, 1}, .jitter = 0.1});
    add_set(model, other, *material::find_law("neo_hookean"), 1e5, 0.3);
    const int32_t first = model.bodies[other].nodes.begin;
    for (int32_t i = first; i < model.bodies[other].nodes.end; ++i) model.X[i] += Vec3d{1.1, 0, 0};
    right_of_first = face_nodes(cells, 0, true);
    for (int32_t node : face_nodes(cells, 0, false)) left_of_second.push_back(first + node);
  }
};

struct Tied {
  System system;
  energy::BlockMatrix A, tied;
  PointPairs pairs;
  TiedBasis basis;
  HeldRows held;

  explicit Tied(const Model& model) : system(model) {
    const std::vector<Vec3d> x = deformed(model, 0);
    A.reset(system.pattern(), energy::Precision::single);
    system.assemble(x, Hessian::projected, A, System::PointPairs::without);
    pairs.take(system, x, Hessian::projected);
    held.reset(A.rows());
    for (const auto& partial : system.dofs().partials())
      held.add(system.dofs().block_of_node()[partial.node], partial.P);
    basis.choose(pairs, A, held);
    tied.reset(std::make_shared<const energy::BlockPattern>(basis.pattern(A.pattern())),
               energy::Precision::single);
    basis.transform(A, pairs, tied);
  }

  int32_t size() const { return 3 * A.rows(); }
  Eigen::MatrixXd T() const {
    Eigen::MatrixXd T(size(), size());
    for (int32_t c = 0; c < size(); ++c) {
      std::vector<Vec3d> y(A.rows(), Vec3d{0, 0, 0});
      y[c / 3][c % 3] = 1;
      basis.push(y);
      for (int32_t r = 0; r < size(); ++r) T(r, c) = y[r / 3][r % 3];
    }
    return T;
  }
  Eigen::MatrixXd pair_matrix() const {
    Eigen::MatrixXd K(size(), size());
    for (int32_t c = 0; c < size(); ++c) {
      std::vector<Vec3d> q(A.rows(), Vec3d{0, 0, 0}), out = q;
      q[c / 3][c % 3] = 1;
      pairs.add_product(q, out);
      for (int32_t r = 0; r < size(); ++r) K(r, c) = out[r / 3][r % 3];
    }
    return K;
  }
  // The largest entry in the row of a master, over that of the matrix without ties.
  double masters() const {
    const Eigen::MatrixXd M = dense(tied);
    double largest = 0;
    for (int32_t r = 0; r < size(); ++r) {
      const Mat3d* P = basis.free().at(r / 3);
      if (!P || (*P)(r % 3, r % 3) > 0) largest = std::max(largest, M.row(r).cwiseAbs().maxCoeff());
    }
    return largest / dense(A).cwiseAbs().maxCoeff();
  }
};

// `all`: no pair was left to the product.
void expect_congruent(const Tied& each, bool all = true) {
  if (all) {
    const Eigen::MatrixXd T = each.T(), full = dense(each.A) + each.pair_matrix();
    const Eigen::MatrixXd expected = T.transpose() * full * T;
    const Eigen::MatrixXd error = dense(each.tied) - expected;
    EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff());
  }
  // pull is the transpose of push.
  const std::vector<Vec3d> a = random_vectors(1, each.A.rows()), b = random_vectors(2, each.A.rows());
  std::vector<Vec3d> Ta = a, Tb = b;
  each.basis.push(Ta);
  each.basis.pull(Tb);
  double left = 0, right = 0;
  for (size_t i = 0; i < a.size(); ++i) left += dot(Ta[i], b[i]), right += dot(a[i], Tb[i]);
  EXPECT_NEAR(left, right, 1e-10 * (std::abs(left) + 1));
}

TEST(TiedBasis, IsACongruenceWithTiesOfEveryKind) {
  Blocks blocks;
  Model& model = blocks.model;
  // Nodes to nodes, a node to a face with sliding, a node to a tet, the world, and one that is no tie.
  for (size_t k = 0; k < 3; ++k)
    add_link(model, model::Site::at_node(blocks.right_of_first[k]),
             model::Site::at_node(blocks.left_of_second[k]), 1e7, 1e7);
  model::Site face = model::Site::at_node(blocks.right_of_first[4]);
  face.count = 3;
  face.node = {blocks.right_of_first[4], blocks.right_of_first[5], blocks.right_of_first[7], -1};
  face.weight = {0.5, 0.3, 0.2, 0};
  add_link(model, model::Site::at_node(blocks.left_of_second[4]), face, 3e7, 0);
  model.links.back().normal = normalized(Vec3d{1, 0.2, -0.3});
  add_link(model, model::Site::at_node(blocks.left_of_second[8]), model::Site::on_frame(-1, {1, 1, 1}), 1e8,
           1e8);
  add_link(model, model::Site::at_node(blocks.right_of_first[8]),
           model::Site::at_node(blocks.left_of_second[8] + 1), 10, 10);
  const Tied each(model);
  EXPECT_EQ(each.basis.ties(), 3 * 3 + 1 + 3);
  expect_congruent(each);
  EXPECT_LT(each.masters(), 3);
}

TEST(TiedBasis, EliminatesTiesThatShareNodes) {
  // From both sides: every node of either face to a face or a node of the other, which over-determines them.
  Blocks blocks;
  Model& model = blocks.model;
  const auto& a = blocks.right_of_first;
  const auto& b = blocks.left_of_second;
  for (size_t k = 0; k < a.size(); ++k) {
    add_link(model, model::Site::at_node(a[k]), model::Site::at_node(b[(k + 1) % b.size()]), 1e9, 0);
    add_link(model, model::Site::at_node(b[k]), model::Site::at_node(a[k]), 1e9, 0);
  }
  const Tied each(model);
  expect_congruent(each);
  EXPECT_LT(each.masters(), 30);  // the ties are ten thousand times as stiff as the nodes
}

// Every node of one face to the place of another body's face that it meets, from both sides and with grids that do not match:
// elimination would fill the matrix.
TEST(TiedBasis, MakesNoMoreEntriesThanTheMatrixAllows) {
  Blocks blocks({2, 9, 9});
  Model& model = blocks.model;
  const auto& a = blocks.right_of_first;
  const auto& b = blocks.left_of_second;
  const auto tie_to_four = [&](int32_t node, const std::vector<int32_t>& face, size_t k) {
    model::Site site = model::Site::at_node(face[k]);
    site.count = 4;
    const size_t n = face.size();
    site.node = {face[k], face[(k + 1) % n], face[(k + 11) % n], face[(k + 12) % n]};
    site.weight = {0.3, 0.3, 0.2, 0.2};
    add_link(model, model::Site::at_node(node), site, 1e9, 1e9);
  };
  for (size_t k = 0; k < a.size(); ++k) {
    tie_to_four(a[k], b, k);
    tie_to_four(b[k], a, (k + 3) % a.size());
  }
  const Tied each(model);
  EXPECT_FALSE(each.basis.complete());
  EXPECT_GT(each.basis.ties(), 100);
  EXPECT_LT(each.tied.pattern().blocks(), int64_t{each.A.rows()} * each.A.rows());
  expect_congruent(each, false);
}

TEST(TiedBasis, IsTheIdentityWhereNothingIsStiff) {
  Blocks blocks;
  add_link(blocks.model, model::Site::at_node(blocks.right_of_first[0]),
           model::Site::at_node(blocks.left_of_second[0]), 1, 1);
  const Tied each(blocks.model);
  EXPECT_EQ(each.basis.ties(), 0);
  expect_congruent(each);
}

TEST(TiedBasis, LeavesPartlyHeldNodesAlone) {
  Blocks blocks;
  Model& model = blocks.model;
  hold(model, "plane", {blocks.right_of_first[0], blocks.left_of_second[1]}, {{}}, model::Hold::plane,
       normalized(Vec3d{0.3, 1, 0.2}));
  for (size_t k = 0; k < 3; ++k)
    add_link(model, model::Site::at_node(blocks.right_of_first[k]),
             model::Site::at_node(blocks.left_of_second[k]), 1e7, 1e7);
  expect_congruent(Tied(model));
}

}  // namespace
}  // namespace sinew::solve
