#include "mesh/triangle_edges.h"

#include <algorithm>

namespace sinew::mesh {

namespace {

using Kind = EdgeFault::Kind;

// One side of a triangle, from its corner `place + 1` to its corner `place + 2`.
struct Side {
  int32_t low, high;
  int32_t triangle;
  int8_t place;
  bool rises;  // it runs from the lower vertex to the higher one

  bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
};

Side side_of(std::span<const std::array<int32_t, 3>> triangles, int32_t triangle, int place) {
  const int32_t from = triangles[triangle][(place + 1) % 3], to = triangles[triangle][(place + 2) % 3];
  return {std::min(from, to), std::max(from, to), triangle, static_cast<int8_t>(place), from < to};
}

// Of each triangle, whether one before it has its corners.
std::vector<char> find_repeated(std::span<const std::array<int32_t, 3>> triangles,
                                std::vector<EdgeFault>& faults) {
  std::vector<std::pair<std::array<int32_t, 3>, int32_t>> sorted;
  for (size_t t = 0; t < triangles.size(); ++t) {
    sorted.emplace_back(triangles[t], static_cast<int32_t>(t));
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> repeated(triangles.size(), 0);
  for (size_t begin = 0, end; begin < sorted.size(); begin = end) {
    const auto& corners = sorted[begin].first;
    for (end = begin + 1; end < sorted.size() && sorted[end].first == corners;) ++end;
    if (end - begin == 1) continue;
    EdgeFault fault{Kind::repeated, {corners[0], corners[1]}, {}};
    for (size_t k = begin; k < end; ++k) {
      fault.triangles.push_back(sorted[k].second);
      repeated[sorted[k].second] = k > begin;
    }
    faults.push_back(fault);
  }
  return repeated;
}

}  // namespace

TriangleEdges triangle_edges(std::span<const std::array<int32_t, 3>> triangles, int64_t node_count) {
  TriangleEdges table;
  table.of_triangle.assign(triangles.size(), {-1, -1, -1});
  const std::vector<char> repeated = find_repeated(triangles, table.faults);
  // Sides gathered by their lower vertex: those of one edge fall into one short bucket.
  std::vector<int64_t> offset(node_count + 1, 0);
  const auto each_side = [&](auto&& visit) {
    for (size_t t = 0; t < triangles.size(); ++t)
      for (int place = 0; place < 3 && !repeated[t]; ++place)
        visit(side_of(triangles, static_cast<int32_t>(t), place));
  };
  each_side([&](const Side& side) { ++offset[side.low + 1]; });
  for (int64_t i = 0; i < node_count; ++i) offset[i + 1] += offset[i];
  std::vector<Side> sides(offset[node_count]);
  std::vector<int64_t> next(offset.begin(), offset.end() - 1);
  each_side([&](const Side& side) { sides[next[side.low]++] = side; });

  // The side across, where two triangles meet as they should.
  std::vector<std::array<Side, 3>> across(triangles.size());
  std::vector<std::array<bool, 3>> meets(triangles.size(), {false, false, false});
  for (int64_t node = 0; node < node_count; ++node) {
    const auto first = sides.begin() + offset[node], last = sides.begin() + offset[node + 1];
    std::stable_sort(first, last, [](const Side& a, const Side& b) { return a.high < b.high; });
    for (auto begin = first, end = first; begin != last; begin = end) {
      for (end = begin + 1; end != last && end->same_edge(*begin);) ++end;
      if (end - begin == 1) continue;
      if (end - begin == 2 && begin->rises != begin[1].rises) {
        across[begin->triangle][begin->place] = begin[1];
        across[begin[1].triangle][begin[1].place] = *begin;
        meets[begin->triangle][begin->place] = meets[begin[1].triangle][begin[1].place] = true;
        continue;
      }
      EdgeFault fault{end - begin == 2 ? Kind::flipped : Kind::many, {begin->low, begin->high}, {}};
      for (auto side = begin; side != end; ++side) fault.triangles.push_back(side->triangle);
      table.faults.push_back(fault);
    }
  }

  for (size_t t = 0; t < triangles.size(); ++t)
    for (int place = 0; place < 3; ++place) {
      if (table.of_triangle[t][place] >= 0) continue;
      const auto number = static_cast<int32_t>(table.edges.size());
      TriangleEdge edge{triangles[t][(place + 1) % 3], triangles[t][(place + 2) % 3], static_cast<int32_t>(t),
                        -1, static_cast<int8_t>(place)};
      table.of_triangle[t][place] = number;
      if (meets[t][place]) {
        const Side& other = across[t][place];
        edge.right = other.triangle;
        edge.right_corner = other.place;
        table.of_triangle[other.triangle][other.place] = number;
      }
      table.edges.push_back(edge);
    }
  return table;
}

std::string sentence(const EdgeFault& fault) {
  std::string list;
  for (size_t k = 0; k < fault.triangles.size(); ++k)
    list += (k == 0                           ? ""
             : k + 1 < fault.triangles.size() ? ", "
                                              : " and ") +
            std::to_string(fault.triangles[k]);
  const std::string edge =
      " the edge of vertices " + std::to_string(fault.edge[0]) + " and " + std::to_string(fault.edge[1]);
  switch (fault.kind) {
    case Kind::many:
      return "triangles " + list + " meet in" + edge;
    case Kind::flipped:
      return "triangles " + list + " face opposite ways at" + edge;
    case Kind::repeated:
      return "triangles " + list + " have the same corners";
  }
  return {};
}

}  // namespace sinew::mesh
