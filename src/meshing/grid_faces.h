#pragma once
// The faces of a mesh of cells, each with the elements on both sides. A face is a set of vertices: two elements share it
// where all its corners are the same vertices. It is found at its lowest corner, which is corner 0 of the elements above
// and corner 2^axis of those below; so time is linear, and 8 bytes an element and a vertex are taken meanwhile.
//
//     for_each_face(grid, [&](const GridFace& face) { ... face.below ... face.above ... });
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "mesh/adjacency.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct GridFace {
  int axis;                        // that it is across
  int32_t low_vertex;              // the corner with the lowest coordinates
  std::span<const int32_t> below;  // elements whose upper face it is, ascending
  std::span<const int32_t> above;  // elements whose lower face it is, ascending

  size_t elements() const { return below.size() + above.size(); }
};

// The corners of an element's face, by ascending number: those of its lower face have no bit `axis`.
template <int dim>
constexpr std::array<int, 1 << (dim - 1)> face_corners(int axis, int side) {
  std::array<int, 1 << (dim - 1)> corners{};
  for (int k = 0; k < 1 << (dim - 1); ++k)
    corners[k] = (k >> axis) << (axis + 1) | side << axis | (k & ((1 << axis) - 1));
  return corners;
}

template <int dim>
std::array<int32_t, 1 << (dim - 1)> face_vertices(const typename GridMesh<dim>::Element& element, int axis,
                                                  int side) {
  std::array<int32_t, 1 << (dim - 1)> vertices;
  const auto corners = face_corners<dim>(axis, side);
  for (size_t k = 0; k < corners.size(); ++k) vertices[k] = element[corners[k]];
  return vertices;
}

// Elements by the vertex at one of their corners: lists in ascending order.
template <int dim>
class ElementsAtCorner {
 public:
  ElementsAtCorner(const GridMesh<dim>& grid, int corner)
      : first_(grid.nodes.size(), -1), next_(grid.elements.size()) {
    for (auto e = static_cast<int32_t>(grid.elements.size()); e-- > 0;) {
      int32_t& first = first_[grid.elements[e][corner]];
      next_[e] = first;
      first = e;
    }
  }
  int32_t first(int32_t vertex) const { return first_[vertex]; }
  int32_t next(int32_t element) const { return next_[element]; }

 private:
  std::vector<int32_t> first_, next_;
};

// visit(const GridFace&) for every face: axis by axis, in the order of their lowest corners.
template <int dim, class Visit>
void for_each_face(const GridMesh<dim>& grid, Visit&& visit) {
  using Face = std::array<int32_t, 1 << (dim - 1)>;
  struct Incidence {
    Face face;
    int side;  // of the face: 1 the element is below it
    int32_t element;
    auto operator<=>(const Incidence&) const = default;
  };
  const ElementsAtCorner<dim> lists_above(grid, 0);
  std::vector<Incidence> crowd;
  std::vector<int32_t> elements;
  for (int axis = 0; axis < dim; ++axis) {
    const ElementsAtCorner<dim> lists_below(grid, 1 << axis);
    for (int32_t v = 0; v < static_cast<int32_t>(grid.nodes.size()); ++v) {
      const int32_t above = lists_above.first(v), below = lists_below.first(v);
      const auto one = [](const int32_t& e) {
        return e < 0 ? std::span<const int32_t>() : std::span<const int32_t>(&e, 1);
      };
      if ((above < 0 || lists_above.next(above) < 0) && (below < 0 || lists_below.next(below) < 0)) {
        if (above < 0 && below < 0) continue;
        if (above < 0 || below < 0 ||
            face_vertices<dim>(grid.elements[above], axis, 0) ==
                face_vertices<dim>(grid.elements[below], axis, 1)) {
          visit(GridFace{axis, v, one(below), one(above)});
        } else {
          visit(GridFace{axis, v, one(below), {}});
          visit(GridFace{axis, v, {}, one(above)});
        }
        continue;
      }
      crowd.clear();
      for (int32_t e = below; e >= 0; e = lists_below.next(e))
        crowd.push_back({face_vertices<dim>(grid.elements[e], axis, 1), 1, e});
      for (int32_t e = above; e >= 0; e = lists_above.next(e))
        crowd.push_back({face_vertices<dim>(grid.elements[e], axis, 0), 0, e});
      std::sort(crowd.begin(), crowd.end());
      for (size_t begin = 0, end; begin < crowd.size(); begin = end) {
        elements.clear();
        size_t count_above = 0;
        for (end = begin; end < crowd.size() && crowd[end].face == crowd[begin].face; ++end) {
          elements.push_back(crowd[end].element);
          count_above += crowd[end].side == 0;
        }
        const std::span<const int32_t> all(elements);
        visit(GridFace{axis, v, all.subspan(count_above), all.first(count_above)});
      }
    }
  }
}

// The elements that share a face with each element, ascending.
template <int dim>
mesh::Csr face_neighbours(const GridMesh<dim>& grid);

}  // namespace sinew::meshing
