// The drag of moving air: forces in closed form, derivatives by differences, and a plate that falls at its terminal speed.
#include <cmath>
#include <gtest/gtest.h>

#include "energy/term_interfaces.h"
#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using model::Model;

// A flat sheet of area 1.5 in z = 0 in wind of a velocity.
Model in_wind(const Vec3d& velocity, double drag, double friction, double gusts = 0) {
  Model model = sheet("stvk", {.jitter = 0, .rise = 0});
  model::Wind wind;
  wind.faces = model.bodies[0].surface;
  wind.velocity = model.inputs.add_numbers("wind", {{0, {velocity[0], velocity[1], velocity[2]}}});
  wind.clock = model.inputs.add_numbers("clock", {{0, {0}}, {10, {10}}});
  wind.density = 1.2;
  wind.drag = drag;
  wind.friction = friction;
  wind.gust_speed = gusts;
  model.winds.push_back(wind);
  return model;
}

struct Blown {
  explicit Blown(const Model& model) : model(model), terms(terms_named(this->model, "wind")), x(model.X) {}

  void move(double rate) {
    inputs = inputs_at(model, 0.3);
    dynamic_cast<MotionDriven&>(*terms[0]).set_motion(x_n(), rate, inputs);
  }
  std::span<const Vec3d> x_n() const { return model.X; }
  double energy(std::span<const Vec3d> at) const {
    return terms[0]->evaluate({.x = at, .inputs = inputs}, {}).value;
  }
  std::vector<Vec3d> gradient(std::span<const Vec3d> at) const {
    std::vector<Vec3d> g(at.size(), Vec3d::zero());
    terms[0]->evaluate({.x = at, .inputs = inputs}, g);
    return g;
  }
  Vec3d force(std::span<const Vec3d> at) const {
    Vec3d sum = Vec3d::zero();
    for (const Vec3d& g : gradient(at)) sum -= g;
    return sum;
  }

  Model model;
  Terms terms;
  std::vector<Vec3d> x;
  std::vector<double> inputs;
};

TEST(Wind, PushesAcrossAndRubsAlong) {
  const Vec3d air = {3, -4, 2};
  Blown sheet(in_wind(air, 1.1, 0.2));
  for (double rate : {0.0, 50.0}) {  // still faces
    sheet.move(rate);
    const Vec3d force = sheet.force(sheet.x), along = {3, -4, 0};
    const Vec3d expected = (Vec3d{0, 0, 1.1 * 2 * 2} + along * (0.2 * norm(along))) * (0.5 * 1.2 * 1.5);
    EXPECT_LT(norm(force - expected), 1e-12 * norm(expected)) << rate;
  }
}

TEST(Wind, IsNothingToWhatMovesWithIt) {
  const Vec3d air = {3, -4, 2};
  Blown sheet(in_wind(air, 1, 0.5));
  const double rate = 20;
  sheet.move(rate);
  for (Vec3d& p : sheet.x) p += air * (1 / rate);
  EXPECT_LT(norm(sheet.force(sheet.x)), 1e-12);
  for (Vec3d& p : sheet.x) p += air * (1 / rate);  // twice as fast: the air brakes
  EXPECT_LT(dot(sheet.force(sheet.x), air), 0);
}

TEST(Wind, DerivativesAgreeWithDifferences) {
  Blown sheet(in_wind({3, -4, 2}, 1.1, 0.3, 0.7));
  sheet.move(30);
  const auto random = random_vectors(3, sheet.x.size());
  for (size_t i = 0; i < sheet.x.size(); ++i) sheet.x[i] += random[i] * 0.05;
  const auto d = random_vectors(4, sheet.x.size());
  const auto moved = [&](double h) {
    std::vector<Vec3d> at = sheet.x;
    for (size_t i = 0; i < at.size(); ++i) at[i] += d[i] * h;
    return at;
  };
  const double h = 1e-4;
  const std::vector<Vec3d> g = sheet.gradient(sheet.x);
  double slope = 0;
  for (size_t i = 0; i < g.size(); ++i) slope += dot(g[i], d[i]);
  EXPECT_NEAR(slope, (sheet.energy(moved(h)) - sheet.energy(moved(-h))) / (2 * h), 1e-4 * std::abs(slope));
  std::vector<Vec3d> product(g.size(), Vec3d::zero());
  sheet.terms[0]->product({.x = sheet.x, .inputs = sheet.inputs}, Hessian::exact, d, product);
  const std::vector<Vec3d> plus = sheet.gradient(moved(h)), minus = sheet.gradient(moved(-h));
  double error = 0, size = 0, curvature = 0;
  for (size_t i = 0; i < g.size(); ++i) {
    error += norm2(product[i] - (plus[i] - minus[i]) * (0.5 / h));
    size += norm2(product[i]);
    curvature += dot(product[i], d[i]);
  }
  EXPECT_LT(std::sqrt(error), 1e-4 * std::sqrt(size));
  EXPECT_GT(curvature, 0);
}

// The mean square of one component of what gusts add, over many places far apart.
TEST(Wind, GustsHaveTheirSpeed) {
  Model model = in_wind({0, 0, 0}, 1, 0, 2);
  model.winds[0].gust_length = 100;  // the sheet sees one velocity
  Blown sheet(model);
  double square = 0;
  constexpr int places = 2000;
  const auto shift = random_vectors(8, places);
  const std::vector<Vec3d> X = sheet.model.X;
  for (const Vec3d& to : shift) {
    for (size_t i = 0; i < X.size(); ++i) sheet.model.X[i] = X[i] + to * 1e4;
    sheet.move(0);
    square += std::abs(sheet.force(sheet.model.X)[2]) / (0.6 * 1.5);
  }
  // Of the waves of one wind; it would be 4/3 over all seeds.
  EXPECT_GT(square / places, 4.0 / 3 * 0.4);
  EXPECT_LT(square / places, 4.0 / 3 * 2);
}

}  // namespace
}  // namespace sinew::energy
