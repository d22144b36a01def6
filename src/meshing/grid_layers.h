#pragma once
// Layers of material sewn together: all elements of the shell cells with the vertices that they share in the end. A copy of a region
// (meshing/grid_copies.h) has at each shell node of the region a core vertex, and outer vertices besides (meshing/grid_cores.h).
// Deeper nodes need no entry: their vertices are never sewn.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "meshing/grid_copies.h"

namespace sinew::meshing {

template <int dim>
struct GridLayers {
  using Corners = std::array<int32_t, 1 << dim>;

  GridCopies<dim> copies;

  // Vertices: those of sheets, then for each copy of each region its core vertices, then its outer ones.
  std::vector<int32_t> vertex_node;  // the shell node of each
  std::vector<int32_t> joined;       // to each, the least vertex of those that are one with it
  std::vector<int32_t> copy_base;    // of each copy: its first vertex
  std::vector<int32_t> node_rank;    // of each shell node: its place among those of its region

  std::vector<int32_t> element_begin;  // of each shell cell, and the end
  std::vector<Corners> elements;       // joined vertices
  std::vector<int32_t> sheet_element;  // of each sheet

  // The vertex of a copy (0 .. copies - 1) of a shell node's region.
  int32_t core_vertex(int32_t node, int32_t region, int32_t copy) const {
    return joined[copy_base[copies.begin[region] + copy] + node_rank[node]];
  }
};

// Nothing where the copies have more than 2^31 vertices.
template <int dim>
std::optional<GridLayers<dim>> grid_layers(const GridShell<dim>& shell, const GridRegions<dim>& regions);

}  // namespace sinew::meshing
