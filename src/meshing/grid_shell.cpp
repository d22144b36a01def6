#include "meshing/grid_shell.h"

#include <algorithm>
#include <numeric>

#include "base/collect.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "mesh/disjoint_sets.h"
#include "meshing/facet_tests.h"
#include "meshing/nearest_side.h"

namespace sinew::meshing {
namespace {

struct CellFacet {
  int64_t cell;
  int32_t facet;
  auto operator<=>(const CellFacet&) const = default;
};

template <int dim>
std::vector<CellFacet> cells_of_facets(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                                       PredicateCount& tally) {
  auto all = collect_blocks<CellFacet>(
      static_cast<int64_t>(surface.facets.size()), 4096, [&](int64_t begin, int64_t end, auto& list) {
        const PredicateCount::Scope scope(tally);
        for (auto f = static_cast<int32_t>(begin); f < end; ++f)
          FacetTests<dim>(surface.corners(f)).for_each_cell(frame.lattice, [&](const Index<dim>& cell) {
            list.push_back({frame.key(cell), f});
          });
      });
  sort_blocks(all);
  return all;
}

template <int dim>
void list_cells(const std::vector<CellFacet>& all, GridShell<dim>& shell) {
  shell.piece_facet.resize(all.size());
  for (size_t p = 0; p < all.size(); ++p) {
    if (p == 0 || all[p].cell != all[p - 1].cell) {
      shell.cells.push_back(all[p].cell);
      shell.piece_begin.push_back(static_cast<int32_t>(p));
    }
    shell.piece_facet[p] = all[p].facet;
  }
  shell.piece_begin.push_back(static_cast<int32_t>(all.size()));
}

// Facets of a cell that share a point, directly or over others, are one sheet.
template <int dim>
void part_into_sheets(const SurfaceView<dim>& surface, GridShell<dim>& shell) {
  const auto cells = static_cast<int64_t>(shell.cells.size());
  shell.piece_sheet.resize(shell.piece_facet.size());
  shell.sheet_begin.assign(cells + 1, 0);
  for_each_block(cells, 1024, [&](int64_t begin, int64_t end) {
    mesh::DisjointSets<> sets;
    std::vector<std::pair<int32_t, int32_t>> points;
    std::vector<int32_t> number;
    for (int64_t s = begin; s < end; ++s) {
      const int32_t first = shell.piece_begin[s], n = shell.piece_begin[s + 1] - first;
      sets.reset(n);
      points.clear();
      for (int32_t i = 0; i < n; ++i)
        for (const int32_t p : surface.facets[shell.piece_facet[first + i]]) points.emplace_back(p, i);
      std::sort(points.begin(), points.end());
      for (size_t i = 1; i < points.size(); ++i)
        if (points[i].first == points[i - 1].first) sets.join(points[i].second, points[i - 1].second);
      number.assign(n, 0);
      int32_t sheets = 0;
      for (int32_t i = 0; i < n; ++i) {
        const int32_t root = sets.find(i);
        if (root == i) number[i] = sheets++;
        shell.piece_sheet[first + i] = number[root];
      }
      shell.sheet_begin[s + 1] = sheets;
    }
  });
  std::partial_sum(shell.sheet_begin.begin(), shell.sheet_begin.end(), shell.sheet_begin.begin());
  for_each_block(cells, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s)
      for (int32_t p = shell.piece_begin[s]; p < shell.piece_begin[s + 1]; ++p)
        shell.piece_sheet[p] += shell.sheet_begin[s];
  });
}

// All corners of shell cells: the sorted lists of corner k of all cells, merged.
template <int dim>
void list_nodes(const GridFrame<dim>& frame, GridShell<dim>& shell) {
  constexpr int corners = GridShell<dim>::corners;
  const size_t cells = shell.cells.size();
  shell.cell_nodes.resize(cells);
  std::array<size_t, corners> next{};
  const auto head = [&](int k) { return shell.cells[next[k]] + frame.corner[k]; };
  for (;;) {
    int64_t least = INT64_MAX;
    for (int k = 0; k < corners; ++k)
      if (next[k] < cells) least = std::min(least, head(k));
    if (least == INT64_MAX) break;
    typename GridShell<dim>::Corners around;
    for (int k = 0; k < corners; ++k) {
      around[k] = -1;
      if (next[k] == cells || head(k) != least) continue;
      around[k] = static_cast<int32_t>(next[k]);
      shell.cell_nodes[next[k]++][k] = static_cast<int32_t>(shell.nodes.size());
    }
    shell.nodes.push_back(least);
    shell.node_cells.push_back(around);
  }
}

// The vertices at the nodes of a block, with all they need.
template <int dim>
class NodeVertices {
 public:
  NodeVertices(const SurfaceView<dim>& surface, const GridFrame<dim>& frame, GridShell<dim>& shell)
      : surface_(surface), frame_(frame), shell_(shell) {}

  // Numbers the vertices of a node from 0, writes these numbers to the sheets, and appends what is inside.
  int32_t run(int64_t node, std::vector<int8_t>& inside) {
    items_.clear();
    for (int k = 0; k < GridShell<dim>::corners; ++k) {
      const int32_t s = shell_.node_cells[node][k];
      if (s < 0) continue;
      for (int32_t sheet = shell_.sheet_begin[s]; sheet < shell_.sheet_begin[s + 1]; ++sheet)
        items_.push_back({s, sheet, k});
    }
    sets_.reset(items_.size());
    for (size_t i = 0; i < items_.size(); ++i)
      for (size_t j = i + 1; j < items_.size(); ++j)
        if (items_[i].cell != items_[j].cell && sets_.find(i) != sets_.find(j) &&
            share_a_facet(items_[i], items_[j]))
          sets_.join(i, j);
    number_.assign(items_.size(), 0);
    int32_t vertices = 0;
    const Point<dim> x = frame_.lattice.position(frame_.index(shell_.nodes[node]));
    for (size_t i = 0; i < items_.size(); ++i) {
      const int32_t root = sets_.find(i);
      if (root == static_cast<int32_t>(i)) {
        number_[i] = vertices++;
        inside.push_back(is_inside(root, x));
      }
      shell_.sheet_vertices[items_[i].sheet][items_[i].corner] = number_[root];
    }
    return vertices;
  }

 private:
  struct Item {
    int32_t cell, sheet;
    int corner;
  };

  bool share_a_facet(const Item& a, const Item& b) const {
    int32_t i = shell_.piece_begin[a.cell], j = shell_.piece_begin[b.cell];
    const int32_t i_end = shell_.piece_begin[a.cell + 1], j_end = shell_.piece_begin[b.cell + 1];
    while (i < i_end && j < j_end) {
      const int32_t f = shell_.piece_facet[i], g = shell_.piece_facet[j];
      if (f == g && shell_.piece_sheet[i] == a.sheet && shell_.piece_sheet[j] == b.sheet) return true;
      i += f <= g;
      j += g <= f;
    }
    return false;
  }

  bool is_inside(int32_t root, const Point<dim>& x) {
    patch_.clear();
    for (size_t i = 0; i < items_.size(); ++i) {
      if (sets_.find(i) != root) continue;
      const Item& item = items_[i];
      for (int32_t p = shell_.piece_begin[item.cell]; p < shell_.piece_begin[item.cell + 1]; ++p)
        if (shell_.piece_sheet[p] == item.sheet) patch_.push_back(shell_.piece_facet[p]);
    }
    std::sort(patch_.begin(), patch_.end());
    patch_.erase(std::unique(patch_.begin(), patch_.end()), patch_.end());
    return nearest_side<dim>(surface_, patch_, x) < 0;
  }

  const SurfaceView<dim>& surface_;
  const GridFrame<dim>& frame_;
  GridShell<dim>& shell_;
  std::vector<Item> items_;
  mesh::DisjointSets<> sets_;
  std::vector<int32_t> number_, patch_;
};

template <int dim>
void number_vertices(const SurfaceView<dim>& surface, const GridFrame<dim>& frame, GridShell<dim>& shell,
                     PredicateCount& tally) {
  const auto nodes = static_cast<int64_t>(shell.nodes.size());
  shell.sheet_vertices.resize(shell.sheet_begin.back());
  shell.vertex_begin.assign(nodes + 1, 0);
  shell.inside = collect_blocks<int8_t>(nodes, 1024, [&](int64_t begin, int64_t end, auto& inside) {
    const PredicateCount::Scope scope(tally);
    NodeVertices<dim> vertices(surface, frame, shell);
    for (int64_t a = begin; a < end; ++a) shell.vertex_begin[a + 1] = vertices.run(a, inside);
  });
  std::partial_sum(shell.vertex_begin.begin(), shell.vertex_begin.end(), shell.vertex_begin.begin());
  for_each_block(static_cast<int64_t>(shell.cells.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s)
      for (int32_t sheet = shell.sheet_begin[s]; sheet < shell.sheet_begin[s + 1]; ++sheet)
        for (int k = 0; k < GridShell<dim>::corners; ++k)
          shell.sheet_vertices[sheet][k] += shell.vertex_begin[shell.cell_nodes[s][k]];
  });
}

}  // namespace

template <int dim>
GridShell<dim> grid_shell(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                          PredicateCount& count) {
  GridShell<dim> shell;
  list_cells<dim>(cells_of_facets(surface, frame, count), shell);
  part_into_sheets(surface, shell);
  list_nodes(frame, shell);
  number_vertices(surface, frame, shell, count);
  return shell;
}

template GridShell<2> grid_shell(const SurfaceView<2>&, const GridFrame<2>&, PredicateCount&);
template GridShell<3> grid_shell(const SurfaceView<3>&, const GridFrame<3>&, PredicateCount&);

}  // namespace sinew::meshing
