// Node moves of sheets: none raises the energy, from wherever it starts.
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "solve/node_sweeps.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using math::PackD;

enum class Start { scattered, far, mirrored, folded, line, point };
constexpr int start_count = 6;

constexpr double width = 1.2;  // [m]

// A sheet that bends, small enough that each of its nodes has a System of its own, in which all others are held.
model::Model small_plate(const material::Law& law, double poisson, model::Bending bending, bool fixed) {
  model::Model model = plate({.cells = {3, 2},
                              .size = {width, 0.8},
                              .law = law.name.data(),
                              .young = 2.5,
                              .poisson = poisson,
                              .bending = bending,
                              .shape = bowl});
  model.bodies[0].fixed_thickness = fixed;
  return model;
}

std::vector<Vec3d> start_of(const model::Model& model, Start start, uint64_t seed) {
  const math::Random random(seed);
  std::vector<Vec3d> x = model.X;
  for (size_t i = 0; i < x.size(); ++i) {
    const Vec3d noise = random_vector(random, i);
    if (is_hidden(model, i)) {
      x[i][0] += noise[0] * (start == Start::far ? 2 : 0.3);
      continue;
    }
    switch (start) {
      case Start::scattered:
        x[i] += noise * 0.3;
        break;
      case Start::far:
        x[i] += noise * 2.0;
        break;
      case Start::mirrored:
        x[i] = Vec3d{width - x[i][0], x[i][1], x[i][2]} + noise * 0.01;
        break;
      case Start::folded:
        x[i] = {std::abs(x[i][0] - width / 3), x[i][1], 0};
        break;
      case Start::line:
        x[i] = {x[i][0] + 0.5 * x[i][1], 0, 0};
        break;
      case Start::point:
        x[i] = {0, 0, 0};
        break;
    }
  }
  return x;
}

struct Moves {
  int64_t made = 0, raised = 0;
  double most = 0;  // that the energy rose by, over what rounding explains
};

// Gauss-Seidel with a look at the energy of the whole sheet after each move.
class Sheet {
 public:
  explicit Sheet(const model::Model& model) : gradient_(model.X.size()) {
    const auto count = static_cast<int32_t>(model.X.size());
    for (int32_t node = 0; node < count; ++node) {
      One& one = nodes_.emplace_back();
      one.model = std::make_unique<model::Model>(model);
      model::Attachment others;
      others.name = "others";
      others.pose = one.model->inputs.add_pose("others", {{}});
      for (int32_t i = 0; i < count; ++i)
        if (i != node) others.nodes.push_back(i);
      one.model->attachments.push_back(others);
      one.system = std::make_unique<System>(*one.model);
      one.sweeps = std::make_unique<NodeSweeps<PackD>>(*one.system, false);
    }
  }

  // move(node, x, g): where the node goes to, g the gradient of the energy at x.
  template <class Move>
  void sweep(std::vector<Vec3d>& x, const Move& move, Moves& moves) {
    Evaluation before = nodes_[0].system->evaluate(x, gradient_);
    for (size_t node = 0; node < nodes_.size(); ++node) {
      x[node] = move(static_cast<int32_t>(node), x, gradient_);
      const Evaluation after = nodes_[0].system->evaluate(x, gradient_);
      const double noise = before.energy_noise + after.energy_noise;
      ++moves.made;
      if (!(after.energy <= before.energy + noise)) {
        ++moves.raised;
        moves.most = std::max(moves.most, (after.energy - before.energy) / noise);
      }
      before = after;
    }
  }
  void sweep(std::vector<Vec3d>& x, double relaxation, Moves& moves) {
    std::vector<Vec3d> moved(x.size());
    const auto move = [&](int32_t node, const std::vector<Vec3d>& from, const std::vector<Vec3d>&) {
      NodeSweeps<PackD>& sweeps = *nodes_[node].sweeps;
      sweeps.start(from);
      sweeps.sweep(relaxation);
      sweeps.positions(moved);
      return moved[node];
    };
    sweep(x, move, moves);
  }

 private:
  struct One {
    std::unique_ptr<model::Model> model;
    std::unique_ptr<System> system;
    std::unique_ptr<NodeSweeps<PackD>> sweeps;
  };
  std::vector<One> nodes_;
  std::vector<Vec3d> gradient_;
};

// Of four, up to nearly incompressible; the last is the least that the law takes.
double ratio_of(const material::Law& law, int k) {
  constexpr double ratios[] = {0.49, 0.3, 0.45, 0.13};
  for (const Field& field : law.fields)
    if (field.name == "poisson" && !field.min_open && k % 4 == 3) return field.min;
  return ratios[k % 4];
}

// Sheets of all ratios with free and fixed thickness, from all starts, over-relaxed or not.
Moves moves_of(const material::Law& law, model::Bending bending, int sheets, int starts) {
  constexpr double relaxations[] = {1.0, 1.3, 1.7, 1.95};
  Moves moves;
  for (int k = 0; k < sheets; ++k) {
    const model::Model model = small_plate(law, ratio_of(law, k), bending, k / 4 % 2 == 1);
    Sheet sheet(model);
    for (int s = 0; s < starts; ++s) {
      std::vector<Vec3d> x =
          start_of(model, static_cast<Start>((s + k) % start_count), static_cast<uint64_t>(1000 * k + s));
      for (int sweep = 0; sweep < 6; ++sweep) sheet.sweep(x, relaxations[(s + s / 4 + k) % 4], moves);
    }
  }
  return moves;
}

class SheetMoves : public testing::TestWithParam<const material::Law*> {
 protected:
  static void expect_none_rises(int sheets, int starts, int64_t least) {
    int64_t made = 0;
    for (const auto bending : {model::Bending::none, model::Bending::hinge, model::Bending::shell}) {
      const Moves moves = moves_of(*GetParam(), bending, sheets, starts);
      EXPECT_EQ(moves.raised, 0) << "of " << moves.made << ", bending " << static_cast<int>(bending)
                                 << ", at most by " << moves.most << " times the rounding";
      made += moves.made;
    }
    EXPECT_GE(made, least);
  }
};

TEST_P(SheetMoves, NeverRaiseTheEnergy) { expect_none_rises(4, 2, 2500); }

// More than a million in all.
TEST_P(SheetMoves, LongNeverRaiseTheEnergy) { expect_none_rises(16, 14, 75000); }

INSTANTIATE_TEST_SUITE_P(Laws, SheetMoves,
                         testing::ValuesIn(material::membrane_laws().begin(),
                                           material::membrane_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// ---- A control: blocks that are not asked whether the energy falls ----

// Second derivatives at a node of a corotated sheet of fixed thickness as Chen, Han, Chen, Teran print them: 2 mu |g|^2 1 + lambda q q^T,
// q the gradient of the ratio of areas J. That leaves out lambda (J - 1) times the second derivative of J, which is convex. J is
// proportional to the distance from the line of the opposite edge, so that J^2 is quadratic and -J concave: with `across`,
// lambda |q|^2 n n^T more, n the normal of the triangle, the block bounds the energy from above.
Mat3d printed_block(const model::Model& model, std::span<const Vec3d> x, int32_t node, double poisson,
                    bool across) {
  const auto lame = material::Lame::from(2.5, poisson);
  const model::Body& body = model.bodies[0];
  Mat3d A = Mat3d::zero();
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) {
    const auto [a, b] = body.flat[e - body.elements.begin];
    const model::Triangle t = model.elements.nodes<3>(e);
    const double twice = a[0] * b[1] - a[1] * b[0];  // the area at rest
    const math::Vec<double, 2> g1 = {b[1] / twice, -b[0] / twice}, g2 = {-a[1] / twice, a[0] / twice};
    math::Vec<double, 2> g = {-g1[0] - g2[0], -g1[1] - g2[1]};
    if (node == t[1]) g = g1;
    if (node == t[2]) g = g2;
    if (node != t[0] && node != t[1] && node != t[2]) continue;
    const Vec3d d1 = x[t[1]] - x[t[0]], d2 = x[t[2]] - x[t[0]];
    const Vec3d f0 = d1 * g1[0] + d2 * g2[0], f1 = d1 * g1[1] + d2 * g2[1], area = cross(f0, f1);
    const Vec3d n = norm(area) > 0 ? normalized(area) : Vec3d{0, 0, 1};
    const Vec3d q = cross(f1, n) * g[0] + cross(n, f0) * g[1];
    Mat3d block = Mat3d::identity() * (2 * lame.mu * (g[0] * g[0] + g[1] * g[1])) + outer(q, q) * lame.lambda;
    if (across) block += outer(n, n) * (lame.lambda * norm2(q));
    A += block * (0.5 * twice * body.thickness);
  }
  return A;
}

Moves printed_moves(double poisson, double relaxation, bool across) {
  const model::Model model =
      small_plate(*material::find_law("corotated"), poisson, model::Bending::none, true);
  Sheet sheet(model);
  Moves moves;
  const auto move = [&](int32_t node, const std::vector<Vec3d>& x, const std::vector<Vec3d>& gradient) {
    return x[node] - inverse(printed_block(model, x, node, poisson, across)) * gradient[node] * relaxation;
  };
  for (int s = 0; s < 300; ++s) {
    std::vector<Vec3d> x = start_of(model, static_cast<Start>(s % start_count), static_cast<uint64_t>(s));
    sheet.sweep(x, move, moves);
  }
  return moves;
}

TEST(PrintedSheetMoves, RaiseTheEnergy) {
  for (const double poisson : {0.3, 0.49})
    for (const double relaxation : {1.0, 1.9}) {
      EXPECT_GT(printed_moves(poisson, relaxation, false).raised, 5) << poisson << ", " << relaxation;
      EXPECT_EQ(printed_moves(poisson, relaxation, true).raised, 0) << poisson << ", " << relaxation;
    }
}

}  // namespace
}  // namespace sinew::solve
