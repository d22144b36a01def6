// What every term must fulfil: the gradient is the derivative of the energy and the operator that of the
// gradient, all ways to the operator agree, internal forces are in balance, and threads change no bit.
#include "energy/term.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <set>

#include "base/hash.h"
#include "base/parallel.h"
#include "unit/eigen.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::energy {
namespace {

using model::Model;
using model::Site;
using namespace sinew::sample;

struct Case {
  std::string name;
  std::string term;  // kind
  std::function<Model()> model;
  bool balanced = true;   // forces sum to zero
  bool objective = true;  // moments sum to zero
  bool rests = true;      // no force at the rest pose

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

std::vector<double> per_tet(size_t count, uint64_t seed, double low, double high) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = math::Random(seed).uniform(i, low, high);
  return values;
}

Model with_links() {
  Model model = block();
  add_block(model, {.cells = {2, 2, 2}, .size = {1, 1, 1}});
  const int32_t other = model.bodies[1].nodes.begin;
  add_link(model, Site::at_node(3), Site::at_node(other + 5), 300, 70);
  add_link(model, Site::at_node(4), Site::at_node(other + 6), 300, 70, 0.4);  // stretched
  add_link(model, Site::at_node(8), Site::at_node(other + 9), 200, 0, 9.0);   // compressed: indefinite across
  add_link(model, {3, {1, 2, 7, -1}, {0.2, 0.5, 0.3, 0}, -1, {}},
           {4, {other, other + 1, other + 2, other + 8}, {0.1, 0.2, 0.3, 0.4}, -1, {}}, 500, 20);
  add_link(model, {2, {1, 2, -1, -1}, {0.4, 0.6, 0, 0}, -1, {}},
           {2, {2, 9, -1, -1}, {0.5, 0.5, 0, 0}, -1, {}}, 50, 20, 0.3);
  return model;
}

Model with_frame_links() {
  Model model = block();
  const int pose = model.inputs.add_pose(
      "hand", {{.time = 0},
               {.time = 1, .translate = {0.1, 0.3, 0}, .axis = {0, 0, 1}, .angle = 1, .about = {1, 0, 0}}});
  add_link(model, Site::at_node(3), Site::on_frame(pose, model.X[3]), 300, 70);
  add_link(model, Site::on_frame(pose, {2, 1, 0}), Site::at_node(5), 300, 70, 0.5);
  add_link(model, Site::at_node(9), Site::on_frame(-1, model.X[9]), 200, 200);
  return model;
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const material::Law* law : material::solid_laws()) {
    const std::string name(law->name);
    list.push_back({"elastic_" + name, "elastic", [name] { return block(name.c_str()); }, true,
                    law->traits.objective, law->traits.rest_stable});
  }
  for (const char* name : {"neo_hookean", "stvk", "ogden", "muscle", "linear"})
    list.push_back({std::string("quadratic_") + name, "elastic",
                    [name] { return block(name, {.elements = "quadratic"}); }, true,
                    std::string(name) != "linear"});
  for (const material::Law* law : material::solid_laws())
    if (law->d.volume)
      list.push_back({"averaged_" + std::string(law->name), "elastic",
                      [law] { return block(law->name.data(), {.elements = "averaged"}); }});
  list.push_back({"quadratic_parameters_by_tet", "elastic", [] {
                    Model model = block("stable_neo_hookean", {.elements = "quadratic"});
                    model.params.material[0][0].values = per_tet(model.elements.size(), 1, 1e3, 1e5);
                    return model;
                  }});
  list.push_back({"averaged_parameters_by_tet", "elastic", [] {
                    Model model = block("neo_hookean", {.elements = "averaged"});
                    model.params.material[0][0].values = per_tet(model.elements.size(), 1, 1e3, 1e5);
                    return model;
                  }});
  list.push_back({"elastic_parameters_by_tet", "elastic", [] {
                    Model model = block("stable_neo_hookean");
                    model.params.material[0][0].values = per_tet(model.elements.size(), 1, 1e3, 1e5);
                    model.params.material[0][1].values = per_tet(model.elements.size(), 2, 0.1, 0.45);
                    return model;
                  }});
  for (const char* elements : {"linear", "averaged", "quadratic"})
    list.push_back({"covered_" + std::string(elements), "elastic", [elements] {
                      Model model = block("stable_neo_hookean", {.elements = elements});
                      cover_in_part(model);
                      return model;
                    }});
  list.push_back({"elastic_two_bodies_three_sets", "elastic", [] {
                    Model model = block("corotated");
                    const int32_t second = add_block(model, {.cells = {2, 2, 1}, .size = {1, 1, 0.5}});
                    add_set(model, second, *material::find_law("stvk"), 2e4, 0.2);
                    add_set(model, 0, *material::find_law("neo_hookean"), 5e3, 0.4, 3);
                    return model;
                  }});
  for (const material::Law* law : material::membrane_laws()) {
    const std::string name(law->name);
    list.push_back({"membrane_" + name, "elastic", [name] { return sheet(name.c_str()); }});
    list.push_back({"membrane_of_fixed_thickness_" + name, "elastic", [name] {
                      Model model = sheet(name.c_str());
                      model.bodies[0].fixed_thickness = true;
                      return model;
                    }});
  }
  list.push_back({"membrane_parameters_by_triangle", "elastic", [] {
                    Model model = sheet("neo_hookean");
                    model.params.material[0][0].values = per_tet(model.elements.size(), 1, 1e3, 1e5);
                    return model;
                  }});
  list.push_back({"membrane_of_flat_patterns", "elastic",
                  [] {
                    Model model = sheet();
                    for (auto& flat : model.bodies[0].flat)
                      for (auto& edge : flat) edge = edge * 0.9;
                    return model;
                  },
                  true, true, false});
  list.push_back({"membrane_beside_a_block", "elastic", [] {
                    Model model = block("corotated");
                    add_set(model, add_sheet(model), *material::find_law("orthotropic"));
                    return model;
                  }});
  list.push_back({"gravity_of_a_sheet", "gravity",
                  [] {
                    Model model = sheet();
                    model.gravity = model.inputs.add_numbers("gravity", {{0, {1, -9.81, 2}}});
                    return model;
                  },
                  false, false, false});
  list.push_back({"gravity", "gravity",
                  [] {
                    Model model = block();
                    model.params.density[0].values = per_tet(model.elements.size(), 3, 500, 2000);
                    model.gravity = model.inputs.add_numbers("gravity", {{0, {1, -9.81, 2}}});
                    return model;
                  },
                  false, false, false});
  list.push_back({"gravity_covered", "gravity",
                  [] {
                    Model model = block("neo_hookean", {.elements = "quadratic"});
                    cover_in_part(model);
                    model.gravity = model.inputs.add_numbers("gravity", {{0, {1, -9.81, 2}}});
                    return model;
                  },
                  false, false, false});
  list.push_back({"nodal_load", "nodal_load",
                  [] {
                    Model model = block();
                    const int factor = model.inputs.add_numbers("load", {{0, {0.5}}, {1, {2}}});
                    model.nodal_loads.push_back({"push", {0, 5, 9}, random_vectors(5, 3), factor});
                    model.nodal_loads.push_back({"pull", {5, 7}, random_vectors(6, 2), factor});
                    return model;
                  },
                  false, false, false});
  list.push_back({"closed_pressure", "pressure",
                  [] {
                    Model model = block();
                    const int factor = model.inputs.add_numbers("load", {{0, {0.7}}});
                    model.pressure_loads.push_back({"pump", model.bodies[0].surface, 1e3, factor, true});
                    return model;
                  },
                  true, true, false});
  list.push_back({"closed_pressure_of_second_order", "pressure",
                  [] {
                    Model model = block("neo_hookean", {.elements = "quadratic"});
                    const int factor = model.inputs.add_numbers("load", {{0, {0.7}}});
                    model::PressureLoad load{"pump", {}, 1e3, factor, true};
                    const auto& surface = model.bodies[0].surface;
                    for (size_t k = 0; k < surface.size(); k += 4)
                      load.curved.push_back({surface[k][0], surface[k + 1][1], surface[k + 2][2],
                                             surface[k][1], surface[k + 1][2], surface[k][2]});
                    model.pressure_loads.push_back(load);
                    return model;
                  },
                  true, true, false});
  for (const model::Bending bending : {model::Bending::hinge, model::Bending::shell}) {
    const bool shell = bending == model::Bending::shell;
    const std::string term = shell ? "mid_edge_bending" : "hinges";
    const PlateOptions options = {.cells = {7, 5}, .bending = bending, .shape = bowl};
    list.push_back({term, term, [options] { return plate(options); }});
    list.push_back({term + "_unequal", term, [options] {
                      PlateOptions own = options;
                      own.weighted = false;
                      Model model = plate(own);
                      const size_t count = model.elements.size();
                      model.params.rigidity[0].values = per_tet(count, 4, 0.1, 2);
                      own.law = "orthotropic";
                      add_plate(model, plate_mesh(own), own);
                      return model;
                    }});
    list.push_back({term + "_of_a_tetrahedron", term, [options] {
                      Model model;
                      add_plate(model, tetrahedron_surface(), options);
                      return model;
                    }});
  }
  // What holds borders has a moment of its own.
  for (const model::Bending bending : {model::Bending::hinge, model::Bending::shell}) {
    const std::string term = bending == model::Bending::shell ? "mid_edge_bending" : "hinges";
    list.push_back({term + "_held", term,
                    [bending] {
                      Model model = plate({.bending = bending, .shape = bowl});
                      clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; });
                      clamp(model, model::Hold::plane, {0, 1, 0}, [](const Vec3d& X) { return X[1] < 1e-9; });
                      return model;
                    },
                    true, false});
  }
  // A normal fixed in the world resists turning: stiffness that differs along it leaves a moment.
  list.push_back({"links", "links", with_links, true, false, false});
  list.push_back({"links_of_equal_stiffness", "links",
                  [] {
                    Model model = with_links();
                    model.params.link_tangent = model.params.link_normal;
                    return model;
                  },
                  true, true, false});
  list.push_back({"links_to_frames", "links", with_frame_links, false, false, false});
  return list;
}

class EveryTerm : public testing::TestWithParam<Case> {
 protected:
  const Model model = GetParam().model();
  Terms terms = terms_named(model, GetParam().term);
  const std::vector<double> inputs = inputs_at(model, 0.4);
  const std::vector<Vec3d> x = deformed(model);
  const size_t n = model.X.size();

  View view(std::span<const Vec3d> at) const { return {.x = at, .inputs = inputs}; }

  EvalInfo total(std::span<const Vec3d> at) const {
    EvalInfo sum;
    for (const auto& term : terms) sum.value += term->evaluate(view(at), {}).value;
    return sum;
  }
  std::vector<Vec3d> gradient(std::span<const Vec3d> at) const {
    std::vector<Vec3d> g(n, Vec3d::zero());
    for (const auto& term : terms) term->evaluate(view(at), g);
    return g;
  }
  std::vector<Vec3d> product(std::span<const Vec3d> d, Hessian hessian = Hessian::exact) const {
    std::vector<Vec3d> out(n, Vec3d::zero());
    for (const auto& term : terms) term->product(view(x), hessian, d, out);
    return out;
  }
  std::vector<Vec3d> moved(std::span<const Vec3d> d, double t) const {
    std::vector<Vec3d> y(x);
    for (size_t i = 0; i < n; ++i) y[i] += d[i] * t;
    return y;
  }
  // Every third node held where `held`, the blocks in reverse order.
  std::vector<int32_t> blocks(bool held, int32_t& count) const {
    std::vector<int32_t> block(n, -1);
    count = 0;
    for (size_t i = n; i-- > 0;)
      if (!held || i % 3 != 0) block[i] = count++;
    return block;
  }
  BlockMatrix assembled(std::span<const int32_t> block, int32_t count, Hessian hessian, double scale,
                        Precision precision = Precision::full) {
    std::vector<Stencils> stencils;
    for (const auto& term : terms) stencils.push_back(term->stencils());
    const auto pattern = std::make_shared<BlockPattern>(make_pattern(stencils, block, count));
    BlockMatrix matrix;
    matrix.reset(pattern, precision);
    for (auto& term : terms) {
      term->map(*pattern, block);
      term->assemble(view(x), hessian, scale, matrix);
    }
    return matrix;
  }
};

INSTANTIATE_TEST_SUITE_P(Terms, EveryTerm, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

double norm_of(std::span<const Vec3d> v) {
  double s = 0;
  for (const Vec3d& a : v) s += norm2(a);
  return std::sqrt(s);
}

double inner(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += dot(a[i], b[i]);
  return s;
}

std::vector<Vec3d> difference(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  std::vector<Vec3d> d(a.begin(), a.end());
  for (size_t i = 0; i < d.size(); ++i) d[i] -= b[i];
  return d;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * matrix.rows(), 3 * matrix.rows());
  const BlockPattern& pattern = matrix.pattern();
  for (int32_t row = 0; row < matrix.rows(); ++row)
    for (int64_t s = pattern.row_begin[row]; s < pattern.row_begin[row + 1]; ++s) {
      const Mat3d block = matrix.block(s);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) A(3 * row + i, 3 * pattern.column[s] + j) = block(i, j);
    }
  return A;
}

TEST_P(EveryTerm, IsMadeAndBound) { ASSERT_FALSE(terms.empty()); }

TEST_P(EveryTerm, GradientIsTheDerivativeOfTheEnergy) {
  const std::vector<Vec3d> g = gradient(x);
  for (uint64_t k = 0; k < 12; ++k) {
    const std::vector<Vec3d> d = random_vectors(100 + k, n);
    const double h = 1e-5;
    const double slope = (8 * (total(moved(d, h)).value - total(moved(d, -h)).value) -
                          (total(moved(d, 2 * h)).value - total(moved(d, -2 * h)).value)) /
                         (12 * h);
    ASSERT_NEAR(slope, inner(g, d), 1e-7 * norm_of(g) * norm_of(d));
  }
}

TEST_P(EveryTerm, ProductIsTheDerivativeOfTheGradient) {
  for (uint64_t k = 0; k < 6; ++k) {
    const std::vector<Vec3d> d = random_vectors(200 + k, n), Kd = product(d);
    const double h = 1e-4;
    std::vector<Vec3d> slope = difference(gradient(moved(d, h)), gradient(moved(d, -h)));
    const auto far = difference(gradient(moved(d, 2 * h)), gradient(moved(d, -2 * h)));
    for (size_t i = 0; i < n; ++i) slope[i] = (slope[i] * 8.0 - far[i]) * (1 / (12 * h));
    ASSERT_LE(norm_of(difference(slope, Kd)), 1e-6 * norm_of(Kd) + 1e-9 * norm_of(gradient(x)));
  }
}

TEST_P(EveryTerm, AssembledAppliedAndDirectProductsAgree) {
  for (Hessian hessian : {Hessian::exact, Hessian::projected, Hessian::modified}) {
    const std::vector<Vec3d> d = random_vectors(300, n), direct = product(d, hessian);
    std::vector<Vec3d> applied(n, Vec3d::zero());
    std::vector<Mat3d> diagonal(n, Mat3d::zero());
    for (const auto& term : terms) {
      const auto linearisation = term->linearisation();
      EXPECT_EQ(linearisation == nullptr, term->stencils().nodes.empty());
      if (!linearisation) continue;
      linearisation->set(view(x), hessian);
      linearisation->apply(d, applied);
      linearisation->diagonal(diagonal);
    }
    EXPECT_LE(norm_of(difference(direct, applied)), 1e-12 * norm_of(direct));

    int32_t count;
    const std::vector<int32_t> block = blocks(false, count);
    const double scale = 0.75;
    const BlockMatrix matrix = assembled(block, count, hessian, scale);
    std::vector<Vec3d> q(count), Kq(count);
    for (size_t i = 0; i < n; ++i) q[block[i]] = d[i];
    const double dKd = matrix.multiply_dot(q, Kq);
    EXPECT_NEAR(dKd, inner(q, Kq), 1e-12 * norm_of(q) * norm_of(Kq));
    std::vector<Vec3d> back(n);
    for (size_t i = 0; i < n; ++i) back[i] = Kq[block[i]] * (1 / scale);
    EXPECT_LE(norm_of(difference(direct, back)), 1e-12 * norm_of(direct));
    const double size = dense(matrix).norm() / scale;
    for (size_t i = 0; i < n; ++i) {
      const Mat3d error = matrix.block(matrix.pattern().diagonal[block[i]]) * (1 / scale) - diagonal[i];
      EXPECT_LE(std::sqrt(contract(error, error)), 1e-12 * size);
    }
  }
}

TEST_P(EveryTerm, AssembledMatrixIsSymmetricAndDropsHeldNodes) {
  int32_t all, free;
  const std::vector<int32_t> block_all = blocks(false, all), block = blocks(true, free);
  const Eigen::MatrixXd A = dense(assembled(block_all, all, Hessian::exact, 1));
  EXPECT_LE((A - A.transpose()).norm(), 1e-12 * A.norm());
  const Eigen::MatrixXd B = dense(assembled(block, free, Hessian::exact, 1));
  Eigen::MatrixXd reference(3 * free, 3 * free);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (block[i] >= 0 && block[j] >= 0)
        reference.block<3, 3>(3 * block[i], 3 * block[j]) = A.block<3, 3>(3 * block_all[i], 3 * block_all[j]);
  EXPECT_LE((B - reference).norm(), 1e-12 * A.norm());
}

TEST_P(EveryTerm, ProjectedMatrixIsPositiveSemiDefinite) {
  int32_t count;
  const std::vector<int32_t> block = blocks(false, count);
  const Eigen::MatrixXd A = dense(assembled(block, count, Hessian::projected, 1));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A, Eigen::EigenvaluesOnly);
  EXPECT_GE(eigen.eigenvalues()[0], -1e-12 * A.norm());
}

TEST_P(EveryTerm, SinglePrecisionMatrixFollowsTheFullOne) {
  int32_t count;
  const std::vector<int32_t> block = blocks(true, count);
  const Eigen::MatrixXd A = dense(assembled(block, count, Hessian::projected, 2));
  const Eigen::MatrixXd S = dense(assembled(block, count, Hessian::projected, 2, Precision::single));
  EXPECT_LE((A - S).norm(), 1e-6 * A.norm());
}

TEST_P(EveryTerm, ForcesAndMomentsAreInBalance) {
  if (!GetParam().balanced) GTEST_SKIP() << "acts from outside";
  const std::vector<Vec3d> g = gradient(x);
  Vec3d force = {0, 0, 0}, moment = {0, 0, 0};
  double force_size = 0, moment_size = 0;
  for (size_t i = 0; i < n; ++i) {
    if (is_hidden(model, i)) continue;
    force += g[i];
    moment += cross(x[i], g[i]);
    force_size += norm(g[i]);
    moment_size += norm(x[i]) * norm(g[i]);
  }
  EXPECT_LE(norm(force), 1e-12 * force_size);
  if (GetParam().objective) {
    EXPECT_LE(norm(moment), 1e-12 * moment_size);
  }
}

TEST_P(EveryTerm, RestPoseIsFreeOfForceAndStaysSoWhenMoved) {
  if (!GetParam().rests) GTEST_SKIP() << "has no rest pose";
  const double scale = force_scale(model);
  for (const Vec3d& g : gradient(model.X)) ASSERT_LE(norm(g), 1e-12 * scale);
  if (!GetParam().objective) return;
  std::vector<Vec3d> turned(model.X);
  const Mat3d R = model::rotation(normalized(Vec3d{1, 2, 3}), 2.1);
  for (size_t i = 0; i < n; ++i)
    if (!is_hidden(model, i)) turned[i] = R * turned[i] + Vec3d{1, -2, 0.5};
  for (const Vec3d& g : gradient(turned)) ASSERT_LE(norm(g), 1e-11 * scale);
}

TEST_P(EveryTerm, GradientIsAddedToWhatIsThere) {
  const std::vector<Vec3d> g = gradient(x), start = random_vectors(1, n);
  std::vector<Vec3d> sum = start;
  for (const auto& term : terms) term->evaluate(view(x), sum);
  for (size_t i = 0; i < n; ++i) ASSERT_LE(norm(sum[i] - start[i] - g[i]), 1e-12 * (1 + norm_of(g)));
}

TEST_P(EveryTerm, AnyNumberOfThreadsGivesTheSameBits) {
  int32_t count;
  const std::vector<int32_t> block = blocks(true, count);
  const std::vector<Vec3d> d = random_vectors(400, n);
  std::set<uint64_t> hashes;
  for (int threads : {1, 2, 3, 5, 8}) {
    set_thread_count(threads);
    Hash hash;
    const double value = total(x).value;
    hash.add(&value, sizeof value);
    hash.add(std::span<const Vec3d>(gradient(x)));
    hash.add(std::span<const Vec3d>(product(d, Hessian::projected)));
    const BlockMatrix matrix = assembled(block, count, Hessian::projected, 1);
    hash.add(matrix.full(), matrix.pattern().blocks() * 9 * sizeof(double));
    hashes.insert(hash.value());
  }
  set_thread_count(0);
  EXPECT_EQ(hashes.size(), 1u);
}

}  // namespace
}  // namespace sinew::energy
