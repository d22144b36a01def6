// Bending of cloth against closed forms. What every term fulfils is tested in term_test.cpp, visitors in node_blocks_test.cpp.
#include <cmath>
#include <gtest/gtest.h>

#include "unit/energy/flat_plate.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using model::Bending;
using model::Model;

constexpr double D = 1e4 * 0.05 * 0.05 * 0.05 / (12 * 0.91);  // of the default sheet

double energy(const Model& model, std::span<const Vec3d> x) {
  const std::vector<double> inputs = inputs_at(model, 0);
  return terms_named(model, "hinges")[0]->evaluate({.x = x, .inputs = inputs}, {}).value;
}

PlateOptions grid(int32_t n, Diagonals diagonals, double jitter = 0) {
  return {
      .cells = {n, n}, .size = {1, 1}, .diagonals = diagonals, .jitter = jitter, .bending = Bending::hinge};
}

// Two equal triangles: K theta^2 / 2 for theta - rest in half a turn, and the other way round beyond.
TEST(Hinges, OneHingeByHand) {
  mesh::TriMesh roof;
  roof.vertices = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -1, 0}};
  roof.elements = {{0, 1, 2}, {1, 0, 3}};
  Model model;
  add_plate(model, roof, {.bending = Bending::hinge});
  const double K = D * 4 / 2, pi = std::acos(-1.0);
  for (const double rest : {0.0, 0.8, -2.5})
    for (double theta = -3.0; theta < 3.1; theta += 0.25) {
      model.hinges[0].rest_angle = rest;
      std::vector<Vec3d> x = model.X;
      x[2] = {1, std::cos(theta / 2), -std::sin(theta / 2)};
      x[3] = {1, -std::cos(theta / 2), -std::sin(theta / 2)};
      const double delta = std::remainder(theta - rest, 2 * pi);
      EXPECT_NEAR(energy(model, x), 0.5 * K * delta * delta, 1e-11 * K) << rest << " " << theta;
    }
}

// The energy has no jump where triangles pass through each other.
TEST(Hinges, ContinuousThroughAFold) {
  Model model;
  mesh::TriMesh roof;
  roof.vertices = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -1, 0}};
  roof.elements = {{0, 1, 2}, {1, 0, 3}};
  add_plate(model, roof, {.bending = Bending::hinge});
  model.hinges[0].rest_angle = 1;
  double last = -1;
  for (double theta = 0; theta < 6.3; theta += 0.01) {
    std::vector<Vec3d> x = model.X;
    x[3] = {1, -std::cos(theta), -std::sin(theta)};
    const double now = energy(model, x);
    if (last >= 0) {
      EXPECT_LE(std::abs(now - last), 2 * D * 3.15 * 0.01);
    }
    last = now;
  }
}

// Rolled up: edges along the axis turn by w/R each, diagonals lie in flat squares. D / (2 R^2) an area.
TEST(Hinges, ACylinderOnAOneWayGridIsExact) {
  const int32_t n = 10;
  const Model model = plate(grid(n, Diagonals::one_way));
  const double turn = 0.3, w = 1.0 / n, R = w / (2 * std::sin(turn / 2));  // chords of the length w
  std::vector<Vec3d> x;
  for (const Vec3d& X : model.X) {
    const double angle = turn * std::round(X[0] * n);
    x.push_back({R * std::sin(angle), X[1], R * std::cos(angle)});
  }
  const double kappa = turn / w;
  EXPECT_NEAR(energy(model, x), 0.5 * D * kappa * kappa * (n - 1) * w, 1e-10);
}

// Clamped at one end it bends there by half of what it does between two squares, over half a square.
TEST(Hinges, AClampedCylinderOnAOneWayGridIsExact) {
  const int32_t n = 10;
  Model model = plate(grid(n, Diagonals::one_way));
  clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; });
  const double turn = 0.3, w = 1.0 / n, R = w / (2 * std::sin(turn / 2));
  std::vector<Vec3d> x;
  for (const Vec3d& X : model.X) {
    const double angle = turn * std::round(X[0] * n);
    x.push_back({R * std::sin(angle), X[1], R * (std::cos(angle) - 1)});
  }
  const double kappa = turn / w;
  EXPECT_NEAR(energy(model, x), 0.5 * D * kappa * kappa * (n - 0.5) * w, 1e-10);
}

// A sheet that is held along a plane, and the same with its mirror image: half the energy.
TEST(Hinges, APlaneIsAMirror) {
  for (const bool weighted : {true, false}) {
    PlateOptions options = grid(4, Diagonals::one_way, 0.2);
    options.weighted = weighted;
    mesh::TriMesh half = plate_mesh(options), whole = half;
    const auto n = static_cast<int32_t>(half.vertices.size());
    std::vector<int32_t> image;
    for (int32_t i = 0; i < n; ++i) {
      const Vec3d X = half.vertices[i];
      image.push_back(X[0] < 1e-9 ? i : static_cast<int32_t>(whole.vertices.size()));
      if (image.back() != i) whole.vertices.push_back({-X[0], X[1], X[2]});
    }
    for (const auto& [a, b, c] : half.elements) whole.elements.push_back({image[b], image[a], image[c]});
    Model held, both;
    add_plate(held, half, options);
    add_plate(both, whole, options);
    clamp(held, model::Hold::plane, {1, 0, 0}, [](const Vec3d& X) { return X[0] < 1e-9; });
    const auto bent = [](const Model& model) {
      std::vector<Vec3d> x = model.X;
      for (Vec3d& p : x) p[2] = 0.3 * std::abs(p[0]) + 0.2 * p[0] * p[0] + 0.4 * std::sin(3 * p[1]);
      return x;
    };
    const double expected = 0.5 * energy(both, bent(both));
    EXPECT_NEAR(energy(held, bent(held)), expected, 1e-12 * expected) << weighted;
  }
}

TEST(Hinges, HeldBordersTurnWithTheirFrames) { expect_held_borders_turn(Bending::hinge, "hinges"); }

TEST(Hinges, DerivativesInTheInputs) { expect_input_derivatives(Bending::hinge, "hinges"); }

// A parabola z = k.(x, y)^2 / 2 on a one-way grid, with small k. The angle at straight edges is w (k_xx + k_xy), w (k_yy + k_xy), at the
// diagonals sqrt(2) w k_xy, and K = D, 2 D: a cylinder is as stiff as D along the axes and along one diagonal, 3 D
// along the other one.
TEST(Hinges, StiffnessByDirectionOnAOneWayGrid) {
  const int32_t n = 6;
  const double w = 1.0 / n, small = 1e-4;
  const Model model = plate(grid(n, Diagonals::one_way));
  for (const auto& [xx, yy, xy, by_direction] :
       {std::array{1.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 1.0}, {0.5, 0.5, -0.5, 1.0}, {0.5, 0.5, 0.5, 3.0}}) {
    std::vector<Vec3d> x = model.X;
    for (Vec3d& p : x) p[2] = small * (0.5 * (xx * p[0] * p[0] + yy * p[1] * p[1]) + xy * p[0] * p[1]);
    const double straight = 0.5 * D * ((xx + xy) * (xx + xy) + (yy + xy) * (yy + xy)) * n * (n - 1);
    const double diagonal = 2 * D * xy * xy * n * n;
    EXPECT_NEAR(energy(model, x), small * small * w * w * (straight + diagonal), 1e-6 * small * small * D);
    EXPECT_NEAR((straight * n / (n - 1) + diagonal) * w * w, 0.5 * D * by_direction,
                1e-12);  // far from borders
  }
}

// A square held at three corners and loaded at the fourth: the plate moves by P a^2 / (2 D (1 - nu)), cloth by no more than about
// (1 - nu) / 2 of that, and no finer grid finds more.
TEST(Hinges, TwistIsNotThatOfAPlate) {
  const double exact = 1 / (2 * D * 0.7);
  for (const int32_t n : {8, 16}) {
    EXPECT_NEAR(corner_deflection(plate(grid(n, Diagonals::one_way)), "hinges") / exact, 0.35, 0.01);
    EXPECT_NEAR(corner_deflection(plate(grid(n, Diagonals::alternating)), "hinges") / exact, 0.35, 0.01);
    EXPECT_NEAR(corner_deflection(plate(grid(n, Diagonals::alternating, 0.2)), "hinges") / exact, 0.37, 0.03);
  }
}

// The numbers of nodes and triangles mean nothing, nor which corner of a triangle is the first.
TEST(Hinges, NumbersDoNotMatter) { expect_numbers_do_not_matter(Bending::hinge, "hinges"); }

TEST(Hinges, AnyNumberOfThreadsGivesTheSameBits) { expect_threads_change_no_bit(Bending::hinge, "hinges"); }

}  // namespace
}  // namespace sinew::energy
