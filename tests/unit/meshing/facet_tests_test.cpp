#include "meshing/facet_tests.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "exact/integer.h"
#include "math/predicates.h"
#include "math/random.h"

using namespace sinew;
using namespace sinew::meshing;

namespace {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
template <int dim>
using Corners = std::array<Point<dim>, dim>;

// A facet on a lattice, for each kind of position: corners on nodes, on halves of cells, anywhere, anywhere
// moved by some units in the last place from planes of nodes, and far from the origin.
template <int dim>
struct Case {
  Lattice<dim> lattice;
  Corners<dim> facet;
};

template <int dim>
bool flat(const Corners<dim>& x) {
  if constexpr (dim == 2)
    return x[0][0] == x[1][0] && x[0][1] == x[1][1];
  else
    for (int a = 0; a < 3; ++a)
      if (math::orient2d({x[0][a], x[0][(a + 1) % 3]}, {x[1][a], x[1][(a + 1) % 3]},
                         {x[2][a], x[2][(a + 1) % 3]}) != 0)
        return false;
  return true;
}

constexpr int kinds = 5;
template <int dim>
Case<dim> sample(int kind, uint64_t n) {
  const math::Random random = math::Random(100 * dim + kind).stream(n);
  Case<dim> c;
  if (kind >= 2) {
    c.lattice.cell = kind == 4 ? 1e-4 : 0.1;
    for (int a = 0; a < dim; ++a) c.lattice.offset[a] = generic_offset[a];
  }
  uint64_t i = 0;
  do {
    for (auto& x : c.facet)
      for (int a = 0; a < dim; ++a) {
        const double node = std::floor(random.uniform(i++, 0, 5)), anywhere = random.uniform(i++, 0, 5);
        switch (kind) {
          case 0:
            x[a] = node;
            break;
          case 1:
            x[a] = std::floor(2 * anywhere) / 2;
            break;
          case 2:
            x[a] = 0.1 * anywhere;
            break;
          case 3:
            x[a] = c.lattice.coordinate(a, static_cast<int64_t>(node));
            if (i % 3) x[a] = std::nextafter(x[a], anywhere > 2.5 ? 1 : 0);
            break;
          default:
            x[a] = 1000 + 1e-4 * anywhere;
        }
      }
  } while (flat<dim>(c.facet));
  return c;
}

// Cuts the facet by one half-space after the other, in fractions, with the box moved by (e, e^2, e^3) for an e that is
// far below all differences here.
template <int dim>
bool meets_by_cutting(const Corners<dim>& facet, const Point<dim>& low, const Point<dim>& high) {
  using Exact = std::array<Rational, dim>;
  std::vector<Exact> polygon;
  for (const auto& x : facet) {
    Exact e;
    for (int a = 0; a < dim; ++a) e[a] = Rational(x[a]);
    polygon.push_back(e);
  }
  for (int a = 0; a < dim; ++a)
    for (const int s : {1, -1}) {
      const Rational bound =
          Rational(s > 0 ? low[a] : high[a]) + Rational(1, exact::Integer(1) << (250 * (a + 1)));
      std::vector<Exact> rest;
      for (size_t k = 0; k < polygon.size(); ++k) {
        const Exact &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
        const Rational hp = s * (p[a] - bound), hq = s * (q[a] - bound);
        if (hp >= 0) rest.push_back(p);
        if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) {
          Exact cut;
          const Rational t = hp / (hp - hq);
          for (int b = 0; b < dim; ++b) cut[b] = p[b] + t * (q[b] - p[b]);
          rest.push_back(cut);
        }
      }
      polygon = rest;
    }
  return !polygon.empty();
}

// Nodes moved by (e, e^2, e^3) for an e that is far below all differences here, as integers.
template <int dim>
class Moved {
 public:
  using Exact = std::array<exact::Integer, dim>;
  static constexpr int shift = 900, step = 250;

  static exact::Integer scaled(double x) {
    int exponent = 0;
    const double m = std::frexp(x, &exponent);
    return exact::Integer(static_cast<int64_t>(std::ldexp(m, 53))) << (shift + exponent - 53);
  }
  static Exact fixed(const Point<dim>& x) {
    Exact r;
    for (int a = 0; a < dim; ++a) r[a] = scaled(x[a]);
    return r;
  }
  static Exact moved(const Point<dim>& x) {
    Exact r = fixed(x);
    for (int a = 0; a < dim; ++a) r[a] += exact::Integer(1) << (shift - step * (a + 1));
    return r;
  }
  static int orientation(const std::array<Exact, dim + 1>& x) {
    const auto d = [&](int k, int a) { return exact::Integer(x[k][a] - x[0][a]); };
    if constexpr (dim == 2) return exact::sign(d(1, 0) * d(2, 1) - d(1, 1) * d(2, 0));
    exact::Integer sum = 0;
    if constexpr (dim == 3)
      for (int i = 0; i < 3; ++i)
        sum += d(3, i) * (d(1, (i + 1) % 3) * d(2, (i + 2) % 3) - d(1, (i + 2) % 3) * d(2, (i + 1) % 3));
    return exact::sign(sum);
  }
};

int moved_side(const Corners<3>& f, const Point<3>& x) {
  using M = Moved<3>;
  return M::orientation({M::fixed(f[0]), M::fixed(f[1]), M::fixed(f[2]), M::moved(x)});
}
int moved_side(const Corners<2>& f, const Point<2>& x) {
  using M = Moved<2>;
  return -M::orientation({M::fixed(f[0]), M::fixed(f[1]), M::moved(x)});
}
bool moved_crosses(const Corners<3>& f, const Point<3>& p, const Point<3>& q) {
  using M = Moved<3>;
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += M::orientation({M::moved(p), M::moved(q), M::fixed(f[k]), M::fixed(f[(k + 1) % 3])});
  return std::abs(sum) == 3;
}
bool moved_crosses(const Corners<2>& f, const Point<2>& p, const Point<2>& q) {
  using M = Moved<2>;
  return M::orientation({M::moved(p), M::moved(q), M::fixed(f[0])}) !=
         M::orientation({M::moved(p), M::moved(q), M::fixed(f[1])});
}

// All nodes of a box around the facet with two cells to spare.
template <int dim, class F>
void around(const Case<dim>& c, F&& f) {
  Index<dim> first, last;
  for (int a = 0; a < dim; ++a) {
    double low = c.facet[0][a], high = low;
    for (const auto& x : c.facet) low = std::min(low, x[a]), high = std::max(high, x[a]);
    first[a] = static_cast<int32_t>(c.lattice.below(a, low)) - 2;
    last[a] = static_cast<int32_t>(c.lattice.below(a, high)) + 2;
  }
  Index<dim> i = first;
  for (;;) {
    f(i);
    int a = 0;
    for (; a < dim && ++i[a] > last[a]; ++a) i[a] = first[a];
    if (a == dim) return;
  }
}

template <int dim>
Point<dim> next_node(const Lattice<dim>& lattice, Index<dim> i) {
  for (int& k : i) ++k;
  return lattice.position(i);
}

template <int dim>
void boxes_are_met_as_by_cutting(uint64_t samples) {
  int64_t met = 0;
  for (int kind = 0; kind < kinds; ++kind)
    for (uint64_t n = 0; n < samples; ++n) {
      const Case<dim> c = sample<dim>(kind, n);
      const FacetTests<dim> tests(c.facet);
      std::set<Index<dim>> cells;
      around(c, [&](const Index<dim>& i) {
        const Point<dim> low = c.lattice.position(i), high = next_node<dim>(c.lattice, i);
        const bool expected = meets_by_cutting<dim>(c.facet, low, high);
        EXPECT_EQ(tests.meets(low, high), expected) << kind << " " << n;
        if (expected) cells.insert(i);
      });
      std::set<Index<dim>> found;
      tests.for_each_cell(c.lattice, [&](const Index<dim>& i) { EXPECT_TRUE(found.insert(i).second); });
      EXPECT_EQ(found, cells) << kind << " " << n;
      met += static_cast<int64_t>(cells.size());
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(met, 0);
}
TEST(FacetTests, SegmentsMeetBoxesAsByCutting) { boxes_are_met_as_by_cutting<2>(20); }
TEST(FacetTests, TrianglesMeetBoxesAsByCutting) { boxes_are_met_as_by_cutting<3>(4); }
TEST(LongFacetTests, TrianglesMeetBoxesAsByCutting) { boxes_are_met_as_by_cutting<3>(60); }

template <int dim>
using Cuts = std::map<std::pair<Index<dim>, int>, int>;
template <int dim>
Cuts<dim> cuts_of(const Case<dim>& c) {
  Cuts<dim> cuts;
  FacetTests<dim>(c.facet).for_each_cut(c.lattice, [&](const Index<dim>& i, int axis, int deeper) {
    EXPECT_TRUE((cuts.insert({{i, axis}, deeper}).second));
  });
  return cuts;
}

template <int dim>
void cuts_are_those_of_a_moved_lattice(uint64_t samples) {
  int64_t cut = 0;
  for (int kind = 0; kind < kinds; ++kind)
    for (uint64_t n = 0; n < samples; ++n) {
      const Case<dim> c = sample<dim>(kind, n);
      const FacetTests<dim> tests(c.facet);
      Cuts<dim> cuts;
      around(c, [&](const Index<dim>& i) {
        const Point<dim> p = c.lattice.position(i), diagonal = next_node<dim>(c.lattice, i);
        const int side = moved_side(c.facet, p);
        EXPECT_EQ(tests.side(p), side) << kind << " " << n;
        for (int axis = 0; axis < dim; ++axis) {
          Point<dim> q = p;
          q[axis] = diagonal[axis];
          int deeper = 0;
          if (moved_side(c.facet, q) != side && moved_crosses(c.facet, p, q)) deeper = side;
          EXPECT_EQ(tests.cut(p, axis, q[axis]), deeper) << kind << " " << n << " " << axis;
          if (deeper == 0) continue;
          cuts[{i, axis}] = deeper;
          // All cells around the edge are met.
          for (int around = 0; around < (1 << dim); ++around) {
            if (around >> axis & 1) continue;
            Index<dim> cell = i;
            for (int a = 0; a < dim; ++a) cell[a] -= around >> a & 1;
            EXPECT_TRUE(tests.meets(c.lattice.position(cell), next_node<dim>(c.lattice, cell)));
          }
        }
      });
      EXPECT_EQ(cuts_of<dim>(c), cuts) << kind << " " << n;
      cut += static_cast<int64_t>(cuts.size());
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_GT(cut, 0);
}
TEST(FacetTests, SegmentsCutEdgesAsOfAMovedLattice) { cuts_are_those_of_a_moved_lattice<2>(100); }
TEST(FacetTests, TrianglesCutEdgesAsOfAMovedLattice) { cuts_are_those_of_a_moved_lattice<3>(15); }
TEST(LongFacetTests, TrianglesCutEdgesAsOfAMovedLattice) { cuts_are_those_of_a_moved_lattice<3>(100); }

// Around any face of the lattice a closed surface is entered as often as left, also with corners on nodes.
TEST(FacetTests, ClosedSurfacesAreEnteredAsOftenAsLeft) {
  for (int kind = 0; kind < kinds; ++kind)
    for (uint64_t n = 0; n < 100; ++n) {
      Case<3> c = sample<3>(kind, 2 * n);
      const Corners<3> base = c.facet, other = sample<3>(kind, 2 * n + 1).facet;
      const std::array<Point<3>, 4> x = {base[0], base[1], base[2], other[0]};
      if (math::orient3d(x[0], x[1], x[2], x[3]) == 0) continue;
      Cuts<3> sum;
      for (const auto& f : {std::array{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}) {
        c.facet = {x[f[0]], x[f[1]], x[f[2]]};
        if (flat<3>(c.facet)) continue;
        for (const auto& [edge, deeper] : cuts_of(c)) sum[edge] += deeper;
      }
      const auto at = [&](const Index<3>& i, int axis) {
        const auto found = sum.find({i, axis});
        return found == sum.end() ? 0 : found->second;
      };
      for (const auto& entry : sum)
        for (int b = 0; b < 3; ++b)
          for (int back = 0; back < 2; ++back) {
            const int a = entry.first.second;
            if (a == b) continue;
            Index<3> i = entry.first.first;
            i[b] -= back;
            Index<3> along_a = i, along_b = i;
            ++along_a[a];
            ++along_b[b];
            ASSERT_EQ(at(i, a) + at(along_a, b), at(i, b) + at(along_b, a)) << kind << " " << n;
          }
    }
}

// Both ends on different sides of a triangle that is large against the edge: the edge is cut.
TEST(FacetTests, LargeTriangleCutsWhereSidesDiffer) {
  for (uint64_t n = 0; n < 200; ++n) {
    const math::Random random = math::Random(5).stream(n);
    Corners<3> facet;
    Lattice<3> lattice{0.1, {0.137, 0.0711, 0.0373}, 0};
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * 3.14159265358979 * k / 3;
      facet[k] = {1e3 * std::cos(angle), 1e3 * std::sin(angle), random.uniform(k, -900, 900)};
    }
    const FacetTests<3> tests(facet);
    // Nodes around the centre of the triangle.
    const Point<3> centre = (facet[0] + facet[1] + facet[2]) / 3.0;
    for (int k = -20; k < 20; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        Index<3> i;
        for (int a = 0; a < 3; ++a)
          i[a] = static_cast<int32_t>(lattice.below(a, centre[a])) + (a == axis ? k : 0);
        Index<3> j = i;
        ++j[axis];
        const Point<3> p = lattice.position(i), q = lattice.position(j);
        EXPECT_EQ(tests.cut(p, axis, q[axis]), (tests.side(p) - tests.side(q)) / 2);
      }
  }
}

// The work is that of the cells met, not of the box: 1000^3 cells here.
TEST(FacetTests, LargeTriangleAmongManyCells) {
  const Lattice<3> lattice{1, {0.137, 0.0711, 0.0373}, 0};
  const FacetTests<3> tests({Point<3>{0, 0, 0}, {1000, 50, 950}, {150, 900, 1000}});
  const int64_t before = math::predicate_tally().calls;
  int64_t cells = 0, cuts = 0;
  tests.for_each_cell(lattice, [&](const Index<3>&) { ++cells; });
  const int64_t calls = math::predicate_tally().calls - before;
  EXPECT_LT(calls, 60 * cells);
  tests.for_each_cut(lattice, [&](const Index<3>& i, int axis, int deeper) {
    ++cuts;
    if (i[0] % 10 != 0) return;
    Index<3> j = i;
    ++j[axis];
    EXPECT_EQ(tests.cut(lattice.position(i), axis, lattice.position(j)[axis]), deeper);
  });
  // As many cuts along an axis as nodes under the triangle seen along it, that is its area.
  const double xy = std::abs(1000.0 * 900 - 150.0 * 50) / 2, yz = std::abs(50.0 * 1000 - 900.0 * 950) / 2,
               zx = std::abs(950.0 * 150 - 1000.0 * 1000) / 2;
  EXPECT_NEAR(static_cast<double>(cuts), xy + yz + zx, 0.01 * (xy + yz + zx));
  EXPECT_GT(cells, cuts / 2);
}

}  // namespace
