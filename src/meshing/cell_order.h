#pragma once
// Finds the elements that lie in one cell, joined or not, by sorting them by cell, digit by digit, in linear time.
//
//     std::vector<int32_t> layers = layers_of_elements(grid);  // 1 where nothing overlaps
#include <cstdint>
#include <vector>

#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// The elements by cell, the last axis first; those of one cell in ascending order.
template <int dim>
std::vector<int32_t> elements_by_cell(const GridMesh<dim>& grid);

// How many elements lie in the cell of each element.
template <int dim>
std::vector<int32_t> layers_of_elements(const GridMesh<dim>& grid);

// Cells with more than one element.
template <int dim>
int64_t overlapping_cells(const GridMesh<dim>& grid);

}  // namespace sinew::meshing
