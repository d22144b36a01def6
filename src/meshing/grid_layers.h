#pragma once
// Layers of material: how often each region of nodes is there, and what is joined to what. A region inside has one copy, or, where its
// nodes are inside several patches of the surface, one for each group of patches that hang together. A copy fills the cells around its
// nodes, is sewn to the sheets that bound it, and to copies of other regions along the sheets they have in common. Copies that meet
// the same sheet from the same region are one: they are folded, and the sewing is done again.
//
// A copy's vertices: at each shell node of its region the core vertex, and apart from it one for each group of nodes around a node
// that reach it through cells, but not the node itself ("outer" vertices). Deeper nodes need no entry: their vertices are never sewn.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mesh/disjoint_sets.h"
#include "meshing/grid_regions.h"
#include "meshing/grid_shell.h"

namespace sinew::meshing {

template <int dim>
struct GridLayers {
  static constexpr int corners = 1 << dim;
  using Corners = std::array<int32_t, corners>;

  std::vector<int32_t> copies;        // of each region, in the end; 0: no material
  std::vector<int32_t> first_copies;  // of regions with material, before folding, most first
  int64_t folded = 0;
  int64_t nested = 0;  // regions that all layers around them pass through
  int64_t ambiguous = 0;

  // Vertices: those of sheets, then for each copy of each region its core vertices, then its outer ones.
  std::vector<int32_t> vertex_node;  // the shell node of each
  std::vector<int32_t> joined;       // to each, the least vertex of those that are one with it
  std::vector<int32_t> copy_begin;   // of each region: its first copy, and the end
  std::vector<int32_t> copy_base;    // of each copy: its first vertex
  std::vector<int32_t> node_rank;    // of each shell node: its place among those of its region

  std::vector<int32_t> element_begin;  // of each shell cell, and the end
  std::vector<Corners> elements;       // joined vertices
  std::vector<int32_t> sheet_element;  // of each sheet

  // The vertex of a copy (0 .. copies - 1) of a shell node's region.
  int32_t core_vertex(int32_t node, int32_t region, int32_t copy) const {
    return joined[copy_base[copy_begin[region] + copy] + node_rank[node]];
  }
};

// Vertices of `shell` that are inside lie in regions that the surface winds around. Nothing where the copies would have more
// vertices than allowed: a surface with very many patches.
template <int dim>
std::optional<GridLayers<dim>> grid_layers(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                                           int64_t most_vertices);

}  // namespace sinew::meshing
