// given_in_tets, given_in_hexes and skin_of of meshing/volume.h.
#include <algorithm>
#include <limits>
#include <optional>

#include "geometry/bvh.h"
#include "meshing/volume.h"

namespace sinew::meshing {

namespace {

// The point of the checked surface, of those that are carried, next to each place.
class CarriedPoints {
 public:
  template <int corners>
  CarriedPoints(const std::vector<math::Vec3d>& points, const std::vector<Carried<corners>>& carried)
      : points_(points) {
    std::vector<geometry::Box> boxes(points.size());
    for (size_t p = 0; p < points.size(); ++p)
      if (carried[p].element >= 0) boxes[p].add(points[p]);
    tree_.build(boxes);
  }
  int32_t nearest(const math::Vec3d& x) const {
    return tree_.nearest(x, std::numeric_limits<double>::infinity(),
                         [&](int32_t p) { return norm2(points_[p] - x); });
  }

 private:
  const std::vector<math::Vec3d>& points_;
  geometry::Bvh tree_;
};

// weights(carried, x): those of its vertices at x.
template <int corners, class Weights>
std::vector<Carried<corners>> as_given(const mesh::TriMesh& given, const Volume& volume,
                                       const std::vector<Carried<corners>>& points, const Weights& weights) {
  std::vector<char> used(given.vertices.size(), 0);
  for (const auto& triangle : given.elements)
    for (const int32_t v : triangle) used[v] = 1;
  std::optional<CarriedPoints> carriers;  // where something was left out
  std::vector<Carried<corners>> out(given.vertices.size());
  for (size_t v = 0; v < out.size(); ++v) {
    if (const int32_t point = volume.point_of[v]; point >= 0) out[v] = points[point];
    if (out[v].element >= 0) continue;
    out[v] = points[volume.surface.elements[0][0]];
    if (!used[v]) continue;
    if (!carriers) carriers.emplace(volume.surface.vertices, points);
    out[v] = points[carriers->nearest(given.vertices[v])];
    out[v].weights = weights(out[v], given.vertices[v]);
  }
  return out;
}

}  // namespace

std::vector<Carried<4>> given_in_tets(const mesh::TriMesh& given, const Volume& volume) {
  return as_given(given, volume, volume.in_tets, [&](const Carried<4>& carried, const math::Vec3d& x) {
    return weights_in(volume.tets.vertices, carried.vertices, x);
  });
}

std::vector<Carried<8>> given_in_hexes(const mesh::TriMesh& given, const Volume& volume) {
  return as_given(given, volume, volume.in_hexes, [&](const Carried<8>& carried, const math::Vec3d& x) {
    const math::Vec3d at = (x - volume.hexes.vertices[carried.vertices[0]]) / volume.grid.lattice.spacing();
    std::array<double, 8> weights;
    for (int k = 0; k < 8; ++k) {
      weights[k] = 1;
      for (int a = 0; a < 3; ++a) weights[k] *= vtk_corners[k] >> a & 1 ? at[a] : 1 - at[a];
    }
    return weights;
  });
}

mesh::Skin skin_of(const mesh::TriMesh& given, const Volume& volume) {
  mesh::Skin skin;
  skin.triangles = given.elements;
  for (const Carried<4>& carried : given_in_tets(given, volume)) {
    skin.tet.push_back(carried.element);
    skin.weights.push_back(carried.weights);
  }
  if (volume.report.surface.turned == 0) return skin;
  // Triangles of the checked surface by their corners, the lowest first: the rest of the order tells the side.
  const auto turned_to_lowest = [](std::array<int32_t, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  std::vector<std::array<int32_t, 3>> checked(volume.surface.elements);
  for (auto& t : checked) t = turned_to_lowest(t);
  std::sort(checked.begin(), checked.end());
  for (auto& t : skin.triangles) {
    const std::array<int32_t, 3> as_given =
        turned_to_lowest({volume.point_of[t[0]], volume.point_of[t[1]], volume.point_of[t[2]]});
    if (std::binary_search(checked.begin(), checked.end(),
                           std::array<int32_t, 3>{as_given[0], as_given[2], as_given[1]}))
      std::swap(t[1], t[2]);
  }
  return skin;
}

}  // namespace sinew::meshing
