#include "meshing/grid_cores.h"

#include <algorithm>
#include <numeric>

#include "base/collect.h"
#include "base/parallel.h"

namespace sinew::meshing {
namespace {

template <int dim>
class Builder {
  static constexpr int corners = 1 << dim;

 public:
  Builder(const GridShell<dim>& shell, const GridRegions<dim>& regions, std::span<const int32_t> material)
      : shell_(shell), regions_(regions), material_(material) {}

  GridCores<dim> build() {
    list_cores();
    number_vertices();
    return std::move(out_);
  }

 private:
  int32_t region_at(int64_t cell, int corner) const {
    return regions_.region_of(shell_.cell_nodes[cell][corner]);
  }

  void list_cores() {
    const auto cells = static_cast<int64_t>(shell_.cells.size());
    out_.begin.assign(cells + 1, 0);
    out_.mask = collect_blocks<uint8_t>(cells, 4096, [&](int64_t begin, int64_t end, auto& list) {
      for (int64_t s = begin; s < end; ++s) {
        const size_t before = list.size();
        list_cores_of(s, list);
        out_.begin[s + 1] = static_cast<int32_t>(list.size() - before);
      }
    });
    std::partial_sum(out_.begin.begin(), out_.begin.end(), out_.begin.begin());
    out_.region.resize(out_.mask.size());
    for_each_block(cells, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s)
        for (int32_t c = out_.begin[s]; c < out_.begin[s + 1]; ++c)
          out_.region[c] = region_at(s, std::countr_zero(out_.mask[c]));
    });
  }

  void list_cores_of(int64_t s, std::vector<uint8_t>& list) const {
    std::array<unsigned, corners> linked;
    unsigned open = 0;
    for (int k = 0; k < corners; ++k) {
      linked[k] = 1u << k;
      if (material_[region_at(s, k)] > 0) open |= 1u << k;
    }
    for (int k = 0; k < corners; ++k)
      for (int a = 0; a < dim; ++a)
        if (!(k >> a & 1) && !(regions_.cut[shell_.cell_nodes[s][k]] >> a & 1)) {
          linked[k] |= 1u << (k | 1 << a);
          linked[k | 1 << a] |= 1u << k;
        }
    while (open) {
      unsigned mask = 0, grown = open & -open;
      while (grown != mask) {
        mask = grown;
        for (int k = 0; k < corners; ++k)
          if (mask >> k & 1) grown |= linked[k];
      }
      list.push_back(static_cast<uint8_t>(mask));
      open &= ~mask;
    }
  }

  void number_vertices() {
    const auto nodes = static_cast<int64_t>(shell_.nodes.size());
    out_.vertices.resize(out_.mask.size());
    std::vector<int32_t> outer_begin(nodes + 1, 0);
    for_each_block(nodes, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t a = begin; a < end; ++a) outer_begin[a + 1] = number_around(a);
    });
    std::partial_sum(outer_begin.begin(), outer_begin.end(), outer_begin.begin());
    out_.outer_node.resize(outer_begin.back());
    out_.outer_region.resize(outer_begin.back());
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t c = out_.begin[s]; c < out_.begin[s + 1]; ++c)
        for (int k = 0; k < corners; ++k) {
          int32_t& v = out_.vertices[c][k];
          if (v < 0) continue;
          v += outer_begin[shell_.cell_nodes[s][k]];
          out_.outer_node[v] = shell_.cell_nodes[s][k];
          out_.outer_region[v] = out_.region[c];
        }
    out_.region_nodes.assign(material_.size(), 0);
    out_.region_outer.assign(material_.size(), 0);
    out_.node_rank.resize(nodes);
    out_.outer_rank.resize(out_.outer_node.size());
    for (int64_t a = 0; a < nodes; ++a)
      out_.node_rank[a] = out_.region_nodes[regions_.region_of(static_cast<int32_t>(a))]++;
    for (size_t v = 0; v < out_.outer_rank.size(); ++v)
      out_.outer_rank[v] = out_.region_outer[out_.outer_region[v]]++;
  }

  // Corner k of the cell that has a node as its corner c, among the 3^dim nodes around that node.
  static int place(int c, int k) {
    int at = 0;
    for (int a = dim - 1; a >= 0; --a) at = 3 * at + (k >> a & 1) - (c >> a & 1) + 1;
    return at;
  }

  // Writes the vertices that cores have at a node, outer ones numbered from 0, and returns how many these are. Nodes around it are
  // joined where they are in one core, or in one cell that the surface does not pass through.
  int32_t number_around(int64_t node) {
    constexpr int block = nodes_around<dim>;
    std::array<int8_t, block> parent;
    std::iota(parent.begin(), parent.end(), int8_t{0});
    const auto find = [&](int i) {
      while (parent[i] != i) i = parent[i];
      return i;
    };
    const auto join = [&](int c, unsigned mask) {
      const int first = place(c, std::countr_zero(mask));
      for (int k = 0; k < corners; ++k)
        if (mask >> k & 1) parent[find(place(c, k))] = static_cast<int8_t>(find(first));
    };
    const auto& cells = shell_.node_cells[node];
    bool any = false;
    for (int c = 0; c < corners; ++c) {
      if (cells[c] < 0)
        join(c, (1u << corners) - 1);
      else
        for (int32_t k = out_.begin[cells[c]]; k < out_.begin[cells[c] + 1]; ++k, any = true)
          join(c, out_.mask[k]);
    }
    if (!any) return 0;
    const int centre = find(block / 2);
    std::array<int, block> outer;
    int count = 0;
    for (int c = 0; c < corners; ++c) {
      if (cells[c] < 0) continue;
      for (int32_t k = out_.begin[cells[c]]; k < out_.begin[cells[c] + 1]; ++k) {
        const int root = find(place(c, std::countr_zero(out_.mask[k])));
        int at = -1;
        if (root != centre) {
          at = static_cast<int>(std::find(outer.begin(), outer.begin() + count, root) - outer.begin());
          if (at == count) outer[count++] = root;
        }
        out_.vertices[k][c] = at;
      }
    }
    return count;
  }

  const GridShell<dim>& shell_;
  const GridRegions<dim>& regions_;
  std::span<const int32_t> material_;
  GridCores<dim> out_;
};

}  // namespace

template <int dim>
GridCores<dim> grid_cores(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                          std::span<const int32_t> material) {
  return Builder<dim>(shell, regions, material).build();
}

template GridCores<2> grid_cores(const GridShell<2>&, const GridRegions<2>&, std::span<const int32_t>);
template GridCores<3> grid_cores(const GridShell<3>&, const GridRegions<3>&, std::span<const int32_t>);

}  // namespace sinew::meshing
