#pragma once
// A mesh of cells twice as large with the same topology: each element becomes a large one, large ones of one cell are one
// where their elements share a face, others share the vertices of the face that holds the shared one (Chen, PhD
// thesis, UCLA 2024, section 3.6).
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// One level. Pieces and carriers go to the large elements; coverage is the sum of that of the small ones over 2^dim, at most 1.
// Large elements are in the order of their first small ones.
template <int dim>
GridMesh<dim> coarsen(const GridMesh<dim>& fine);

}  // namespace sinew::meshing
