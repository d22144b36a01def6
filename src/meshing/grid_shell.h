#pragma once
// The cells that a surface passes through, and what joins them along the surface. In one cell, facets that share points make up a
// sheet; each sheet is an element. Sheets of neighbouring cells share the vertices at a node where a facet
// passes through both of them, so that a node has one vertex for each patch of the surface around it. A vertex is inside or
// outside by its own patch alone.
//
// All arrays are over shell cells, their corners ("nodes"), sheets or vertices of sheets, each in ascending order of keys.
#include <array>
#include <cstdint>
#include <vector>

#include "meshing/grid_frame.h"
#include "meshing/predicate_count.h"
#include "meshing/surface_view.h"

namespace sinew::meshing {

template <int dim>
struct GridShell {
  static constexpr int corners = 1 << dim;
  using Corners = std::array<int32_t, corners>;

  std::vector<int64_t> cells;        // keys
  std::vector<int32_t> piece_begin;  // of each cell, and the end
  std::vector<int32_t> piece_facet;  // ascending within a cell
  std::vector<int32_t> piece_sheet;
  std::vector<int32_t> sheet_begin;  // of each cell, and the end
  std::vector<int64_t> nodes;        // keys
  std::vector<Corners> cell_nodes;
  std::vector<Corners>
      node_cells;  // slot k: the cell that has the node as its corner k; -1: not a shell cell
  std::vector<Corners> sheet_vertices;
  std::vector<int32_t> vertex_begin;  // of each node, and the end
  std::vector<int8_t> inside;         // of each vertex
};

template <int dim>
GridShell<dim> grid_shell(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                          PredicateCount& count);

}  // namespace sinew::meshing
