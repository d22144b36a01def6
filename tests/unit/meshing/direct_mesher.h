#pragma once
// The grid mesher step by step as Chen (PhD thesis, UCLA 2024, chapter 3) tells it, with maps and sets over everything and predicates in
// plain double precision: slow, short, and written apart from the one of src/meshing. For small surfaces in general position.
//
//     Direct<2> found = direct_mesh<2>(points, facets, lattice);
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "direct_predicates.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing::direct {

class Sets {
 public:
  int32_t add() {
    parent_.push_back(static_cast<int32_t>(parent_.size()));
    return parent_.back();
  }
  int32_t find(int32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int32_t a, int32_t b) {
    a = find(a), b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int32_t> parent_;
};

template <int dim>
struct Direct {
  std::vector<Index<dim>> nodes;
  std::vector<typename GridMesh<dim>::Element> elements;
  int64_t shell_elements = 0;
  std::vector<int32_t> copies;  // of each interior region at first, most first
  int64_t folded = 0, ambiguous = 0;
  bool outside_filled = false;  // nothing else is set then
};

template <int dim>
class Mesher {
  static constexpr int corners = 1 << dim;
  using Element = typename GridMesh<dim>::Element;
  using Node = Index<dim>;
  struct Copy {
    int32_t region;
    std::set<int32_t> seeds;  // negative vertices of the shell
    std::vector<Element> elements;
    std::set<int32_t> interior;  // vertices that stand for a node of the region
  };
  using Pair = std::pair<Element, Element>;

 public:
  Mesher(const std::vector<Point<dim>>& points, const std::vector<Facet<dim>>& facets,
         const Lattice<dim>& lattice)
      : surface_{points, facets}, lattice_(lattice) {}

  Direct<dim> run() {
    make_shell();
    find_regions();
    for (const auto& [id, sign] : sign_)
      if (sign < 0 && region_.at(node_[id]) == outside_) found_.outside_filled = true;
    if (found_.outside_filled) return found_;
    make_copies();
    for (Copy& copy : copies_) attach(copy);
    for (Copy& copy : copies_) replace(copy);
    sew_all();
    while (fold()) sew_all();
    return finish();
  }

 private:
  static Node shifted(Node node, int corner) {
    for (int a = 0; a < dim; ++a) node[a] += corner >> a & 1;
    return node;
  }
  Element canonical(Element e) {
    for (int32_t& id : e) id = sets_.find(id);
    return e;
  }
  Node cell(const Element& e) const { return node_[e[0]]; }
  int32_t add_vertex(const Node& node) {
    node_.push_back(node);
    return sets_.add();
  }

  template <class Visit>
  static void for_each_node(const Node& low, const Node& high, const Visit& visit) {
    Node i = low;
    for (int a = 0; a < dim;) {
      visit(i);
      for (a = 0; a < dim; ++a) {
        if (++i[a] <= high[a]) break;
        i[a] = low[a];
      }
    }
  }

  void make_shell() {
    std::vector<std::map<Node, Element>> of_facet(surface_.facets.size());
    std::map<int32_t, std::set<int>> signs;
    low_ = filled(1 << 28), high_ = filled(-(1 << 28));
    for (size_t f = 0; f < surface_.facets.size(); ++f) {
      const auto x = surface_.corners(f);
      Node low, high;
      for (int a = 0; a < dim; ++a) {
        double least = x[0][a], most = x[0][a];
        for (const auto& p : x) least = std::min(least, p[a]), most = std::max(most, p[a]);
        low[a] = lattice_.below(a, least), high[a] = lattice_.below(a, most);
        low_[a] = std::min(low_[a], low[a] - 2), high_[a] = std::max(high_[a], high[a] + 3);
      }
      std::map<Node, int32_t> ids;
      for_each_node(low, high, [&](const Node& at) {
        if (!facet_meets_box<dim>(x, lattice_.position(at), lattice_.position(shifted(at, corners - 1))))
          return;
        Element e;
        for (int c = 0; c < corners; ++c) {
          const Node node = shifted(at, c);
          auto found = ids.find(node);
          if (found == ids.end()) {
            found = ids.emplace(node, add_vertex(node)).first;
            patch_[found->second].insert(f);
            signs[found->second].insert(side_of<dim>(x, lattice_.position(node)));
          }
          e[c] = found->second;
        }
        of_facet[f][at] = e;
      });
      Node top = high;
      for (int& i : top) ++i;
      for_each_node(low, top, [&](const Node& node) {
        for (int a = 0; a < dim; ++a) {
          Node next = node;
          ++next[a];
          if (facet_cuts_edge<dim>(x, lattice_.position(node), a, lattice_.coordinate(a, next[a])))
            cut_.insert({node, a});
        }
      });
    }
    for (const auto& facets : surface_.incident()) {
      std::map<Node, Element> first;
      for (int32_t f : facets)
        for (const auto& [at, e] : of_facet[f]) {
          const auto found = first.emplace(at, e).first;
          for (int c = 0; c < corners; ++c) sets_.join(found->second[c], e[c]);
        }
    }
    std::map<int32_t, std::set<int32_t>> patches;
    std::map<int32_t, std::set<int>> opinions;
    for (const auto& [id, patch] : patch_) patches[sets_.find(id)].insert(patch.begin(), patch.end());
    for (const auto& [id, some] : signs) opinions[sets_.find(id)].insert(some.begin(), some.end());
    for (const auto& [id, some] : opinions)
      sign_[id] =
          some.size() == 1 ? *some.begin() : surface_.nearest_side(patches[id], lattice_.position(node_[id]));
    std::set<Element> shell;
    for (const auto& elements : of_facet)
      for (const auto& [at, e] : elements) shell.insert(canonical(e));
    shell_.assign(shell.begin(), shell.end());
  }

  static Node filled(int32_t value) {
    Node node;
    node.fill(value);
    return node;
  }
  bool uncut(const Node& node, int axis) const { return !cut_.contains({node, axis}); }

  void find_regions() {
    for_each_node(low_, high_, [&](const Node& start) {
      if (region_.contains(start)) return;
      const auto number = static_cast<int32_t>(members_.size());
      members_.emplace_back();
      std::deque<Node> queue = {start};
      region_[start] = number;
      while (!queue.empty()) {
        const Node node = queue.front();
        queue.pop_front();
        members_.back().push_back(node);
        for (int a = 0; a < dim; ++a)
          for (const int step : {-1, 1}) {
            Node next = node;
            next[a] += step;
            if (next[a] < low_[a] || next[a] > high_[a] || region_.contains(next)) continue;
            if (!uncut(step > 0 ? node : next, a)) continue;
            region_[next] = number;
            queue.push_back(next);
          }
      }
    });
    outside_ = region_.at(low_);
  }

  void make_copies() {
    std::map<int32_t, std::vector<int32_t>> negative;  // by region
    for (const auto& [id, sign] : sign_)
      if (sign < 0) negative[region_.at(node_[id])].push_back(id);
    Sets linked;
    for (size_t i = 0; i < node_.size(); ++i) linked.add();
    for (const Element& e : shell_)
      for (int32_t a : e)
        for (int32_t b : e)
          if (sign_[a] < 0 && sign_[b] < 0 && region_.at(node_[a]) == region_.at(node_[b])) linked.join(a, b);
    for (const auto& [region, ids] : negative) {
      std::set<Node> seen;
      bool several = false;
      for (int32_t id : ids) several |= !seen.insert(node_[id]).second;
      std::map<int32_t, std::set<int32_t>> groups;
      for (int32_t id : ids) groups[several ? linked.find(id) : 0].insert(id);
      found_.copies.push_back(static_cast<int32_t>(groups.size()));
      for (auto& [key, seeds] : groups) copies_.push_back({region, seeds, {}, {}});
    }
    std::sort(found_.copies.rbegin(), found_.copies.rend());
    for (Copy& copy : copies_) fill(copy);
  }

  // The cells around the nodes of the region, joined over uncut edges alone.
  void fill(Copy& copy) {
    std::map<std::pair<Node, Node>, int32_t> ids;  // (node, its neighbour)
    const auto around = [](const Node& node, const auto& visit) {
      Node low = node, high = node;
      for (int a = 0; a < dim; ++a) --low[a], ++high[a];
      for_each_node(low, high, visit);
    };
    for (const Node& node : members_[copy.region])
      around(node, [&](const Node& near) { ids[{node, near}] = add_vertex(near); });
    for (const Node& node : members_[copy.region])
      for (int a = 0; a < dim; ++a) {
        Node next = node;
        ++next[a];
        const auto there = region_.find(next);
        if (there == region_.end() || there->second != copy.region || !uncut(node, a)) continue;
        around(node, [&](const Node& near) {
          const auto twin = ids.find({next, near});
          if (twin != ids.end()) sets_.join(ids[{node, near}], twin->second);
        });
      }
    std::set<Element> elements;
    for (const Node& node : members_[copy.region]) {
      copy.interior.insert(ids[{node, node}]);
      Node low = node;
      for (int a = 0; a < dim; ++a) --low[a];
      for_each_node(low, node, [&](const Node& at) {
        Element e;
        for (int c = 0; c < corners; ++c) e[c] = ids[{node, shifted(at, c)}];
        elements.insert(canonical(e));
      });
    }
    copy.elements.assign(elements.begin(), elements.end());
  }

  void attach(Copy& copy) {
    std::map<Node, int32_t> at;
    for (int32_t id : copy.seeds) {
      const auto [found, added] = at.emplace(node_[id], id);
      if (!added) sets_.join(found->second, id);
    }
    for (int32_t id : copy.interior)
      if (const auto found = at.find(node_[id]); found != at.end()) sets_.join(id, found->second);
  }

  void replace(Copy& copy) {
    std::set<int32_t> seeds;
    for (int32_t id : copy.seeds) seeds.insert(sets_.find(id));
    const auto touches = [&](const Element& e) {
      return std::any_of(e.begin(), e.end(), [&](int32_t id) { return seeds.contains(id); });
    };
    std::set<Element> kept;
    std::set<Node> taken;
    for (const Element& e : shell_) {
      const Element now = canonical(e);
      if (touches(now)) kept.insert(now), taken.insert(cell(now));
    }
    for (const Element& e : copy.elements) {
      const Element now = canonical(e);
      if (!taken.contains(cell(now)) || !touches(now)) kept.insert(now);
    }
    copy.elements.assign(kept.begin(), kept.end());
  }

  std::vector<Pair> sew(const Copy& one, const Copy& other) {
    std::vector<Pair> list;
    std::set<Node> visited;
    const std::set<Element> there(other.elements.begin(), other.elements.end());
    for (const Element& e : one.elements)
      if (shell_now_.contains(e) && there.contains(e) && visited.insert(cell(e)).second)
        list.push_back({e, e});
    if (list.empty()) return list;
    std::map<int32_t, std::vector<const Element*>> at[2];
    for (const Element& e : one.elements)
      for (int32_t id : e) at[0][id].push_back(&e);
    for (const Element& e : other.elements)
      for (int32_t id : e) at[1][id].push_back(&e);
    for (size_t k = 0; k < list.size(); ++k) {
      std::map<Node, std::set<Element>> near[2];
      for (const int side : {0, 1})
        for (int32_t id : side ? list[k].second : list[k].first)
          for (const Element* e : at[side][id]) near[side][cell(*e)].insert(*e);
      for (const auto& [place, mine] : near[0]) {
        const auto theirs = near[1].find(place);
        if (theirs == near[1].end() || visited.contains(place)) continue;
        if (mine.size() > 1 || theirs->second.size() > 1) ++found_.ambiguous;
        list.push_back(best_pair(mine, theirs->second));
        visited.insert(place);
      }
    }
    return list;
  }
  Pair best_pair(const std::set<Element>& mine, const std::set<Element>& theirs) const {
    Pair best;
    int most = -1;
    for (const Element& a : mine)
      for (const Element& b : theirs) {
        int score = shell_now_.contains(a) && shell_now_.contains(b);
        for (int c = 0; c < corners; ++c) score += a[c] == b[c] ? 2 : 0;
        if (score > most) most = score, best = {a, b};
      }
    return best;
  }
  void sew_all() {
    found_.ambiguous = 0;
    shell_now_.clear();
    for (const Element& e : shell_) shell_now_.insert(canonical(e));
    for (Copy& copy : copies_)
      for (Element& e : copy.elements) e = canonical(e);
    overlaps_.clear();
    for (size_t i = 0; i < copies_.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (auto list = sew(copies_[j], copies_[i]); !list.empty()) overlaps_[{j, i}] = std::move(list);
  }

  bool fold() {
    std::map<Element, std::set<size_t>> lists;  // copies that have met at an element of the shell
    for (const auto& [pair, list] : overlaps_)
      for (const auto& [a, b] : list)
        for (const Element& e : {a, b})
          if (shell_now_.contains(e)) lists[e].insert({pair.first, pair.second});
    Sets same;
    for (size_t i = 0; i < copies_.size(); ++i) same.add();
    bool any = false;
    for (const auto& [e, met] : lists)
      for (size_t a : met)
        for (size_t b : met)
          if (a < b && copies_[a].region == copies_[b].region) same.join(a, b), any = true;
    if (!any) return false;
    std::vector<Copy> left;
    std::vector<bool> anew;
    std::map<size_t, size_t> place;
    for (size_t i = 0; i < copies_.size(); ++i) {
      const size_t first = same.find(i);
      if (first == i) {
        place[i] = left.size();
        left.push_back(copies_[i]);
        anew.push_back(false);
      } else {
        left[place[first]].seeds.insert(copies_[i].seeds.begin(), copies_[i].seeds.end());
        anew[place[first]] = true;
        ++found_.folded;
      }
    }
    copies_ = std::move(left);
    for (size_t i = 0; i < copies_.size(); ++i)
      if (anew[i]) {
        copies_[i].elements.clear(), copies_[i].interior.clear();
        fill(copies_[i]);
        attach(copies_[i]);
      }
    for (Copy& copy : copies_) replace(copy);
    return true;
  }

  Direct<dim> finish() {
    for (const auto& [pair, list] : overlaps_)
      for (const auto& [a, b] : list)
        for (int c = 0; c < corners; ++c) sets_.join(a[c], b[c]);
    std::set<Element> all;
    for (const Copy& copy : copies_)
      for (const Element& e : copy.elements) all.insert(canonical(e));
    for (const Element& e : shell_) all.insert(canonical(e));
    found_.shell_elements = static_cast<int64_t>(shell_.size());
    std::map<int32_t, int32_t> number;
    for (Element e : all) {
      for (int32_t& id : e) {
        const auto [at, added] = number.emplace(id, static_cast<int32_t>(found_.nodes.size()));
        if (added) found_.nodes.push_back(node_[id]);
        id = at->second;
      }
      found_.elements.push_back(e);
    }
    return found_;
  }

  DirectSurface<dim> surface_;
  Lattice<dim> lattice_;
  Sets sets_;
  std::vector<Node> node_;  // of each vertex ever made
  std::map<int32_t, std::set<int32_t>> patch_;
  std::map<int32_t, int> sign_;
  std::vector<Element> shell_;
  std::set<Element> shell_now_;
  std::set<std::pair<Node, int>> cut_;
  Node low_, high_;
  std::map<Node, int32_t> region_;
  std::vector<std::vector<Node>> members_;
  int32_t outside_ = 0;
  std::vector<Copy> copies_;
  std::map<std::pair<size_t, size_t>, std::vector<Pair>> overlaps_;
  Direct<dim> found_;
};

template <int dim>
Direct<dim> direct_mesh(const std::vector<Point<dim>>& points, const std::vector<Facet<dim>>& facets,
                        const Lattice<dim>& lattice) {
  return Mesher<dim>(points, facets, lattice).run();
}

}  // namespace sinew::meshing::direct
