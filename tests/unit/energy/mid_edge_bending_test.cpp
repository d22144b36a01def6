// Bending of shells against plate theory. What every term fulfils is tested in term_test.cpp, visitors in node_blocks_test.cpp.
#include <cmath>
#include <gtest/gtest.h>

#include "unit/energy/flat_plate.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using model::Bending;
using model::Hold;
using model::Model;

const char* const shell = "mid_edge_bending";

double rigidity(double nu) { return 1e4 * 0.05 * 0.05 * 0.05 / (12 * (1 - nu * nu)); }

PlateOptions grid(int32_t n, Diagonals diagonals, double jitter = 0, double nu = 0.3) {
  return {.cells = {n, n}, .size = {1, 1}, .diagonals = diagonals, .jitter = jitter, .poisson = nu};
}

const std::array<PlateOptions, 3> grids(int32_t n, double nu = 0.3) {
  return {grid(n, Diagonals::one_way, 0, nu), grid(n, Diagonals::alternating, 0, nu),
          grid(n, Diagonals::alternating, 0.25, nu)};
}

double energy(const Model& model, std::span<const Vec3d> x) {
  const std::vector<double> inputs = inputs_at(model, 0);
  return terms_named(model, shell)[0]->evaluate({.x = x, .inputs = inputs}, {}).value;
}

// P a^2 / (2 D (1 - nu)) on any mesh: curvature is constant.
TEST(MidEdgeBending, ACornerLoadedPlate) {
  for (const double nu : {0.0, 0.3, 0.45})
    for (const int32_t n : {1, 3, 8})
      for (const PlateOptions& options : grids(n, nu))
        EXPECT_NEAR(corner_deflection(plate(options), shell) * 2 * rigidity(nu) * (1 - nu), 1, 1e-9) << n;
}

// Constant curvature in any direction with exact turns has the energy of a plate, D/2 (tr B)^2 - D (1 - nu) det B.
TEST(MidEdgeBending, ConstantCurvatureIsExact) {
  const double small = 1e-5, nu = 0.3, D = rigidity(nu);
  for (const PlateOptions& options : grids(5))
    for (const auto& [xx, yy, xy] :
         {std::array{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {0.7, -0.4, 1.3}}) {
      const Model model = plate(options);
      std::vector<Vec3d> x = model.X;
      const auto slope = [&, xx = xx, yy = yy, xy = xy](const Vec3d& p) {
        return Vec3d{xx * p[0] + xy * p[1], xy * p[0] + yy * p[1], 0};
      };
      for (size_t i = 0; i < x.size(); ++i)
        if (!is_hidden(model, i)) x[i][2] = small * 0.5 * dot(slope(x[i]), x[i]);
      const auto gradient = [&](int32_t t) {  // of z over a triangle
        const auto& [a, b, c] = model.elements.nodes<3>(t);
        const Vec3d n = cross(x[b] - x[a], x[c] - x[a]);
        return Vec3d{-n[0] / n[2], -n[1] / n[2], 0};
      };
      for (const model::Hinge& hinge : model.hinges) {
        const Vec3d a = model.X[hinge.nodes[0]], b = model.X[hinge.nodes[1]];
        const Vec3d out = normalized(cross(b - a, Vec3d{0, 0, 1}));  // from the triangle on the left
        const Vec3d there = slope((a + b) * 0.5) * small;
        // The turn of the normal (-z_x, -z_y, 1) from the mean of the triangles, or from the one that there is.
        const Vec3d here = hinge.nodes[3] < 0
                               ? gradient(hinge.triangles[0])
                               : (gradient(hinge.triangles[0]) + gradient(hinge.triangles[1])) * 0.5;
        x[hinge.turn][0] = hinge.length * dot(out, here - there);
      }
      const double plate = 0.5 * D * (xx + yy) * (xx + yy) - D * (1 - nu) * (xx * yy - xy * xy);
      EXPECT_NEAR(energy(model, x), small * small * plate, 1e-8 * small * small * D);
    }
}

// A half cylinder with the normals of the cylinder at the middles of the edges: D / (2 R^2) an area.
TEST(MidEdgeBending, ACylinderUnderRefinement) {
  const double pi = std::acos(-1.0), R = 1 / pi;
  for (int kind = 0; kind < 3; ++kind) {
    double error[2];
    for (const int32_t n : {16, 32}) {
      PlateOptions options = grids(n)[kind];
      const Model model = plate(options);
      std::vector<Vec3d> x = model.X;
      for (size_t i = 0; i < x.size(); ++i)
        if (!is_hidden(model, i)) x[i] = {R * std::sin(x[i][0] / R), x[i][1], R * std::cos(x[i][0] / R)};
      const auto normal = [&](int32_t t) {
        const auto& [a, b, c] = model.elements.nodes<3>(t);
        return normalized(cross(x[b] - x[a], x[c] - x[a]));
      };
      for (const model::Hinge& hinge : model.hinges) {
        const Vec3d a = x[hinge.nodes[0]], b = x[hinge.nodes[1]], middle = (a + b) * 0.5;
        const Vec3d exact = normalized(Vec3d{middle[0], 0, middle[2]});
        const Vec3d left = normal(hinge.triangles[0]);
        const double on_left = std::asin(dot(exact, normalized(cross(b - a, left))));
        if (hinge.nodes[3] < 0) {
          x[hinge.turn][0] = hinge.length * on_left;
        } else {
          const double on_right = std::asin(dot(exact, normalized(cross(a - b, normal(hinge.triangles[1])))));
          x[hinge.turn][0] = hinge.length * 0.5 * (on_left - on_right);
        }
      }
      error[n == 32] = std::abs(energy(model, x) / (0.5 * rigidity(0.3) / (R * R)) - 1);
    }
    EXPECT_LT(error[1], 5e-3) << kind;
    EXPECT_LT(error[1], 0.6 * error[0]) << kind;
  }
}

// Strips of the length 1 held at x = 0, loaded across at x = 1, nu = 0: P L^3 / (3 D b), and with the far end kept from
// turning along a plane, P L^3 / (12 D b); errors fall with the square of the cells.
TEST(MidEdgeBending, HeldBorders) {
  const double D = rigidity(0), b = 0.2;
  for (const Diagonals diagonals : {Diagonals::one_way, Diagonals::alternating})
    for (const bool guided : {false, true}) {
      double error[2];
      for (const int32_t m : {2, 4}) {
        const int32_t n = 5 * m;
        Model model =
            plate({.cells = {n, m}, .size = {1, b}, .diagonals = diagonals, .jitter = 0, .poisson = 0});
        const auto start = [](const Vec3d& X) { return X[0] < 1e-9; };
        const auto end = [](const Vec3d& X) { return X[0] > 1 - 1e-9; };
        clamp(model, Hold::rigid, {0, 0, 1}, start);
        if (guided) clamp(model, Hold::plane, {1, 0, 0}, end);
        Eigen::VectorXd load = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.X.size()));
        for (int j = 0; j <= m; ++j) load[n + (n + 1) * j] = (j == 0 || j == m ? 0.5 : 1.0) / m;
        const Eigen::VectorXd w = deflections(model, shell, load, start);
        error[m == 4] = std::abs(w[n] * D * b * (guided ? 12 : 3) - 1);
      }
      EXPECT_LT(error[1], 1e-2) << guided;
      EXPECT_LT(error[1], 0.3 * error[0]) << guided;
    }
}

TEST(MidEdgeBending, HeldBordersTurnWithTheirFrames) { expect_held_borders_turn(Bending::shell, shell); }

TEST(MidEdgeBending, DerivativesInTheInputs) { expect_input_derivatives(Bending::shell, shell); }

// Energy is proportional to rigidity, and with that of the material it is the same.
TEST(MidEdgeBending, RigidityTakesThePlaceOfTheMaterial) {
  Model model = plate({.rest = model::RestAngles::flat, .shape = bowl});
  const double of_material = energy(model, model.X);
  ASSERT_GT(of_material, 0);
  model.params.rigidity[0] = {{rigidity(0.3)}};
  EXPECT_NEAR(energy(model, model.X), of_material, 1e-9 * of_material);
  model.params.rigidity[0] = {{2 * rigidity(0.3)}};
  EXPECT_NEAR(energy(model, model.X), 2 * of_material, 1e-9 * of_material);
  const Terms terms = terms_named(model, shell);
  const int64_t version = terms[0]->version();
  terms[0]->bind(model.params);
  EXPECT_EQ(terms[0]->version(), version);
  model.params.rigidity[0] = {{1.0}};
  terms[0]->bind(model.params);
  EXPECT_NE(terms[0]->version(), version);
}

TEST(MidEdgeBending, NumbersDoNotMatter) { expect_numbers_do_not_matter(Bending::shell, shell); }

TEST(MidEdgeBending, AnyNumberOfThreadsGivesTheSameBits) {
  expect_threads_change_no_bit(Bending::shell, shell);
}

}  // namespace
}  // namespace sinew::energy
