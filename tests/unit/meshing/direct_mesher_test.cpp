// What the mesher is compared with finds the counts that are known for it.
#include "direct_mesher.h"

#include <gtest/gtest.h>

#include "cell_complex.h"
#include "surfaces.h"

namespace sinew::meshing {
namespace {

using namespace tests;

template <int dim>
direct::Direct<dim> mesh_directly(const Surface<dim>& surface, double cell) {
  Lattice<dim> lattice;
  lattice.cell = cell;
  for (int a = 0; a < dim; ++a) lattice.offset[a] = generic_offset[a];
  return direct::direct_mesh<dim>(surface.points, surface.facets, lattice);
}

TEST(DirectMesher, MeshesARingThatOverlapsItself) {
  const auto found = mesh_directly(polygon({c_ring(0.6, 0.03, 80).loop()}, 0.07), 0.1);
  const Complex complex = complex_of<2>(found);
  EXPECT_EQ(complex.elements, 470);
  EXPECT_EQ(complex.vertices, 560);
  EXPECT_EQ(complex.components, 1);
  EXPECT_EQ(complex.euler, 1);
  EXPECT_EQ(complex.overlapping_cells, 47);
  EXPECT_EQ(found.copies, (std::vector<int32_t>{4, 1, 1, 1}));
  EXPECT_EQ(found.folded, 2);
}

TEST(DirectMesher, MeshesTwoToriThatOverlap) {
  const mesh::TriMesh torus = mesh::torus_surface(1, 0.35, 48, 20);
  const auto turned = mesh::moved(torus, [](const Vec3d& x) { return Vec3d{x[2] + 0.9, x[0], x[1] + 0.05}; });
  const auto found = mesh_directly(surface_of(mesh::joined(torus, turned)), 0.1);
  const Complex complex = complex_of<3>(found);
  EXPECT_EQ(complex.elements, 6995);
  EXPECT_EQ(complex.components, 2);
  EXPECT_EQ(complex.euler, 0);
  EXPECT_EQ(complex.overlapping_cells, 464);
  EXPECT_EQ(found.copies, (std::vector<int32_t>{2, 2, 1, 1}));
}

}  // namespace
}  // namespace sinew::meshing
