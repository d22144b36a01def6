#include "solve/hinge_constraints.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "base/hash.h"
#include "base/parallel.h"
#include "unit/plates.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using model::Model;

std::vector<MobileNode> mobile(const System& system, std::span<const Vec3d> x, double mobility) {
  std::vector<MobileNode> nodes;
  for (size_t i = 0; i < x.size(); ++i)
    nodes.push_back({x[i], system.dofs().block_of_node()[i] < 0 ? 0 : mobility});
  return nodes;
}

// A flap that turns about a held edge: one unknown, its angle. K theta^2 / 2 beside a mass at the distance h.
struct Flap {
  Model model;
  double K = 0;
  static constexpr double h = 0.5;

  Flap() {
    mesh::TriMesh mesh;
    mesh.vertices = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -h, 0}};
    mesh.elements = {{0, 1, 2}, {1, 0, 3}};
    add_plate(model, mesh, {.bending = model::Bending::hinge});
    clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[1] >= 0; });
    K = 4 / 1.5 * 1e4 * 0.05 * 0.05 * 0.05 / (12 * 0.91);
  }
};

TEST(HingeConstraints, AFlapByHand) {
  Flap flap;
  const System system(flap.model);
  const double mobility = 0.3;
  double theta = 0.9, multiplier = 0, radius = Flap::h;
  std::vector<Vec3d> x = flap.model.X;
  x[3] = {1, -Flap::h * std::cos(theta), -Flap::h * std::sin(theta)};
  std::vector<MobileNode> nodes = mobile(system, x, mobility);
  HingeConstraints constraints(system, 0, false);
  constraints.start();
  for (int n = 0; n < 4; ++n) {
    constraints.sweep(nodes);
    // The flap's end moves across itself by m dl / r, r its distance from the edge.
    const double change = -(theta + multiplier / flap.K) / (mobility / (radius * radius) + 1 / flap.K);
    multiplier += change;
    const double move = mobility * change / radius;
    theta += std::atan2(move, radius);
    radius = std::hypot(radius, move);
    EXPECT_NEAR(nodes[3].x[1], -radius * std::cos(theta), 1e-12) << n;
    EXPECT_NEAR(nodes[3].x[2], -radius * std::sin(theta), 1e-12) << n;
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(norm(nodes[i].x - x[i]), 0);
}

// A bowl without bending stiffness of its own is flattened by hard hinges, and not moved by soft ones of no stiffness.
TEST(HingeConstraints, HardOnesBecomeFlat) {
  Model model = plate({.bending = model::Bending::hinge});
  const System system(model);
  std::vector<Vec3d> x = model.X;
  for (Vec3d& p : x) p = bowl(p);
  std::vector<MobileNode> nodes = mobile(system, x, 1);
  HingeConstraints constraints(system, 0, true);
  constraints.start();
  for (int k = 0; k < 300; ++k) constraints.sweep(nodes);
  for (const model::Hinge& hinge : model.hinges) {
    const auto& [a, b, c, d] = hinge.nodes;
    EXPECT_NEAR(model::hinge_angle(nodes[a].x, nodes[b].x, nodes[c].x, nodes[d].x), 0, 1e-3);
  }
}

TEST(HingeConstraints, NoStiffnessNoMove) {
  Model model = plate({.bending = model::Bending::hinge});
  model.sets.clear();
  model.params.material.clear();
  const System system(model);
  std::vector<Vec3d> x = model.X;
  for (Vec3d& p : x) p = bowl(p);
  for (const bool hard : {false, true}) {
    std::vector<MobileNode> nodes = mobile(system, x, 1);
    HingeConstraints constraints(system, 0, hard);
    constraints.start();
    constraints.sweep(nodes);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(norm(nodes[i].x - x[i]), 0);
  }
}

// Momentum stays, nodes on planes stay on them, and threads change no bit.
TEST(HingeConstraints, BalancePlanesAndThreads) {
  Model model = plate({.cells = {20, 15}, .bending = model::Bending::hinge});
  std::set<uint64_t> hashes;
  for (const bool held : {false, true}) {
    if (held) clamp(model, model::Hold::plane, {1, 0, 0}, [](const Vec3d& X) { return X[0] < 1e-9; });
    const System system(model);
    std::vector<Vec3d> x = model.X;
    for (Vec3d& p : x) p = bowl(p);
    hashes.clear();
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      std::vector<MobileNode> nodes = mobile(system, x, 0.01);
      HingeConstraints constraints(system, 0, false);
      constraints.start();
      for (int k = 0; k < 3; ++k) constraints.sweep(nodes);
      Hash hash;
      Vec3d move = {0, 0, 0};
      double size = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        hash.add(&nodes[i].x, sizeof nodes[i].x);
        const Vec3d d = nodes[i].x - x[i];
        move += d;
        size += norm(d);
        if (held && model.X[i][0] < 1e-9) {
          EXPECT_EQ(nodes[i].x[0], x[i][0]);
        }
      }
      hashes.insert(hash.value());
      EXPECT_GT(size, 0);
      if (!held) {
        EXPECT_LE(norm(move), 1e-12 * size);
      }
    }
    EXPECT_EQ(hashes.size(), 1u);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve
