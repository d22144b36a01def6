#include "meshing/nearest_side.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "contact/closest.h"
#include "math/predicates.h"
#include "meshing/facet_tests.h"

namespace sinew::meshing {
namespace {

// Where on a facet the nearest point lies: bit k is set where corner k has a part in it.
template <int dim>
struct Nearest {
  static constexpr int whole = (1 << dim) - 1;
  double distance2 = std::numeric_limits<double>::infinity();
  int32_t facet = -1;
  int feature = whole;
};

Nearest<2> nearest_on(const std::array<Point<2>, 2>& facet, const Point<2>& x) {
  const Point<2> along = facet[1] - facet[0], from = x - facet[0];
  const double t = dot(from, along), length2 = norm2(along);
  if (t <= 0) return {norm2(from), -1, 1};
  if (t >= length2) return {norm2(x - facet[1]), -1, 2};
  const double off = from[0] * along[1] - from[1] * along[0];
  return {off * off / length2, -1, 3};
}

Nearest<3> nearest_on(const std::array<Point<3>, 3>& facet, const Point<3>& x) {
  const contact::OnTriangle on = contact::closest_on_triangle(x, facet[0], facet[1], facet[2]);
  return {on.distance2, -1, on.feature};
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
  SideByNearest(const SurfaceView<dim>& surface, const Point<dim>& x) : surface_(surface), x_(x) {}

  // A facet replaces the nearest one only where it is nearer by more than rounding: of equal ones the first
  // stays.
  void consider(int32_t facet) {
    Nearest<dim> found = nearest_on(surface_.corners(facet), x_);
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
    collect();
    const int first = side_of(around_[0]);
    if (std::all_of(around_.begin(), around_.end(), [&](int32_t f) { return side_of(f) == first; }))
      return first;
    if (around_.size() == 2) {
      const auto corners = surface_.corners(around_[0]);
      for (const int32_t p : surface_.facets[around_[1]])
        if (!has(around_[0], p)) return convex(corners, surface_.points[p]) ? 1 : -1;
    }
    return side_by_angles();
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
  int side_by_angles() const {
    int corner = 0;
    while (!(nearest_.feature >> corner & 1)) ++corner;
    const int32_t point = surface_.facets[nearest_.facet][corner];
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
    const Point<dim> off = x_ - surface_.points[point];
    if constexpr (dim == 3)
      if (norm2(off) == 0) return side_beside(point);
    return dot(sum, off) < 0 ? -1 : 1;
  }

  // On the point itself. FacetTests counts the lattice as moved by (e, e^2, e^3): seen from so near, the
  // facets around are all there is, with the point as the origin.
  int side_beside(int32_t point) const requires(dim == 3) {
    std::vector<int32_t> ids = {point};
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
    return nearest_side<3>(cone, all, Point<3>{1e-3, 1e-9, 1e-15} * reach);
  }

  const SurfaceView<dim>& surface_;
  const Point<dim>& x_;
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
