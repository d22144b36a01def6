// Energies of randomly drawn meshes, poses and loads: the numbering of nodes and tets, the units and a
// motion of the whole change nothing but what they must.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

#include "unit/energy/sample.h"

namespace sinew {
namespace {

using math::Mat3d;
using math::Random;
using math::Vec3d;
using model::Model;

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

const material::Law& any_law() {
  return *material::solid_laws()[*rc::gen::inRange<size_t>(0, material::solid_laws().size())];
}

int32_t cells() { return *rc::gen::inRange<int32_t>(1, 4); }

// A body of one drawn law, with its own young's modulus in every tet; weight, closed pressure and a spring.
Model any_model(const material::Law& law) {
  Model model;
  sample::add_set(model, sample::add_block(model, {.cells = {cells(), cells(), cells()}}), law, 1e4, 0.35);
  const Random random(*rc::gen::arbitrary<uint32_t>());
  auto& young = model.params.material[0][0].values;
  young.clear();
  for (size_t t = 0; t < model.elements.size(); ++t) young.push_back(random.uniform(t, 1e3, 1e5));
  model.gravity = model.inputs.add_numbers("gravity", {{0, {1, 2, -9.81}}});
  const int factor = model.inputs.add_numbers("load", {{0, {0.5}}});
  model.pressure_loads.push_back({"pressure", model.bodies[0].surface, 2e3, factor, true});
  sample::add_link(model, model::Site::at_node(0), model::Site::at_node(3), 800, 800, 0.3);
  return model;
}

std::vector<Vec3d> any_pose(const Model& model) {
  const Random random(*rc::gen::arbitrary<uint32_t>());
  std::vector<Vec3d> x = sample::deformed(model, 0);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] += sample::random_vector(random, i) * 0.1;  // some tets are inverted
  return x;
}

std::vector<int32_t> any_permutation(size_t count) {
  const Random random(*rc::gen::arbitrary<uint32_t>());
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.bits(i) % i]);
  return order;
}

RC_GTEST_PROP(Energy, NumberingOfNodesAndTetsDoesNotMatter, ()) {
  const Model model = any_model(any_law());
  const std::vector<Vec3d> x = any_pose(model);
  const auto new_id = any_permutation(x.size());                // of each node
  const auto old_tet = any_permutation(model.elements.size());  // at each place

  Model other = model;
  std::vector<Vec3d> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    other.X[new_id[i]] = model.X[i];
    y[new_id[i]] = x[i];
  }
  std::vector<model::Tet> tets;
  for (size_t t = 0; t < model.elements.size(); ++t) {
    const auto tet = model.elements[old_tet[t]];
    tets.push_back(
        {new_id[tet[1]], new_id[tet[2]], new_id[tet[0]], new_id[tet[3]]});  // an even turn of the corners
    other.params.material[0][0].values[t] = model.params.material[0][0].values[old_tet[t]];
  }
  other.elements = element::Connectivity(tets);
  for (auto& face : other.pressure_loads[0].faces)
    for (int32_t& node : face) node = new_id[node];
  for (model::Link& link : other.links) {
    link.a.node[0] = new_id[link.a.node[0]];
    link.b.node[0] = new_id[link.b.node[0]];
  }
  const Sums a = sums(model, x), b = sums(other, y);
  // Parts of both signs add up: their sizes bound the rounding errors.
  const double size = std::abs(a.energy) + norm_of(a.gradient);
  RC_ASSERT(std::abs(a.energy - b.energy) <= 1e-12 * size);
  for (size_t i = 0; i < x.size(); ++i)
    RC_ASSERT(norm(a.gradient[i] - b.gradient[new_id[i]]) <= 1e-12 * norm_of(a.gradient));
}

// Metres and kilograms to millimetres and tonnes: forces stay in newtons, energies become newton millimetres.
RC_GTEST_PROP(Energy, UnitsDoNotMatter, ()) {
  const Model model = any_model(any_law());
  const std::vector<Vec3d> x = any_pose(model);
  Model other = model;
  std::vector<Vec3d> y = x;
  for (Vec3d& X : other.X) X *= 1e3;
  for (Vec3d& p : y) p *= 1e3;
  const Fields fields = model.sets[0].law->fields;
  for (size_t f = 0; f < fields.size(); ++f)
    if (fields[f].unit == "Pa")
      for (double& value : other.params.material[0][f].values) value *= 1e-6;
  for (double& density : other.params.density[0].values) density *= 1e-12;
  for (double& k : other.params.link_normal) k *= 1e-3;
  for (double& k : other.params.link_tangent) k *= 1e-3;
  other.links[0].rest_length *= 1e3;
  other.pressure_loads[0].pressure *= 1e-6;
  other.inputs = {};
  other.gravity = other.inputs.add_numbers("gravity", {{0, {1e3, 2e3, -9.81e3}}});
  other.inputs.add_numbers("load", {{0, {0.5}}});
  const Sums a = sums(model, x), b = sums(other, y);
  RC_ASSERT(std::abs(b.energy * 1e-3 - a.energy) <= 1e-10 * (std::abs(a.energy) + norm_of(a.gradient)));
  for (size_t i = 0; i < x.size(); ++i)
    RC_ASSERT(norm(a.gradient[i] - b.gradient[i]) <= 1e-10 * norm_of(a.gradient));
}

RC_GTEST_PROP(Energy, MovingTheWholeTurnsTheForces, ()) {
  const material::Law& law = any_law();
  RC_PRE(law.traits.objective);
  Model model = any_model(law);
  model.gravity = -1;  // the only term that knows where down is
  const std::vector<Vec3d> x = any_pose(model);
  const Random random(*rc::gen::arbitrary<uint32_t>());
  const Mat3d R = model::rotation(normalized(sample::random_vector(random, 0)), random.uniform(9, -4, 4));
  const Vec3d b = sample::random_vector(random, 1);
  std::vector<Vec3d> y;
  for (const Vec3d& p : x) y.push_back(R * p + b);
  const Sums before = sums(model, x), after = sums(model, y);
  RC_ASSERT(std::abs(before.energy - after.energy) <=
            1e-11 * (std::abs(before.energy) + norm_of(before.gradient)));
  for (size_t i = 0; i < x.size(); ++i)
    RC_ASSERT(norm(after.gradient[i] - R * before.gradient[i]) <= 1e-11 * norm_of(before.gradient));
}

RC_GTEST_PROP(Energy, GradientIsTheSlopeAlongAnyDirection, ()) {
  const Model model = any_model(any_law());
  const std::vector<Vec3d> x = any_pose(model);
  const Random random(*rc::gen::arbitrary<uint32_t>());
  std::vector<Vec3d> d;
  for (size_t i = 0; i < x.size(); ++i) d.push_back(sample::random_vector(random, i));
  const auto along = [&](double t) {
    std::vector<Vec3d> y = x;
    for (size_t i = 0; i < y.size(); ++i) y[i] += d[i] * t;
    return sums(model, y).energy;
  };
  // Small enough that few elements pass the start of their continuation or a flat pose on the way.
  const double h = 1e-6, slope = (along(h) - along(-h)) / (2 * h);
  const Sums at = sums(model, x);
  double expected = 0;
  for (size_t i = 0; i < x.size(); ++i) expected += dot(at.gradient[i], d[i]);
  RC_ASSERT(std::abs(slope - expected) <= 1e-5 * norm_of(at.gradient) * norm_of(d));
}

}  // namespace
}  // namespace sinew
