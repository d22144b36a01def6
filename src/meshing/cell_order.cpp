#include "meshing/cell_order.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew::meshing {
namespace {

constexpr int digit_bits = 11;

// visit(begin, end) for every cell that has elements, as a range of `order`.
template <int dim, class Visit>
void for_each_cell(const GridMesh<dim>& grid, const std::vector<int32_t>& order, Visit&& visit) {
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    const Index<dim>& cell = grid.cell(order[begin]);
    for (end = begin + 1; end < order.size() && grid.cell(order[end]) == cell;) ++end;
    visit(begin, end);
  }
}

}  // namespace

template <int dim>
std::vector<int32_t> elements_by_cell(const GridMesh<dim>& grid) {
  const auto count = static_cast<int32_t>(grid.elements.size());
  std::vector<int32_t> order(count), sorted(count);
  std::iota(order.begin(), order.end(), 0);
  std::vector<uint32_t> key(count);
  for (int axis = 0; axis < dim; ++axis) {
    int32_t low = count ? grid.cell(0)[axis] : 0;
    uint32_t highest = 0;
    for (int32_t e = 0; e < count; ++e) low = std::min(low, grid.cell(e)[axis]);
    for (int32_t e = 0; e < count; ++e) {
      key[e] = static_cast<uint32_t>(grid.cell(e)[axis]) - static_cast<uint32_t>(low);
      highest = std::max(highest, key[e]);
    }
    for (int shift = 0; shift < 32 && highest >> shift; shift += digit_bits) {
      const auto digit = [&](int32_t e) { return key[e] >> shift & ((1u << digit_bits) - 1); };
      std::array<int32_t, 1 << digit_bits> place{};
      for (int32_t e : order) ++place[digit(e)];
      std::exclusive_scan(place.begin(), place.end(), place.begin(), 0);
      for (int32_t e : order) sorted[place[digit(e)]++] = e;
      order.swap(sorted);
    }
  }
  return order;
}

template <int dim>
std::vector<int32_t> layers_of_elements(const GridMesh<dim>& grid) {
  const std::vector<int32_t> order = elements_by_cell(grid);
  std::vector<int32_t> layers(order.size());
  for_each_cell(grid, order, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) layers[order[k]] = static_cast<int32_t>(end - begin);
  });
  return layers;
}

template <int dim>
int64_t overlapping_cells(const GridMesh<dim>& grid) {
  int64_t count = 0;
  for_each_cell(grid, elements_by_cell(grid), [&](size_t begin, size_t end) { count += end - begin > 1; });
  return count;
}

template std::vector<int32_t> elements_by_cell<2>(const GridMesh<2>&);
template std::vector<int32_t> elements_by_cell<3>(const GridMesh<3>&);
template std::vector<int32_t> layers_of_elements<2>(const GridMesh<2>&);
template std::vector<int32_t> layers_of_elements<3>(const GridMesh<3>&);
template int64_t overlapping_cells<2>(const GridMesh<2>&);
template int64_t overlapping_cells<3>(const GridMesh<3>&);

}  // namespace sinew::meshing
