#include "meshing/nearest_side.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <vector>

#include "geometry/closest.h"
#include "math/predicates.h"
#include "meshing/facet_tests.h"

namespace sinew::meshing {
namespace {

// The feature of a facet on which the nearest point lies: bit k is set where corner k has a part in it.
template <int dim>
struct Nearest {
  static constexpr int whole = (1 << dim) - 1;
  double distance2 = std::numeric_limits<double>::infinity();
  int32_t facet = -1;
  int feature = whole;
  bool on = false;  // but for rounding the point is on the facet
};

// For a point on a facet, rounding decides whether an edge or a corner is nearest. These tests know
// about all facets there.
template <int dim>
Nearest<dim> nearest_on(double distance2, double size2, const Point<dim>& weight, int feature) {
  const bool on = distance2 <= 1e-24 * size2;
  for (int k = 0; on && k < dim; ++k)
    if (weight[k] < 1e-9) feature &= ~(1 << k);
  return {distance2, -1, feature, on};
}

Nearest<2> nearest_of(const std::array<Point<2>, 2>& facet, const Point<2>& x) {
  const Point<2> along = facet[1] - facet[0], from = x - facet[0];
  const double size2 = norm2(along), t = dot(from, along) / size2;
  if (!(t > 0)) return nearest_on<2>(norm2(from), size2, {1, 0}, 1);
  if (t >= 1) return nearest_on<2>(norm2(x - facet[1]), size2, {0, 1}, 2);
  const double off = from[0] * along[1] - from[1] * along[0];
  return nearest_on<2>(off * off / size2, size2, {1 - t, t}, 3);
}

Nearest<3> nearest_of(const std::array<Point<3>, 3>& facet, const Point<3>& x) {
  const geometry::OnTriangle on = geometry::closest_on_triangle(x, facet[0], facet[1], facet[2]);
  const double size2 = std::max(norm2(facet[1] - facet[0]), norm2(facet[2] - facet[0]));
  return nearest_on<3>(on.distance2, size2, on.weight, on.feature);
}

// Whether corner q of the second facet is below the first: at what both share the surface bulges outwards.
bool convex(const std::array<Point<2>, 2>& facet, const Point<2>& q) {
  return math::orient2d(facet[0], facet[1], q) >= 0;
}
bool convex(const std::array<Point<3>, 3>& facet, const Point<3>& q) {
  return math::orient3d(facet[0], facet[1], facet[2], q) <= 0;
}

double angle_at(const std::array<Point<3>, 3>& facet, int corner) {
  const Point<3> s = facet[(corner + 1) % 3] - facet[corner], t = facet[(corner + 2) % 3] - facet[corner];
  return std::atan2(norm(cross(s, t)), dot(s, t));
}

template <int dim>
class SideByNearest {
 public:
  SideByNearest(const SurfaceView<dim>& surface, const Point<dim>& x, bool enlarged = false)
      : surface_(surface), x_(x), enlarged_(enlarged) {}

  // A facet replaces the nearest one only where it is nearer by more than rounding: of equal ones the first
  // stays.
  void consider(int32_t facet) {
    Nearest<dim> found = nearest_of(surface_.corners(facet), x_);
    if (found.distance2 >= nearest_.distance2 * (1 - 1e-12)) return;
    nearest_ = found;
    nearest_.facet = facet;
  }

  // Until all facets around the nearest edge or point have been considered.
  void complete() {
    for (bool grown = true; grown && nearest_.feature != Nearest<dim>::whole;) {
      grown = false;
      const Facet<dim>& corners = surface_.facets[nearest_.facet];
      const int feature = nearest_.feature;
      for (int k = 0; k < dim; ++k) {
        if (!(feature >> k & 1) || std::find(ringed_.begin(), ringed_.end(), corners[k]) != ringed_.end())
          continue;
        ringed_.push_back(corners[k]);
        for (const int32_t facet : surface_.incident.row(corners[k])) consider(facet);
        grown = true;
      }
    }
  }

  int side() {
    if (nearest_.feature == Nearest<dim>::whole) return side_of(nearest_.facet);
    around_.clear();
    collect();
    const int first = side_of(around_[0]);
    if (std::all_of(around_.begin(), around_.end(), [&](int32_t f) { return side_of(f) == first; }))
      return first;
    if (around_.size() == 2) {
      const auto corners = surface_.corners(around_[0]);
      for (const int32_t p : surface_.facets[around_[1]])
        if (!has(around_[0], p)) return convex(corners, surface_.points[p]) ? 1 : -1;
    }
    int corner = 0;
    while (!(nearest_.feature >> corner & 1)) ++corner;
    const int32_t point = surface_.facets[nearest_.facet][corner];
    if constexpr (dim == 3)
      if (nearest_.on && !enlarged_) return side_beside(point);
    return side_by_angles(point);
  }

 private:
  int side_of(int32_t facet) const { return FacetTests<dim>(surface_.corners(facet)).side(x_); }
  bool has(int32_t facet, int32_t point) const {
    const Facet<dim>& f = surface_.facets[facet];
    return std::find(f.begin(), f.end(), point) != f.end();
  }

  // The facets that have all corners of the nearest feature.
  void collect() {
    const Facet<dim>& corners = surface_.facets[nearest_.facet];
    int first = 0;
    while (!(nearest_.feature >> first & 1)) ++first;
    for (const int32_t facet : surface_.incident.row(corners[first])) {
      bool all = true;
      for (int k = first + 1; k < dim; ++k)
        if (nearest_.feature >> k & 1) all = all && has(facet, corners[k]);
      if (all) around_.push_back(facet);
    }
  }

  // For a point with facets around, and for what should not be: more than two facets at an edge.
  int side_by_angles(int32_t point) const {
    Point<dim> sum = Point<dim>::zero();
    for (const int32_t facet : around_) {
      const auto x = surface_.corners(facet);
      Point<dim> normal;
      double weight = 1;
      if constexpr (dim == 2) {
        normal = {x[1][1] - x[0][1], x[0][0] - x[1][0]};
      } else {
        normal = cross(x[1] - x[0], x[2] - x[0]);
        const Facet<3>& f = surface_.facets[facet];
        weight = angle_at(x, static_cast<int>(std::find(f.begin(), f.end(), point) - f.begin()));
      }
      const double length = norm(normal);
      if (length > 0) sum += normal * (weight / length);
    }
    return dot(sum, x_ - surface_.points[point]) < 0 ? -1 : 1;
  }

  // On the point, or next to it: what is nearest is looked for among the facets around, enlarged, with the point as the
  // origin.
  int side_beside(int32_t point) requires(dim == 3) {
    std::vector<int32_t> ids = {point}, kept;
    std::vector<Facet<3>> facets;
    double reach = std::numeric_limits<double>::infinity();
    for (const int32_t facet : around_) {
      const auto x = surface_.corners(facet);
      const Facet<3>& f = surface_.facets[facet];
      const int k = static_cast<int>(std::find(f.begin(), f.end(), point) - f.begin());
      const Point<3>&p = x[(k + 1) % 3], &q = x[(k + 2) % 3];
      const double height = norm(cross(p - x[k], q - x[k])) / norm(q - p);
      if (!(height > 0)) continue;
      reach = std::min(reach, height);
      ids.insert(ids.end(), f.begin(), f.end());
      facets.push_back(f);
      kept.push_back(facet);
    }
    if (facets.empty()) return 1;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::vector<Point<3>> points;
    for (const int32_t id : ids) points.push_back(surface_.points[id] - surface_.points[point]);
    for (Facet<3>& f : facets)
      for (int32_t& id : f)
        id = static_cast<int32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    const SurfaceView<3> cone = view_surface<3>(points, facets);
    std::vector<int32_t> all(facets.size());
    std::iota(all.begin(), all.end(), 0);
    // Larger by a power of two, without rounding. On the point itself the lattice counts as moved: FacetTests.
    Point<3> off = x_ - surface_.points[point];
    if (norm2(off) == 0) off = {1, 1e-20, 1e-40};
    off *= std::ldexp(1.0, std::ilogb(1e-3 * reach) - std::ilogb(norm(off)));
    SideByNearest<3> nearest(cone, off, true);
    for (const int32_t facet : all) nearest.consider(facet);
    nearest.complete();
    const Nearest<3>& found = nearest.nearest_;
    if (std::popcount(static_cast<unsigned>(found.feature)) == 1) return nearest.side();
    nearest_ = {found.distance2, kept[found.facet], found.feature, false};
    return side();
  }

  const SurfaceView<dim>& surface_;
  const Point<dim>& x_;
  const bool enlarged_;  // the facets around a point, by side_beside
  Nearest<dim> nearest_;
  std::vector<int32_t> ringed_;  // points whose facets have all been considered
  std::vector<int32_t> around_;  // facets around the nearest edge or point
};

}  // namespace

template <int dim>
int nearest_side(const SurfaceView<dim>& surface, std::span<const int32_t> patch, const Point<dim>& x) {
  SideByNearest<dim> nearest(surface, x);
  for (const int32_t facet : patch) nearest.consider(facet);
  nearest.complete();
  return nearest.side();
}

template int nearest_side(const SurfaceView<2>&, std::span<const int32_t>, const Point<2>&);
template int nearest_side(const SurfaceView<3>&, std::span<const int32_t>, const Point<3>&);

}  // namespace sinew::meshing
