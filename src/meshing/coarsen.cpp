#include "meshing/coarsen.h"

#include <algorithm>
#include <array>

#include "mesh/disjoint_sets.h"
#include "meshing/grid_faces.h"

namespace sinew::meshing {
namespace {

// A face inside a large cell, with elements on both sides, joins these to one large element. All others join the vertices of
// large faces: between large cells, or of elements in one cell that share a face without anything on its other side.
template <int dim>
bool joins_elements(const GridMesh<dim>& fine, const GridFace& face) {
  const bool inside = fine.nodes[face.low_vertex][face.axis] & 1;
  return inside && !face.below.empty() && !face.above.empty();
}

struct Parts {
  std::vector<int32_t> of_element;
  int32_t count = 0;
};

// For each element the coarse one that it is a part of, numbered in the order of their first elements.
template <int dim>
Parts large_elements(const GridMesh<dim>& fine, const GridFaces<dim>& faces) {
  const auto count = static_cast<int32_t>(fine.elements.size());
  mesh::DisjointSets<> joined(count);
  faces.for_each([&](const GridFace& face) {
    if (!joins_elements(fine, face)) return;
    for (int32_t e : face.below) joined.join(face.above[0], e);
    for (int32_t e : face.above) joined.join(face.below[0], e);
  });
  Parts parts;
  parts.of_element.resize(count);
  for (int32_t e = 0; e < count; ++e) {
    const int32_t root = joined.find(e);  // not after e
    parts.of_element[e] = root == e ? parts.count++ : parts.of_element[root];
  }
  return parts;
}

// Vertices of large elements, at first each for itself: corner k of large element l has the id l corners + k.
template <int dim>
mesh::DisjointSets<int64_t> merged_corners(const GridMesh<dim>& fine, const GridFaces<dim>& faces,
                                           const Parts& parts) {
  mesh::DisjointSets<int64_t> same(int64_t{parts.count} * GridMesh<dim>::corners);
  // Most large faces hold several shared ones, which would all say the same: the last pair of each face is remembered.
  std::array<int32_t, dim> nothing;
  nothing.fill(-1);
  std::vector<std::array<int32_t, dim>> last_above(parts.count, nothing);
  faces.for_each([&](const GridFace& face) {
    if (face.elements() < 2 || joins_elements(fine, face)) return;
    if (face.below.size() == 1 && face.above.size() == 1) {
      int32_t& last = last_above[parts.of_element[face.below[0]]][face.axis];
      if (last == parts.of_element[face.above[0]]) return;
      last = parts.of_element[face.above[0]];
    }
    const int first_side = face.below.empty() ? 0 : 1;
    const int32_t first = parts.of_element[first_side ? face.below[0] : face.above[0]];
    const auto join = [&](int32_t element, int side) {
      const int32_t large = parts.of_element[element];
      const auto corners = face_corners<dim>(face.axis, side);
      const auto first_corners = face_corners<dim>(face.axis, first_side);
      for (size_t k = 0; k < corners.size(); ++k)
        same.join(int64_t{first} * GridMesh<dim>::corners + first_corners[k],
                  int64_t{large} * GridMesh<dim>::corners + corners[k]);
    };
    for (int32_t e : face.below) join(e, 1);
    for (int32_t e : face.above) join(e, 0);
  });
  return same;
}

// Leaves out large elements that have got the same vertices as an earlier one; returns where each has gone.
template <int dim>
std::vector<int32_t> drop_repeated(GridMesh<dim>& coarse) {
  const ElementsAtCorner<dim> lists(coarse, 0);
  std::vector<int32_t> place(coarse.elements.size());
  int32_t kept = 0;
  for (int32_t e = 0; e < static_cast<int32_t>(place.size()); ++e) {
    int32_t first = e;
    lists.for_each(coarse.elements[e][0], [&](int32_t other) {
      if (other < first && coarse.elements[other] == coarse.elements[e]) first = other;
    });
    place[e] = first == e ? kept++ : place[first];
  }
  if (kept == static_cast<int32_t>(place.size())) return place;
  for (size_t e = 0; e < place.size(); ++e) coarse.elements[place[e]] = coarse.elements[e];
  coarse.elements.resize(kept);
  return place;
}

}  // namespace

template <int dim>
GridMesh<dim> coarsen(const GridMesh<dim>& fine) {
  using Piece = typename GridMesh<dim>::Piece;
  constexpr int corners = GridMesh<dim>::corners;
  GridMesh<dim> coarse;
  coarse.lattice = fine.lattice;
  ++coarse.lattice.level;

  Parts parts;
  {
    mesh::DisjointSets<int64_t> same;
    {
      const GridFaces<dim> faces(fine);
      parts = large_elements(fine, faces);
      same = merged_corners(fine, faces, parts);
    }
    std::vector<int32_t> vertex(int64_t{parts.count} * corners, -1);
    coarse.elements.resize(parts.count);
    int32_t begun = 0;
    for (size_t e = 0; e < fine.elements.size(); ++e) {
      const int32_t large = parts.of_element[e];
      if (large != begun) continue;
      ++begun;
      for (int k = 0; k < corners; ++k) {
        int32_t& id = vertex[same.find(int64_t{large} * corners + k)];
        if (id < 0) {
          id = static_cast<int32_t>(coarse.nodes.size());
          Index<dim> node = fine.cell(static_cast<int64_t>(e));
          for (int a = 0; a < dim; ++a) node[a] = (node[a] >> 1) + (k >> a & 1);
          coarse.nodes.push_back(node);
        }
        coarse.elements[large][k] = id;
      }
    }
  }
  const std::vector<int32_t> place = drop_repeated(coarse);
  for (int32_t& large : parts.of_element) large = place[large];

  std::vector<double> covered(coarse.elements.size(), 0);
  for (size_t e = 0; e < fine.coverage.size(); ++e) covered[parts.of_element[e]] += fine.coverage[e];
  if (!fine.coverage.empty()) {
    coarse.coverage.reserve(covered.size());
    for (double sum : covered) coarse.coverage.push_back(static_cast<float>(std::min(1.0, sum / corners)));
  }

  coarse.pieces.reserve(fine.pieces.size());
  for (const Piece& piece : fine.pieces)
    coarse.pieces.push_back({piece.facet, parts.of_element[piece.element]});
  // Facets still ascend: only the few pieces of one are out of order.
  for (auto begin = coarse.pieces.begin(); begin != coarse.pieces.end();) {
    const auto end = std::find_if(begin, coarse.pieces.end(),
                                  [&](const Piece& piece) { return piece.facet != begin->facet; });
    std::sort(begin, end);
    begin = end;
  }
  coarse.pieces.erase(std::unique(coarse.pieces.begin(), coarse.pieces.end()), coarse.pieces.end());
  coarse.carriers.reserve(fine.carriers.size());
  for (int32_t carrier : fine.carriers)
    coarse.carriers.push_back(carrier < 0 ? carrier : parts.of_element[carrier]);
  return coarse;
}

template GridMesh<2> coarsen<2>(const GridMesh<2>&);
template GridMesh<3> coarsen<3>(const GridMesh<3>&);

}  // namespace sinew::meshing
