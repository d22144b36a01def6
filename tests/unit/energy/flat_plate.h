#pragma once
// Plates by dense algebra, for the two bendings of sheets.
#include <numeric>
#include <set>

#include "base/hash.h"
#include "base/parallel.h"
#include "energy/term_interfaces.h"
#include "unit/eigen.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::sample {

// Second derivatives of a term at rest in the z coordinates of points and the x coordinates of hidden nodes.
inline Eigen::MatrixXd plate_matrix(const model::Model& model, std::string_view name) {
  const auto n = static_cast<Eigen::Index>(model.X.size());
  const auto terms = terms_named(model, name);
  const std::vector<double> inputs = inputs_at(model, 0);
  std::vector<int32_t> block(n);
  std::iota(block.begin(), block.end(), 0);
  const std::vector<energy::Stencils> stencils = {terms[0]->stencils()};
  const auto pattern =
      std::make_shared<energy::BlockPattern>(energy::make_pattern(stencils, block, static_cast<int32_t>(n)));
  energy::BlockMatrix matrix;
  matrix.reset(pattern, energy::Precision::full);
  terms[0]->map(*pattern, block);
  terms[0]->assemble({.x = model.X, .inputs = inputs}, material::Hessian::exact, 1, matrix);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  const auto axis = [&](int32_t node) { return is_hidden(model, node) ? 0 : 2; };
  for (int32_t row = 0; row < n; ++row)
    for (int64_t s = pattern->row_begin[row]; s < pattern->row_begin[row + 1]; ++s)
      K(row, pattern->column[s]) = matrix.block(s)(axis(row), axis(pattern->column[s]));
  return K;
}

// Deflections under a load at the points, those of some held at 0.
template <class Held>
Eigen::VectorXd deflections(const model::Model& model, std::string_view name, const Eigen::VectorXd& load,
                            const Held& held) {
  const Eigen::MatrixXd K = plate_matrix(model, name);
  std::vector<int> free;
  for (size_t i = 0; i < model.X.size(); ++i)
    if (is_hidden(model, i) || !held(model.X[i])) free.push_back(static_cast<int>(i));
  Eigen::VectorXd w = Eigen::VectorXd::Zero(load.size());
  const Eigen::MatrixXd reduced = K(free, free);
  const Eigen::VectorXd right = load(free), solution = reduced.ldlt().solve(right);
  for (size_t k = 0; k < free.size(); ++k) w[free[k]] = solution[static_cast<Eigen::Index>(k)];
  return w;
}

// Of the unit square, held at three corners, where a unit load acts on the fourth.
inline double corner_deflection(const model::Model& model, std::string_view name) {
  const auto at = [&](double x, double y) {
    for (size_t i = 0; i < model.X.size(); ++i)
      if (!is_hidden(model, i) && norm(model.X[i] - Vec3d{x, y, 0}) < 1e-9) return static_cast<int>(i);
    return -1;
  };
  Eigen::VectorXd load = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.X.size()));
  load[at(1, 1)] = 1;
  const Vec3d held[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  return deflections(model, name, load, [&](const Vec3d& X) {
    return std::any_of(held, held + 3, [&](const Vec3d& h) { return norm(X - h) < 1e-9; });
  })[at(1, 1)];
}

// On a sheet of many chunks.
inline void expect_threads_change_no_bit(model::Bending bending, const char* name) {
  const model::Model model = plate({.cells = {31, 23}, .bending = bending, .shape = bowl});
  const std::vector<Vec3d> x = deformed(model, 0.003), d = random_vectors(8, model.X.size());
  const auto terms = terms_named(model, name);
  const energy::View view{.x = x, .inputs = {}};
  std::vector<int32_t> block(x.size());
  std::iota(block.begin(), block.end(), 0);
  const std::vector<energy::Stencils> stencils = {terms[0]->stencils()};
  const auto pattern = std::make_shared<energy::BlockPattern>(
      energy::make_pattern(stencils, block, static_cast<int32_t>(x.size())));
  std::set<uint64_t> hashes;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    Hash hash;
    std::vector<Vec3d> g(x.size(), Vec3d::zero()), Kd = g;
    const double value = terms[0]->evaluate(view, g).value;
    terms[0]->product(view, material::Hessian::projected, d, Kd);
    energy::BlockMatrix matrix;
    matrix.reset(pattern, energy::Precision::full);
    terms[0]->map(*pattern, block);
    terms[0]->assemble(view, material::Hessian::exact, 1, matrix);
    hash.add(&value, sizeof value);
    hash.add(std::span<const Vec3d>(g));
    hash.add(std::span<const Vec3d>(Kd));
    hash.add(matrix.full(), pattern->blocks() * 9 * sizeof(double));
    hashes.insert(hash.value());
  }
  set_thread_count(0);
  EXPECT_EQ(hashes.size(), 1u);
}

inline void expect_numbers_do_not_matter(model::Bending bending, const char* name) {
  const PlateOptions options = {.bending = bending, .rest = model::RestAngles::flat};
  const mesh::TriMesh mesh = plate_mesh(options);
  mesh::TriMesh other = mesh;
  const auto n = static_cast<int32_t>(mesh.vertices.size());
  std::vector<int32_t> place(n);
  for (int32_t i = 0; i < n; ++i) place[i] = (i * 7 + 3) % n;
  for (int32_t i = 0; i < n; ++i) other.vertices[place[i]] = mesh.vertices[i];
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& corners = mesh.elements[mesh.elements.size() - 1 - t];
    for (size_t k = 0; k < 3; ++k) other.elements[t][k] = place[corners[(k + t) % 3]];
  }
  // Without turns: a turn has the sign of the side that its edge calls left.
  const auto energy = [&](const mesh::TriMesh& grid) {
    model::Model model;
    add_plate(model, grid, options);
    std::vector<Vec3d> x = model.X;
    for (int32_t i = 0; i < n; ++i) x[i] = bowl(x[i]);
    return terms_named(model, name)[0]->evaluate({.x = x, .inputs = {}}, {}).value;
  };
  ASSERT_EQ(n % 7 == 0, false);
  EXPECT_NEAR(energy(mesh), energy(other), 1e-12 * energy(mesh));
}

// Held borders turn with their frames: what turns as a whole with them is free of forces.
inline void expect_held_borders_turn(model::Bending bending, const char* name) {
  model::Model model = plate({.bending = bending, .shape = bowl});
  clamp(
      model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; }, 2.0);
  model.attachments.push_back(model.attachments[0]);
  model.attachments[1].hold = model::Hold::plane;
  model.attachments[1].direction = {1, 0, 0};
  model.attachments[1].nodes.clear();
  for (size_t i = 0; i < model.X.size(); ++i)
    if (model.X[i][0] > 1.2 - 1e-9) model.attachments[1].nodes.push_back(static_cast<int32_t>(i));
  const std::vector<double> inputs = inputs_at(model, 0.7);
  const model::Pose pose = model::pose_at(inputs, model.attachments[0].pose);
  std::vector<Vec3d> x, g(model.X.size(), Vec3d::zero());
  for (size_t i = 0; i < model.X.size(); ++i)
    x.push_back(is_hidden(model, i) ? model.X[i] : pose(model.X[i]));
  const energy::Terms terms = terms_named(model, name);
  EXPECT_LE(terms[0]->evaluate({.x = x, .inputs = inputs}, g).value, 1e-20);
  for (const Vec3d& force : g) EXPECT_LE(norm(force), 1e-11);
}

// The gradient in the pose of a held border, forwards and backwards.
inline void expect_input_derivatives(model::Bending bending, const char* name) {
  model::Model model = plate({.bending = bending, .shape = bowl});
  clamp(
      model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; }, 2.0);
  clamp(
      model, model::Hold::plane, {0, 1, 0}, [](const Vec3d& X) { return X[1] < 1e-9; }, -1.0);
  const energy::Terms terms = terms_named(model, name);
  const auto* dependent = dynamic_cast<const energy::InputDependent*>(terms[0].get());
  ASSERT_TRUE(dependent);
  const std::vector<Vec3d> x = deformed(model), direction = random_vectors(3, x.size());
  const std::vector<double> inputs = inputs_at(model, 0.3);
  std::vector<double> change, by_input(inputs.size(), 0.0);
  for (size_t j = 0; j < inputs.size(); ++j) change.push_back(math::Random(5).uniform(j, -1, 1));
  std::vector<Vec3d> forward(x.size(), Vec3d::zero());
  dependent->input_change({.x = x, .inputs = inputs}, change, forward);
  dependent->input_gradient({.x = x, .inputs = inputs}, direction, by_input);
  double size = 0, error = 0, there = 0, back = 0;
  const double h = 1e-5;
  std::vector<Vec3d> slope(x.size(), Vec3d::zero());
  for (const double side : {-1.0, 1.0}) {
    std::vector<double> at = inputs;
    for (size_t j = 0; j < at.size(); ++j) at[j] += side * h * change[j];
    std::vector<Vec3d> g(x.size(), Vec3d::zero());
    terms[0]->evaluate({.x = x, .inputs = at}, g);
    for (size_t i = 0; i < x.size(); ++i) slope[i] += g[i] * (side / (2 * h));
  }
  for (size_t i = 0; i < x.size(); ++i) {
    error += norm2(slope[i] - forward[i]);
    size += norm2(slope[i]);
    there += dot(direction[i], forward[i]);
  }
  for (size_t j = 0; j < inputs.size(); ++j) back += by_input[j] * change[j];
  EXPECT_GT(size, 0);
  EXPECT_LE(std::sqrt(error), 1e-7 * std::sqrt(size));
  EXPECT_NEAR(there, back, 1e-11 * (std::abs(there) + std::abs(back)));
}

}  // namespace sinew::sample
