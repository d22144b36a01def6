// Signs of orientation and facets against the lattice, compared with the exact predicates of CGAL.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <cmath>
#include <gtest/gtest.h>

#include "math/predicates.h"
#include "math/random.h"
#include "meshing/facet_tests.h"

using namespace sinew;
using namespace sinew::meshing;

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

Kernel::Point_2 cgal(const Point<2>& x) { return {x[0], x[1]}; }
Kernel::Point_3 cgal(const Point<3>& x) { return {x[0], x[1], x[2]}; }

double nudged(double x, uint64_t bits) {
  return x == 0 || bits % 3 == 0 ? x : std::nextafter(x, bits % 3 == 1 ? 1e300 : -1e300);
}

// Coordinates around a lattice of the cell 1 / 8: on its nodes, between them, next to its planes, anywhere, of any size.
constexpr int kinds = 5;
template <int dim>
Point<dim> point(const math::Random& random, uint64_t n, int kind) {
  Point<dim> x;
  for (int a = 0; a < dim; ++a) {
    const uint64_t i = 8 * n + 2 * a;
    const double node = std::floor(random.uniform(i, 0, 5)) / 8;
    if (kind == 0) x[a] = node;
    if (kind == 1) x[a] = std::floor(random.uniform(i, 0, 10)) / 16;
    if (kind == 2) x[a] = nudged(node, random.bits(i + 1));
    if (kind == 3) x[a] = random.uniform(i, 0, 0.6);
    if (kind == 4)
      x[a] = std::ldexp(random.uniform(i, -1, 1), static_cast<int>(random.bits(i + 1) % 120) - 60);
  }
  return x;
}

template <int dim>
std::array<Point<dim>, dim + 1> points(int kind, uint64_t n) {
  const math::Random random = math::Random(kind).stream(n);
  std::array<Point<dim>, dim + 1> x;
  for (int k = 0; k <= dim; ++k) x[k] = point<dim>(random, k, kind);
  if (n % 2 == 0) return x;
  x[dim] = x[0];  // near the plane of the others
  for (int k = 1; k < dim; ++k) x[dim] += random.uniform(200 + k, -1, 2) * (x[k] - x[0]);
  for (int a = 0; a < dim; ++a) x[dim][a] = nudged(x[dim][a], random.bits(300 + a));
  return x;
}

TEST(LongCgal, Orientation) {
  for (int kind = 0; kind < kinds; ++kind)
    for (uint64_t n = 0; n < 300000; ++n) {
      const auto p = points<2>(kind, n);
      ASSERT_EQ(math::orient2d(p[0], p[1], p[2]), CGAL::orientation(cgal(p[0]), cgal(p[1]), cgal(p[2])));
      const auto q = points<3>(kind, n);
      ASSERT_EQ(math::orient3d(q[0], q[1], q[2], q[3]),
                CGAL::orientation(cgal(q[0]), cgal(q[1]), cgal(q[2]), cgal(q[3])))
          << kind << " " << n;
    }
}

template <int dim, class F>
void for_each_cell_around(F&& f) {
  const Lattice<dim> lattice{0.125, {}, 0};
  constexpr int width = 8;
  for (int n = 0, count = dim == 2 ? width * width : width * width * width; n < count; ++n) {
    Index<dim> i, j;
    for (int a = 0, rest = n; a < dim; ++a, rest /= width) j[a] = (i[a] = rest % width - 2) + 1;
    f(lattice.position(i), lattice.position(j));
  }
}

TEST(LongCgal, TrianglesAndBoxes) {
  int64_t met = 0, cut = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (uint64_t n = 0; n < 500; ++n) {
      const auto p = points<3>(kind, 2 * n);
      const Kernel::Triangle_3 triangle(cgal(p[0]), cgal(p[1]), cgal(p[2]));
      if (triangle.is_degenerate()) continue;
      const FacetTests<3> tests({p[0], p[1], p[2]});
      for_each_cell_around<3>([&](const Point<3>& low, const Point<3>& high) {
        const bool meets = CGAL::do_intersect(triangle, Kernel::Iso_cuboid_3(cgal(low), cgal(high)));
        // Ours are boxes moved by next to nothing: what only touches may be missing, but not where nothing does so.
        EXPECT_TRUE(meets || !tests.meets(low, high)) << kind << " " << n;
        EXPECT_TRUE(kind != 3 || tests.meets(low, high) == meets) << n;
        met += tests.meets(low, high);
        for (int axis = 0; axis < 3; ++axis) {
          Point<3> end = low;
          end[axis] = high[axis];
          const bool touches = CGAL::do_intersect(triangle, Kernel::Segment_3(cgal(low), cgal(end)));
          const bool cuts = tests.cut(low, axis, high[axis]) != 0;
          // The two differ only where the edge meets the rim of the triangle or its end lies on the plane.
          const auto turn = [&](int k) {
            return CGAL::orientation(cgal(low), cgal(end), cgal(p[k]), cgal(p[(k + 1) % 3]));
          };
          const bool general = turn(0) != 0 && turn(1) != 0 && turn(2) != 0 &&
                               math::orient3d(p[0], p[1], p[2], low) != 0 &&
                               math::orient3d(p[0], p[1], p[2], end) != 0;
          if (general)
            EXPECT_EQ(cuts, touches) << kind << " " << n;
          else
            EXPECT_TRUE(touches || !cuts) << kind << " " << n;
          cut += cuts;
        }
      });
      if (HasFailure()) return;
    }
  EXPECT_GT(met, 10000);
  EXPECT_GT(cut, 10000);
}

TEST(LongCgal, SegmentsAndBoxes) {
  for (int kind = 0; kind < 4; ++kind)
    for (uint64_t n = 0; n < 3000; ++n) {
      const auto p = points<2>(kind, 2 * n);
      const Kernel::Segment_2 segment(cgal(p[0]), cgal(p[1]));
      if (segment.is_degenerate()) continue;
      const FacetTests<2> tests({p[0], p[1]});
      for_each_cell_around<2>([&](const Point<2>& low, const Point<2>& high) {
        const bool meets = CGAL::do_intersect(segment, Kernel::Iso_rectangle_2(cgal(low), cgal(high)));
        EXPECT_TRUE(meets || !tests.meets(low, high)) << kind << " " << n;
        EXPECT_TRUE(kind != 3 || tests.meets(low, high) == meets) << n;
      });
      if (HasFailure()) return;
    }
}

}  // namespace
