#pragma once
// A surface while it is put right (meshing/surface_check.h): triangles as ids of the given vertices, and what each half edge is joined
// to. Half edge 3 t + k runs from corner k of triangle t to the next corner. Each stage below leaves the next a
// surface with less to put right; triangles that are left out stay in the list, with corners -1.
//
//     Result<void> done = orient(rough, true);  if (done) done = pair_crowded_edges(rough);
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "math/vec.h"

namespace sinew::meshing {

using math::Vec3d;

struct RoughSurface {
  using Triangle = std::array<int32_t, 3>;
  static constexpr int32_t open = -1;     // no triangle on the other side
  static constexpr int32_t crowded = -2;  // several

  std::string name;
  std::vector<Vec3d> points;  // as given
  std::vector<Triangle> triangles;
  std::vector<int32_t> source;  // of each triangle: the given one whose groups and data it has
  std::vector<char> turned;     // of each triangle: whether it is turned round
  std::vector<int32_t> across;  // of each half edge: the one on the other side, open or crowded

  // Edges of more than two triangles: their half edges one after the other.
  std::vector<std::vector<int32_t>> crowds;

  int64_t count() const { return static_cast<int64_t>(triangles.size()); }
  bool left_out(int64_t triangle) const { return triangles[triangle][0] < 0; }
  void leave_out(int64_t triangle) { triangles[triangle] = {-1, -1, -1}; }
  void add(const Triangle& triangle, int32_t from);  // with open edges

  static int32_t next(int32_t half) { return half % 3 == 2 ? half - 2 : half + 1; }
  static int32_t previous(int32_t half) { return half % 3 == 0 ? half + 2 : half - 1; }
  int32_t start(int32_t half) const { return triangles[half / 3][half % 3]; }
  int32_t end(int32_t half) const { return start(next(half)); }
  int32_t apex(int32_t half) const { return start(previous(half)); }
  void join(int32_t a, int32_t b);  // two half edges; one of them may be open

  bool same_place(int32_t a, int32_t b) const;
  bool flat(const Triangle& triangle) const;  // exactly without area
  std::array<Vec3d, 3> corners(const Triangle& triangle) const {
    return {points[triangle[0]], points[triangle[1]], points[triangle[2]]};
  }
};

// "; the first are 3-7 (0, 0, 1) to (1, 0, 1), ..." of up to eight half edges.
std::string name_edges(const RoughSurface& surface, std::span<const int32_t> halves);

// f(half edges of one edge, ascending) for all edges.
template <class F>
void for_each_edge(const RoughSurface& surface, F&& f);

// Triangles two corners of which are at one place; says how many.
int64_t leave_out_collapsed(RoughSurface& surface);
// Triangles of the same points: says how many were left out because they were given twice, and how many because they
// are back to back with nothing else on their edges.
struct Repeated {
  int64_t twice = 0, back_to_back = 0;
};
Repeated leave_out_repeated(RoughSurface& surface);
// Fills `across` and `crowds`.
struct EdgeCounts {
  int64_t open = 0, crowded = 0;
  int64_t twins = 0;  // edges of two triangles of the same points
};
EdgeCounts join_edges(RoughSurface& surface);
// Points at one place become the first of them where an edge is open; joined[v] is what v became. Says how many; edges
// have to be joined again if there are any.
int64_t join_open_points(RoughSurface& surface, std::vector<int32_t>& joined);

// Turns triangles round where flags[t] is set, and all that refers to their half edges.
void turn(RoughSurface& surface, const std::vector<char>& flags);
// All neighbours agree; most triangles of a patch stay as they are. Refused: one-sided patches; any turn unless `allowed`.
Result<void> orient(RoughSurface& surface, bool allowed);
// Joins the triangles of crowded edges two by two, so that each pair has material between, by the order of their angles.
Result<void> pair_crowded_edges(RoughSurface& surface);

// Looks around from both sides of each patch of joined triangles, or only of those at crowded edges. Outside is where more rays get
// away; patches that face the other way are turned. Of those at crowded edges, walls, which no ray gets away from, and fins, from both
// sides of which many do, are left out.
struct Sighted {
  int64_t left_out = 0, turned = 0;  // triangles
  Vec3d at = Vec3d::zero();          // a point of the first that is left out
};
Sighted sort_by_sight(RoughSurface& surface, bool crowded_alone);

// The part that each triangle belongs to, through joined edges, in the order of their first triangles; -1 where left out.
struct Parts {
  int32_t count = 0;
  std::vector<int32_t> of_triangle;
};
Parts parts_of(const RoughSurface& surface);

struct Lids {
  int64_t holes = 0, triangles = 0;
  int64_t sheets = 0;        // parts left out
  Vec3d at = Vec3d::zero();  // a point of the first sheet
};
// Rims of at most `max_edges` edges get lids of least area. A part whose lids have more than three quarters of its area is a sheet:
// it is left out where all sheets together have no more area than the rest. Refused: what is open then.
Result<Lids> close_holes(RoughSurface& surface, int32_t max_edges);

// A flat triangle is a point on the long edge of another: that one is cut in two there. Says how many there were; those on
// crowded edges are left.
int64_t cut_at_flat_triangles(RoughSurface& surface);

// Two triangles that are joined to nothing but each other; says how many triangles that were.
int64_t leave_out_backs(RoughSurface& surface);

// Where several fans of triangles meet in a point each but the first gets a point of its own, at the end of `points`; original[i] is
// the point that points[points before + i] was.
void split_fans(RoughSurface& surface, std::vector<int32_t>& original);
// Where two pairs of joined triangles have both ends of their edges in common, each pair but the first gets a point of its own in the
// middle of the edge, at the end of `points`; `original` as above, with a point at an end of the edge. Says how many.
int64_t part_folds(RoughSurface& surface, std::vector<int32_t>& original);
// Refused: edges that have not two triangles in opposite directions.
Result<void> expect_closed(const RoughSurface& surface);

template <class F>
void for_each_edge(const RoughSurface& surface, F&& f) {
  // Half edges gathered by their lower point, then sorted by the other: buckets are short.
  const auto points = static_cast<int64_t>(surface.points.size());
  const auto halves = static_cast<int32_t>(3 * surface.count());
  std::vector<int32_t> offset(points + 1, 0);
  const auto low = [&](int32_t half) { return std::min(surface.start(half), surface.end(half)); };
  for (int32_t h = 0; h < halves; ++h)
    if (!surface.left_out(h / 3)) ++offset[low(h) + 1];
  for (int64_t i = 0; i < points; ++i) offset[i + 1] += offset[i];
  const int64_t offset_end = offset[points];
  std::vector<int32_t> bucketed(offset_end);
  for (int32_t h = halves; h-- > 0;)
    if (!surface.left_out(h / 3)) bucketed[--offset[low(h) + 1]] = h;
  // Each offset has moved down to where its bucket begins.
  std::vector<std::pair<int32_t, int32_t>> bucket;
  std::vector<int32_t> edge;
  for (int64_t i = 0; i < points; ++i) {
    const int64_t begin = offset[i + 1], end = i + 1 < points ? offset[i + 2] : offset_end;
    bucket.clear();
    for (int64_t k = begin; k < end; ++k)
      bucket.emplace_back(std::max(surface.start(bucketed[k]), surface.end(bucketed[k])), bucketed[k]);
    std::sort(bucket.begin(), bucket.end());
    for (size_t first = 0, last; first < bucket.size(); first = last) {
      edge.clear();
      for (last = first; last < bucket.size() && bucket[last].first == bucket[first].first; ++last)
        edge.push_back(bucket[last].second);
      f(std::span<const int32_t>(edge));
    }
  }
}

}  // namespace sinew::meshing
