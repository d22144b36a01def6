#pragma once
// The faces of a mesh of cells, each with the elements on both sides. A face is a set of vertices: two elements share it
// where all its corners are the same vertices. It is found at its lowest corner, which is corner 0 of the elements above
// and corner 2^axis of those below; so time is linear, and 4 (dim + 1) bytes a vertex are taken.
//
//     GridFaces(grid).for_each([&](const GridFace& face) { ... face.below ... face.above ... });
#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
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

// Elements by the vertex at one of their corners. Nearly every vertex has at most one such element, which is kept in an array; the
// others, of layers that share the vertex, are in a sorted list.
template <int dim>
class ElementsAtCorner {
 public:
  static constexpr int32_t none = -1, several = -2;

  ElementsAtCorner(const GridMesh<dim>& grid, int corner) : only_(grid.nodes.size(), none) {
    for (size_t e = 0; e < grid.elements.size(); ++e) {
      const int32_t vertex = grid.elements[e][corner];
      int32_t& only = only_[vertex];
      if (only == none) {
        only = static_cast<int32_t>(e);
        continue;
      }
      if (only != several) all_.push_back({vertex, only});
      all_.push_back({vertex, static_cast<int32_t>(e)});
      only = several;
    }
    std::sort(all_.begin(), all_.end());
  }
  // The element at a vertex, `none` or `several`.
  int32_t only(int32_t vertex) const { return only_[vertex]; }
  // visit(element) for those at a vertex, ascending.
  template <class Visit>
  void for_each(int32_t vertex, Visit&& visit) const {
    if (only_[vertex] >= 0) visit(only_[vertex]);
    if (only_[vertex] != several) return;
    for (auto at = std::lower_bound(all_.begin(), all_.end(), Entry{vertex, 0});
         at != all_.end() && at->vertex == vertex; ++at)
      visit(at->element);
  }

 private:
  struct Entry {
    int32_t vertex, element;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<int32_t> only_;
  std::vector<Entry> all_;  // at vertices that have several
};

// Looks at a mesh that stays as it is meanwhile.
template <int dim>
class GridFaces {
 public:
  explicit GridFaces(const GridMesh<dim>& grid) : grid_(&grid), at_low_corner_(grid, 0) {
    for (int axis = 0; axis < dim; ++axis) at_corner_.emplace_back(grid, 1 << axis);
  }

  // visit(const GridFace&) for every face, in the order of their lowest corners.
  template <class Visit>
  void for_each(Visit&& visit) const {
    constexpr int32_t none = ElementsAtCorner<dim>::none, several = ElementsAtCorner<dim>::several;
    const auto one = [](const int32_t& e) {
      return e == ElementsAtCorner<dim>::none ? std::span<const int32_t>() : std::span<const int32_t>(&e, 1);
    };
    for (int32_t v = 0; v < static_cast<int32_t>(grid_->nodes.size()); ++v) {
      const int32_t above = at_low_corner_.only(v);
      const auto along = [&]<int axis>(std::integral_constant<int, axis>) {
        const int32_t below = at_corner_[axis].only(v);
        if (above == none && below == none) return;
        if (above == several || below == several) {
          visit_crowd(v, axis, visit);
        } else if (above == none || below == none || same_face(below, above, axis)) {
          visit(GridFace{axis, v, one(below), one(above)});
        } else {
          visit(GridFace{axis, v, one(below), {}});
          visit(GridFace{axis, v, {}, one(above)});
        }
      };
      along(std::integral_constant<int, 0>());
      along(std::integral_constant<int, 1>());
      if constexpr (dim == 3) along(std::integral_constant<int, 2>());
    }
  }

 private:
  bool same_face(int32_t below, int32_t above, int axis) const {
    return face_vertices<dim>(grid_->elements[below], axis, 1) ==
           face_vertices<dim>(grid_->elements[above], axis, 0);
  }

  template <class Visit>
  void visit_crowd(int32_t v, int axis, Visit&& visit) const {
    struct Incidence {
      std::array<int32_t, 1 << (dim - 1)> face;
      int side;  // of the element that the face is on: 1 the element is below
      int32_t element;
      auto operator<=>(const Incidence&) const = default;
    };
    std::vector<Incidence> crowd;
    at_corner_[axis].for_each(v, [&](int32_t e) {
      crowd.push_back({face_vertices<dim>(grid_->elements[e], axis, 1), 1, e});
    });
    at_low_corner_.for_each(v, [&](int32_t e) {
      crowd.push_back({face_vertices<dim>(grid_->elements[e], axis, 0), 0, e});
    });
    std::sort(crowd.begin(), crowd.end());
    std::vector<int32_t> elements;
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

  const GridMesh<dim>* grid_;
  ElementsAtCorner<dim> at_low_corner_;
  std::vector<ElementsAtCorner<dim>> at_corner_;  // 2^axis
};

// The elements that share a face with each element, ascending.
template <int dim>
mesh::Csr face_neighbours(const GridMesh<dim>& grid);

}  // namespace sinew::meshing
