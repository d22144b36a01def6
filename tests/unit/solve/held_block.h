#pragma once
// Blocks of tets whose end faces are held, for tests of solvers and steppers; dense matrices of a System.
#include <string>
#include <vector>

#include "solve/system.h"
#include "unit/eigen.h"
#include "unit/energy/sample.h"

namespace sinew::sample {

// Nodes of a face of a box of cells: the first layer along `axis`, or the last.
inline std::vector<int32_t> face_nodes(const std::array<int32_t, 3>& cells, int axis, bool last) {
  std::vector<int32_t> nodes;
  for (int32_t k = 0; k <= cells[2]; ++k)
    for (int32_t j = 0; j <= cells[1]; ++j)
      for (int32_t i = 0; i <= cells[0]; ++i)
        if ((std::array{i, j, k})[axis] == (last ? cells[axis] : 0))
          nodes.push_back(i + (cells[0] + 1) * (j + (cells[1] + 1) * k));
  return nodes;
}

inline void hold(model::Model& model, const std::string& name, std::vector<int32_t> nodes,
                 std::vector<model::PoseKey> keys = {{}}, model::Hold kind = model::Hold::rigid,
                 const Vec3d& direction = {0, 0, 1}) {
  const int pose = model.inputs.add_pose("attach." + name, std::move(keys));
  model.attachments.push_back({name, kind, std::move(nodes), direction, pose});
}

struct HeldBlock {
  std::string law = "neo_hookean";
  double young = 1e5;  // [Pa]
  double poisson = 0.3;
  std::array<int32_t, 3> cells = {4, 2, 2};
  Vec3d size = {2, 1, 1};  // [m]
  double jitter = 0;
  std::vector<model::PoseKey> right = {{}};  // motion of the face x = max
  bool hold_right = true;
  mesh::Split split = mesh::Split::six;
  double density = 1000;  // [kg/m^3]
};

inline model::Model held_block(const HeldBlock& options) {
  model::Model model;
  const int32_t body = add_block(model, {.cells = options.cells,
                                         .size = options.size,
                                         .jitter = options.jitter,
                                         .density = options.density,
                                         .split = options.split});
  add_set(model, body, *material::find_law(options.law), options.young, options.poisson);
  hold(model, "left", face_nodes(options.cells, 0, false));
  if (options.hold_right) hold(model, "right", face_nodes(options.cells, 0, true), options.right);
  return model;
}

inline void add_gravity(model::Model& model, const Vec3d& g) {
  model.gravity = model.inputs.add_numbers("gravity", {{0, {g[0], g[1], g[2]}}});
}

inline double distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

inline bool all_finite(std::span<const Vec3d> x) {
  for (const Vec3d& p : x)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(p[k])) return false;
  return true;
}

// Free nodes anywhere in a cube of ten times the length of the block.
inline void scatter(const model::DofMap& dofs, uint64_t seed, std::span<Vec3d> x) {
  for (size_t i = 0; i < x.size(); ++i)
    if (dofs.block_of_node()[i] >= 0) x[i] = Vec3d{1, 0.5, 0.5} + random_vector(math::Random(seed), i) * 10.0;
  dofs.retract(x);
}

inline Eigen::VectorXd flat(std::span<const Vec3d> q) {
  return Eigen::Map<const Eigen::VectorXd>(q.data()->v, 3 * static_cast<Eigen::Index>(q.size()));
}

// The operator over the free unknowns, column by column from products. Dead directions have zero rows.
inline Eigen::MatrixXd dense(const energy::BlockMatrix& A) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
  for (int32_t i = 0; i < A.rows(); ++i)
    for (int64_t s = A.pattern().row_begin[i]; s < A.pattern().row_begin[i + 1]; ++s) {
      const Mat3d block = A.block(s);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) full(3 * i + r, 3 * A.pattern().column[s] + c) = block(r, c);
    }
  return full;
}

inline Eigen::MatrixXd dense(const solve::System& system, std::span<const Vec3d> x, solve::Hessian hessian) {
  const int blocks = system.dofs().block_count();
  std::vector<Vec3d> q(blocks), d(x.size()), Hd(x.size());
  Eigen::MatrixXd A(3 * blocks, 3 * blocks);
  for (int c = 0; c < 3 * blocks; ++c) {
    std::fill(q.begin(), q.end(), Vec3d{0, 0, 0});
    q[c / 3][c % 3] = 1;
    system.dofs().push(q, d);
    system.product(x, hessian, d, Hd);
    system.dofs().pull(Hd, q);
    A.col(c) = flat(q);
  }
  return A;
}

}  // namespace sinew::sample
