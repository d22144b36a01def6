#include "meshing/facet_tests.h"

#include "math/predicates.h"

namespace sinew::meshing {
namespace {

constexpr double rounding = 0x1p-53;

int sign_of(double x) { return (x > 0) - (x < 0); }

// Seen along an axis, the others in cyclic order.
template <int dim>
math::Vec<double, 2> seen(const Point<dim>& x, int axis) {
  return {x[(axis + 1) % dim], x[(axis + 2) % dim]};
}

int exact_height(const std::array<Point<2>, 2>& facet, const Point<2>& x) {
  return -math::exact_orient2d(facet[0], facet[1], x);
}
int exact_height(const std::array<Point<3>, 3>& facet, const Point<3>& x) {
  return math::exact_orient3d(facet[0], facet[1], facet[2], x);
}

}  // namespace

template <int dim>
FacetTests<dim>::FacetTests(const std::array<Point<dim>, dim>& corners)
    : x_(corners), low_(corners[0]), high_(corners[0]) {
  for (int k = 1; k < dim; ++k)
    for (int a = 0; a < dim; ++a) {
      low_[a] = std::min(low_[a], x_[k][a]);
      high_[a] = std::max(high_[a], x_[k][a]);
    }
  for (int k = 0; k < dim; ++k) edge_[k] = x_[(k + 1) % dim] - x_[k];
  if constexpr (dim == 2) {
    normal_ = {edge_[0][1], -edge_[0][0]};
    for (int a = 0; a < 2; ++a) {
      error_[a] = 5 * rounding * std::abs(normal_[a]);
      sign_[a] = sign_of(normal_[a]);
    }
  } else {
    // The roundings are those of orient3d and orient2d.
    const Point<3> s = edge_[0], t = x_[2] - x_[0];
    for (int a = 0; a < 3; ++a) {
      const int u = (a + 1) % 3, v = (a + 2) % 3;
      const double p = s[u] * t[v], q = s[v] * t[u], size = std::abs(p) + std::abs(q);
      normal_[a] = p - q;
      error_[a] = 9 * rounding * size;
      if (std::abs(normal_[a]) > 5 * rounding * size)
        sign_[a] = sign_of(normal_[a]);
      else
        sign_[a] = size == 0 ? 0 : math::exact_orient2d(seen(x_[0], a), seen(x_[1], a), seen(x_[2], a));
    }
    math::predicate_tally().calls += 3;
  }
  tie_ = 1;
  for (int a = dim - 1; a >= 0; --a)
    if (sign_[a] != 0) tie_ = sign_[a];
}

template <int dim>
int FacetTests<dim>::height(const Point<dim>& x) const {
  ++math::predicate_tally().calls;
  double value = 0, error = 0;
  for (int a = 0; a < dim; ++a) {
    const double d = x[a] - x_[0][a];
    value += normal_[a] * d;
    error += error_[a] * std::abs(d);
  }
  if (std::abs(value) > error) return value > 0 ? 1 : -1;
  return error == 0 ? 0 : exact_height(x_, x);
}

template <int dim>
int FacetTests<dim>::side(const Point<dim>& x) const {
  const int h = height(x);
  return h != 0 ? h : tie_;
}

// Separating axes: those of the box, the normal, and those across an edge of each. The last are seen along an
// axis of the box, where some edge of the facet must have the whole rectangle on its outer side; a facet that
// is seen edge on has been dealt with by its normal.
template <int dim>
bool FacetTests<dim>::meets(const Point<dim>& low, const Point<dim>& high) const {
  for (int a = 0; a < dim; ++a)
    if (high[a] < low_[a] || high_[a] <= low[a]) return false;
  Point<dim> top, bottom;
  for (int a = 0; a < dim; ++a) {
    top[a] = sign_[a] > 0 ? high[a] : low[a];
    bottom[a] = sign_[a] > 0 ? low[a] : high[a];
  }
  if (side(top) < 0 || side(bottom) > 0) return false;
  if constexpr (dim == 3)
    for (int a = 0; a < 3; ++a) {
      if (sign_[a] == 0) continue;
      const int u = (a + 1) % 3, v = (a + 2) % 3;
      for (int k = 0; k < 3; ++k) {
        const double along_u = -sign_[a] * edge_[k][v], along_v = sign_[a] * edge_[k][u];
        Point<3> corner = low;  // the one furthest inwards
        if (along_u > 0) corner[u] = high[u];
        if (along_v > 0) corner[v] = high[v];
        // The filter of turn(), here for the many that are well inside.
        const double p = along_u * (corner[u] - x_[k][u]), q = along_v * (corner[v] - x_[k][v]);
        if (p + q > 5 * rounding * (std::abs(p) + std::abs(q)))
          ++math::predicate_tally().calls;
        else if (turn(a, k, corner) != sign_[a])
          return false;
      }
    }
  return true;
}

template <int dim>
int FacetTests<dim>::turn(int axis, int k, const Point<dim>& x) const requires(dim == 3) {
  ++math::predicate_tally().calls;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double p = edge_[k][u] * (x[v] - x_[k][v]), q = edge_[k][v] * (x[u] - x_[k][u]);
  const double value = p - q, size = std::abs(p) + std::abs(q);
  if (std::abs(value) > 5 * rounding * size) return sign_of(value);
  if (size > 0)
    if (const int sign = math::exact_orient2d(seen(x_[k], axis), seen(x_[(k + 1) % 3], axis), seen(x, axis)))
      return sign;
  // The motion along the axis that comes first decides, where it leads off the edge.
  const int by_u = -sign_of(edge_[k][v]), by_v = sign_of(edge_[k][u]);
  return u < v ? (by_u != 0 ? by_u : by_v) : (by_v != 0 ? by_v : by_u);
}

template <int dim>
bool FacetTests<dim>::covers(int axis, const Point<dim>& x) const {
  if (sign_[axis] == 0) return false;
  if constexpr (dim == 2) {
    const int u = 1 - axis;
    return low_[u] <= x[u] && x[u] < high_[u];
  } else {
    for (int k = 0; k < 3; ++k)
      if (turn(axis, k, x) != sign_[axis]) return false;
    return true;
  }
}

template <int dim>
int FacetTests<dim>::cut(const Point<dim>& p, int axis, double end) const {
  if (!covers(axis, p)) return 0;
  Point<dim> q = p;
  q[axis] = end;
  const int from = side(p), to = side(q);
  return (from - to) / 2;
}

template <int dim>
void FacetTests<dim>::narrow(const Lattice<dim>& lattice, int axis, int across, const Point<dim>& x,
                             int64_t& first, int64_t& last) const {
  const int v = 3 - axis - across;
  for (int k = 0; k < dim; ++k) {
    const double from = x_[k][v], to = x_[(k + 1) % dim][v];
    if (from == to || x[v] < std::min(from, to) || x[v] > std::max(from, to)) continue;
    const int64_t i = lattice.below(axis, x_[k][axis] + edge_[k][axis] * ((x[v] - from) / edge_[k][v]));
    if ((sign_[across] > 0) == (to < from))
      first = std::max(first, i);
    else
      last = std::min(last, i + 1);
  }
}

template <int dim>
int64_t FacetTests<dim>::node_below(const Lattice<dim>& lattice, int axis, Point<dim> x) const {
  const auto is_below = [&](int64_t i) {
    x[axis] = lattice.coordinate(axis, i);
    return side(x) != sign_[axis];
  };
  int64_t low = lattice.below(axis, low_[axis]) - 1, high = lattice.below(axis, high_[axis]) + 1;
  double rest = 0;
  for (int a = 0; a < dim; ++a)
    if (a != axis) rest += normal_[a] * (x[a] - x_[0][a]);
  const double guess = x_[0][axis] - rest / normal_[axis];
  // Not so where the normal is rounded to 0 or nearly so; then halving alone finds the node.
  if (guess >= low_[axis] && guess <= high_[axis]) {
    const int64_t i = lattice.below(axis, guess);
    if (is_below(i)) {
      if (!is_below(i + 1)) return i;
      low = i + 1;
    } else {
      high = i;
    }
  }
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (is_below(middle) ? low : high) = middle;
  }
  return low;
}

template class FacetTests<2>;
template class FacetTests<3>;

}  // namespace sinew::meshing
