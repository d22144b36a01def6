#pragma once
// The elements that a region of nodes has in the shell cells, apart from the surface: in each cell, the corners that uncut edges of the
// cell join make up a core, an element. Each node of the region has its core vertex. A core has it at a corner where its nodes
// reach that corner's node through the cells around it; elsewhere it has an outer vertex, shared with the cores whose nodes reach its own.
// So cores that are close, but joined by a long way only, stay apart. All copies of a region have the same cores.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "meshing/grid_regions.h"
#include "meshing/grid_shell.h"

namespace sinew::meshing {

template <int dim>
struct GridCores {
  static constexpr int corners = 1 << dim;

  std::vector<int32_t> begin;   // of each shell cell, and the end
  std::vector<uint8_t> mask;    // of each core: its corners
  std::vector<int32_t> region;  // of each core
  std::vector<std::array<int32_t, corners>>
      vertices;                     // of each core: an outer vertex, or -1 for the node's core vertex
  std::vector<int32_t> outer_node;  // the shell node of each outer vertex
  std::vector<int32_t> outer_region;
  std::vector<int32_t> outer_rank;                  // among those of its region
  std::vector<int32_t> node_rank;                   // of each shell node, among those of its region
  std::vector<int32_t> region_nodes, region_outer;  // how many shell nodes and outer vertices each region has
};

// Makes the cores of the regions that have material.
template <int dim>
GridCores<dim> grid_cores(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                          std::span<const int32_t> material);

}  // namespace sinew::meshing
