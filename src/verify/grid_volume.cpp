// Volumes of meshes made from surfaces. The signed volume of a closed surface is the integral of its winding number: where bodies
// overlap, material is there twice. Two unit cubes that overlap by half have the volume 2; a mesher that glues them has 1.5.
#include <cmath>
#include <limits>
#include <numbers>

#include "mesh/surfaces.h"
#include "meshing/grid_mesher.h"
#include "meshing/topology.h"
#include "verify/problem.h"

namespace sinew::verify {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Found {
  double elements = none;  // [m^3] of whole cells
  double material = none;  // [m^3] of what is inside the surface
  double parts = none;
};

Found mesh_surface(const mesh::TriMesh& surface, double cell, const Control& control) {
  meshing::GridOptions options;
  options.cell = cell;
  const auto view = meshing::view_surface<3>(surface.vertices, surface.elements);
  const auto made = meshing::mesh_grid<3>(view, options, control);
  if (!made) return {};
  return {static_cast<double>(made->mesh.elements.size()) * cell * cell * cell, made->report.volume,
          static_cast<double>(meshing::topology<3>(made->mesh).components)};
}

// On finer and finer cells.
void check_body(Checks& checks, const std::string& name, const mesh::TriMesh& surface, double volume,
                double faceted_volume, double parts, const Control& control) {
  std::vector<double> h, volumes;
  Found found;
  for (const int cells : {10, 20, 40, 80}) {
    if (control.cancelled()) return;
    found = mesh_surface(surface, 1.0 / cells, control);
    h.push_back(1.0 / cells);
    volumes.push_back(found.elements);
  }
  checks.relative(name + ".material", "volume inside the surface [m^3]", found.material, faceted_volume,
                  1e-9);
  checks.absolute(name + ".parts", "parts that share no vertex", found.parts, parts, 0);
  // A layer of cells over the surface is partly filled: 3/4 of a cell on average, and 1 at most along faces.
  checks.relative(name + ".cells", "volume of the cells, 80 to a metre [m^3]", found.elements, volume, 0.08);
  checks.series(name, "cell size [m]", h, volumes, volume, 1);
}

}  // namespace

const Problem& problem_grid_volume() {
  static const Problem problem = {
      .id = "V25a",
      .title = "Volume of overlapping bodies",
      .source = "two unit cubes; a sphere of radius 1",
      .doc =
          "Two unit cubes that overlap by half, as one surface: the mesh has the volume 2 and two parts. A "
          "sphere of 21,600 "
          "triangles: the material has the volume of the polyhedron, and the volume of the cells tends "
          "to 4 pi / 3 with the cell size.",
      .run =
          [](const Control& control) {
            Checks checks(problem_grid_volume());
            const mesh::TriMesh cube = mesh::box_surface({4, 4, 4});
            const mesh::TriMesh cubes = mesh::joined(cube, mesh::moved(cube, [](const math::Vec3d& x) {
                                                       return x + math::Vec3d{0.5, 0, 0};
                                                     }));
            check_body(checks, "cubes", cubes, 2, 2, 2, control);
            const mesh::TriMesh sphere = mesh::sphere_surface(60);
            check_body(checks, "sphere", sphere, 4 * std::numbers::pi / 3, mesh::signed_volume(sphere), 1,
                       control);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify
