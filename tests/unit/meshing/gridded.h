#pragma once
// A surface meshed by the grid mesher and once more by the direct one, and what both must share.
#include <gtest/gtest.h>

#include "cell_complex.h"
#include "direct_mesher.h"
#include "meshing/grid_mesher.h"
#include "surfaces.h"

namespace sinew::meshing {

template <int dim>
Result<Gridded<dim>> grid_of(const tests::Surface<dim>& surface, double cell,
                             const std::array<double, 3>& offset = {generic_offset[0], generic_offset[1],
                                                                    generic_offset[2]}) {
  const SurfaceView<dim> view = view_surface<dim>(std::span<const Point<dim>>(surface.points),
                                                  std::span<const Facet<dim>>(surface.facets));
  GridOptions options;
  options.cell = cell;
  options.offset = offset;
  return mesh_grid<dim>(view, options, {});
}

template <int dim>
direct::Direct<dim> direct_grid_of(const tests::Surface<dim>& surface, double cell) {
  Lattice<dim> lattice;
  lattice.cell = cell;
  for (int a = 0; a < dim; ++a) lattice.offset[a] = generic_offset[a];
  return direct::direct_mesh<dim>(surface.points, surface.facets, lattice);
}

struct Counts {
  int64_t elements, vertices, components, euler, overlapping_cells;
};

// What the mesh is, and that the direct mesher has the same cells as often, the same pieces and the same report.
template <int dim>
void expect_counts(const tests::Surface<dim>& surface, double cell, const Counts& counts,
                   const std::vector<int32_t>& copies, int64_t folded) {
  const auto found = grid_of<dim>(surface, cell);
  ASSERT_TRUE(found) << found.error().text();
  const Complex complex = complex_of<dim>(found->mesh);
  EXPECT_EQ(complex.elements, counts.elements);
  EXPECT_EQ(complex.vertices, counts.vertices);
  EXPECT_EQ(found->mesh.nodes.size(), size_t(counts.vertices)) << "vertices without elements";
  EXPECT_EQ(complex.components, counts.components);
  EXPECT_EQ(complex.euler, counts.euler);
  EXPECT_EQ(complex.overlapping_cells, counts.overlapping_cells);
  EXPECT_EQ(complex.crowded_faces, 0);
  EXPECT_LE(complex.max_layers, 2);
  EXPECT_EQ(found->report.ambiguous, 0);
  EXPECT_EQ(found->report.copies, copies);
  EXPECT_EQ(found->report.folded, folded);
  EXPECT_TRUE(found->report.mismatches.empty());

  const direct::Direct<dim> other = direct_grid_of<dim>(surface, cell);
  EXPECT_EQ(layers_of<dim>(found->mesh), layers_of<dim>(other));
  EXPECT_EQ(other.copies, copies);
  EXPECT_EQ(other.folded, folded);
}

// Elements of neighbouring facets share vertices, those of one facet hold together, and each point lies in its element's cell.
template <int dim>
void expect_carried(const tests::Surface<dim>& surface, const GridMesh<dim>& mesh) {
  std::vector<std::vector<int32_t>> of_facet(surface.facets.size());
  for (const auto& piece : mesh.pieces) of_facet[piece.facet].push_back(piece.element);
  std::vector<std::vector<int32_t>> of_point(surface.points.size());
  std::vector<int32_t> parent;
  const auto root = [&](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (size_t f = 0; f < surface.facets.size(); ++f) {
    ASSERT_FALSE(of_facet[f].empty()) << "facet " << f;
    const auto n = static_cast<int32_t>(of_facet[f].size());
    parent.resize(n);
    for (int32_t i = 0; i < n; ++i) parent[i] = i;
    for (int32_t i = 0; i < n; ++i)
      for (int32_t j = 0; j < i; ++j)
        for (const int32_t id : mesh.elements[of_facet[f][i]])
          if (std::count(mesh.elements[of_facet[f][j]].begin(), mesh.elements[of_facet[f][j]].end(), id))
            parent[root(i)] = root(j);
    for (int32_t i = 0; i < n; ++i)
      EXPECT_EQ(root(i), root(0)) << "the elements of facet " << f << " fall apart";
    // Facets around a point share the element that carries it, so that they hold together across their edges too.
    for (const int32_t point : surface.facets[f])
      EXPECT_TRUE(std::count(of_facet[f].begin(), of_facet[f].end(), mesh.carriers[point]))
          << "facet " << f << " has no piece in the element of its point " << point;
  }
  ASSERT_EQ(mesh.carriers.size(), surface.points.size());
  for (size_t p = 0; p < surface.points.size(); ++p) {
    const Index<dim>& cell = mesh.cell(mesh.carriers[p]);
    for (int a = 0; a < dim; ++a) {
      const double low = mesh.lattice.coordinate(a, cell[a]), high = mesh.lattice.coordinate(a, cell[a] + 1);
      const double weight = (surface.points[p][a] - low) / (high - low);
      EXPECT_GE(weight, 0);
      EXPECT_LE(weight, 1);
    }
  }
}

}  // namespace sinew::meshing
