#include "mesh/sheet_shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "math/frame.h"
#include "math/random.h"
#include "mesh/borders.h"
#include "mesh/circle.h"
#include "mesh/properties.h"
#include "mesh/request.h"

namespace sinew::mesh {
namespace {

constexpr std::string_view names[] = {"one_way", "alternating", "crossed", "equilateral"};

// Two vertices that move towards each other by this share of an edge turn no triangle of these shapes round.
constexpr double most_jitter = 0.3;
const double height_of_equilateral = std::sqrt(3.0) / 2;

int32_t cells_along(double length, double edge) {
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  const double cells = std::round(length / edge);
  return !(cells > 1) ? 1 : cells < most ? static_cast<int32_t>(cells) : most;
}

Result<void> check_edge(const char* shape, double edge) {
  if (std::isfinite(edge) && edge >= 0) return {};
  return usage_error(
      fmt::format("{}: edge is {}, expected a positive length [m], or 0 to go by the cells", shape, edge));
}

Result<void> check_jitter(const char* shape, const Jitter& jitter) {
  if (jitter.share >= 0 && jitter.share <= most_jitter) return {};
  return usage_error(
      fmt::format("{}: jitter is {} of an edge, expected 0 to {}", shape, jitter.share, most_jitter));
}

Result<void> check_weight(const char* shape, const SheetSize& size, int64_t max_bytes) {
  constexpr double most = std::numeric_limits<int32_t>::max() / 3.0;
  // The mesh with its coordinates, and what finding its borders takes.
  const double bytes = 64 * size.points + 160 * size.triangles;
  if (size.points <= most && size.triangles <= most && bytes <= static_cast<double>(max_bytes)) return {};
  return usage_error(fmt::format(
      "{}: about {:.4g} vertices and {:.4g} triangles need {:.4g} bytes; at most {} bytes are available and "
      "{:.4g} of either",
      shape, size.points, size.triangles, bytes, max_bytes, most));
}

template <class Belongs>
void add_group(TriMesh& mesh, const char* name, const Belongs& belongs) {
  auto& group = mesh.vertex_groups[name];
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    if (belongs(i)) group.push_back(static_cast<int32_t>(i));
}

std::vector<double> shortest_edges(const TriMesh& mesh) {
  std::vector<double> shortest(mesh.vertices.size(), std::numeric_limits<double>::infinity());
  for (const auto& triangle : mesh.elements)
    for (int k = 0; k < 3; ++k) {
      const int32_t a = triangle[k], b = triangle[(k + 1) % 3];
      const double length = norm(mesh.vertices[a] - mesh.vertices[b]);
      shortest[a] = std::min(shortest[a], length);
      shortest[b] = std::min(shortest[b], length);
    }
  return shortest;
}

// Evenly over a disc of the tangent plane, then back onto the surface.
template <class Normal, class Project>
void scatter(TriMesh& mesh, const Jitter& jitter, const Normal& normal, const Project& project) {
  if (jitter.share == 0) return;
  const std::vector<double> shortest = shortest_edges(mesh);
  std::vector<char> stays = border_vertices(mesh);
  for (const auto& [name, ids] : mesh.vertex_groups)
    for (const int32_t id : ids) stays[id] = 1;
  const math::Random random(jitter.seed);
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (stays[i]) continue;
    Vec3d& x = mesh.vertices[i];
    Vec3d a, b;
    math::complete_frame(normal(x), a, b);
    const double angle = 2 * std::numbers::pi * random.uniform(2 * i);
    const double r = jitter.share * shortest[i] * std::sqrt(random.uniform(2 * i + 1));
    x = project(x + a * (r * std::cos(angle)) + b * (r * std::sin(angle)));
  }
}

void scatter_in_plane(TriMesh& mesh, const Jitter& jitter) {
  scatter(
      mesh, jitter,
      [](const Vec3d&) {
        return Vec3d{0, 0, 1};
      },
      [](const Vec3d& x) { return x; });
}

void scatter_on_sphere(TriMesh& mesh, const Jitter& jitter, double radius) {
  scatter(
      mesh, jitter, [](const Vec3d& x) { return normalized(x); },
      [&](const Vec3d& x) { return normalized(x) * radius; });
}

// Of a sheet that lies in the plane z = 0.
void add_plane_texture(TriMesh& mesh) {
  Attribute& texture = mesh.element_data[texture_data];
  const auto at = [&](int32_t v) { return Vec2d{mesh.vertices[v][0], mesh.vertices[v][1]}; };
  for (const auto& [a, b, c] : mesh.elements) append_texture(texture, {at(a), at(b), at(c)});
}

}  // namespace

std::span<const std::string_view> pattern_names() { return names; }

std::optional<Pattern> pattern_named(std::string_view name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) return {};
  return static_cast<Pattern>(found - std::begin(names));
}

Result<TriMesh> make_grid_sheet(const GridSheet& grid, int64_t max_bytes) {
  std::array<int32_t, 2> cells = grid.cells;
  if (grid.edge > 0) {
    const double height = grid.pattern == Pattern::equilateral ? height_of_equilateral : 1;
    cells = {cells_along(grid.size[0], grid.edge), cells_along(grid.size[1], height * grid.edge)};
  }
  if (auto ok = first_error({check_length("grid", "size x", grid.size[0]),
                             check_length("grid", "size y", grid.size[1]), check_edge("grid", grid.edge),
                             check_cells("grid", "cells x", cells[0], 1),
                             check_cells("grid", "cells y", cells[1], 1), check_jitter("grid", grid.jitter),
                             check_weight("grid", rows_size(cells, grid.pattern, false), max_bytes)});
      !ok)
    return ok.error();
  Rows rows = rows_of_cells(cells, grid.pattern, false);
  TriMesh mesh;
  mesh.elements = std::move(rows.elements);
  for (const Vec2d& p : rows.points)
    mesh.vertices.push_back({grid.size[0] * (p[0] / cells[0]), grid.size[1] * (p[1] / cells[1]), 0});
  const auto on = [&](int axis, bool high) {
    return [&rows, axis, end = high ? cells[axis] : 0](size_t i) { return rows.points[i][axis] == end; };
  };
  add_group(mesh, "xmin", on(0, false));
  add_group(mesh, "xmax", on(0, true));
  add_group(mesh, "ymin", on(1, false));
  add_group(mesh, "ymax", on(1, true));
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      add_group(mesh, fmt::format("{}_{}", x ? "xmax" : "xmin", y ? "ymax" : "ymin").c_str(),
                [&](size_t i) { return on(0, x)(i) && on(1, y)(i); });
  scatter_in_plane(mesh, grid.jitter);
  add_plane_texture(mesh);
  return mesh;
}

namespace {

// Rings of a disc or a cap: how many edges each has in a sector.
struct RingPlan {
  int32_t sectors = 6;
  std::vector<int32_t> count;
  bool closed = true;
};

// Six sectors have an edge more with each ring of a plane, and their triangles are nearly equilateral.
double edges_per_ring(bool quarter, int32_t sectors) { return 6.0 / (quarter ? 4 : sectors); }

// Rings at a distance d whose six sectors gain an edge each have triangles of the area pi/6 d^2, as equilateral ones with this edge
// over d.
const double edge_over_distance = std::sqrt(2 * std::numbers::pi / (3 * std::sqrt(3.0)));

// Vertices and groups of rings; `at` gives the place of a ring and an angle.
template <class At>
TriMesh ring_sheet(const RingPlan& plan, double sweep_degrees, bool quarter, const At& at) {
  Rings rings = rings_of_sectors(plan.count, plan.sectors, plan.closed);
  TriMesh mesh;
  mesh.elements = std::move(rings.elements);
  for (const auto& [ring, share] : rings.points) mesh.vertices.push_back(at(ring, sweep_degrees * share));
  const auto last = static_cast<int32_t>(plan.count.size()) - 1;
  add_group(mesh, plan.count[0] == 0 ? "centre" : "inner",
            [&](size_t i) { return rings.points[i].ring == 0; });
  add_group(mesh, "border", [&](size_t i) { return rings.points[i].ring == last; });
  if (plan.closed) return mesh;
  const auto is_centre = [&](size_t i) { return plan.count[rings.points[i].ring] == 0; };
  add_group(mesh, quarter ? "ymin" : "start",
            [&](size_t i) { return is_centre(i) || rings.points[i].share == 0; });
  add_group(mesh, quarter ? "xmin" : "end",
            [&](size_t i) { return is_centre(i) || rings.points[i].share == 1; });
  return mesh;
}

}  // namespace

Result<TriMesh> make_disc_sheet(const DiscSheet& disc, int64_t max_bytes) {
  const double width = disc.outer - disc.inner;
  const int32_t cells =
      disc.edge > 0 ? cells_along(width * edge_over_distance, disc.edge) : std::max(disc.cells, 1);
  const double distance = width / cells, before = disc.inner / distance;
  const int32_t sectors = disc.quarter ? 1 : 6;
  const double gain = edges_per_ring(disc.quarter, sectors);
  const double triangles = sectors * (gain * cells * (2 * before + cells) + 2.0 * cells);
  if (auto ok = first_error(
          {check_length("disc", "outer radius", disc.outer),
           disc.inner == 0 ? Result<void>() : check_length("disc", "inner radius", disc.inner),
           check_below("disc", "inner", disc.inner, "outer", disc.outer), check_edge("disc", disc.edge),
           check_cells("disc", "cells", disc.cells, 1), check_jitter("disc", disc.jitter),
           check_weight("disc", {triangles / 2 + cells + 1, triangles}, max_bytes)});
      !ok)
    return ok.error();
  if (disc.slit && (disc.inner == 0 || disc.quarter))
    return usage_error("disc: only a whole ring with an inner radius above 0 can be slit");
  RingPlan plan{.sectors = sectors, .count = {}, .closed = !disc.slit && !disc.quarter};
  for (int32_t k = 0; k <= cells; ++k) {
    const auto edges = static_cast<int32_t>(std::lround(gain * (before + k)));
    plan.count.push_back(k == 0 && disc.inner == 0 ? 0 : std::max(edges, 1));
  }
  TriMesh mesh = ring_sheet(plan, disc.quarter ? 90 : 360, disc.quarter, [&](int32_t ring, double degrees) {
    return turned(ring == cells ? disc.outer : disc.inner + distance * ring, degrees, 0);
  });
  scatter_in_plane(mesh, disc.jitter);
  add_plane_texture(mesh);
  return mesh;
}

Result<TriMesh> make_cap_sheet(const CapSheet& cap, int64_t max_bytes) {
  const double sweep = cap.opening_degrees - cap.hole_degrees, radians = std::numbers::pi / 180;
  const int32_t cells = cap.edge > 0
                            ? cells_along(sweep * radians * cap.radius * edge_over_distance, cap.edge)
                            : std::max(cap.cells, 1);
  const double step = sweep / cells;
  // Quarters, so that vertices lie in the planes of symmetry.
  const int32_t sectors = cap.quarter ? 1 : 4;
  const double gain = edges_per_ring(cap.quarter, sectors) / (step * radians);
  const double triangles =
      sectors * (2 * gain * (std::cos(cap.hole_degrees * radians) - std::cos(cap.opening_degrees * radians)) /
                     (step * radians) +
                 4.0 * cells);
  if (!(cap.hole_degrees >= 0 && cap.hole_degrees < cap.opening_degrees && cap.opening_degrees < 180))
    return usage_error(
        fmt::format("cap: from hole_degrees {} to opening_degrees {}; expected at least 0, less than the "
                    "opening, and less than 180",
                    cap.hole_degrees, cap.opening_degrees));
  if (auto ok = first_error({check_length("cap", "radius", cap.radius), check_edge("cap", cap.edge),
                             check_cells("cap", "cells", cap.cells, 1), check_jitter("cap", cap.jitter),
                             check_weight("cap", {triangles / 2 + cells + 1, triangles}, max_bytes)});
      !ok)
    return ok.error();
  RingPlan plan{.sectors = sectors, .count = {}, .closed = !cap.quarter};
  const auto degrees_of = [&](int32_t ring) {
    return ring == cells ? cap.opening_degrees : cap.hole_degrees + step * ring;
  };
  for (int32_t k = 0; k <= cells; ++k) {
    const auto edges = static_cast<int32_t>(std::lround(gain * std::sin(degrees_of(k) * radians)));
    plan.count.push_back(k == 0 && cap.hole_degrees == 0 ? 0 : std::max(edges, 1));
  }
  TriMesh mesh = ring_sheet(plan, cap.quarter ? 90 : 360, cap.quarter, [&](int32_t ring, double degrees) {
    const Vec3d meridian = turned(cap.radius, degrees_of(ring), 0);
    return turned(meridian[1], degrees, meridian[0]);
  });
  scatter_on_sphere(mesh, cap.jitter, cap.radius);
  return mesh;
}

Result<TriMesh> make_tube_sheet(const TubeSheet& tube, int64_t max_bytes) {
  const bool full = tube.sweep_degrees == 360;
  const double arc = tube.radius * tube.sweep_degrees * std::numbers::pi / 180;
  std::array<int32_t, 2> cells{tube.around, tube.along};
  if (tube.edge > 0) {
    const double height = tube.pattern == Pattern::equilateral ? height_of_equilateral : 1;
    cells = {std::max(cells_along(arc, tube.edge), full ? 3 : 1),
             cells_along(tube.length, height * tube.edge)};
  }
  if (!(tube.sweep_degrees > 0 && tube.sweep_degrees <= 360) || !std::isfinite(tube.start_degrees))
    return usage_error(
        fmt::format("tube_surface: sweep_degrees is {} from {}, expected more than 0 and at most 360",
                    tube.sweep_degrees, tube.start_degrees));
  if (auto ok = first_error(
          {check_length("tube_surface", "radius", tube.radius),
           check_length("tube_surface", "length", tube.length), check_edge("tube_surface", tube.edge),
           check_cells("tube_surface", "around", cells[0], full ? 3 : 1),
           check_cells("tube_surface", "along", cells[1], 1), check_jitter("tube_surface", tube.jitter),
           check_weight("tube_surface", rows_size(cells, tube.pattern, full), max_bytes)});
      !ok)
    return ok.error();
  if (tube.sweep_degrees / cells[0] >= 180)
    return usage_error(
        fmt::format("tube_surface: {} cells around turn by {} degrees each, expected less than 180", cells[0],
                    tube.sweep_degrees / cells[0]));
  Rows rows = rows_of_cells(cells, tube.pattern, full);
  TriMesh mesh;
  mesh.elements = std::move(rows.elements);
  for (const Vec2d& p : rows.points)
    mesh.vertices.push_back(turned(tube.radius, tube.start_degrees + tube.sweep_degrees * (p[0] / cells[0]),
                                   tube.length * (p[1] / cells[1])));
  add_group(mesh, "bottom", [&](size_t i) { return rows.points[i][1] == 0; });
  add_group(mesh, "top", [&](size_t i) { return rows.points[i][1] == cells[1]; });
  if (!full) {
    add_group(mesh, "start", [&](size_t i) { return rows.points[i][0] == 0; });
    add_group(mesh, "end", [&](size_t i) { return rows.points[i][0] == cells[0]; });
  }
  scatter(
      mesh, tube.jitter,
      [](const Vec3d& x) {
        return normalized(Vec3d{x[0], x[1], 0});
      },
      [&](const Vec3d& x) {
        const Vec3d out = normalized(Vec3d{x[0], x[1], 0}) * tube.radius;
        return Vec3d{out[0], out[1], x[2]};
      });
  const bool staggered = tube.pattern == Pattern::equilateral;
  if (tube.pattern == Pattern::crossed || (staggered && !full) || tube.jitter.share > 0) return mesh;
  // Facets unfold as they are, flat: a cell is as wide as its chord, and rows of staggered triangles lean.
  const double half = tube.sweep_degrees / cells[0] / 2 * std::numbers::pi / 180;
  const double lean = staggered ? tube.radius * (1 - std::cos(half)) : 0;
  const double width = 2 * tube.radius * std::sin(half), height = std::hypot(tube.length / cells[1], lean);
  Attribute& texture = mesh.element_data[texture_data];
  for (FlatTriangle corners : rows.corners) {
    for (Vec2d& p : corners) p = {width * p[0], height * p[1]};
    append_texture(texture, corners);
  }
  return mesh;
}

Result<TriMesh> make_sphere_sheet(const SphereSheet& sphere, int64_t max_bytes) {
  const double edge_angle = std::atan(2.0);  // between neighbouring corners of an icosahedron
  const int32_t cells = sphere.edge > 0 ? cells_along(edge_angle * sphere.radius, sphere.edge) : sphere.cells;
  const double squared = static_cast<double>(cells) * cells;
  if (auto ok =
          first_error({check_length("sphere", "radius", sphere.radius), check_edge("sphere", sphere.edge),
                       check_cells("sphere", "cells", cells, 1), check_jitter("sphere", sphere.jitter),
                       check_weight("sphere", {10 * squared + 2, 20 * squared}, max_bytes)});
      !ok)
    return ok.error();
  TriMesh mesh = icosahedron_surface(cells);
  for (Vec3d& x : mesh.vertices) x *= sphere.radius;
  mesh.vertex_groups = {{"bottom", {11}}, {"top", {0}}};
  scatter_on_sphere(mesh, sphere.jitter, sphere.radius);
  return mesh;
}

}  // namespace sinew::mesh
