#include "mesh/shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>
#include <utility>

#include "mesh/circle.h"
#include "mesh/hex_grids.h"
#include "mesh/properties.h"
#include "mesh/request.h"

namespace sinew::mesh {
namespace {

using Sides = std::array<const char*, 6>;
constexpr Sides box_sides{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
constexpr Sides sheet_sides{"xmin", "xmax", "ymin", "ymax", "bottom", "top"};

HexMesh box_grid(const Vec3d& size, const std::array<int32_t, 3>& cells, const Sides& sides = box_sides) {
  HexMesh mesh = grid(cells, sides);
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

SplitSize layers_size(const CubeLayers& shape, Split split) {
  const double n = shape.cells, m = n + shape.column, layers = shape.layers;
  const bool octant = shape.octant, solid = shape.solid;
  const double lattice = (n + 1) * (n + 1) * (m + 1);
  const double patch = octant ? 3 * n * n : 2 * n * n + 4 * n * m;
  const double points = octant ? 3 * n * (n + 1) + 1 : patch + 2;
  const double hexes = patch * layers + (solid ? n * n * m : 0);
  const double nodes = points * (layers + 1) + (solid ? lattice : 0);
  SplitSize total =
      split_size(hexes, nodes, patch * (solid ? 1 : 2) + (octant ? 3 * 2 * n * layers : 0), split);
  total.bytes += 4 * lattice;
  return total;
}

SplitSize column_size(const Core& core, double layers, Split split) {
  const double n = core.core, rings = core.rings;
  const double quads = n * n + 4 * n * rings, nodes = (n + 1) * (n + 1) + 4 * n * rings;
  return split_size(quads * layers, nodes * (layers + 1), 2 * quads + 4 * n * layers, split);
}

// From the cube (square) towards the sphere (circle) as t grows from the middle to the rim; the core is
// a little smaller than the straight blend would make it, which evens out the layers at its edges.
constexpr double core_scale = 0.85;
Vec3d round_off(const Vec3d& p, double t, const Vec3d& direction) {
  return p * ((1 - t) * core_scale) + direction * (t * t);
}

// The cube |p|_inf <= 1 onto the unit ball; with z = 0 the square onto the unit disc.
Vec3d to_ball(const Vec3d& p) {
  const double t = max_norm(p);
  return t > 0 ? round_off(p, t, cube_to_sphere(p / t)) : p;
}

CubeLayers solid_layers(int32_t cells, int32_t column = 0) {
  const Core core(cells);
  return {.cells = core.core, .layers = core.rings, .inner = core.edge, .solid = true, .column = column};
}

Result<void> check_arc(const char* shape, double start_degrees, double sweep_degrees, int32_t around,
                       Split split) {
  if (!(sweep_degrees > 0 && sweep_degrees <= 360) || !std::isfinite(start_degrees))
    return usage_error(fmt::format("{}: sweep_degrees is {} from {}, expected more than 0 and at most 360",
                                   shape, sweep_degrees, start_degrees));
  if (sweep_degrees == 360 && split == Split::five && around % 2)
    return usage_error(
        fmt::format("{}: split five needs an even number of cells around, found {}", shape, around));
  return {};
}

void rename_group(TetMesh& mesh, const char* from, const char* to) {
  auto node = mesh.vertex_groups.extract(from);
  node.key() = to;
  mesh.vertex_groups.insert(std::move(node));
}

// Closes a full circle: nodes at `last` along the axis of the reference domain become those at 0, which come
// in the same order. With bcc the seam keeps its face centres, as a boundary would.
void weld_seam(TetMesh& mesh, const std::vector<Vec3d>& reference, int axis, double last) {
  std::vector<int32_t> start, place(reference.size());
  std::vector<Vec3d> kept;
  for (size_t i = 0; i < reference.size(); ++i) {
    if (reference[i][axis] == last) continue;
    place[i] = static_cast<int32_t>(kept.size());
    kept.push_back(mesh.vertices[i]);
    if (reference[i][axis] == 0) start.push_back(place[i]);
  }
  size_t next = 0;
  for (size_t i = 0; i < reference.size(); ++i)
    if (reference[i][axis] == last) place[i] = start[next++];
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

Result<TetMesh> make_box(const Box& box, int64_t max_bytes) {
  if (auto ok = check_box(box.size, box.cells, grid_size(box.cells, box.split), max_bytes); !ok)
    return ok.error();
  return mapped("box", tets_from_hexes(box_grid(box.size, box.cells), box.split),
                [](const Vec3d& x) { return x; });
}

Result<TetMesh> make_sheet(const Sheet& sheet, int64_t max_bytes) {
  const std::array<int32_t, 3> cells{sheet.cells[0], sheet.cells[1], sheet.layers};
  if (auto ok = first_error(
          {check_length("sheet", "size x", sheet.size[0]), check_length("sheet", "size y", sheet.size[1]),
           check_length("sheet", "thickness", sheet.thickness), check_cells("sheet", "cells x", cells[0], 1),
           check_cells("sheet", "cells y", cells[1], 1), check_cells("sheet", "layers", cells[2], 1),
           check_size("sheet", grid_size(cells, sheet.split), max_bytes)});
      !ok)
    return ok.error();
  const HexMesh hexes = box_grid({sheet.size[0], sheet.size[1], sheet.thickness}, cells, sheet_sides);
  return mapped("sheet", tets_from_hexes(hexes, sheet.split), [](const Vec3d& x) { return x; });
}

Result<TetMesh> make_ball(const Ball& ball, int64_t max_bytes) {
  const CubeLayers layers = solid_layers(std::max(ball.cells, 3));
  if (auto ok = first_error({check_length("ball", "radius", ball.radius),
                             check_cells("ball", "cells", ball.cells, 3),
                             check_size("ball", layers_size(layers, ball.split), max_bytes)});
      !ok)
    return ok.error();
  Result<TetMesh> mesh = mapped("ball", tets_from_hexes(cube_layers(layers), ball.split),
                                [&](const Vec3d& p) { return to_ball(p) * ball.radius; });
  if (mesh) rename_group(*mesh, "outer", "surface");
  return mesh;
}

Result<TetMesh> make_ellipsoid(const Ellipsoid& ellipsoid, int64_t max_bytes) {
  const CubeLayers layers = solid_layers(std::max(ellipsoid.cells, 3));
  const Vec3d& r = ellipsoid.radii;
  if (auto ok = first_error(
          {check_length("ellipsoid", "radius x", r[0]), check_length("ellipsoid", "radius y", r[1]),
           check_length("ellipsoid", "radius z", r[2]), check_cells("ellipsoid", "cells", ellipsoid.cells, 3),
           check_size("ellipsoid", layers_size(layers, ellipsoid.split), max_bytes)});
      !ok)
    return ok.error();
  Result<TetMesh> mesh =
      mapped("ellipsoid", tets_from_hexes(cube_layers(layers), ellipsoid.split), [&](const Vec3d& p) {
        const Vec3d x = to_ball(p);
        return Vec3d{x[0] * r[0], x[1] * r[1], x[2] * r[2]};
      });
  if (mesh) rename_group(*mesh, "outer", "surface");
  return mesh;
}

Result<TetMesh> make_cylinder(const Cylinder& cylinder, int64_t max_bytes) {
  const SplitSize size = column_size(Core(std::max(cylinder.cells, 3)), cylinder.layers, cylinder.split);
  if (auto ok = first_error({check_length("cylinder", "radius", cylinder.radius),
                             check_length("cylinder", "length", cylinder.length),
                             check_cells("cylinder", "cells", cylinder.cells, 3),
                             check_cells("cylinder", "layers", cylinder.layers, 1),
                             check_size("cylinder", size, max_bytes)});
      !ok)
    return ok.error();
  const HexMesh hexes = square_column(cylinder.cells, cylinder.layers);
  return mapped("cylinder", tets_from_hexes(hexes, cylinder.split), [&](const Vec3d& p) {
    Vec3d x = to_ball({p[0], p[1], 0}) * cylinder.radius;
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
           check_size("tube", grid_size(cells, tube.split), max_bytes),
           check_below("tube", "inner", tube.inner, "outer", tube.outer),
           check_arc("tube", tube.start_degrees, tube.sweep_degrees, tube.around, tube.split)});
      !ok)
    return ok.error();

  const HexMesh hexes = grid(cells, {"inner", "outer", "start", "end", "bottom", "top"});
  Result<TetMesh> mesh = tets_from_hexes(hexes, tube.split);
  if (!mesh) return mesh;
  std::vector<Vec3d> reference;
  if (full) reference = mesh->vertices;
  mesh = mapped("tube", std::move(mesh), [&](const Vec3d& p) {
    return turned(tube.inner + (tube.outer - tube.inner) * (p[0] / tube.radial),
                  tube.start_degrees + tube.sweep_degrees * (p[1] / tube.around),
                  tube.length * (p[2] / tube.layers));
  });
  if (mesh && full) weld_seam(*mesh, reference, 1, tube.around);
  return mesh;
}

Result<TetMesh> make_torus(const Torus& torus, int64_t max_bytes) {
  const bool full = torus.sweep_degrees == 360;
  const SplitSize size = column_size(Core(std::max(torus.cells, 3)), torus.around, torus.split);
  if (auto ok = first_error(
          {check_length("torus", "major", torus.major), check_length("torus", "minor", torus.minor),
           check_cells("torus", "cells", torus.cells, 3),
           check_cells("torus", "around", torus.around, full ? 3 : 1), check_size("torus", size, max_bytes),
           check_below("torus", "minor", torus.minor, "major", torus.major),
           check_arc("torus", torus.start_degrees, torus.sweep_degrees, torus.around, torus.split)});
      !ok)
    return ok.error();

  Result<TetMesh> mesh = tets_from_hexes(square_column(torus.cells, torus.around), torus.split);
  if (!mesh) return mesh;
  rename_group(*mesh, "side", "surface");
  rename_group(*mesh, "bottom", "start");
  rename_group(*mesh, "top", "end");
  std::vector<Vec3d> reference;
  if (full) reference = mesh->vertices;
  mesh = mapped("torus", std::move(mesh), [&](const Vec3d& p) {
    const Vec3d q = to_ball({p[0], p[1], 0}) * torus.minor;
    return turned(torus.major + q[0], torus.start_degrees + torus.sweep_degrees * (p[2] / torus.around),
                  -q[1]);
  });
  if (mesh && full) weld_seam(*mesh, reference, 2, torus.around);
  return mesh;
}

Result<TetMesh> make_capsule(const Capsule& capsule, int64_t max_bytes) {
  if (auto ok = first_error({check_length("capsule", "radius", capsule.radius),
                             check_length("capsule", "length", capsule.length),
                             check_cells("capsule", "cells", capsule.cells, 4),
                             check_cells("capsule", "layers", capsule.layers, 1)});
      !ok)
    return ok.error();
  if (capsule.cells % 2)
    return usage_error(fmt::format("capsule: cells is {}, expected an even number", capsule.cells));
  const CubeLayers layers = solid_layers(capsule.cells, capsule.layers);
  if (auto ok = check_size("capsule", layers_size(layers, capsule.split), max_bytes); !ok) return ok.error();

  Result<TetMesh> mesh = tets_from_hexes(cube_layers(layers), capsule.split);
  if (!mesh) return mesh;
  rename_group(*mesh, "outer", "surface");
  // z of the reference domain: below 0 the bottom cap, above the number of layers the top one.
  for (int32_t id : mesh->vertex_groups.at("surface")) {
    const double z = mesh->vertices[id][2];
    if (z <= 0) mesh->vertex_groups["bottom_cap"].push_back(id);
    if (z >= 0 && z <= capsule.layers) mesh->vertex_groups["side"].push_back(id);
    if (z >= capsule.layers) mesh->vertex_groups["top_cap"].push_back(id);
  }
  return mapped("capsule", std::move(mesh), [&](const Vec3d& p) {
    const double along = std::clamp<double>(p[2], 0, capsule.layers);
    Vec3d x = to_ball({p[0], p[1], p[2] - along}) * capsule.radius;
    x[2] += capsule.length * (along / capsule.layers - 0.5);
    return x;
  });
}

Result<TetMesh> make_shell(const Shell& shell, int64_t max_bytes) {
  const CubeLayers layers{.cells = shell.across,
                          .layers = shell.radial,
                          .inner = shell.inner,
                          .outer = shell.outer,
                          .octant = shell.octant};
  if (auto ok = first_error(
          {check_length("shell", "inner", shell.inner), check_length("shell", "outer", shell.outer),
           check_cells("shell", "radial", shell.radial, 1), check_cells("shell", "across", shell.across, 1),
           check_size("shell", layers_size(layers, shell.split), max_bytes),
           check_below("shell", "inner", shell.inner, "outer", shell.outer)});
      !ok)
    return ok.error();
  return mapped("shell", tets_from_hexes(cube_layers(layers), shell.split), [](const Vec3d& p) {
    const double t = max_norm(p);
    return cube_to_sphere(p / t) * t;
  });
}

}  // namespace sinew::mesh
