#include "meshing/grid_layers.h"

#include <algorithm>

#include "mesh/disjoint_sets.h"

namespace sinew::meshing {
namespace {

template <int dim>
class Builder {
  static constexpr int corners = 1 << dim;
  using Corners = std::array<int32_t, corners>;
  using Entry = typename GridCopies<dim>::Entry;

 public:
  Builder(const GridShell<dim>& shell, const GridRegions<dim>& regions) : shell_(shell), regions_(regions) {
    out_.copies = grid_copies(shell, regions, cores_);
  }

  std::optional<GridLayers<dim>> build() {
    if (!number_vertices()) return std::nullopt;
    sew();
    list_elements();
    return std::move(out_);
  }

 private:
  bool number_vertices() {
    int64_t next = static_cast<int64_t>(shell_.inside.size());
    for (const int32_t region : out_.copies.region) {
      if (next > INT32_MAX) return false;
      out_.copy_base.push_back(static_cast<int32_t>(next));
      next += cores_.region_nodes[region] + cores_.region_outer[region];
    }
    if (next > INT32_MAX) return false;
    out_.node_rank = cores_.node_rank;
    out_.vertex_node.resize(next);
    sets_.reset(next);
    const GridCopies<dim>& copies = out_.copies;
    for (int32_t a = 0; a < static_cast<int32_t>(shell_.nodes.size()); ++a) {
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w) out_.vertex_node[w] = a;
      const int32_t region = regions_.region_of(a);
      for (int32_t q = copies.begin[region]; q < copies.begin[region + 1]; ++q)
        out_.vertex_node[core_vertex(q, a)] = a;
    }
    for (int32_t v = 0; v < static_cast<int32_t>(cores_.outer_node.size()); ++v)
      for (int32_t q = copies.begin[cores_.outer_region[v]]; q < copies.begin[cores_.outer_region[v] + 1];
           ++q)
        out_.vertex_node[outer_vertex(q, v)] = cores_.outer_node[v];
    return true;
  }

  int32_t core_vertex(int32_t copy, int32_t node) const {
    return out_.copy_base[copy] + cores_.node_rank[node];
  }
  int32_t outer_vertex(int32_t copy, int32_t v) const {
    return out_.copy_base[copy] + cores_.region_nodes[out_.copies.region[copy]] + cores_.outer_rank[v];
  }
  Corners vertices(int32_t cell, const Entry& e) const {
    if (e.element >= 0) return shell_.sheet_vertices[e.element];
    Corners vertices;
    for (int k = 0; k < corners; ++k) {
      const int32_t v = cores_.vertices[~e.element][k];
      vertices[k] = v < 0 ? core_vertex(e.copy, shell_.cell_nodes[cell][k]) : outer_vertex(e.copy, v);
    }
    return vertices;
  }

  // All inside vertices of a copy at one node are sewn into one; so are the corners of elements that are the same.
  void sew() {
    const GridCopies<dim>& copies = out_.copies;
    for (int32_t w = 0; w < static_cast<int32_t>(shell_.inside.size()); ++w) {
      sets_.join(w, copies.same_vertex[w]);
      if (copies.vertex_copy[w] >= 0) sets_.join(w, core_vertex(copies.vertex_copy[w], out_.vertex_node[w]));
    }
    for (const auto& o : copies.overlaps) {
      const Corners a = vertices(o.cell, o.a), b = vertices(o.cell, o.b);
      for (int k = 0; k < corners; ++k) sets_.join(a[k], b[k]);
    }
    out_.joined.resize(sets_.size());
    for (int64_t v = 0; v < sets_.size(); ++v) out_.joined[v] = sets_.find(static_cast<int32_t>(v));
  }

  // Every element once; sheets without material at a node as well, so that the whole surface is in the mesh.
  void list_elements() {
    const auto cells = static_cast<int32_t>(shell_.cells.size());
    out_.element_begin.assign(cells + 1, 0);
    out_.sheet_element.resize(shell_.sheet_vertices.size());
    for (int32_t s = 0; s < cells; ++s) {
      const auto begin = static_cast<int32_t>(out_.elements.size());
      const auto add = [&](const Entry& e) {
        Corners v = vertices(s, e);
        for (int32_t& id : v) id = out_.joined[id];
        const auto at = std::find(out_.elements.begin() + begin, out_.elements.end(), v);
        const auto number = static_cast<int32_t>(at - out_.elements.begin());
        if (at == out_.elements.end()) out_.elements.push_back(v);
        return number;
      };
      for (int32_t g = shell_.sheet_begin[s]; g < shell_.sheet_begin[s + 1]; ++g)
        out_.sheet_element[g] = add({-1, g});
      for (int32_t core = cores_.begin[s]; core < cores_.begin[s + 1]; ++core) {
        const int32_t region = cores_.region[core];
        if (std::find(cores_.region.begin() + cores_.begin[s], cores_.region.begin() + core, region) <
            cores_.region.begin() + core)
          continue;  // met with the first core of the region
        for (int32_t q = out_.copies.begin[region]; q < out_.copies.begin[region + 1]; ++q)
          for_each_entry(shell_, cores_, out_.copies, s, q, add);
      }
      out_.element_begin[s + 1] = static_cast<int32_t>(out_.elements.size());
    }
  }

  const GridShell<dim>& shell_;
  const GridRegions<dim>& regions_;
  GridCores<dim> cores_;
  GridLayers<dim> out_;
  mesh::DisjointSets<> sets_;
};

}  // namespace

template <int dim>
std::optional<GridLayers<dim>> grid_layers(const GridShell<dim>& shell, const GridRegions<dim>& regions) {
  return Builder<dim>(shell, regions).build();
}

template std::optional<GridLayers<2>> grid_layers(const GridShell<2>&, const GridRegions<2>&);
template std::optional<GridLayers<3>> grid_layers(const GridShell<3>&, const GridRegions<3>&);

}  // namespace sinew::meshing
