#pragma once
// Regions of lattice nodes: nodes are neighbours where the lattice edge between them is not cut by the surface. Nodes are never listed:
// a line of nodes along x falls into runs between cut edges, and lines without a corner of a shell cell lie outside as a
// whole. So the work is linear in the surface. The surface winds around all nodes of a region equally often; along a line the winding
// number is the sum of what the cut edges add.
#include <cstdint>
#include <vector>

#include "meshing/grid_frame.h"
#include "meshing/grid_shell.h"
#include "meshing/predicate_count.h"
#include "meshing/surface_view.h"

namespace sinew::meshing {

template <int dim>
struct GridRegions {
  std::vector<int64_t> lines;       // key of a node / nodes along x, of lines with shell nodes, ascending
  std::vector<int32_t> line_nodes;  // the first shell node of each line, and the end
  std::vector<int32_t> line_runs;   // the first run of each line, and the end
  std::vector<int32_t> run_first;   // along x, from the low side of the frame
  std::vector<int32_t> run_last;
  std::vector<int32_t> run_region;
  std::vector<int32_t> node_run;  // of each shell node
  std::vector<uint8_t> cut;       // of each shell node: bit a where its edge towards +a is cut
  std::vector<int32_t> winding;   // of each region; region 0 is the outside
  bool closed = true;             // winding numbers agree wherever one looks

  int32_t region_of(int32_t node) const { return run_region[node_run[node]]; }
};

template <int dim>
GridRegions<dim> grid_regions(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                              const GridShell<dim>& shell, PredicateCount& count);

}  // namespace sinew::meshing
