#include "mesh/shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "mesh/geometry.h"
#include "mesh/hex_grids.h"

namespace sinew::mesh {
namespace {

Result<void> check_length(const char* shape, const char* name, double value) {
  if (std::isfinite(value) && value > 0) return {};
  return usage_error(fmt::format("{}: {} is {}, expected a positive length [m]", shape, name, value));
}

Result<void> check_cells(const char* shape, const char* name, int32_t value, int32_t least) {
  if (value >= least) return {};
  return usage_error(fmt::format("{}: {} is {}, expected at least {}", shape, name, value, least));
}

Result<void> first_error(std::initializer_list<Result<void>> checks) {
  for (const auto& check : checks)
    if (!check) return check.error();
  return {};
}

Result<void> check_size(const char* shape, const SplitSize& size, int64_t max_bytes) {
  constexpr double most = std::numeric_limits<int32_t>::max();
  if (size.nodes <= most && size.tets <= most && size.bytes <= static_cast<double>(max_bytes)) return {};
  return usage_error(
      fmt::format("{}: about {:.4g} nodes and {:.4g} tets need {:.4g} bytes; at most {} bytes are available "
                  "and an id counts to {}",
                  shape, size.nodes, size.tets, size.bytes, max_bytes, std::numeric_limits<int32_t>::max()));
}

HexMesh box_grid(const Vec3d& size, const std::array<int32_t, 3>& cells) {
  HexMesh mesh = grid(cells, {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"});
  for (Vec3d& x : mesh.vertices)
    for (int k = 0; k < 3; ++k) x[k] = size[k] * (x[k] / cells[k]);
  return mesh;
}

Result<void> check_box(const Vec3d& size, const std::array<int32_t, 3>& cells, const SplitSize& weight,
                       int64_t max_bytes) {
  return first_error({check_length("box", "size x", size[0]), check_length("box", "size y", size[1]),
                      check_length("box", "size z", size[2]), check_cells("box", "cells x", cells[0], 1),
                      check_cells("box", "cells y", cells[1], 1), check_cells("box", "cells z", cells[2], 1),
                      check_size("box", weight, max_bytes)});
}

SplitSize grid_size(const std::array<int32_t, 3>& cells, Split split) {
  const double x = cells[0], y = cells[1], z = cells[2];
  return split_size(x * y * z, (x + 1) * (y + 1) * (z + 1), 2 * (x * y + y * z + z * x), split);
}

// Moves every node through the map and checks what came out.
Result<TetMesh> mapped(const char* shape, Result<TetMesh> tets,
                       const std::function<Vec3d(const Vec3d&)>& map) {
  if (!tets) return tets;
  for (Vec3d& x : tets->vertices) x = map(x);
  for (const auto& tet : tets->elements)
    if (!(tet_volume(tets->vertices, tet) > 0))
      return usage_error(
          fmt::format("{}: a tet has no volume: the cells are too coarse for the curvature, or the sizes too "
                      "far apart",
                      shape));
  return tets;
}

// A point of the cube's surface, |p|_inf = 1, on the unit sphere; equal steps make equal angles along
// the middle of a face.
Vec3d cube_to_sphere(const Vec3d& p) {
  Vec3d q;
  for (int k = 0; k < 3; ++k) q[k] = std::tan(std::numbers::pi / 4 * p[k]);
  return normalized(q);
}

double max_norm(const Vec3d& p) { return std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}); }

SplitSize layers_size(double n, double layers, bool octant, bool solid, Split split) {
  const double patch = n * n * (octant ? 3 : 6), points = octant ? 3 * n * (n + 1) + 1 : 6 * n * n + 2;
  const double hexes = patch * layers + (solid ? n * n * n : 0);
  const double nodes = points * (layers + 1) + (solid ? (n + 1) * (n + 1) * (n + 1) : 0);
  SplitSize total =
      split_size(hexes, nodes, patch * (solid ? 1 : 2) + (octant ? 3 * 2 * n * layers : 0), split);
  total.bytes += 4 * (n + 1) * (n + 1) * (n + 1);  // the lattice table
  return total;
}

// From the cube (square) towards the sphere (circle) as t grows from the middle to the rim; the core is
// a little smaller than the straight blend would make it, which evens out the layers at its edges.
constexpr double core_scale = 0.85;
Vec3d round_off(const Vec3d& p, double t, const Vec3d& direction) {
  return p * ((1 - t) * core_scale) + direction * (t * t);
}

void rename_group(TetMesh& mesh, const char* from, const char* to) {
  auto node = mesh.vertex_groups.extract(from);
  node.key() = to;
  mesh.vertex_groups.insert(std::move(node));
}

// Closes a full circle: nodes at the angle number `around` become those at 0. With bcc the seam keeps its
// face centres, as a boundary would. Grid coordinates are multiples of 1/8, so the comparison is exact.
void weld_seam(TetMesh& mesh, const std::vector<Vec3d>& reference, double around) {
  std::map<std::pair<double, double>, int32_t> start;
  for (size_t i = 0; i < reference.size(); ++i)
    if (reference[i][1] == 0) start[{reference[i][0], reference[i][2]}] = static_cast<int32_t>(i);
  std::vector<int32_t> place(reference.size());
  std::vector<Vec3d> kept;
  for (size_t i = 0; i < reference.size(); ++i)
    if (reference[i][1] != around) {
      place[i] = static_cast<int32_t>(kept.size());
      kept.push_back(mesh.vertices[i]);
    }
  for (size_t i = 0; i < reference.size(); ++i)
    if (reference[i][1] == around) place[i] = place[start.at({reference[i][0], reference[i][2]})];
  mesh.vertices = std::move(kept);
  for (auto& tet : mesh.elements)
    for (int32_t& node : tet) node = place[node];
  mesh.vertex_groups.erase("start");
  mesh.vertex_groups.erase("end");
  for (auto& [name, ids] : mesh.vertex_groups) {
    for (int32_t& id : ids) id = place[id];
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
}

}  // namespace

Result<HexMesh> make_hex_box(const Vec3d& size, const std::array<int32_t, 3>& cells, int64_t max_bytes) {
  if (auto ok = check_box(size, cells, grid_size(cells, Split::six), max_bytes); !ok) return ok.error();
  return box_grid(size, cells);
}

Result<TetMesh> make_box(const Box& box, int64_t max_bytes) {
  if (auto ok = check_box(box.size, box.cells, grid_size(box.cells, box.split), max_bytes); !ok)
    return ok.error();
  return mapped("box", tets_from_hexes(box_grid(box.size, box.cells), box.split),
                [](const Vec3d& x) { return x; });
}

Result<TetMesh> make_ball(const Ball& ball, int64_t max_bytes) {
  const Core core(std::max(ball.cells, 3));
  if (auto ok = first_error(
          {check_length("ball", "radius", ball.radius), check_cells("ball", "cells", ball.cells, 3),
           check_size("ball", layers_size(core.core, core.rings, false, true, ball.split), max_bytes)});
      !ok)
    return ok.error();
  const HexMesh hexes =
      cube_layers({.cells = core.core, .layers = core.rings, .inner = core.edge, .solid = true});
  Result<TetMesh> mesh = mapped("ball", tets_from_hexes(hexes, ball.split), [&](const Vec3d& p) {
    const double t = max_norm(p);
    return t > 0 ? round_off(p, t, cube_to_sphere(p / t)) * ball.radius : p;
  });
  if (mesh) rename_group(*mesh, "outer", "surface");
  return mesh;
}

Result<TetMesh> make_cylinder(const Cylinder& cylinder, int64_t max_bytes) {
  const Core core(std::max(cylinder.cells, 3));
  const double n = core.core, rings = core.rings, layers = cylinder.layers;
  const double quads = n * n + 4 * n * rings, nodes = (n + 1) * (n + 1) + 4 * n * rings;
  if (auto ok = first_error({check_length("cylinder", "radius", cylinder.radius),
                             check_length("cylinder", "length", cylinder.length),
                             check_cells("cylinder", "cells", cylinder.cells, 3),
                             check_cells("cylinder", "layers", cylinder.layers, 1),
                             check_size("cylinder",
                                        split_size(quads * layers, nodes * (layers + 1),
                                                   2 * quads + 4 * n * layers, cylinder.split),
                                        max_bytes)});
      !ok)
    return ok.error();
  const HexMesh hexes = square_column(cylinder.cells, cylinder.layers);
  return mapped("cylinder", tets_from_hexes(hexes, cylinder.split), [&](const Vec3d& p) {
    const Vec3d flat{p[0], p[1], 0};
    const double t = max_norm(flat);
    Vec3d x = t > 0 ? round_off(flat, t, cube_to_sphere(flat / t)) * cylinder.radius : flat;
    x[2] = cylinder.length * (p[2] / cylinder.layers);
    return x;
  });
}

Result<TetMesh> make_tube(const Tube& tube, int64_t max_bytes) {
  const bool full = tube.sweep_degrees == 360;
  const std::array<int32_t, 3> cells{tube.radial, tube.around, tube.layers};
  if (auto ok = first_error(
          {check_length("tube", "inner", tube.inner), check_length("tube", "outer", tube.outer),
           check_length("tube", "length", tube.length), check_cells("tube", "radial", tube.radial, 1),
           check_cells("tube", "around", tube.around, full ? 3 : 1),
           check_cells("tube", "layers", tube.layers, 1),
           check_size("tube", grid_size(cells, tube.split), max_bytes)});
      !ok)
    return ok.error();
  if (tube.inner >= tube.outer)
    return usage_error(
        fmt::format("tube: inner radius {} is not below outer radius {}", tube.inner, tube.outer));
  if (!(tube.sweep_degrees > 0 && tube.sweep_degrees <= 360) || !std::isfinite(tube.start_degrees))
    return usage_error(fmt::format("tube: sweep_degrees is {} from {}, expected more than 0 and at most 360",
                                   tube.sweep_degrees, tube.start_degrees));
  if (full && tube.split == Split::five && tube.around % 2)
    return usage_error(
        fmt::format("tube: split five needs an even number of cells around, found {}", tube.around));

  const HexMesh hexes = grid(cells, {"inner", "outer", "start", "end", "bottom", "top"});
  Result<TetMesh> mesh = tets_from_hexes(hexes, tube.split);
  if (!mesh) return mesh;
  std::vector<Vec3d> reference;
  if (full) reference = mesh->vertices;
  mesh = mapped("tube", std::move(mesh), [&](const Vec3d& p) {
    const double r = tube.inner + (tube.outer - tube.inner) * (p[0] / tube.radial);
    const double degrees = tube.start_degrees + tube.sweep_degrees * (p[1] / tube.around);
    // Quarter turns exactly: nodes of a quarter tube lie in its planes of symmetry.
    const double turns = degrees / 90, whole = std::round(turns);
    const double angle = (turns - whole) * (std::numbers::pi / 2);
    const double c = r * std::cos(angle), s = r * std::sin(angle);
    const int quarter = static_cast<int>(std::fmod(whole, 4) + 4) % 4;
    const double x[4] = {c, -s, -c, s}, y[4] = {s, c, -s, -c};
    return Vec3d{x[quarter], y[quarter], tube.length * (p[2] / tube.layers)};
  });
  if (mesh && full) weld_seam(*mesh, reference, tube.around);
  return mesh;
}

Result<TetMesh> make_shell(const Shell& shell, int64_t max_bytes) {
  if (auto ok = first_error(
          {check_length("shell", "inner", shell.inner), check_length("shell", "outer", shell.outer),
           check_cells("shell", "radial", shell.radial, 1), check_cells("shell", "across", shell.across, 1),
           check_size("shell", layers_size(shell.across, shell.radial, shell.octant, false, shell.split),
                      max_bytes)});
      !ok)
    return ok.error();
  if (shell.inner >= shell.outer)
    return usage_error(
        fmt::format("shell: inner radius {} is not below outer radius {}", shell.inner, shell.outer));
  const HexMesh hexes = cube_layers({.cells = shell.across,
                                     .layers = shell.radial,
                                     .inner = shell.inner,
                                     .outer = shell.outer,
                                     .octant = shell.octant});
  return mapped("shell", tets_from_hexes(hexes, shell.split), [](const Vec3d& p) {
    const double t = max_norm(p);
    return cube_to_sphere(p / t) * t;
  });
}

}  // namespace sinew::mesh
