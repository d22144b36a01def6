#include "step/penetration.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/mesh_distance.h"

namespace sinew::step {

using contact::Pair;
using math::Vec3d;

namespace {

constexpr int max_queries = 100;  // of whole surfaces

struct Below {
  double depth;  // [m]
  const Pair* pair;
};

// Of the vertex of a pair below its triangle or collider, or of a sheet below a corner or an edge of one [m]. There is nothing below a
// sheet.
double depth_below(const model::Model& model, const Pair& pair, const contact::Detector& detector,
                   std::span<const double> inputs, std::span<const Vec3d> x) {
  if (pair.collider >= 0 && pair.node[1] >= 0) {
    Vec3d d = -model::pose_at(inputs, model.colliders[pair.collider].pose)(pair.point);
    for (int k = 0; k < 4; ++k)
      if (pair.node[k] >= 0) d += x[pair.node[k]] * pair.weight[k];
    return -dot(pair.normal, d);
  }
  if (pair.edges || pair.two_sided) return 0;
  if (pair.collider < 0 && !detector.surface().solid[pair.body[1]]) return 0;
  const Vec3d& v = x[pair.node[0]];
  if (pair.collider >= 0) return -detector.colliders().nearest(pair.collider, v, inputs).distance;
  const Vec3d &a = x[pair.node[1]], &b = x[pair.node[2]], &c = x[pair.node[3]];
  const geometry::OnTriangle on = geometry::closest_on_triangle(v, a, b, c);
  const Vec3d outward = cross(b - a, c - a);
  // A triangle that an inverted element turned over has its vertices on the wrong side.
  const bool below = on.feature == 7 && dot(outward, v - a) < 0 && dot(outward, pair.normal) > 0;
  return below ? std::sqrt(on.distance2) : 0;
}

}  // namespace

// A vertex behind a triangle need not be inside the body: where a surface is pleated, other triangles lie between. The deepest
// are tested first, each against the whole surface; of those that turn out to be outside, no more than max_queries.
void measure_penetration(const model::Model& model, const contact::Detector& detector,
                         std::span<const double> inputs, std::span<const Pair* const> pairs,
                         std::span<const Vec3d> nodes, StepReport& report) {
  std::vector<Vec3d> memory;
  const std::span<const Vec3d> x = model::contact_points(model, nodes, memory);
  std::vector<Below> below;
  for (const Pair* pair : pairs)
    if (const double depth = depth_below(model, *pair, detector, inputs, x); depth > 0)
      below.push_back({depth, pair});
  std::stable_sort(below.begin(), below.end(),
                   [](const Below& a, const Below& b) { return a.depth > b.depth; });
  std::map<int32_t, geometry::MeshDistance> bodies;
  const contact::Surface& surface = detector.surface();
  int queries = 0;
  for (const auto& [depth, pair] : below) {
    if (depth <= report.penetration || queries == max_queries) return;
    double deep = depth;
    const int32_t body = pair->collider >= 0 ? -1 : model.body_of_point(pair->node[1]);
    if (body >= 0 && body != model.body_of_point(pair->node[0])) {
      ++queries;
      const geometry::MeshDistance& other =
          bodies.try_emplace(body, x, model.touching_surface(body)).first->second;
      const Vec3d& v = x[pair->node[0]];
      deep = other.winding_number(v) > 0.5 ? std::abs(other.closest(v, depth).distance) : 0;
    }
    if (deep <= report.penetration) continue;
    report.penetration = deep;
    report.penetration_edge = deep / surface.edge_length[surface.vertex_of_point[pair->node[0]]];
  }
}

}  // namespace sinew::step
