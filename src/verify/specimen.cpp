#include "verify/specimen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mesh/properties.h"
#include "model/add_body.h"
#include "model/add_hinges.h"

namespace sinew::verify {

namespace {

std::vector<double> numbers_of(const Mat3d& A, const Vec3d& b) {
  std::vector<double> numbers;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) numbers.push_back(A(i, j));
  for (int i = 0; i < 3; ++i) numbers.push_back(b[i]);
  return numbers;
}

std::unique_ptr<step::Stepper> newton(const model::Model& model, step::Mode mode, step::Integrator integrator,
                                      double tolerance) {
  const step::Method* method = step::find_method("newton");
  return method->create(model, {mode, integrator, tolerance, FieldValues(method->fields)});
}

model::State start_state(const model::Model& model, const step::Stepper& stepper) {
  model::StateLayout layout;
  stepper.declare(layout);
  return model.make_state(layout);
}

}  // namespace

Solid solid_of(std::string_view law) {
  constexpr double mu = 1 / 2.6, bulk = 1 / 1.2;
  if (law == "mooney_rivlin") return {.law = law, .fields = {0.75 * mu / 2, 0.25 * mu / 2, bulk}};
  return {law, 1, 0.3};
}

Specimen::Specimen(mesh::TetMesh mesh, const Solid& solid, std::string_view elements)
    : groups_(std::move(mesh.vertex_groups)) {
  const element::Kind& kind =
      mesh.edge_nodes.empty() ? *element::find_kind(elements) : element::plain_kind(mesh);
  model::add_body(model_, "body", kind, mesh, mesh::boundary(mesh));
  model_.params.density.push_back({{solid.density}});
  add_law(solid);
}

Specimen::Specimen(const mesh::TriMesh& mesh, double thickness, const Solid& solid, model::Bending bending)
    : groups_(mesh.vertex_groups) {
  model::add_shell(model_, "body", mesh, thickness);
  if (bending != model::Bending::none) model::add_hinges(model_, bending);
  model_.params.rigidity.push_back({{0}});
  model_.params.density.push_back({{solid.density}});
  add_law(solid);
}

void Specimen::add_law(const Solid& solid) {
  model::ElasticSet set{.body = 0, .law = material::find_law(solid.law), .elements = {}};
  set.elements.resize(model_.elements.size());
  std::iota(set.elements.begin(), set.elements.end(), 0);
  model_.sets.push_back(std::move(set));
  auto& fields = model_.params.material.emplace_back();
  for (double value : solid.values()) fields.push_back({{value}});
}

int32_t Specimen::still() { return model_.inputs.add_pose("still", {{}}); }

int32_t Specimen::motion(const Mat3d& A, const Vec3d& b) {
  return model_.inputs.add_numbers("motion",
                                   {{0, numbers_of(Mat3d::identity(), {0, 0, 0})}, {1, numbers_of(A, b)}});
}

int Specimen::hold(std::vector<int32_t> nodes, int32_t pose) {
  model_.attachments.push_back(
      {.name = "hold", .hold = model::Hold::rigid, .nodes = std::move(nodes), .pose = pose});
  return static_cast<int>(model_.attachments.size()) - 1;
}

int Specimen::clamp(std::vector<int32_t> nodes, int32_t pose) {
  const int index = hold(std::move(nodes), pose);
  model_.attachments[index].clamped = model_.attachments[index].nodes;
  return index;
}

int Specimen::hold_plane(std::vector<int32_t> nodes, const Vec3d& normal, int32_t pose) {
  model_.attachments.push_back({.name = "plane",
                                .hold = model::Hold::plane,
                                .nodes = std::move(nodes),
                                .direction = normal,
                                .pose = pose});
  return static_cast<int>(model_.attachments.size()) - 1;
}

int Specimen::clamp_plane(std::vector<int32_t> nodes, const Vec3d& normal, int32_t pose) {
  const int index = hold_plane(std::move(nodes), normal, pose);
  model_.attachments[index].clamped = model_.attachments[index].nodes;
  return index;
}

void Specimen::set_gravity(const Vec3d& g, Load load) {
  std::vector<model::NumberKey> keys;
  if (load == Load::growing) keys.push_back({0, {0, 0, 0}});
  keys.push_back({load == Load::growing ? 1.0 : 0.0, {g[0], g[1], g[2]}});
  model_.gravity = model_.inputs.add_numbers("gravity", std::move(keys));
}

void Specimen::add_load(std::vector<int32_t> nodes, std::vector<Vec3d> forces, Load load) {
  std::vector<model::NumberKey> keys;
  if (load == Load::growing) keys.push_back({0, {0}});
  keys.push_back({load == Load::growing ? 1.0 : 0.0, {1}});
  model_.nodal_loads.push_back({.name = "load",
                                .nodes = std::move(nodes),
                                .forces = std::move(forces),
                                .factor = model_.inputs.add_numbers("load", std::move(keys))});
}

void Specimen::add_floor(double friction) {
  model_.colliders.push_back({.name = "floor", .points = {}, .triangles = {}, .pose = still()});
  model_.contact.rules = {{}, {.on = true, .friction = friction}};  // the body against itself, and the floor
}

Solution Specimen::equilibrium(const Control& control, double tolerance, std::span<const Vec3d> start,
                               int steps) const {
  const auto stepper = newton(model_, step::Mode::quasistatic, {}, tolerance);
  Solution solution{{}, start_state(model_, *stepper)};
  std::copy(start.begin(), start.end(), solution.state.x().begin());
  for (int n = 1; n <= steps; ++n) {
    solution.report = stepper->step(model_.inputs, static_cast<double>(n) / steps, solution.state, control);
    if (!solution.solved()) break;
  }
  return solution;
}

std::vector<Solution> Specimen::path(const Control& control, double tolerance, std::span<const double> times,
                                     std::span<const Vec3d> start) const {
  const auto stepper = newton(model_, step::Mode::quasistatic, {}, tolerance);
  Solution solution{{}, start_state(model_, *stepper)};
  std::copy(start.begin(), start.end(), solution.state.x().begin());
  std::vector<Solution> list;
  for (double time : times) {
    solution.report = stepper->step(model_.inputs, time, solution.state, control);
    if (!solution.solved()) break;
    list.push_back(solution);
  }
  return list;
}

Solution Specimen::equilibrium_by(const step::Method& method, double tolerance,
                                  const Control& control) const {
  step::Settings settings{.tolerance = tolerance, .options = FieldValues(method.fields)};
  if (method.budgeted) settings.options.set("iterations", 1e6);
  const auto stepper = method.create(model_, settings);
  Solution solution{{}, start_state(model_, *stepper)};
  solution.report = stepper->step(model_.inputs, 1, solution.state, control);
  return solution;
}

Motion::Motion(const model::Model& model, step::Integrator integrator, double dt, double tolerance)
    : model_(model), dt_(dt), stepper_(newton(model, step::Mode::dynamic, integrator, tolerance)) {
  state = start_state(model, *stepper_);
}

bool Motion::advance(const Control& control) {
  const double t1 = dt_ * static_cast<double>(state.step() + 1);
  return stepper_->step(model_.inputs, t1, state, control).status == step::StepStatus::converged;
}

double vibration_period(const model::Model& model, std::span<const Vec3d> u, double expected,
                        int steps_per_period, const Control& control) {
  const std::vector<double> mass = model.lumped_mass(model.params);
  Motion motion(model, step::Integrator::bdf2, expected / steps_per_period, 1e-9);
  for (size_t i = 0; i < u.size(); ++i) motion.state.x()[i] += u[i];
  const auto along_u = [&] {
    double sum = 0;
    for (size_t i = 0; i < u.size(); ++i) sum += mass[i] * dot(motion.state.x()[i] - model.X[i], u[i]);
    return sum;
  };
  std::vector<double> zeros;
  double before = along_u();
  while (zeros.size() < 2 && motion.state.step() < 2 * steps_per_period) {
    const double t = motion.state.time();
    if (!motion.advance(control)) break;
    const double after = along_u();
    if ((before > 0) != (after > 0))
      zeros.push_back(t + (motion.state.time() - t) * before / (before - after));
    before = after;
  }
  return zeros.size() == 2 ? 2 * (zeros[1] - zeros[0]) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<int32_t> all_nodes(const model::Model& model) {
  std::vector<int32_t> nodes(model.bodies[0].visible().size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

std::vector<int32_t> all_nodes(const mesh::TetMesh& mesh) {
  std::vector<int32_t> nodes(mesh.vertices.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

std::vector<int32_t> boundary_nodes(const mesh::TetMesh& mesh) { return mesh::boundary_surface(mesh).vertex; }

int32_t node_at(const model::Model& model, const Vec3d& X) {
  const auto nearer = [&](const Vec3d& a, const Vec3d& b) { return norm2(a - X) < norm2(b - X); };
  return static_cast<int32_t>(std::min_element(model.X.begin(), model.X.end(), nearer) - model.X.begin());
}

double farthest(const std::vector<double>& values, double reference) {
  double worst = values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[0];
  for (double value : values)
    if (!(std::abs(value - reference) <= std::abs(worst - reference))) worst = value;
  return worst;
}

double limit(const std::vector<double>& of) {
  const double first = of[1] - of[0], second = of[2] - of[1];
  return of[2] - second * second / (second - first);
}

double observed_order(double error, double error_half) {
  return std::log2(std::abs(error) / std::abs(error_half));
}

}  // namespace sinew::verify
