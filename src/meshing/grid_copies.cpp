#include "meshing/grid_copies.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include "mesh/disjoint_sets.h"

namespace sinew::meshing {
namespace {

// The cells around a cell: through which corner each is reached, and which corners it shares.
struct Neighbour {
  int corner;      // of the cell
  int its_corner;  // the same node, as a corner of the neighbour
  std::vector<std::pair<int, int>> shared;
};

template <int dim>
const std::vector<Neighbour>& neighbours() {
  static const std::vector<Neighbour> table = [] {
    std::vector<Neighbour> all;
    for (int code = 1; code < nodes_around<dim>; ++code) {
      int up = 0, down = 0;
      for (int a = 0, rest = code; a < dim; ++a, rest /= 3)
        (rest % 3 == 1 ? up : down) |= (rest % 3 != 0) << a;
      Neighbour n{up, down, {}};
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
  using Entry = typename GridCopies<dim>::Entry;
  using Overlap = typename GridCopies<dim>::Overlap;

 public:
  Builder(const GridShell<dim>& shell, const GridRegions<dim>& regions, GridCores<dim>& cores)
      : shell_(shell), regions_(regions), cores_(cores) {}

  GridCopies<dim> build() {
    first_copies();
    passing_.assign(out_.copies.size(), 0);
    cores_ = grid_cores(shell_, regions_, std::span<const int32_t>(out_.copies));
    same_.reset(static_cast<int64_t>(out_.region.size()));
    for (size_t q = 1; q < out_.region.size(); ++q)  // a region that the surface winds around once
      if (out_.region[q] == out_.region[q - 1] && regions_.winding[out_.region[q]] == 1) same_.join(q, q - 1);
    for (;;) {
      if (out_.nested == 0) fold();
      name_vertices();
      grow_overlaps();
      if (out_.nested == 0 && meet_sheets()) continue;
      if (!complete()) break;
    }
    count_ambiguous();
    return std::move(out_);
  }

 private:
  // Finds the copy of its region that each inside vertex of a sheet belongs to.
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
    // Copies of a region by their least vertex.
    out_.copies.assign(regions, 0);
    for (size_t r = 0; r < regions; ++r) out_.copies[r] = material[r] && !several[r];
    std::vector<int32_t> rank(shell_.inside.size(), 0);
    for (size_t w = 0; w < rank.size(); ++w)
      if (vertex_region[w] >= 0 && several[vertex_region[w]] && patches.find(w) == static_cast<int32_t>(w))
        rank[w] = out_.copies[vertex_region[w]]++;
    list_copies();
    out_.vertex_copy.assign(shell_.inside.size(), -1);
    for (size_t w = 0; w < rank.size(); ++w)
      if (vertex_region[w] >= 0) out_.vertex_copy[w] = out_.begin[vertex_region[w]] + rank[patches.find(w)];
    for (const int32_t n : out_.copies)
      if (n > 0) out_.first_copies.push_back(n);
    std::sort(out_.first_copies.rbegin(), out_.first_copies.rend());
  }

  // Regions in ascending order.
  void list_copies() {
    out_.begin.assign(1, 0);
    out_.region.clear();
    for (size_t r = 0; r < out_.copies.size(); ++r) {
      out_.region.insert(out_.region.end(), out_.copies[r], static_cast<int32_t>(r));
      out_.begin.push_back(static_cast<int32_t>(out_.region.size()));
    }
  }

  // Copies that are the same get one number.
  void fold() {
    std::vector<int32_t> number(out_.region.size(), 0);
    int32_t kept = 0;
    for (size_t q = 0; q < number.size(); ++q) {
      const int32_t root = same_.find(q);
      number[q] = root == static_cast<int32_t>(q) ? kept++ : number[root];
      if (root != static_cast<int32_t>(q)) {
        --out_.copies[out_.region[q]];
        ++out_.folded;
      }
    }
    list_copies();
    for (int32_t& copy : out_.vertex_copy)
      if (copy >= 0) copy = number[copy];
    same_.reset(static_cast<int64_t>(out_.region.size()));
  }

  // Sheets of a cell with the same corners inside, and the same vertices there, bound the same material: their vertices outside are the
  // same too. Inside vertices of one copy at a node are the same anyway.
  void name_vertices() {
    mesh::DisjointSets<> sets(static_cast<int64_t>(shell_.inside.size()));
    for (size_t a = 0; a < shell_.nodes.size(); ++a)
      for (int32_t w = shell_.vertex_begin[a]; w < shell_.vertex_begin[a + 1]; ++w)
        for (int32_t v = shell_.vertex_begin[a]; v < w; ++v)
          if (out_.vertex_copy[v] >= 0 && out_.vertex_copy[v] == out_.vertex_copy[w]) sets.join(v, w);
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t g = shell_.sheet_begin[s]; g < shell_.sheet_begin[s + 1]; ++g)
        for (int32_t h = shell_.sheet_begin[s]; h < g; ++h)
          if (bound_the_same(shell_.sheet_vertices[g], shell_.sheet_vertices[h]))
            for (int k = 0; k < corners; ++k)
              sets.join(shell_.sheet_vertices[g][k], shell_.sheet_vertices[h][k]);
    out_.same_vertex.resize(shell_.inside.size());
    for (size_t w = 0; w < out_.same_vertex.size(); ++w) out_.same_vertex[w] = sets.find(w);
  }

  bool bound_the_same(const Corners& g, const Corners& h) const {
    bool any = false;
    for (int k = 0; k < corners; ++k) {
      if (out_.vertex_copy[g[k]] != out_.vertex_copy[h[k]]) return false;
      any |= out_.vertex_copy[g[k]] >= 0;
    }
    return any;
  }

  // The name of an element's vertex among those that its copy has at the corner's node.
  int64_t name(const Entry& e, int32_t cell, int corner) const {
    const auto nodes = static_cast<int64_t>(shell_.nodes.size());
    if (e.element < 0) {
      const int32_t outer = cores_.vertices[~e.element][corner];
      return outer < 0 ? shell_.cell_nodes[cell][corner] : nodes + outer;
    }
    const int32_t w = shell_.sheet_vertices[e.element][corner];
    if (out_.vertex_copy[w] == e.copy) return shell_.cell_nodes[cell][corner];
    return nodes + static_cast<int64_t>(cores_.outer_node.size()) + out_.same_vertex[w];
  }

  template <class F>
  void for_each(int32_t cell, int32_t copy, F&& f) const {
    for_each_entry(shell_, cores_, out_, cell, copy, f);
  }
  bool has(int32_t cell, int32_t region) const {
    return std::find(cores_.region.begin() + cores_.begin[cell],
                     cores_.region.begin() + cores_.begin[cell + 1],
                     region) != cores_.region.begin() + cores_.begin[cell + 1];
  }

  void grow_overlaps() {
    out_.overlaps.clear();
    first_record_.clear();
    records_.clear();
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int32_t g = shell_.sheet_begin[s]; g < shell_.sheet_begin[s + 1]; ++g) {
        Corners copy = shell_.sheet_vertices[g];
        for (int32_t& w : copy) w = out_.vertex_copy[w];
        std::sort(copy.begin(), copy.end());
        const auto last = std::unique(copy.begin(), copy.end());
        const auto first = std::find_if(copy.begin(), last, [](int32_t q) { return q >= 0; });
        for (auto a = first; a < last; ++a)
          for (auto b = a + 1; b < last; ++b) add({static_cast<int32_t>(s), {*a, g}, {*b, g}});
      }
    for (size_t i = 0; i < out_.overlaps.size(); ++i) grow(Overlap(out_.overlaps[i]));
    if (out_.nested > 0) join_passing();
  }

  // Notes an overlap, unless it says what is known. The first copy is of the lower region.
  void add(const Overlap& o) {
    const uint64_t key = uint64_t(uint32_t(o.a.element)) << 32 | uint32_t(o.b.element);
    const auto [at, fresh] = first_record_.try_emplace(key, -1);
    for (int32_t i = at->second; i >= 0; i = records_[i].next) {
      const Record& r = records_[i];
      const bool a = same_.find(r.a) == same_.find(o.a.copy), b = same_.find(r.b) == same_.find(o.b.copy);
      if (a && out_.region[r.b] == out_.region[o.b.copy]) same_.join(r.b, o.b.copy);
      if (b && out_.region[r.a] == out_.region[o.a.copy]) same_.join(r.a, o.a.copy);
      if (same_.find(r.a) == same_.find(o.a.copy) && same_.find(r.b) == same_.find(o.b.copy)) return;
    }
    records_.push_back({o.a.copy, o.b.copy, at->second});
    at->second = static_cast<int32_t>(records_.size()) - 1;
    out_.overlaps.push_back(o);
  }

  // Over all neighbours that both copies have: elements that touch the ones found, and do not contradict each other.
  void grow(const Overlap& from) {
    for (const Neighbour& n : neighbours<dim>()) {
      const int32_t cell = shell_.node_cells[shell_.cell_nodes[from.cell][n.corner]][n.its_corner];
      if (cell < 0 || !has(cell, out_.region[from.a.copy]) || !has(cell, out_.region[from.b.copy])) continue;
      const auto touches = [&](const Entry& found, const Entry& e) {
        return std::any_of(n.shared.begin(), n.shared.end(), [&](const auto& k) {
          return name(found, from.cell, k.first) == name(e, cell, k.second);
        });
      };
      for_each(cell, from.a.copy, [&](const Entry& e) {
        if (!touches(from.a, e)) return;
        for_each(cell, from.b.copy, [&](const Entry& f) {
          if (touches(from.b, f) && !contradict(e, f) && !contradict(f, e)) add({cell, e, f});
        });
      });
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

  // Copies of one region that overlap with the same sheet are one. Whether any are, by this or by what add() found.
  bool meet_sheets() {
    std::vector<std::pair<int32_t, int32_t>> met;
    for (const Overlap& o : out_.overlaps)
      for (const Entry* e : {&o.a, &o.b})
        if (e->element >= 0) {
          met.emplace_back(e->element, o.a.copy);
          met.emplace_back(e->element, o.b.copy);
        }
    std::sort(met.begin(), met.end());
    for (size_t i = 1; i < met.size(); ++i)  // copies of a region follow each other
      if (met[i].first == met[i - 1].first && out_.region[met[i].second] == out_.region[met[i - 1].second])
        same_.join(met[i].second, met[i - 1].second);
    for (size_t q = 0; q < out_.region.size(); ++q)
      if (same_.find(q) != static_cast<int32_t>(q)) return true;
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
    for (const Overlap& o : out_.overlaps) {
      sewn.emplace(o.a.copy, out_.region[o.b.copy]);
      sewn.emplace(o.b.copy, out_.region[o.a.copy]);
    }
    const std::vector<int32_t> begin = out_.begin, copies = out_.copies;
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
    const std::vector<int32_t> region = out_.region;
    list_copies();
    for (int32_t& copy : out_.vertex_copy)
      if (copy >= 0) copy += out_.begin[region[copy]] - begin[region[copy]];
    same_.reset(static_cast<int64_t>(out_.region.size()));
    return true;
  }

  // Layers that pass through a body go on across each edge that its surface cuts.
  void join_passing() {
    for (size_t s = 0; s < shell_.cells.size(); ++s)
      for (int k = 0; k < corners; ++k)
        for (int axis = 0; axis < dim; ++axis)
          if (!(k >> axis & 1) && regions_.cut[shell_.cell_nodes[s][k]] >> axis & 1) {
            join_passing(static_cast<int32_t>(s), k, k | 1 << axis);
            join_passing(static_cast<int32_t>(s), k | 1 << axis, k);
          }
  }
  void join_passing(int32_t cell, int in, int out) {
    const int32_t region = regions_.region_of(shell_.cell_nodes[cell][in]);
    if (passing_[region] == 0) return;
    const int32_t other = regions_.region_of(shell_.cell_nodes[cell][out]);
    const auto layers = through_.find({region, other});
    if (layers == through_.end()) return;
    for (int32_t c = 0; c < passing_[region]; ++c) {
      const Entry a = entry_at(cell, out_.begin[other] + layers->second[c], out);
      const Entry b = entry_at(cell, out_.begin[region + 1] - passing_[region] + c, in);
      if (a.copy >= 0 && b.copy >= 0) out_.overlaps.push_back({cell, a, b});
    }
  }
  // The element of a copy that has the node's core vertex at a corner; none: a copy of -1.
  Entry entry_at(int32_t cell, int32_t copy, int corner) const {
    Entry found{-1, 0};
    for_each(cell, copy, [&](const Entry& e) {
      if (name(e, cell, corner) == shell_.cell_nodes[cell][corner]) found = e;
    });
    return found;
  }

  void count_ambiguous() {
    std::map<std::array<int32_t, 4>, std::pair<int, bool>>
        others;  // of an element, in another copy: how many, any sheet
    const auto note = [&](const Entry& e, const Entry& f) {
      auto& [count, sheet] = others[{e.copy, e.element, f.copy, 0}];
      ++count;
      sheet |= e.element >= 0 || f.element >= 0;
    };
    for (const Overlap& o : out_.overlaps) {
      note(o.a, o.b);
      note(o.b, o.a);
    }
    for (const auto& [element, other] : others) out_.ambiguous += other.first > 1 && other.second;
  }

  struct Record {
    int32_t a, b, next;
  };

  const GridShell<dim>& shell_;
  const GridRegions<dim>& regions_;
  GridCores<dim>& cores_;
  GridCopies<dim> out_;
  mesh::DisjointSets<> same_;                           // copies
  std::unordered_map<uint64_t, int32_t> first_record_;  // of two elements
  std::vector<Record> records_;                         // the copies that two elements are the same in
  std::vector<int32_t>
      passing_;  // of each region: how many of its copies, the last ones, have no sheet of their own
  std::map<std::pair<int32_t, int32_t>, std::vector<int32_t>>
      through_;  // those of a neighbour that go on in them
};

}  // namespace

template <int dim>
GridCopies<dim> grid_copies(const GridShell<dim>& shell, const GridRegions<dim>& regions,
                            GridCores<dim>& cores) {
  return Builder<dim>(shell, regions, cores).build();
}

template GridCopies<2> grid_copies(const GridShell<2>&, const GridRegions<2>&, GridCores<2>&);
template GridCopies<3> grid_copies(const GridShell<3>&, const GridRegions<3>&, GridCores<3>&);

}  // namespace sinew::meshing
