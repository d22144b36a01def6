#pragma once
// How often each region of nodes is there, and where copies of different regions are the same layer of material. A region inside has
// one copy, or, where its nodes are inside several patches of the surface, at first one for each group of patches that hang
// together. In a shell cell a copy has the sheets with an inside vertex of its own, and the cores which these do not
// replace. From the sheets that copies of two regions have in common, what is the same grows over all cells in which both have
// neighbours of what was found. Two copies of one region that are the same as one element, or meet the same sheet, are one: they are
// folded, and growing begins anew.
//
// Nothing here is stored for each copy: vertices are told apart by names that are the same in all copies of a region.
#include <array>
#include <cstdint>
#include <vector>

#include "meshing/grid_cores.h"
#include "meshing/grid_regions.h"
#include "meshing/grid_shell.h"

namespace sinew::meshing {

template <int dim>
struct GridCopies {
  // An element of a copy in a shell cell: a sheet, or ~core.
  struct Entry {
    int32_t copy, element;
  };
  // Two elements of one cell, of copies of two regions, that are the same piece of material.
  struct Overlap {
    int32_t cell;
    Entry a, b;
  };

  std::vector<int32_t> copies;       // of each region; 0: no material
  std::vector<int32_t> begin;        // of each region: its first copy, and the end
  std::vector<int32_t> region;       // of each copy
  std::vector<int32_t> vertex_copy;  // of each vertex of a sheet: the copy that it is inside; -1: outside
  std::vector<int32_t>
      same_vertex;  // of each vertex of a sheet: the least that is one with it, before overlaps are sewn
  std::vector<Overlap> overlaps;

  std::vector<int32_t> first_copies;  // of regions with material, before folding, most first
  int64_t folded = 0;                 // copies that turned out to be others
  int64_t nested = 0;                 // regions that layers around them pass through without a sheet
  int64_t ambiguous = 0;  // elements that are the same as several of one copy, one of them a sheet
};

// Vertices of `shell` that are inside lie in regions that the surface winds around.
template <int dim>
GridCopies<dim> grid_copies(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                            GridCores<dim>& cores);

// Calls f(entry) for the elements that a copy has in a shell cell.
template <int dim, class F>
void for_each_entry(const GridShell<dim>& shell, const GridCores<dim>& cores, const GridCopies<dim>& copies,
                    int32_t cell, int32_t copy, F&& f) {
  using Entry = typename GridCopies<dim>::Entry;
  bool sheets = false;
  for (int32_t g = shell.sheet_begin[cell]; g < shell.sheet_begin[cell + 1]; ++g)
    for (const int32_t w : shell.sheet_vertices[g])
      if (copies.vertex_copy[w] == copy) {
        sheets = true;
        f(Entry{copy, g});
        break;
      }
  // A core goes where a sheet of the copy passes through the cell and one touches the core.
  const auto touched = [&](int32_t core) {
    for (int k = 0; k < GridShell<dim>::corners; ++k) {
      if (cores.vertices[core][k] >= 0) continue;
      const int32_t node = shell.cell_nodes[cell][k];
      for (int32_t w = shell.vertex_begin[node]; w < shell.vertex_begin[node + 1]; ++w)
        if (copies.vertex_copy[w] == copy) return true;
    }
    return false;
  };
  for (int32_t core = cores.begin[cell]; core < cores.begin[cell + 1]; ++core)
    if (cores.region[core] == copies.region[copy] && !(sheets && touched(core))) f(Entry{copy, ~core});
}

}  // namespace sinew::meshing
