// winding_grid of meshing/winding.h.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/bvh.h"
#include "math/predicates.h"
#include "meshing/coverage.h"
#include "meshing/facet_tests.h"
#include "meshing/surface_check.h"
#include "meshing/winding.h"

namespace sinew::meshing {

namespace {

// Nodes of a block of the lattice, x fastest. A cell has the number of its low node.
struct Block {
  Lattice<3> lattice;
  Index<3> low{};
  std::array<int64_t, 3> size{};  // nodes

  int64_t count() const { return size[0] * size[1] * size[2]; }
  int64_t at(const Index<3>& node) const {
    return node[0] - low[0] + size[0] * (node[1] - low[1] + size[1] * (node[2] - low[2]));
  }
  Index<3> node(int64_t i) const {
    return {static_cast<int32_t>(low[0] + i % size[0]), static_cast<int32_t>(low[1] + i / size[0] % size[1]),
            static_cast<int32_t>(low[2] + i / (size[0] * size[1]))};
  }
  // The number of corner k of a cell.
  int64_t corner(int64_t cell, int k) const {
    return cell + (k & 1) + size[0] * ((k >> 1 & 1) + size[1] * (k >> 2));
  }
  // Nodes on the upper sides have no cell.
  bool has_cell(int64_t i) const {
    return i % size[0] < size[0] - 1 && i / size[0] % size[1] < size[1] - 1 &&
           i / (size[0] * size[1]) < size[2] - 1;
  }
};

constexpr int64_t bytes_a_node = 4 + 4 + 4 + 2;  // winding, element, vertex, flags

Result<Block> block_around(const mesh::TriMesh& surface, const GridOptions& options) {
  geometry::Box box;
  for (const auto& triangle : surface.elements)
    for (const int32_t v : triangle) box.add(surface.vertices[v]);
  if (!(options.cell > 0) || !std::isfinite(options.cell))
    return usage_error(fmt::format("cell is {}, expected a length above 0", options.cell));
  constexpr double most = 1 << 20;
  Block block;
  block.lattice = {options.cell, options.offset, 0};
  double nodes = 1, largest = 0;
  for (int a = 0; a < 3; ++a) {
    largest = std::max({largest, std::abs(box.low[a]), std::abs(box.high[a])});
    nodes *= (box.high[a] - box.low[a]) / options.cell + 3;
  }
  if (largest > most * options.cell)
    return input_error({}, fmt::format("cell {} is too small for coordinates of {}; expected at least {}",
                                       options.cell, largest, largest / most));
  if (nodes * bytes_a_node > static_cast<double>(options.max_bytes) || nodes > 2e9)
    return input_error(
        {}, fmt::format("cell {} takes about {:.3g} lattice nodes and {:.3g} GB; expected a cell of at least "
                        "about {:.3g}",
                        options.cell, nodes, nodes * bytes_a_node / 1e9,
                        options.cell *
                            std::cbrt(std::max(nodes * bytes_a_node / static_cast<double>(options.max_bytes),
                                               nodes / 2e9))));
  for (int a = 0; a < 3; ++a) {
    // A triangle that lies on the low side of a cell meets the one below as well.
    block.low[a] = static_cast<int32_t>(block.lattice.below(a, box.low[a])) - 1;
    block.size[a] = block.lattice.below(a, box.high[a]) + 2 - block.low[a];
  }
  return block;
}

struct Passed {
  int32_t facet;
  int64_t cell;
};

// The cells that each triangle passes through, ascending.
std::vector<Passed> cells_passed(const Block& block, const mesh::TriMesh& surface) {
  std::vector<Passed> passed;
  for (size_t f = 0; f < surface.elements.size(); ++f) {
    const auto& [a, b, c] = surface.elements[f];
    const std::array<Vec3d, 3> x = {surface.vertices[a], surface.vertices[b], surface.vertices[c]};
    bool flat = true;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      flat = flat && math::orient2d({x[0][i], x[0][j]}, {x[1][i], x[1][j]}, {x[2][i], x[2][j]}) == 0;
    }
    if (flat) continue;
    const auto first = static_cast<int64_t>(passed.size());
    FacetTests<3>(x).for_each_cell(block.lattice, [&](const Index<3>& cell) {
      passed.push_back({static_cast<int32_t>(f), block.at(cell)});
    });
    std::sort(passed.begin() + first, passed.end(),
              [](const Passed& p, const Passed& q) { return p.cell < q.cell; });
  }
  return passed;
}

// Winding numbers change little in `stride` cells where no triangle is as near: there the corners of a cube of so many cells decide for
// all of it, unless they are close to one half.
constexpr int stride = 4;
constexpr float clear = 0.1f;

std::vector<float> winding_of_nodes(const Block& block, const mesh::TriMesh& surface,
                                    const std::vector<Passed>& passed) {
  const WindingTree tree(surface.vertices, surface.elements);
  const auto winding_at = [&](const Index<3>& node) {
    return static_cast<float>(tree.at(block.lattice.position(node)));
  };
  // A cube has the number of its low corner in a block of the corners of cubes.
  Block cubes{block.lattice, {0, 0, 0}, {}};
  for (int a = 0; a < 3; ++a) cubes.size[a] = (block.size[a] + stride - 1) / stride + 1;
  const auto corner = [&](int64_t cube) {
    Index<3> node = cubes.node(cube);
    for (int a = 0; a < 3; ++a) node[a] = block.low[a] + stride * node[a];
    return node;
  };
  std::vector<char> near(cubes.count(), 0);
  for (const Passed& p : passed) {
    const Index<3> cell = block.node(p.cell);
    Index<3> cube;
    for (int k = 0; k < 27; ++k) {
      bool within = true;
      for (int a = 0, rest = k; a < 3; ++a, rest /= 3) {
        cube[a] = (cell[a] - block.low[a]) / stride + rest % 3 - 1;
        within = within && cube[a] >= 0 && cube[a] < cubes.size[a];
      }
      if (within) near[cubes.at(cube)] = 1;
    }
  }
  std::vector<float> at_corner(cubes.count());
  for_each_block(cubes.count(), 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) at_corner[i] = winding_at(corner(i));
  });
  std::vector<float> winding(block.count());
  for_each_block(cubes.count(), 16, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (!cubes.has_cell(i)) continue;
      float low = at_corner[i], high = low;
      for (int k = 1; k < 8; ++k) {
        low = std::min(low, at_corner[cubes.corner(i, k)]);
        high = std::max(high, at_corner[cubes.corner(i, k)]);
      }
      const bool decided = !near[i] && (low > 0.5f + clear || high < 0.5f - clear);
      const Index<3> first = corner(i);
      Index<3> last, node;
      for (int a = 0; a < 3; ++a)
        last[a] = static_cast<int32_t>(std::min<int64_t>(first[a] + stride, block.low[a] + block.size[a]));
      for (node[2] = first[2]; node[2] < last[2]; ++node[2])
        for (node[1] = first[1]; node[1] < last[1]; ++node[1])
          for (node[0] = first[0]; node[0] < last[0]; ++node[0])
            winding[block.at(node)] = decided ? low : winding_at(node);
    }
  });
  return winding;
}

// The share of each element that is material: by the facets in its cell where the surface is closed around it, so that all its
// corners are in or out beyond doubt, and otherwise by how many of them are inside.
std::vector<float> coverage_of(const Block& block, const mesh::TriMesh& surface,
                               std::span<const Passed> passed, std::span<const float> winding,
                               std::span<const int32_t> element, size_t element_count) {
  constexpr float doubt = 0.1f;
  constexpr double rounding = 1e-6;
  std::vector<double> below(element_count, 0);
  for (const Passed& p : passed) {
    if (element[p.cell] < 0) continue;
    const auto& [a, b, c] = surface.elements[p.facet];
    const std::array<Vec3d, 3> x = {surface.vertices[a], surface.vertices[b], surface.vertices[c]};
    below[element[p.cell]] += share_below<3>(x, block.lattice.position(block.node(p.cell)),
                                             block.lattice.position(block.node(block.corner(p.cell, 7))));
  }
  std::vector<float> coverage(element_count);
  for (int64_t i = 0; i < block.count(); ++i) {
    if (element[i] < 0) continue;
    int inside = 0;
    bool closed = true;
    for (int k = 0; k < 8; ++k) {
      const float w = winding[block.corner(i, k)];
      inside += w > 0.5f;
      closed = closed && (std::abs(w) < doubt || std::abs(w - 1) < doubt);
    }
    const double share = (winding[block.corner(i, 7)] > 0.5f) + below[element[i]];
    coverage[element[i]] = closed && share > -rounding && share < 1 + rounding
                               ? static_cast<float>(std::clamp(share, 0.0, 1.0))
                               : static_cast<float>(inside) / 8;
  }
  return coverage;
}

int32_t nearest_element(const geometry::Bvh& tree, std::span<const geometry::Box> boxes, const Vec3d& p) {
  return tree.nearest(p, std::numeric_limits<double>::infinity(), [&](int32_t e) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
      const double out = std::max({boxes[e].low[a] - p[a], p[a] - boxes[e].high[a], 0.0});
      sum += out * out;
    }
    return sum;
  });
}

Result<GridMesh<3>> make(const mesh::TriMesh& surface, const GridOptions& options) {
  if (const auto sound = check_numbers(surface, {}); !sound) return sound.error();
  const auto around = block_around(surface, options);
  if (!around) return around.error();
  const Block& block = *around;
  const std::vector<Passed> passed = cells_passed(block, surface);
  const std::vector<float> winding = winding_of_nodes(block, surface, passed);

  std::vector<char> taken(block.count(), 0), beside(block.count(), 0);  // cells; nodes of those inside
  for (int64_t i = 0; i < block.count(); ++i) {
    if (!block.has_cell(i)) continue;
    for (int k = 0; k < 8; ++k) taken[i] |= winding[block.corner(i, k)] > 0.5f;
    if (taken[i])
      for (int k = 0; k < 8; ++k) beside[block.corner(i, k)] = 1;
  }
  for (const Passed& p : passed)
    for (int k = 0; k < 8; ++k) taken[p.cell] |= beside[block.corner(p.cell, k)];

  GridMesh<3> grid;
  grid.lattice = block.lattice;
  std::vector<int32_t> element(block.count(), -1), vertex(block.count(), -1);
  for (int64_t i = 0; i < block.count(); ++i) {
    if (!taken[i]) continue;
    element[i] = static_cast<int32_t>(grid.elements.size());
    auto& corners = grid.elements.emplace_back();
    for (int k = 0; k < 8; ++k) {
      const int64_t node = block.corner(i, k);
      if (vertex[node] < 0) {
        vertex[node] = static_cast<int32_t>(grid.nodes.size());
        grid.nodes.push_back(block.node(node));
      }
      corners[k] = vertex[node];
    }
  }
  if (grid.elements.empty())
    return input_error(
        {}, fmt::format("the surface winds by more than one half around none of {} lattice nodes; expected "
                        "triangles that face outwards and surround most of a volume, and cells smaller "
                        "than that",
                        block.count()));

  grid.coverage = coverage_of(block, surface, passed, winding, element, grid.elements.size());
  for (const Passed& p : passed)
    if (element[p.cell] >= 0) grid.pieces.push_back({p.facet, element[p.cell]});
  std::vector<geometry::Box> boxes;
  geometry::Bvh tree;
  for (const Vec3d& p : surface.vertices) {
    Index<3> cell;
    bool within = true;
    for (int a = 0; a < 3; ++a) {
      // A vertex that no triangle uses may lie anywhere.
      const double i = std::floor(p[a] / options.cell - options.offset[a]);
      within = within && i >= block.low[a] - 1 && i <= block.low[a] + block.size[a];
      if (!within) break;
      cell[a] = static_cast<int32_t>(block.lattice.cell_of(a, p[a]));
      within = cell[a] >= block.low[a] && cell[a] < block.low[a] + block.size[a] - 1;
    }
    int32_t carrier = within ? element[block.at(cell)] : -1;
    if (carrier < 0) {
      if (boxes.empty()) {
        for (const auto& corners : grid.elements)
          boxes.push_back(
              {grid.lattice.position(grid.nodes[corners[0]]), grid.lattice.position(grid.nodes[corners[7]])});
        tree.build(boxes);
      }
      carrier = nearest_element(tree, boxes, p);
    }
    grid.carriers.push_back(carrier);
  }
  return grid;
}

}  // namespace

Result<GridMesh<3>> winding_grid(const mesh::TriMesh& surface, const GridOptions& options) {
  return unless_out_of_memory({}, [&] { return make(surface, options); });
}

}  // namespace sinew::meshing
