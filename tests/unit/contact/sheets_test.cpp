// Penalty contact of sheets, which have two sides and no inside: with themselves, each other and solids.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/parallel.h"
#include "contact/detect.h"
#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

using model::Model;
using sample::add_box;
using sample::add_patch;
using sample::crossings;
using sample::find;
using sample::meet;
using sample::moved;

constexpr double thickness = 0.02;

Vec3d offset(const Pair& pair, std::span<const Vec3d> x) {
  Vec3d d = {0, 0, 0};
  for (int k = 0; k < 4; ++k)
    if (pair.node[k] >= 0) d += x[pair.node[k]] * pair.weight[k];
  return d;
}

// The forces of pairs of bodies neither push nor turn the whole.
void expect_balanced(const std::vector<Pair>& pairs, std::span<const Vec3d> x) {
  Vec3d force = {0, 0, 0}, moment = {0, 0, 0};
  double size = 0;
  for (const Pair& pair : pairs) {
    const Vec3d f = pair.normal * normal_force(pair, offset(pair, x));
    for (int k = 0; k < 4; ++k) {
      force += f * pair.weight[k];
      moment += cross(x[pair.node[k]], f * pair.weight[k]);
      size += norm(f) * std::abs(pair.weight[k]);
    }
  }
  EXPECT_GT(size, 0);
  EXPECT_LE(norm(force), 1e-12 * size);
  EXPECT_LE(norm(moment), 1e-12 * size);
}

// A sheet of 1 m with cells of 0.25 m and a smaller one, `height` above its middle; `turned`: the lower one faces down.
Model parallel(double height, bool turned = false) {
  Model model;
  if (turned)
    add_patch(model, {.along = {0, 1, 0}, .across = {1, 0, 0}});
  else
    add_patch(model, {});
  add_patch(model,
            {.corner = {0.26, 0.28, height}, .along = {0.45, 0, 0}, .across = {0, 0.45, 0}, .cells = {2, 2}});
  meet(model, {true, 0.3, thickness, 0});
  return model;
}

TEST(Sheets, MeetFromEitherSide) {
  for (const double gap : {0.015, -0.015})
    for (const bool turned : {false, true}) {
      const Model model = parallel(gap, turned);
      const auto pairs = find(model, model.X, model.X);
      int above = 0, below = 0;
      for (const Pair& pair : pairs) {
        EXPECT_FALSE(pair.edges);
        EXPECT_NEAR(pair.gap, 0.015, 1e-12);
        EXPECT_NEAR(pair.normal[2], (pair.body[0] == 1) == (gap > 0) ? 1 : -1, 1e-12);
        EXPECT_EQ(pair.thickness, thickness);
        EXPECT_EQ(pair.friction, 0.3);
        (pair.body[0] == 1 ? above : below) += 1;
      }
      EXPECT_EQ(above, 9);
      EXPECT_EQ(below, 1);  // the node in the middle of the large one
      expect_balanced(pairs, model.X);
      EXPECT_TRUE(find_overlaps(model, Surface(model), model.X).empty());
    }
}

// What was above at the start of a step is above for all of it, wherever an iterate has taken it.
TEST(Sheets, KeepTheSideOfTheStart) {
  for (const bool continuous : {true, false})
    for (const double side : {1.0, -1.0}) {
      Model model = parallel(0.01 * side);
      model.contact.continuous = continuous;
      const auto x1 = moved(model, model.X, 1, {0, 0, -0.015 * side});
      const auto pairs = find(model, model.X, x1);
      int vertices = 0;
      for (const Pair& pair : pairs) {
        EXPECT_NEAR(pair.normal[2], (pair.body[0] == 1 ? 1 : -1) * side, 1e-9);
        EXPECT_NEAR(pair.gap, -0.005, 1e-9);
        vertices += !pair.edges && pair.body[0] == 1;
      }
      EXPECT_EQ(vertices, 9);
    }
}

TEST(Sheets, NothingPassesThroughOneInAStep) {
  for (const double side : {1.0, -1.0}) {
    const Model model = parallel(0.5 * side);
    const auto far = moved(model, model.X, 1, {0.03, 0.02, -1.3 * side});
    const auto found = crossings(model, model.X, far);
    std::set<int32_t> vertices;
    for (const Pair& pair : found) {
      EXPECT_GT(pair.normal[2] * (pair.body[0] == 1 ? side : -side), 0.999);
      EXPECT_LT(pair.gap, 0);
      if (!pair.edges && pair.body[0] == 1) vertices.insert(pair.node[0]);
    }
    EXPECT_EQ(vertices.size(), 9u);
    // Nothing else than the crossings is in the set: what is near at the end is on the wrong side.
    for (const Pair& pair : find(model, model.X, moved(model, model.X, 1, {0.03, 0.01, -0.51 * side})))
      EXPECT_GT(pair.normal[2] * (pair.body[0] == 1 ? side : -side), 0.999);
    EXPECT_TRUE(crossings(model, model.X, moved(model, model.X, 1, {0.03, 0.02, -0.4 * side})).empty());
    EXPECT_TRUE(crossings(model, model.X, moved(model, model.X, 1, {3, 0, -1.3 * side})).empty());
  }
}

// A flat strip of 2 m, and the same rolled up: layers of the same facing, `pitch` apart.
struct Roll {
  static constexpr double pitch = 0.02, inner = 0.1;
  Model model;
  std::vector<Vec3d> x;
  std::vector<double> angle;

  Roll() {
    add_patch(model, {.along = {2, 0, 0}, .across = {0, 0.2, 0}, .cells = {80, 4}});
    meet(model, {true, 0, 0.03, 0}, true);
    const double slope = pitch / (2 * std::acos(-1.0));
    for (const Vec3d& X : model.X) {
      // The length of the spiral up to an angle, about its middle radius.
      const double a = (std::sqrt(inner * inner + 2 * slope * X[0]) - inner) / slope, r = inner + slope * a;
      angle.push_back(a);
      x.push_back({r * std::cos(a), r * std::sin(a), X[1]});
    }
  }
};

TEST(Sheets, LayersOfARollMeet) {
  const Roll roll;
  EXPECT_TRUE(find(roll.model, roll.model.X, roll.model.X).empty());  // flat
  const auto pairs = find(roll.model, roll.x, roll.x);
  std::map<int32_t, std::set<int>> sides;
  for (const Pair& pair : pairs) {
    const Vec3d& p = roll.x[pair.node[0]];
    const double radial = dot(pair.normal, normalized(Vec3d{p[0], p[1], 0}));
    EXPECT_GT(std::abs(radial), 0.98);
    EXPECT_NEAR(pair.gap, Roll::pitch, 0.1 * Roll::pitch);  // but for the chords
    if (!pair.edges) sides[pair.node[0]].insert(radial > 0 ? 1 : -1);
  }
  const double turn = 2 * std::acos(-1.0), last = roll.angle[80];
  int both = 0;
  for (int32_t v = 0; v < static_cast<int32_t>(roll.x.size()); ++v) {
    const double a = roll.angle[v];
    // Where there is a layer further in, and where there is one further out.
    if (a > turn + 0.3 || a < turn - 0.3) {
      EXPECT_EQ(sides[v].count(1), a > turn) << a;
    }
    if (a > last - turn + 0.3 || a < last - turn - 0.3) {
      EXPECT_EQ(sides[v].count(-1), a < last - turn) << a;
    }
    both += sides[v].size() == 2;
  }
  EXPECT_GT(both, 50);
  expect_balanced(pairs, roll.x);
}

// Two sheets of one plane, one before the border of the other: a corner against the middle of an edge, and corners of a border
// against those of the other.
TEST(Sheets, MeetAtTheirBorders) {
  for (const double shift : {0.125, 0.0}) {
    Model model;
    add_patch(model, {});
    add_patch(
        model,
        {.corner = {1.01, 0.25 + shift, 0}, .along = {0.5, 0, 0}, .across = {0, 0.5, 0}, .cells = {2, 2}});
    meet(model, {true, 0, thickness, 0});
    const auto pairs = find(model, model.X, model.X);
    std::set<int32_t> vertices;
    for (const Pair& pair : pairs) {
      EXPECT_NEAR(pair.gap, 0.01, 1e-12);
      EXPECT_NEAR(pair.normal[0], pair.body[0] == 1 ? 1 : -1, 1e-9);
      if (!pair.edges && pair.body[0] == 1) vertices.insert(pair.node[0]);
    }
    EXPECT_EQ(vertices.size(), 3u);
    expect_balanced(pairs, model.X);
    // Pushed into each other in their plane they are stopped there.
    const auto found = crossings(model, model.X, moved(model, model.X, 1, {-0.1, 0, 0}));
    EXPECT_FALSE(found.empty());
    for (const Pair& pair : found) EXPECT_NEAR(std::abs(pair.normal[0]), 1, 1e-6);
  }
}

// Two strips, one triangle wide, cross above each other: no vertex is near, only the edges are.
TEST(Sheets, CrossedStripsMeetWithTheirBorders) {
  Model model;
  add_patch(model, {.corner = {-1, -0.1, 0}, .along = {2, 0, 0}, .across = {0, 0.2, 0}, .cells = {1, 1}});
  add_patch(model, {.corner = {-0.1, -1, 0.01}, .along = {0.2, 0, 0}, .across = {0, 2, 0}, .cells = {1, 1}});
  meet(model, {true, 0, thickness, 0});
  const auto pairs = find(model, model.X, model.X);
  EXPECT_EQ(pairs.size(), 4u);
  for (const Pair& pair : pairs) {
    EXPECT_TRUE(pair.edges);
    EXPECT_NEAR(pair.gap, 0.01, 1e-12);
    EXPECT_NEAR(std::abs(pair.normal[2]), 1, 1e-9);
  }
  expect_balanced(pairs, model.X);
}

// A cube that stands on its corner, above or below the middle of a sheet whose nodes are far away.
TEST(Sheets, MeetTheCornerOfASolid) {
  for (const double side : {1.0, -1.0}) {
    Model model;
    add_patch(model, {.corner = {-2, -1, 0}, .along = {4, 0, 0}, .across = {0, 3, 0}, .cells = {1, 1}});
    const int32_t cube = add_box(model, {0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0, 0});
    const Vec3d up = normalized(Vec3d{1, 1, 1}), right = normalized(Vec3d{1, -1, 0}),
                front = cross(up, right);
    for (int32_t i = model.bodies[cube].nodes.begin; i < model.bodies[cube].nodes.end; ++i) {
      const Vec3d p = model.X[i];
      model.X[i] = {dot(right, p) + 0.5, side * dot(front, p) + 0.3, side * (dot(up, p) + 0.005)};
    }
    meet(model, {true, 0, thickness, 0});
    const auto pairs = find(model, model.X, model.X);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].node[0], model.bodies[cube].nodes.begin);
    EXPECT_NEAR(pairs[0].gap, 0.005, 1e-12);
    EXPECT_NEAR(pairs[0].normal[2], side, 1e-12);
    // Through the sheet it stays one pair, however deep.
    for (const double depth : {0.01, 0.1}) {
      const auto deep = find(model, model.X, moved(model, model.X, cube, {0, 0, -side * depth}));
      const auto corner = std::find_if(deep.begin(), deep.end(),
                                       [&](const Pair& pair) { return pair.key() == pairs[0].key(); });
      ASSERT_NE(corner, deep.end());
      EXPECT_NEAR(corner->gap, 0.005 - depth, 1e-9);
      EXPECT_NEAR(corner->normal[2], side, 1e-9);
    }
    // And what is small lies between the nodes of the sheet without being inside of anything.
    EXPECT_TRUE(find(model, model.X, moved(model, model.X, cube, {0, 0, side * 0.2})).empty());
  }
}

// A box in a closed sheet that is larger than it touches nothing, and is not inside.
TEST(Sheets, AClosedSheetHasNoInside) {
  Model model;
  const auto ball = mesh::make_ball({.radius = 1, .cells = 6});
  const mesh::TriBoundary boundary = mesh::boundary(*ball);
  mesh::TriMesh skin;
  std::map<int32_t, int32_t> place;
  for (const auto& t : boundary.triangles) {
    std::array<int32_t, 3> corners;
    for (int k = 0; k < 3; ++k) {
      const auto [at, fresh] = place.try_emplace(t[k], static_cast<int32_t>(skin.vertices.size()));
      if (fresh) skin.vertices.push_back(ball->vertices[t[k]]);
      corners[k] = at->second;
    }
    skin.elements.push_back(corners);
  }
  model::add_shell(model, "balloon", skin, 1e-3);
  model.params.density.push_back({{1000}});
  add_box(model, {0.2, 0.2, 0.2}, {2, 2, 2}, {-0.1, -0.1, -0.1});
  meet(model, {true, 0, thickness, 0});
  EXPECT_TRUE(find(model, model.X, model.X).empty());
  EXPECT_TRUE(find_overlaps(model, Surface(model), model.X).empty());
}

TEST(Sheets, OverlapsHaveTheirPlace) {
  Model model;
  add_patch(model, {});
  add_patch(model,
            {.corner = {0.3, 0.4, -0.3}, .along = {0.3, 0, 0}, .across = {0, 0, 0.65}, .cells = {3, 5}});
  meet(model, {true, 0, thickness, 0});
  const auto found = find_overlaps(model, Surface(model), model.X);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a, 0);
  EXPECT_EQ(found[0].b, 1);
  EXPECT_EQ(found[0].depth, 0);
  EXPECT_GT(found[0].count, 3);
  EXPECT_NEAR(found[0].where[1], 0.4, 0.01);
  EXPECT_NEAR(found[0].where[2], 0, 1e-12);
  EXPECT_FALSE(found[0].ignored.empty());
  // A sheet through itself.
  Model folded;
  add_patch(folded, {.along = {2, 0, 0}, .cells = {8, 2}});
  meet(folded, {true, 0, thickness, 0}, true);
  std::vector<Vec3d> x = folded.X;
  for (Vec3d& p : x) p = {std::abs(p[0] - 1.1), p[1], p[0] > 1.1 ? 0.4 - 0.7 * (p[0] - 1.1) : 0.1};
  const auto own = find_overlaps(folded, Surface(folded), x);
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(own[0].a, own[0].b);
  EXPECT_NEAR(own[0].where[2], 0.1, 1e-9);
}

TEST(Sheets, AreFoundAlikeByAnyNumberOfThreads) {
  Model model = parallel(0.015);
  model::Collider box;
  box.shape = model::Collider::Shape::box;
  box.size = {0.33, 0.21, 0.1};
  box.transform.b = {0.5, 0.5, -0.11};
  sample::add_collider(model, box);
  meet(model, {true, 0.3, thickness, 0}, true);
  const auto x1 = moved(model, model.X, 1, {0, 0, -0.02});
  std::vector<Pair> first;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    const auto pairs = find(model, model.X, x1);
    if (threads == 1) first = pairs;
    ASSERT_EQ(pairs.size(), first.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(pairs[i].key(), first[i].key());
      EXPECT_EQ(pairs[i].gap, first[i].gap);
    }
  }
  set_thread_count(0);
  EXPECT_TRUE(std::any_of(first.begin(), first.end(),
                          [](const Pair& pair) { return pair.collider >= 0 && pair.node[1] >= 0; }));
}

// E t is what a sheet answers in its plane: the same however E and t are told apart.
TEST(Sheets, StiffnessFollowsTheThickness) {
  const auto stiffness = [](double young, double t) {
    Model model;
    for (const double z : {0.0, 0.01})
      add_patch(model, {.corner = {0, 0, z}, .thickness = t, .young = young});
    meet(model, {true, 0, thickness, 0});
    for (const Pair& pair : find(model, model.X, model.X))
      if (!pair.edges && pair.node[0] == 12) return pair.stiffness;
    return 0.0;
  };
  const double k = stiffness(1e5, 1e-3);
  EXPECT_GT(k, 0);
  EXPECT_NEAR(stiffness(2e5, 1e-3), 2 * k, 1e-9 * k);
  EXPECT_NEAR(stiffness(1e5, 2e-3), 2 * k, 1e-9 * k);
  EXPECT_NEAR(stiffness(2e5, 0.5e-3), k, 1e-9 * k);
  // Around the node there is the area of a cell, and a pressure of E / 10 takes all of the thickness: at a node of a solid that
  // would be k h = E A / 10, here it is E t sqrt(A) / 10. The modulus at rest is that of the law in plane stress, about E.
  EXPECT_NEAR(k, 1e5 * 1e-3 * std::max(1.0, 0.1 * 0.25 / thickness), 0.3 * k);
}

}  // namespace
}  // namespace sinew::contact
