#include "meshing/grid_layers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "base/parallel.h"
#include "meshing/grid_cores.h"

namespace sinew::meshing {
namespace {

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// The cells around a cell: through which corner each is reached, and which corners it shares.
template <int dim>
struct Neighbour {
  int corner;      // of the cell
  int its_corner;  // the same node, as a corner of the neighbour
  std::vector<std::pair<int, int>> shared;
};

template <int dim>
const std::vector<Neighbour<dim>>& neighbours() {
  static const std::vector<Neighbour<dim>> table = [] {
    std::vector<Neighbour<dim>> all;
    for (int code = 0; code < power(3, dim); ++code) {
      int up = 0, down = 0;
      for (int a = 0, rest = code; a < dim; ++a, rest /= 3)
        (rest % 3 == 1 ? up : down) |= (rest % 3 != 0) << a;
      if (up == 0 && down == 0) continue;
      Neighbour<dim> n{up, up ^ (up | down), {}};
      for (int k = 0; k < 1 << dim; ++k)
        if ((k & up) == up && (k & down) == 0) n.shared.emplace_back(k, k ^ (up | down));
      all.push_back(n);
    }
    return all;
  }();
  return table;
}

template <int dim>
class Builder {
  static constexpr int corners = 1 << dim;
  using Corners = std::array<int32_t, corners>;

 public:
  Builder(const GridShell<dim>& shell, const GridRegions<dim>& regions) : shell_(shell), regions_(regions) {}

  std::optional<GridLayers<dim>> build(int64_t most_vertices) {
    first_copies();
    passing_.assign(out_.copies.size(), 0);
    cores_ = grid_cores(shell_, regions_, std::span<const int32_t>(out_.copies));
    out_.node_rank = cores_.node_rank;
    for (;;) {
      if (number_copies() > most_vertices) return std::nullopt;
      sew_sheets();
      list_entries();
      grow_overlaps();
      if (out_.nested == 0 && fold()) continue;
      if (!complete()) break;
    }
    sew_overlaps();
    list_elements();
    return std::move(out_);
  }

 private:
  // An element of a copy in a shell cell: a sheet, or ~core.
  struct Entry {
    int32_t copy, element;
    bool operator==(const Entry&) const = default;
    auto operator<=>(const Entry&) const = default;
  };
  // Two elements of one cell, of two copies, which are the same piece of material.
  struct Overlap {
    int32_t cell;
    Entry a, b;
  };
  struct Seed {
    int32_t copy_a, copy_b, cell, sheet;
    auto operator<=>(const Seed&) const = default;
  };

  // Which copy of its region each inside vertex of a sheet belongs to.
  void first_copies() {
    const auto nodes = static_cast<int32_t>(shell_.nodes.size());
    const auto regions = regions_.winding.size();
    std::vector<uint8_t> material(regions, 0), several(regions, 0);
    std::vector<int32_t> vertex_region(shell_.inside.size(), -1);
    for (int32_t a = 0; a < nodes; ++a) {
      const int32_t region = regions_.region_of(a);
      int inside = 0;
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w) {
        if (!shell_.inside[w]) continue;
        ++inside;
        vertex_region[w] = region;
      }
      material[region] |= inside > 0;
      several[region] |= inside > 1;
    }
    mesh::DisjointSets<> patches(static_cast<int64_t>(shell_.inside.size()));
    for (const Corners& sheet : shell_.sheet_vertices)
      for (int i = 0; i < corners; ++i)
        for (int j = i + 1; j < corners; ++j)
          if (vertex_region[sheet[i]] >= 0 && vertex_region[sheet[i]] == vertex_region[sheet[j]])
            patches.join(sheet[i], sheet[j]);
    // Regions in ascending order, copies of a region by their least vertex.
    out_.copies.assign(regions, 0);
    for (size_t r = 0; r < regions; ++r) out_.copies[r] = material[r] && !several[r];
    std::vector<int32_t> rank(shell_.inside.size(), 0);
    for (size_t w = 0; w < rank.size(); ++w)
      if (vertex_region[w] >= 0 && several[vertex_region[w]] && patches.find(w) == static_cast<int32_t>(w))
        rank[w] = out_.copies[vertex_region[w]]++;
    list_copies();
    vertex_copy_.assign(shell_.inside.size(), -1);
    for (size_t w = 0; w < rank.size(); ++w)
      if (vertex_region[w] >= 0) vertex_copy_[w] = out_.copy_begin[vertex_region[w]] + rank[patches.find(w)];
    for (const int32_t n : out_.copies)
      if (n > 0) out_.first_copies.push_back(n);
    std::sort(out_.first_copies.rbegin(), out_.first_copies.rend());
  }

  void list_copies() {
    out_.copy_begin.assign(1, 0);
    copy_region_.clear();
    for (size_t r = 0; r < out_.copies.size(); ++r) {
      copy_region_.insert(copy_region_.end(), out_.copies[r], static_cast<int32_t>(r));
      out_.copy_begin.push_back(static_cast<int32_t>(copy_region_.size()));
    }
  }

  int64_t number_copies() {
    const auto sheet_vertices = static_cast<int32_t>(shell_.inside.size());
    int64_t next = sheet_vertices;
    out_.copy_base.clear();
    for (const int32_t region : copy_region_) {
      out_.copy_base.push_back(static_cast<int32_t>(next));
      next += cores_.region_nodes[region] + cores_.region_outer[region];
    }
    if (next <= INT32_MAX) sets_ = mesh::DisjointSets<>(next);
    return next;
  }

  int32_t core_vertex(int32_t copy, int32_t node) const {
    return out_.copy_base[copy] + cores_.node_rank[node];
  }
  int32_t outer_vertex(int32_t copy, int32_t e) const {
    return out_.copy_base[copy] + cores_.region_nodes[copy_region_[copy]] + cores_.outer_rank[e];
  }

  // What a copy has inside at a node is one vertex.
  void sew_sheets() {
    for (size_t a = 0; a < shell_.nodes.size(); ++a)
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w)
        if (vertex_copy_[w] >= 0) sets_.join(w, core_vertex(vertex_copy_[w], static_cast<int32_t>(a)));
    join_all();
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t g = shell_.sheet_begin[s]; g < shell_.sheet_begin[s + 1]; ++g)
        for (int32_t h = shell_.sheet_begin[s]; h < g; ++h)
          if (bound_the_same(shell_.sheet_vertices[g], shell_.sheet_vertices[h]))
            for (int k = 0; k < corners; ++k)
              sets_.join(shell_.sheet_vertices[g][k], shell_.sheet_vertices[h][k]);
    join_all();
  }

  // Two sheets of a cell with the same corners inside, and the same vertices there: the material between them and these is the same.
  bool bound_the_same(const Corners& g, const Corners& h) const {
    bool any = false;
    for (int k = 0; k < corners; ++k) {
      if (shell_.inside[g[k]] != shell_.inside[h[k]]) return false;
      if (!shell_.inside[g[k]]) continue;
      if (out_.joined[g[k]] != out_.joined[h[k]]) return false;
      any = true;
    }
    return any;
  }

  void join_all() {
    out_.joined.resize(sets_.size());
    for (int64_t v = 0; v < sets_.size(); ++v) out_.joined[v] = sets_.find(static_cast<int32_t>(v));
  }

  int32_t vertex(int32_t cell, const Entry& e, int corner) const {
    if (e.element >= 0) return out_.joined[shell_.sheet_vertices[e.element][corner]];
    const int32_t v = cores_.vertices[~e.element][corner];
    return out_
        .joined[v < 0 ? core_vertex(e.copy, shell_.cell_nodes[cell][corner]) : outer_vertex(e.copy, v)];
  }
  Corners vertices(int32_t cell, const Entry& e) const {
    Corners v;
    for (int k = 0; k < corners; ++k) v[k] = vertex(cell, e, k);
    return v;
  }

  // The elements of all copies in each shell cell: sheets that have an inside vertex of the copy, and the cores which these do not replace.
  void list_entries() {
    const auto cells = static_cast<int64_t>(shell_.cells.size());
    entry_begin_.assign(cells + 1, 0);
    constexpr int64_t block = 2048;
    std::vector<std::vector<Entry>> found((cells + block - 1) / block);
    for_each_block(cells, block, [&](int64_t begin, int64_t end) {
      auto& list = found[begin / block];
      for (int64_t s = begin; s < end; ++s) {
        const auto before = list.size();
        list_entries_of(static_cast<int32_t>(s), list);
        entry_begin_[s + 1] = static_cast<int32_t>(list.size() - before);
      }
    });
    std::partial_sum(entry_begin_.begin(), entry_begin_.end(), entry_begin_.begin());
    entries_.clear();
    entries_.reserve(entry_begin_.back());
    for (const auto& list : found) entries_.insert(entries_.end(), list.begin(), list.end());
  }

  // The first sheet of the cell with the same vertices.
  int32_t same_sheet(int32_t cell, int32_t sheet) const {
    const Corners mine = vertices(cell, {-1, sheet});
    for (int32_t other = shell_.sheet_begin[cell]; other < sheet; ++other)
      if (vertices(cell, {-1, other}) == mine) return other;
    return sheet;
  }

  void list_entries_of(int32_t s, std::vector<Entry>& list) const {
    const size_t begin = list.size();
    for (int32_t sheet = shell_.sheet_begin[s]; sheet < shell_.sheet_begin[s + 1]; ++sheet) {
      const int32_t same = same_sheet(s, sheet);
      for (const int32_t w : shell_.sheet_vertices[sheet]) {
        const Entry e{vertex_copy_[w], same};
        if (e.copy >= 0 && std::find(list.begin() + begin, list.end(), e) == list.end()) list.push_back(e);
      }
    }
    const size_t sheets = list.size();
    for (int32_t core = cores_.begin[s]; core < cores_.begin[s + 1]; ++core) {
      const int32_t region = cores_.region[core];
      for (int32_t copy = out_.copy_begin[region]; copy < out_.copy_begin[region + 1]; ++copy) {
        const bool met = std::any_of(list.begin() + begin, list.begin() + sheets,
                                     [&](const Entry& e) { return e.copy == copy; });
        if (!met || !touches_sheet(s, core, copy)) list.push_back({copy, ~core});
      }
    }
    std::sort(list.begin() + begin, list.end());
  }

  bool touches_sheet(int32_t s, int32_t core, int32_t copy) const {
    for (int k = 0; k < corners; ++k) {
      if (cores_.vertices[core][k] >= 0) continue;
      const int32_t a = shell_.cell_nodes[s][k];
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w)
        if (vertex_copy_[w] == copy) return true;
    }
    return false;
  }

  std::span<const Entry> entries(int32_t cell, int32_t copy) const {
    const auto begin = entries_.begin() + entry_begin_[cell], end = entries_.begin() + entry_begin_[cell + 1];
    const auto first = std::find_if(begin, end, [&](const Entry& e) { return e.copy == copy; });
    const auto last = std::find_if(first, end, [&](const Entry& e) { return e.copy != copy; });
    return {first, last};
  }

  // From the sheets that two copies have in common, over all cells in which both have neighbours of what was found.
  void grow_overlaps() {
    std::vector<Seed> seeds;
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t i = entry_begin_[s]; i < entry_begin_[s + 1]; ++i)
        for (int32_t j = i + 1; j < entry_begin_[s + 1]; ++j)
          if (entries_[i].element == entries_[j].element && entries_[i].element >= 0)
            seeds.push_back(
                {entries_[i].copy, entries_[j].copy, static_cast<int32_t>(s), entries_[i].element});
    std::sort(seeds.begin(), seeds.end());
    overlaps_.clear();
    out_.ambiguous = 0;
    std::vector<int32_t> visited(shell_.cells.size(), -1);
    int32_t pair = -1;
    for (size_t i = 0; i < seeds.size();) {
      ++pair;
      paired_cores_.clear();
      size_t next = overlaps_.size();
      const Seed& first = seeds[i];
      for (; i < seeds.size() && seeds[i].copy_a == first.copy_a && seeds[i].copy_b == first.copy_b; ++i) {
        overlaps_.push_back(
            {seeds[i].cell, {seeds[i].copy_a, seeds[i].sheet}, {seeds[i].copy_b, seeds[i].sheet}});
        visited[seeds[i].cell] = pair;
      }
      for (; next < overlaps_.size(); ++next) grow(Overlap(overlaps_[next]), pair, visited);
    }
    if (out_.nested > 0) join_hosts();
  }

  // Cores of one cell are parted by sheets of other layers, so that all which touch are one; of pairs with a sheet a cell has one.
  void grow(const Overlap& from, int32_t pair, std::vector<int32_t>& visited) {
    const Corners a = vertices(from.cell, from.a), b = vertices(from.cell, from.b);
    for (const Neighbour<dim>& n : neighbours<dim>()) {
      const int32_t cell = shell_.node_cells[shell_.cell_nodes[from.cell][n.corner]][n.its_corner];
      if (cell < 0) continue;
      const auto touches = [&](const Entry& e, const Corners& v) {
        return std::any_of(n.shared.begin(), n.shared.end(),
                           [&](const auto& k) { return vertex(cell, e, k.second) == v[k.first]; });
      };
      Overlap best{cell, {}, {}};
      int rank = -1, choices = 0;
      for (const Entry& e : entries(cell, from.a.copy)) {
        if (!touches(e, a)) continue;
        for (const Entry& f : entries(cell, from.b.copy)) {
          if (!touches(f, b)) continue;
          if (e.element < 0 && f.element < 0) {
            if (paired_cores_.emplace(e.element, f.element).second) overlaps_.push_back({cell, e, f});
            continue;
          }
          if (visited[cell] == pair || contradict(e, f) || contradict(f, e)) continue;
          ++choices;
          int mine = e.element >= 0 && f.element >= 0;
          for (int k = 0; k < corners; ++k) mine += 2 * (vertex(cell, e, k) == vertex(cell, f, k));
          if (mine > rank) {
            rank = mine;
            best.a = e;
            best.b = f;
          }
        }
      }
      if (choices == 0) continue;
      out_.ambiguous += choices > 1;
      overlaps_.push_back(best);
      visited[cell] = pair;
    }
  }

  // Whether a sheet has a corner outside which the other element of its cell has inside: they are of different layers.
  bool contradict(const Entry& sheet, const Entry& other) const {
    if (sheet.element < 0) return false;
    for (int k = 0; k < corners; ++k) {
      const bool inside = other.element < 0 ? cores_.mask[~other.element] >> k & 1
                                            : shell_.inside[shell_.sheet_vertices[other.element][k]];
      if (inside && !shell_.inside[shell_.sheet_vertices[sheet.element][k]]) return true;
    }
    return false;
  }

  // The shell node at the end of a cut edge of a node.
  int32_t beyond(int32_t node, int axis) const {
    return shell_.cell_nodes[shell_.node_cells[node][0]][1 << axis];
  }

  // A body that lies inside another one without touching its surface: all layers around it pass through it, but no sheet tells.
  // A region with too few layers gets one for each layer of its neighbours that is not sewn to it, where every neighbour which the
  // surface winds around less often has as many as it lacks, and there is no doubt which belongs to which.
  bool complete() {
    std::vector<std::pair<int32_t, int32_t>> around;  // a region that lacks layers, a neighbour
    const auto note = [&](int32_t region, int32_t other) {
      if (out_.copies[region] == 0 || out_.copies[region] >= regions_.winding[region]) return;
      if (regions_.winding[other] < regions_.winding[region]) around.emplace_back(region, other);
    };
    for (size_t a = 0; a < shell_.nodes.size(); ++a)
      for (int axis = 0; axis < dim; ++axis) {
        if (!(regions_.cut[a] >> axis & 1)) continue;
        const int32_t here = regions_.region_of(static_cast<int32_t>(a));
        const int32_t there = regions_.region_of(beyond(static_cast<int32_t>(a), axis));
        note(here, there);
        note(there, here);
      }
    if (around.empty()) return false;
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::set<std::pair<int32_t, int32_t>> sewn;  // a copy, a region
    for (const Overlap& o : overlaps_) {
      sewn.emplace(o.a.copy, copy_region_[o.b.copy]);
      sewn.emplace(o.b.copy, copy_region_[o.a.copy]);
    }
    const std::vector<int32_t> begin = out_.copy_begin, copies = out_.copies;
    for (size_t i = 0; i < around.size();) {
      const int32_t region = around[i].first, missing = regions_.winding[region] - copies[region];
      const size_t first = i;
      while (i < around.size() && around[i].first == region) ++i;
      bool clear = missing == 1 || i - first == 1;
      std::map<int32_t, std::vector<int32_t>> through;
      for (size_t n = first; n < i; ++n) {
        auto& layers = through[around[n].second];
        for (int32_t q = begin[around[n].second]; q < begin[around[n].second + 1]; ++q)
          if (!sewn.count({q, region})) layers.push_back(q - begin[around[n].second]);
        clear &= static_cast<int32_t>(layers.size()) == missing && passing_[region] == 0;
      }
      if (!clear) continue;
      for (auto& [other, layers] : through) through_[{region, other}] = std::move(layers);
      passing_[region] = missing;
      out_.copies[region] += missing;
      ++out_.nested;
    }
    if (out_.copies == copies) return false;
    const std::vector<int32_t> region = copy_region_;
    list_copies();
    for (int32_t& copy : vertex_copy_)
      if (copy >= 0) copy += out_.copy_begin[region[copy]] - begin[region[copy]];
    return true;
  }

  // The element of a copy that has the copy's core vertex at a corner.
  const Entry* entry_at(int32_t cell, int32_t copy, int corner) const {
    const int32_t v = out_.joined[core_vertex(copy, shell_.cell_nodes[cell][corner])];
    for (const Entry& e : entries(cell, copy))
      if (vertex(cell, e, corner) == v) return &e;
    return nullptr;
  }

  // Layers that pass through a body go on across each edge that its surface cuts.
  void join_hosts() {
    for (size_t s = 0; s < shell_.cells.size(); ++s) {
      const auto cell = static_cast<int32_t>(s);
      for (int k = 0; k < corners; ++k)
        for (int axis = 0; axis < dim; ++axis) {
          const int32_t node = shell_.cell_nodes[s][k];
          if ((k >> axis & 1) || !(regions_.cut[node] >> axis & 1)) continue;
          for (const auto& [in, out] : {std::pair(k, k | 1 << axis), std::pair(k | 1 << axis, k)}) {
            const int32_t region = regions_.region_of(shell_.cell_nodes[s][in]);
            if (passing_[region] == 0) continue;
            const int32_t other = regions_.region_of(shell_.cell_nodes[s][out]);
            const auto layers = through_.find({region, other});
            if (layers == through_.end()) continue;
            for (int32_t c = 0; c < passing_[region]; ++c) {
              const Entry* a = entry_at(cell, out_.copy_begin[other] + layers->second[c], out);
              const Entry* b = entry_at(cell, out_.copy_begin[region + 1] - passing_[region] + c, in);
              if (a && b) overlaps_.push_back({cell, *a, *b});
            }
          }
        }
    }
  }

  // Copies of one region that overlap with the same sheet are one. So are all copies of a region that the surface winds around once.
  bool fold() {
    std::vector<std::pair<int32_t, int32_t>> met;
    for (const Overlap& o : overlaps_)
      for (const Entry* e : {&o.a, &o.b})
        if (e->element >= 0) {
          met.emplace_back(e->element, o.a.copy);
          met.emplace_back(e->element, o.b.copy);
        }
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    mesh::DisjointSets<> same(static_cast<int64_t>(copy_region_.size()));
    for (size_t i = 1; i < met.size(); ++i)  // copies of a region follow each other
      if (met[i].first == met[i - 1].first && copy_region_[met[i].second] == copy_region_[met[i - 1].second])
        same.join(met[i].second, met[i - 1].second);
    for (size_t q = 1; q < copy_region_.size(); ++q)
      if (copy_region_[q] == copy_region_[q - 1] && regions_.winding[copy_region_[q]] == 1)
        same.join(q, q - 1);
    std::vector<int32_t> number(copy_region_.size(), 0);
    int32_t kept = 0, gone = 0;
    for (size_t q = 0; q < number.size(); ++q) {
      const int32_t root = same.find(q);
      const bool first = root == static_cast<int32_t>(q);
      number[q] = first ? kept++ : number[root];
      if (!first) {
        --out_.copies[copy_region_[q]];
        ++gone;
      }
    }
    if (gone == 0) return false;
    out_.folded += gone;
    list_copies();
    for (int32_t& copy : vertex_copy_)
      if (copy >= 0) copy = number[copy];
    return true;
  }

  void sew_overlaps() {
    for (const Overlap& o : overlaps_) {
      const Corners a = vertices(o.cell, o.a), b = vertices(o.cell, o.b);
      for (int k = 0; k < corners; ++k) sets_.join(a[k], b[k]);
    }
    join_all();
    out_.vertex_node.resize(sets_.size());
    for (size_t a = 0; a < shell_.nodes.size(); ++a)
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w)
        out_.vertex_node[w] = static_cast<int32_t>(a);
    for (size_t a = 0; a < shell_.nodes.size(); ++a) {
      const int32_t region = regions_.region_of(static_cast<int32_t>(a));
      for (int32_t q = out_.copy_begin[region]; q < out_.copy_begin[region + 1]; ++q)
        out_.vertex_node[core_vertex(q, static_cast<int32_t>(a))] = static_cast<int32_t>(a);
    }
    for (size_t e = 0; e < cores_.outer_node.size(); ++e)
      for (int32_t q = out_.copy_begin[cores_.outer_region[e]];
           q < out_.copy_begin[cores_.outer_region[e] + 1]; ++q)
        out_.vertex_node[outer_vertex(q, static_cast<int32_t>(e))] = cores_.outer_node[e];
  }

  // Every element once; sheets without material at a node as well, so that the whole surface is in the mesh.
  void list_elements() {
    const auto cells = static_cast<int64_t>(shell_.cells.size());
    out_.element_begin.assign(cells + 1, 0);
    out_.sheet_element.resize(shell_.sheet_vertices.size());
    for (int64_t s = 0; s < cells; ++s) {
      const auto cell = static_cast<int32_t>(s);
      const auto begin = static_cast<int32_t>(out_.elements.size());
      const auto add = [&](const Corners& v) {
        const auto at = std::find(out_.elements.begin() + begin, out_.elements.end(), v);
        const auto number = static_cast<int32_t>(at - out_.elements.begin());
        if (at == out_.elements.end()) out_.elements.push_back(v);
        return number;
      };
      for (int32_t sheet = shell_.sheet_begin[s]; sheet < shell_.sheet_begin[s + 1]; ++sheet)
        out_.sheet_element[sheet] = add(vertices(cell, {-1, sheet}));
      for (int32_t i = entry_begin_[s]; i < entry_begin_[s + 1]; ++i) add(vertices(cell, entries_[i]));
      out_.element_begin[s + 1] = static_cast<int32_t>(out_.elements.size());
    }
  }

  const GridShell<dim>& shell_;
  const GridRegions<dim>& regions_;
  GridLayers<dim> out_;
  std::vector<int32_t> copy_region_;  // of each copy
  std::vector<int32_t> vertex_copy_;  // of each vertex of a sheet; -1: outside
  GridCores<dim> cores_;
  std::vector<int32_t>
      passing_;  // of each region: how many of its copies, the last ones, have no sheet of their own
  std::map<std::pair<int32_t, int32_t>, std::vector<int32_t>>
      through_;  // those of a neighbour that go on in them
  mesh::DisjointSets<> sets_;
  std::vector<int32_t> entry_begin_;
  std::vector<Entry> entries_;
  std::vector<Overlap> overlaps_;
  std::set<std::pair<int32_t, int32_t>> paired_cores_;  // of the pair of copies that grows
};

}  // namespace

template <int dim>
std::optional<GridLayers<dim>> grid_layers(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                                           int64_t most_vertices) {
  return Builder<dim>(shell, regions).build(std::min<int64_t>(most_vertices, INT32_MAX));
}

template std::optional<GridLayers<2>> grid_layers(const GridShell<2>&, const GridRegions<2>&, int64_t);
template std::optional<GridLayers<3>> grid_layers(const GridShell<3>&, const GridRegions<3>&, int64_t);

}  // namespace sinew::meshing
