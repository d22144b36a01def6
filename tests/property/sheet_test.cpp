// Energies of randomly drawn sheets: every law of membranes, with the thickness free and fixed, and both bendings. What holds for bodies of
// tets (energy_test.cpp) holds for them.
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew {
namespace {

using math::Mat3d;
using math::Random;
using math::Vec3d;
using model::Model;

// A sort of sheets.
struct Kind {
  const material::Law* law;
  bool fixed_thickness;
  model::Bending bending;
};

// Every law of membranes with either thickness and either bending.
template <class Check>
void of_every_kind(const Check& check) {
  for (const material::Law* law : material::membrane_laws())
    for (const bool fixed : {false, true})
      for (const model::Bending bending : {model::Bending::hinge, model::Bending::shell}) {
        RC_LOG() << law->name << (fixed ? ", thickness fixed" : "")
                 << (bending == model::Bending::hinge ? ", hinge" : ", shell") << "\n";
        check(Kind{law, fixed, bending});
      }
}

uint32_t seed() { return *rc::gen::arbitrary<uint32_t>(); }

mesh::TriMesh any_mesh() {
  const auto cells = [] { return *rc::gen::inRange<int32_t>(1, 5); };
  mesh::TriMesh mesh = sample::plate_mesh({.cells = {cells(), cells()}});
  const Random random(seed());
  const double twist = random.uniform(0, -0.5, 0.5), bend = random.uniform(1, -0.5, 0.5);
  for (Vec3d& X : mesh.vertices) X[2] = twist * X[0] * X[1] + bend * X[0] * X[0];
  return mesh;
}

// Its triangles have moduli of their own.
Model sheet_of(const Kind& kind, const mesh::TriMesh& mesh, double thickness = 0.05) {
  Model model;
  sample::add_plate(model, mesh,
                    {.thickness = thickness, .law = kind.law->name.data(), .bending = kind.bending});
  model.bodies[0].fixed_thickness = kind.fixed_thickness;
  auto& first = model.params.material[0][0].values;
  const double value = first[0];
  first.clear();
  for (size_t t = 0; t < model.elements.size(); ++t) first.push_back(value * Random(3).uniform(t, 0.8, 1.25));
  return model;
}

// Stretched, sheared, turned, and bent by noise; each edge has turned by itself.
std::vector<Vec3d> any_pose(const Model& model) {
  const Random random(seed());
  std::vector<Vec3d> x = sample::deformed(model, 0);
  for (size_t i = 0; i < x.size(); ++i) {
    if (sample::is_hidden(model, i))
      x[i] = {0.02 * random.uniform(3 * i, -1, 1), 0, 0};
    else
      x[i] += sample::random_vector(random, i) * 0.03;
  }
  return x;
}

// The energy in the membrane and of bending.
struct Sums {
  double energy = 0;
  std::vector<Vec3d> gradient;
};

Sums sums(const Model& model, const std::vector<Vec3d>& x) {
  Sums s{0, std::vector<Vec3d>(x.size(), Vec3d::zero())};
  const std::vector<double> inputs = sample::inputs_at(model, 0);
  for (const auto& term : energy::make_terms(model))
    s.energy += term->evaluate({.x = x, .inputs = inputs}, s.gradient).value;
  return s;
}

double norm_of(const std::vector<Vec3d>& v) {
  double s = 0;
  for (const Vec3d& a : v) s += norm2(a);
  return std::sqrt(s);
}

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

// A rigid motion of the points. Edges have turned against their triangles, not against the world.
std::vector<Vec3d> moved(const Model& model, const std::vector<Vec3d>& x, const Mat3d& R, const Vec3d& b) {
  std::vector<Vec3d> y = x;
  for (size_t i = 0; i < x.size(); ++i)
    if (!sample::is_hidden(model, i)) y[i] = R * x[i] + b;
  return y;
}

Mat3d any_rotation(const Random& random) {
  return model::rotation(normalized(sample::random_vector(random, 0)), random.uniform(9, -4, 4));
}

RC_GTEST_PROP(Sheets, TheGradientIsTheSlopeOfTheEnergyAndTheOperatorThatOfTheGradient, ()) {
  of_every_kind([&](const Kind& kind) {
    const Model model = sheet_of(kind, any_mesh());
    const std::vector<Vec3d> x = any_pose(model);
    const Random random(seed());
    std::vector<Vec3d> d;
    for (size_t i = 0; i < x.size(); ++i) {
      d.push_back(sample::random_vector(random, i));
      if (sample::is_hidden(model, i)) d[i] = {d[i][0], 0, 0};
    }
    const auto along = [&](double t) {
      std::vector<Vec3d> y = x;
      for (size_t i = 0; i < y.size(); ++i) y[i] += d[i] * t;
      return sums(model, y);
    };
    const double h = 1e-6;
    const Sums at = sums(model, x), ahead = along(h), behind = along(-h);
    double slope = 0;
    std::vector<Vec3d> change(x.size()), product(x.size(), Vec3d::zero());
    for (size_t i = 0; i < x.size(); ++i) {
      slope += dot(at.gradient[i], d[i]);
      change[i] = (ahead.gradient[i] - behind.gradient[i]) * (1 / (2 * h));
    }
    RC_ASSERT(std::abs((ahead.energy - behind.energy) / (2 * h) - slope) <=
              1e-5 * norm_of(at.gradient) * norm_of(d));
    const std::vector<double> inputs = sample::inputs_at(model, 0);
    for (const auto& term : energy::make_terms(model))
      term->product({.x = x, .inputs = inputs}, material::Hessian::exact, d, product);
    RC_ASSERT(largest_difference(change, product) <= 1e-5 * norm_of(product));
  });
}

RC_GTEST_PROP(Sheets, ARigidMotionOfTheRestShapeHasNoForce, ()) {
  of_every_kind([&](const Kind& kind) {
    const Model model = sheet_of(kind, any_mesh());
    if (!kind.law->traits.rest_stable) return;
    const Random random(seed());
    const std::vector<Vec3d> y =
        moved(model, model.X, any_rotation(random), sample::random_vector(random, 1));
    RC_ASSERT(norm_of(sums(model, y).gradient) <= 1e-9 * norm_of(sums(model, any_pose(model)).gradient));
  });
}

RC_GTEST_PROP(Sheets, MovingTheWholeTurnsTheForcesAndTheirSumsVanish, ()) {
  of_every_kind([&](const Kind& kind) {
    const Model model = sheet_of(kind, any_mesh());
    if (!kind.law->traits.objective) return;
    const std::vector<Vec3d> x = any_pose(model);
    const Random random(seed());
    const Mat3d R = any_rotation(random);
    const Sums before = sums(model, x),
               after = sums(model, moved(model, x, R, sample::random_vector(random, 1)));
    const double size = norm_of(before.gradient);
    RC_ASSERT(std::abs(before.energy - after.energy) <= 1e-11 * (std::abs(before.energy) + size));
    const std::vector<Vec3d> turned = moved(model, before.gradient, R, Vec3d::zero());
    RC_ASSERT(largest_difference(after.gradient, turned) <= 1e-10 * size);
    Vec3d force = Vec3d::zero(), moment = Vec3d::zero();
    for (size_t i = 0; i < x.size(); ++i) {
      if (sample::is_hidden(model, i)) continue;
      force += before.gradient[i];
      moment += cross(x[i], before.gradient[i]);
    }
    RC_ASSERT(norm(force) <= 1e-11 * size);
    RC_ASSERT(norm(moment) <= 1e-10 * size);
  });
}

std::vector<int32_t> any_permutation(size_t count, uint32_t seed) {
  const Random random(seed);
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.bits(i) % i]);
  return order;
}

// Edges are found by their corners: their order, and to which side each faces, follow the numbering.
RC_GTEST_PROP(Sheets, NumberingOfNodesAndTrianglesDoesNotMatter, ()) {
  of_every_kind([&](const Kind& kind) {
    const mesh::TriMesh mesh = any_mesh();
    const auto new_id = any_permutation(mesh.vertices.size(), seed());
    const auto old_triangle = any_permutation(mesh.elements.size(), seed());
    mesh::TriMesh renumbered = mesh;
    for (size_t i = 0; i < new_id.size(); ++i) renumbered.vertices[new_id[i]] = mesh.vertices[i];
    for (size_t t = 0; t < old_triangle.size(); ++t) {
      const auto& [a, b, c] = mesh.elements[old_triangle[t]];
      renumbered.elements[t] = {new_id[b], new_id[c], new_id[a]};
    }
    Model model = sheet_of(kind, mesh), other = sheet_of(kind, renumbered);
    for (size_t t = 0; t < old_triangle.size(); ++t)
      other.params.material[0][0].values[t] = model.params.material[0][0].values[old_triangle[t]];
    const std::vector<Vec3d> x = any_pose(model);
    std::vector<Vec3d> y(x.size());
    for (size_t i = 0; i < new_id.size(); ++i) y[new_id[i]] = x[i];
    std::vector<int32_t> hinge_of(model.hinges.size());
    for (size_t h = 0; h < model.hinges.size(); ++h) {
      const model::Hinge& hinge = model.hinges[h];
      const std::array<int32_t, 2> ends = {new_id[hinge.nodes[0]], new_id[hinge.nodes[1]]};
      for (const model::Hinge& twin : other.hinges) {
        const bool same = twin.nodes[0] == ends[0] && twin.nodes[1] == ends[1];
        if (!same && !(twin.nodes[0] == ends[1] && twin.nodes[1] == ends[0])) continue;
        hinge_of[h] = static_cast<int32_t>(&twin - other.hinges.data());
        // Measured from the triangle on the left.
        if (hinge.turn >= 0) y[twin.turn] = same ? x[hinge.turn] : -x[hinge.turn];
      }
    }
    const Sums a = sums(model, x), b = sums(other, y);
    const double size = norm_of(a.gradient);
    RC_ASSERT(std::abs(a.energy - b.energy) <= 1e-11 * (std::abs(a.energy) + size));
    for (size_t i = 0; i < new_id.size(); ++i)
      RC_ASSERT(norm(a.gradient[i] - b.gradient[new_id[i]]) <= 1e-11 * size);
    for (size_t h = 0; h < hinge_of.size(); ++h)
      if (model.hinges[h].turn >= 0)
        RC_ASSERT(std::abs(std::abs(a.gradient[model.hinges[h].turn][0]) -
                           std::abs(b.gradient[other.hinges[hinge_of[h]].turn][0])) <= 1e-11 * size);
  });
}

// Metres to millimetres, pascals to megapascals: forces stay in newtons, energies become newton millimetres.
RC_GTEST_PROP(Sheets, UnitsDoNotMatter, ()) {
  of_every_kind([&](const Kind& kind) {
    const mesh::TriMesh mesh = any_mesh();
    mesh::TriMesh large = mesh;
    for (Vec3d& X : large.vertices) X *= 1e3;
    const Model model = sheet_of(kind, mesh);
    Model other = sheet_of(kind, large, 50);
    for (size_t f = 0; f < kind.law->fields.size(); ++f)
      if (kind.law->fields[f].unit == "Pa")
        for (double& value : other.params.material[0][f].values) value *= 1e-6;
    const std::vector<Vec3d> x = any_pose(model);
    std::vector<Vec3d> y = x;
    for (Vec3d& p : y) p *= 1e3;
    const Sums a = sums(model, x), b = sums(other, y);
    RC_ASSERT(std::abs(b.energy * 1e-3 - a.energy) <= 1e-10 * (std::abs(a.energy) + norm_of(a.gradient)));
    RC_ASSERT(largest_difference(a.gradient, b.gradient) <= 1e-10 * norm_of(a.gradient));
  });
}

}  // namespace
}  // namespace sinew
