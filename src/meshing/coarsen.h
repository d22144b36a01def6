#pragma once
// A mesh of cells twice as large with the same topology: each element becomes a large one, large ones of one cell are one where their
// elements share a face, others share the vertices of the face that holds the shared one (Chen 2024, section 3.6).
#include "base/result.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// One level. Pieces, carriers and coverage follow. Meshes in a thread-independent way.
template <int dim>
GridMesh<dim> coarsen(const GridMesh<dim>& fine);

}  // namespace sinew::meshing
