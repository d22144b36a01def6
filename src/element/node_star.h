#pragma once
// Elements as their nodes see them, for methods that move one node at a time: nodes lie in blocks, one to a lane, and
// pack k of a block holds the k-th element around each of its nodes. Of an element the other nodes are listed, in their
// order in the element.
//
// A lane whose node has fewer elements than others of the block repeats its last one, or, where it has none, one of
// another lane: always nodes that share an element with a node of the block, whom no other thread moves meanwhile. Such
// padding must count for nothing.
#include <algorithm>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "element/shape.h"
#include "material/node_tets.h"
#include "math/pack.h"

namespace sinew::element {

template <class Shape, int lanes>
class NodeStars {
 public:
  static constexpr int edges = Shape::nodes - 1, eight = math::lanes_of<math::PackD>;

  // `nodes`: block after block. `order`: of the elements, in which those of a node come. elements_of(node, list) puts the
  // elements around a node into the list, in any order.
  template <class ElementsOf>
  NodeStars(std::span<const Vec3d> X, std::span<const NodeIds<Shape>> elements,
            std::span<const int32_t> order, std::span<const int32_t> nodes, const ElementsOf& elements_of);

  int64_t packs() const { return begin.back(); }
  bool padding(int64_t k, int lane) const { return element[lanes * k + lane] < 0; }
  int32_t id(int64_t k, int lane) const {
    return std::max(element[lanes * k + lane], ~element[lanes * k + lane]);
  }
  // Which node of the element is not one of the others.
  int own(int64_t k, int lane) const {
    const auto& ids = elements[id(k, lane)];
    int own = 0;
    while (own < edges && ids[own] == others[(edges * k + own) * lanes + lane]) ++own;
    return own;
  }
  // Of eight lanes: the edges from the node to the others at rest.
  void rest_edges(int64_t k, int first_lane, math::Vec3<math::PackD> (&e)[edges]) const;

  std::span<const Vec3d> X;
  std::span<const NodeIds<Shape>> elements;
  std::vector<int64_t> begin;    // of the packs of each block of nodes, and the end
  std::vector<int32_t> others;   // `edges` ids for each lane of a pack: all first ones, all second ones, ...
  std::vector<int32_t> element;  // of each lane; ~e: padding by element e

 private:
  void put_others(int32_t e, int32_t node, int32_t* to) const {
    const auto& ids = elements[e];
    int own = 0;  // a node that is not in the element is seen as its last one
    while (own < edges && ids[own] != node) ++own;
    for (int j = 0; j < edges; ++j) to[j * lanes] = ids[j + (j >= own)];
  }
};

// The rest shapes of eight tets, each seen from the node that the edges start at, as material::NodeTets holds them.
inline constexpr int node_rest_size = material::NodeTets<math::PackD>::full_size;
inline void node_rest(const math::Vec3<math::PackD> (&e)[3], math::PackD (&rest)[node_rest_size]) {
  using math::PackD;
  math::Vec3<PackD> g[3] = {cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])};
  const PackD det = dot(e[0], g[0]);
  for (auto& gradient : g) gradient = gradient * (PackD(1) / det);
  math::Mat3<PackD> Q;
  Q.c[0] = normalized(g[0]);
  const math::Vec3<PackD> off = g[1] - Q.c[0] * dot(Q.c[0], g[1]);
  Q.c[1] = off * (PackD(1) / norm(off));
  Q.c[2] = cross(Q.c[0], Q.c[1]);
  PackD* r = rest;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) *r++ = dot(Q.c[i], g[j]);
  *r++ = abs(det) * PackD(1.0 / 6);
  for (int k = 0; k < 9; ++k) *r++ = Q.c[k / 3].v[k % 3];
}

template <class Shape, int lanes>
template <class ElementsOf>
NodeStars<Shape, lanes>::NodeStars(std::span<const Vec3d> X, std::span<const NodeIds<Shape>> elements,
                                   std::span<const int32_t> order, std::span<const int32_t> nodes,
                                   const ElementsOf& elements_of)
    : X(X), elements(elements) {
  constexpr int64_t group = 64;  // blocks that a thread takes at once
  const auto blocks = static_cast<int64_t>(nodes.size()) / lanes;
  begin.assign(blocks + 1, 0);
  for_each_block(blocks, group, [&](int64_t first, int64_t last) {
    std::vector<int32_t> list;
    for (int64_t b = first; b < last; ++b)
      for (int32_t node : nodes.subspan(b * lanes, lanes)) {
        list.clear();
        elements_of(node, list);
        begin[b + 1] = std::max(begin[b + 1], static_cast<int64_t>(list.size()));
      }
  });
  for (int64_t b = 0; b < blocks; ++b) begin[b + 1] += begin[b];
  resize_on_large_pages(others, edges * lanes * packs());
  element.resize(lanes * packs());
  for_each_block(blocks, group, [&](int64_t first, int64_t last) {
    std::vector<int32_t> lists[lanes];
    for (int64_t b = first; b < last; ++b) {
      int32_t spare = -1;
      for (int l = 0; l < lanes; ++l) {
        lists[l].clear();
        elements_of(nodes[b * lanes + l], lists[l]);
        std::sort(lists[l].begin(), lists[l].end(),
                  [&](int32_t e, int32_t other) { return order[e] < order[other]; });
        if (spare < 0 && !lists[l].empty()) spare = lists[l].back();
      }
      for (int l = 0; l < lanes; ++l) {
        const int32_t repeated = lists[l].empty() ? spare : lists[l].back();
        for (int64_t k = begin[b]; k < begin[b + 1]; ++k) {
          const auto place = static_cast<size_t>(k - begin[b]);
          const bool own = place < lists[l].size();
          const int32_t e = own ? lists[l][place] : repeated;
          element[lanes * k + l] = own ? e : ~e;
          put_others(e, nodes[b * lanes + l], &others[edges * lanes * k + l]);
        }
      }
    }
  });
}

template <class Shape, int lanes>
void NodeStars<Shape, lanes>::rest_edges(int64_t k, int first_lane,
                                         math::Vec3<math::PackD> (&e)[edges]) const {
  double edge[3 * edges][eight];
  for (int l = 0; l < eight; ++l) {
    const int lane = first_lane + l;
    const Vec3d& from = X[elements[id(k, lane)][own(k, lane)]];
    for (int i = 0; i < 3 * edges; ++i)
      edge[i][l] = X[others[(edges * k + i / 3) * lanes + lane]][i % 3] - from[i % 3];
  }
  for (int i = 0; i < 3 * edges; ++i) e[i / 3][i % 3] = math::PackD::load(edge[i]);
}

}  // namespace sinew::element
