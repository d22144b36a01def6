#include "meshing/grid_regions.h"

#include <algorithm>

#include "base/collect.h"
#include "base/sort.h"
#include "mesh/disjoint_sets.h"
#include "meshing/facet_tests.h"

namespace sinew::meshing {
namespace {

struct CutEdge {
  int64_t node;
  int8_t axis, deeper;
  auto operator<=>(const CutEdge&) const = default;
};

template <int dim>
std::vector<CutEdge> cut_edges(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                               PredicateCount& tally) {
  auto all = collect_blocks<CutEdge>(
      static_cast<int64_t>(surface.facets.size()), 4096, [&](int64_t begin, int64_t end, auto& list) {
        const PredicateCount::Scope scope(tally);
        for (auto f = static_cast<int32_t>(begin); f < end; ++f)
          FacetTests<dim>(surface.corners(f))
              .for_each_cut(frame.lattice, [&](const Index<dim>& node, int axis, int deeper) {
                list.push_back({frame.key(node), int8_t(axis), int8_t(deeper)});
              });
      });
  sort_blocks(all);
  return all;
}

template <int dim>
class Builder {
 public:
  Builder(const GridFrame<dim>& frame, const GridShell<dim>& shell) : frame_(frame), shell_(shell) {}

  GridRegions<dim> build(const std::vector<CutEdge>& edges) {
    mark_cuts(edges);
    list_runs();
    join_runs();
    number_regions();
    return std::move(r_);
  }

 private:
  int32_t x_of(int64_t line, int32_t node) const {
    return static_cast<int32_t>(shell_.nodes[node] - r_.lines[line] * frame_.count[0]);
  }

  void mark_cuts(const std::vector<CutEdge>& edges) {
    r_.cut.assign(shell_.nodes.size(), 0);
    deeper_.assign(shell_.nodes.size(), 0);
    size_t node = 0;
    for (const CutEdge& e : edges) {
      while (shell_.nodes[node] != e.node) ++node;
      r_.cut[node] |= 1 << e.axis;
      if (e.axis == 0) deeper_[node] += e.deeper;
    }
  }

  void list_runs() {
    const auto nodes = static_cast<int32_t>(shell_.nodes.size());
    const auto last_x = static_cast<int32_t>(frame_.count[0] - 1);
    r_.node_run.resize(nodes);
    int32_t winding = 0;
    for (int32_t i = 0; i < nodes; ++i) {
      const int64_t line = shell_.nodes[i] / frame_.count[0];
      if (r_.lines.empty() || r_.lines.back() != line) {
        if (!r_.lines.empty()) r_.run_last.push_back(last_x);
        r_.lines.push_back(line);
        r_.line_nodes.push_back(i);
        r_.line_runs.push_back(static_cast<int32_t>(r_.run_first.size()));
        r_.run_first.push_back(0);
        run_winding_.push_back(winding = 0);
      }
      r_.node_run[i] = static_cast<int32_t>(r_.run_first.size()) - 1;
      winding += deeper_[i];
      if (r_.cut[i] & 1) {
        const int32_t x = x_of(static_cast<int64_t>(r_.lines.size()) - 1, i);
        r_.run_last.push_back(x);
        r_.run_first.push_back(x + 1);
        run_winding_.push_back(winding);
      }
    }
    r_.run_last.push_back(last_x);
    r_.line_nodes.push_back(nodes);
    r_.line_runs.push_back(static_cast<int32_t>(r_.run_first.size()));
  }

  // Set 0 is the outside, set r + 1 that of run r.
  void join_runs() {
    sets_ = mesh::DisjointSets<>(static_cast<int64_t>(r_.run_first.size()) + 1);
    const auto lines = static_cast<int64_t>(r_.lines.size());
    for (int64_t line = 0; line < lines; ++line) {
      sets_.join(0, r_.line_runs[line] + 1);
      sets_.join(0, r_.line_runs[line + 1]);
      for (int a = 1; a < dim; ++a) {
        const int64_t step = frame_.stride[a] / frame_.count[0];
        const int64_t above = find_line(r_.lines[line] + step);
        if (above >= 0) join_lines(line, above, a);
        if (above < 0 || find_line(r_.lines[line] - step) < 0)
          for (int32_t r = r_.line_runs[line]; r < r_.line_runs[line + 1]; ++r) sets_.join(0, r + 1);
      }
    }
  }

  int64_t find_line(int64_t key) const {
    const auto at = std::lower_bound(r_.lines.begin(), r_.lines.end(), key);
    return at != r_.lines.end() && *at == key ? at - r_.lines.begin() : -1;
  }

  // Runs that face each other are joined unless every edge between them is cut.
  void join_lines(int64_t line, int64_t above, int axis) {
    int32_t r = r_.line_runs[line], q = r_.line_runs[above];
    int32_t node = r_.line_nodes[line];
    while (r < r_.line_runs[line + 1] && q < r_.line_runs[above + 1]) {
      const int32_t first = std::max(r_.run_first[r], r_.run_first[q]);
      const int32_t last = std::min(r_.run_last[r], r_.run_last[q]);
      int32_t cuts = 0;
      for (; node < r_.line_nodes[line + 1] && x_of(line, node) <= last; ++node)
        cuts += x_of(line, node) >= first && (r_.cut[node] >> axis & 1);
      if (cuts <= last - first) sets_.join(r + 1, q + 1);
      if (r_.run_last[r] == last && r_.run_last[q] == last)
        ++r, ++q;
      else if (r_.run_last[r] == last)
        ++r;
      else
        ++q;
    }
  }

  void number_regions() {
    const auto runs = static_cast<int32_t>(r_.run_first.size());
    r_.run_region.resize(runs);
    std::vector<int32_t> number(runs + 1, -1);
    number[0] = 0;
    r_.winding.push_back(0);
    for (int32_t r = 0; r < runs; ++r) {
      int32_t& region = number[sets_.find(r + 1)];
      if (region < 0) {
        region = static_cast<int32_t>(r_.winding.size());
        r_.winding.push_back(run_winding_[r]);
      }
      r_.run_region[r] = region;
      r_.closed &= r_.winding[region] == run_winding_[r];
    }
  }

  const GridFrame<dim>& frame_;
  const GridShell<dim>& shell_;
  GridRegions<dim> r_;
  std::vector<int32_t> deeper_, run_winding_;
  mesh::DisjointSets<> sets_;
};

}  // namespace

template <int dim>
GridRegions<dim> grid_regions(const SurfaceView<dim>& surface, const GridFrame<dim>& frame,
                              const GridShell<dim>& shell, PredicateCount& count) {
  return Builder<dim>(frame, shell).build(cut_edges(surface, frame, count));
}

template GridRegions<2> grid_regions(const SurfaceView<2>&, const GridFrame<2>&, const GridShell<2>&,
                                     PredicateCount&);
template GridRegions<3> grid_regions(const SurfaceView<3>&, const GridFrame<3>&, const GridShell<3>&,
                                     PredicateCount&);

}  // namespace sinew::meshing
