// A sphere pressed on a rigid plane (Hertz: On the contact of elastic solids, 1881). The theory takes the sphere for a
// half-space that is round near the contact; so does the mesh: a quarter of a half-space, spherical to beyond the contact
// and flat farther out. A real half ball is stiffer: held at its equator, by 5 % at this depth.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "measure/points.h"
#include "mesh/properties.h"
#include "mesh/split.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double R = 1, delta = 0.01, a = 0.1;  // radius, approach, radius of the contact [m]
constexpr double outer = 40;                    // radius of the body [m]

// The gap below the body: a sphere, from r = 1.5 a on levelling off.
double profile(double r) {
  constexpr double end = 1.5 * a;
  const double inside = std::min(r, end), height = R - std::sqrt(R * R - inside * inside);
  const double slope = end / std::sqrt(R * R - end * end);
  return height + slope * a * (1 - std::exp(-(r - inside) / a));
}

// Sums of a geometric series, from `first`: 0, first, first (1 + ratio), ... until `end` is passed, scaled to end there.
std::vector<double> graded(double first, double ratio, double end) {
  std::vector<double> at = {0};
  for (double step = first; at.back() < end; step *= ratio) at.push_back(at.back() + step);
  for (double& value : at) value *= end / at.back();
  return at;
}

// A grid of cells of the size h at the face under the contact, growing with depth; around it, layers that become
// spherical. Groups: face, the planes of symmetry xmin and ymin, and far.
class QuarterSpace {
 public:
  explicit QuarterSpace(double h)
      : across_(static_cast<int32_t>(std::ceil(1.1 * a / h))),
        width_(across_ * h),
        depth_(graded(h, 1.15, width_)),
        down_(static_cast<int32_t>(depth_.size()) - 1),
        radius_(graded(h, 1.25, outer - width_)),
        layers_(static_cast<int32_t>(radius_.size()) - 1) {}

  mesh::TetMesh make() {
    const int32_t n = across_, m = down_;
    id_.assign(size_t(n + 1) * (n + 1) * (m + 1) * (layers_ + 1), -1);
    for (int32_t i = 0; i < n; ++i)
      for (int32_t j = 0; j < n; ++j)
        for (int32_t k = 0; k < m; ++k) add({i, j, k, 0}, {0, 1, 2});
    for (int32_t l = 0; l < layers_; ++l) {
      for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j) add({i, j, m, l}, {0, 1, 3});
      for (int32_t i = 0; i < n; ++i)
        for (int32_t k = 0; k < m; ++k) {
          add({n, i, k, l}, {3, 1, 2});
          add({i, n, k, l}, {0, 3, 2});
        }
    }
    return *mesh::tets_from_hexes(hexes_, mesh::Split::six);
  }

 private:
  using Place = std::array<int32_t, 4>;  // i, j, k in the grid, layer around it

  // The cell from a place along three axes of the place, a right-handed frame.
  void add(const Place& low, const std::array<int, 3>& axes) {
    constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    mesh::HexMesh::Element hex;
    for (int c = 0; c < 8; ++c) {
      Place place = low;
      for (int d = 0; d < 3; ++d) place[axes[d]] += corner[c][d];
      hex[c] = node(place);
    }
    hexes_.elements.push_back(hex);
  }

  int32_t node(const Place& p) {
    const size_t index = ((size_t(p[0]) * (across_ + 1) + p[1]) * (down_ + 1) + p[2]) * (layers_ + 1) + p[3];
    if (id_[index] >= 0) return id_[index];
    const auto id = static_cast<int32_t>(hexes_.vertices.size());
    hexes_.vertices.push_back(position(p));
    const auto join = [&](bool in, const char* group) {
      if (in) hexes_.vertex_groups[group].push_back(id);
    };
    join(p[0] == 0, "xmin");
    join(p[1] == 0, "ymin");
    join(p[2] == 0, "face");
    join(p[3] == layers_, "far");
    return id_[index] = id;
  }

  Vec3d position(const Place& p) const {
    const Vec3d core = {width_ * p[0] / across_, width_ * p[1] / across_, depth_[p[2]]};
    Vec3d x = core;
    if (p[3] > 0) {
      const double radius = width_ + radius_[p[3]];
      const double round = std::min(1.0, radius_[p[3]] / (4 * width_));
      x = core * ((1 - round) * radius / width_) + normalized(core) * (round * radius);
    }
    x[2] += profile(std::hypot(x[0], x[1]));
    return x;
  }

  int32_t across_;
  double width_;  // of the grid [m]
  std::vector<double> depth_;
  int32_t down_;
  std::vector<double> radius_;
  int32_t layers_;
  std::vector<int32_t> id_;
  mesh::HexMesh hexes_;
};

struct Contact {
  double force = 0, reaction = 0;  // of the whole [N]
  double radius = 0;               // [m]
  int iterations = 0;
};

Contact press(double h, const Control& control) {
  Specimen body(QuarterSpace(h).make(), {"linear", 1000, 0.3});
  const model::Model& model = body.model();
  const int32_t still = body.still();
  body.hold_plane(body.group("xmin"), {1, 0, 0}, still);
  body.hold_plane(body.group("ymin"), {0, 1, 0}, still);
  const int far = body.hold(body.group("far"), body.motion(Mat3d::identity(), {0, 0, -delta}));
  body.add_floor(0);
  std::vector<Vec3d> start = model.X;
  for (Vec3d& x : start) x[2] -= delta;
  const Solution solution = body.equilibrium(control, 1e-7, start);

  Contact contact;
  contact.iterations = solution.report.iterations;
  const auto forces = solution.state.vectors("contact_node_force");
  std::vector<double> area(model.X.size(), 0.0);
  std::vector<char> on_face(model.X.size(), 0);
  for (int32_t node : body.group("face")) on_face[node] = 1;
  for (const model::Triangle& t : model.bodies[0].surface)
    if (on_face[t[0]] && on_face[t[1]] && on_face[t[2]])
      for (int32_t node : t) area[node] += mesh::triangle_area(solution.state.x(), t) / 3;
  double pressing = 0;
  for (size_t i = 0; i < area.size(); ++i) {
    contact.force += 4 * forces[i][2];
    if (forces[i][2] > 0) pressing += 4 * area[i];
  }
  contact.force = solution.valid(contact.force);
  contact.radius = solution.valid(std::sqrt(pressing / std::numbers::pi));
  const measure::Snapshot snapshot(model, model.params, solution.state);
  for (const Vec3d& force : measure::reactions(snapshot, far)) contact.reaction -= 4 * force[2];
  contact.reaction = solution.valid(contact.reaction);
  return contact;
}

}  // namespace

const Problem& problem_hertz() {
  static const Problem problem = {
      .id = "V24b",
      .title = "Hertz contact",
      .source = "Hertz 1881",
      .doc =
          "A half-space with a spherical face, R = 1 m, E = 1000 Pa, nu = 0.3 (linear), pressed on a rigid "
          "plane by "
          "delta = 0.01 m, without friction: a^2 = R delta, F = 4/3 E / (1 - nu^2) sqrt(R) delta^(3/2). A "
          "quarter "
          "of it, of radius 40 m, with cells of a/5, a/10 and a/15 under the contact. The radius is sqrt(A / "
          "pi), "
          "A the area of the vertices that press: a third of the deformed triangles around each.",
      .run =
          [](const Control& control) {
            Checks checks(problem_hertz());
            constexpr double F = 1.465201465;
            std::vector<double> h, forces, radii;
            Contact contact;
            for (int cells : {5, 10, 15}) {
              contact = press(a / cells, control);
              h.push_back(a / cells);
              forces.push_back(contact.force);
              radii.push_back(contact.radius);
            }
            checks.series("force", "cell size [m]", h, forces, F, 0);
            checks.series("radius", "cell size [m]", h, radii, a, 0);
            checks.relative("force", "sum of the contact forces [N]", contact.force, F, 0.03);
            checks.relative("reaction", "force that holds the far side [N]", contact.reaction, F, 0.03);
            checks.relative("radius", "radius of the contact [m]", contact.radius, a, 0.05);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify
