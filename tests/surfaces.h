#pragma once
// Closed surfaces to mesh, in the plane and in space, most of which pass through themselves, and what is known of the solids that
// they bound: pieces and Euler characteristic, as constructed.
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "mesh/surfaces.h"
#include "meshing/lattice.h"

namespace sinew::tests {

using math::Vec3d;
using Vec2d = math::Vec<double, 2>;
using Loop = std::vector<Vec2d>;

template <int dim>
struct Surface {
  std::vector<meshing::Point<dim>> points;
  std::vector<meshing::Facet<dim>> facets;
};

inline Surface<3> surface_of(const mesh::TriMesh& mesh) { return {mesh.vertices, mesh.elements}; }

// Loops with the inside on their left, their edges cut into pieces no longer than `longest`.
inline Surface<2> polygon(const std::vector<Loop>& loops, double longest = 1e300) {
  Surface<2> surface;
  for (const Loop& loop : loops) {
    const auto first = static_cast<int32_t>(surface.points.size());
    for (size_t i = 0; i < loop.size(); ++i) {
      const Vec2d a = loop[i], b = loop[(i + 1) % loop.size()];
      const int pieces = std::max(1, int(std::ceil(math::norm(b - a) / longest)));
      for (int k = 0; k < pieces; ++k) surface.points.push_back(a + (b - a) * (double(k) / pieces));
    }
    const auto end = static_cast<int32_t>(surface.points.size());
    for (int32_t i = first; i < end; ++i) surface.facets.push_back({i, i + 1 < end ? i + 1 : first});
  }
  return surface;
}

inline Loop rectangle(const Vec2d& low, const Vec2d& high, bool hole = false) {
  Loop loop = {low, {high[0], low[1]}, high, {low[0], high[1]}};
  if (hole) std::swap(loop[1], loop[3]);
  return loop;
}

// A strip between two curves of equally many points: along the right one, and back along the left one.
struct Strip {
  Loop right, left;

  Loop loop() const {
    Loop all = right;
    all.insert(all.end(), left.rbegin(), left.rend());
    return all;
  }
  // From z = low to z = high in layers, with caps between the two curves.
  mesh::TriMesh extruded(double low, double high, int32_t layers) const {
    const auto n = static_cast<int32_t>(right.size()) - 1;
    return mesh::moved(mesh::box_surface({n, 1, layers}), [&](const Vec3d& u) {
      const Vec2d x = (u[1] > 0.5 ? left : right)[std::lround(u[0] * n)];
      return Vec3d{x[0], x[1], low + (high - low) * u[2]};
    });
  }
};

// An arc of more than a full turn whose radius grows: the ends overlap by the angle `over`.
inline Strip c_ring(double over, double growth, int n) {
  Strip strip;
  for (int i = 0; i <= n; ++i) {
    const double angle = (2 * std::numbers::pi + over) * i / n, grown = growth * i / n;
    const Vec2d along = {std::cos(angle), std::sin(angle)};
    strip.right.push_back(along * (1.2 + grown));
    strip.left.push_back(along * (0.6 + grown));
  }
  return strip;
}

// A ribbon whose ends pass through each other.
inline Strip crossing_ribbon(int samples) {
  Loop centre;
  for (int i = 0; i < samples; ++i) {
    const double t = -1.95 + 3.9 * i / (samples - 1);
    centre.push_back({1.2 * std::sin(2 * t), 2 * std::cos(t)});
  }
  Strip strip;
  for (int i = 0; i < samples; ++i) {
    const Vec2d along = math::normalized(centre[std::min(i + 1, samples - 1)] - centre[std::max(i - 1, 0)]);
    const Vec2d left = {-along[1], along[0]};
    strip.right.push_back(centre[i] - left * 0.2);
    strip.left.push_back(centre[i] + left * 0.2);
  }
  return strip;
}

// Two lips that overlap in front of a mouth.
inline Loop lips() {
  return {{0, 0},      {2.07, 0},    {2.07, 1.17}, {1.5, 1.17}, {1.35, 0.65}, {0.5, 0.65},
          {0.5, 1.35}, {1.35, 1.35}, {1.5, 0.83},  {2, 0.83},   {2, 2},       {0, 2}};
}

// A slit whose walls have changed sides from its root on: no map with a positive Jacobian makes it.
inline Loop wedge_slit() { return {{0, 0}, {2, 0}, {2, 1.15}, {0.5, 1}, {2, 0.85}, {2.03, 2}, {0, 2}}; }

inline mesh::TriMesh box(const Vec3d& low, const Vec3d& high, int32_t n) {
  return mesh::moved(mesh::box_surface({n, n, n}), [&](const Vec3d& u) {
    return Vec3d{low[0] + (high[0] - low[0]) * u[0], low[1] + (high[1] - low[1]) * u[1],
                 low[2] + (high[2] - low[2]) * u[2]};
  });
}

// A thick band about the z axis whose section has turned by half a turn when it comes round.
inline mesh::TriMesh twisted_band(double width, double thickness) {
  constexpr int32_t along = 96, wide = 6, thick = 2, around = 2 * (wide + thick);
  return mesh::moved(mesh::ring_surface(along, around, around / 2), [&](const Vec3d& u) {
    // Around the rectangle [-1, 1]^2, clockwise seen along the band.
    const auto k = static_cast<int32_t>(std::lround(u[1] * around));
    const int32_t half = k % (around / 2);
    double y = half <= wide ? 2.0 * half / wide - 1 : 1,
           z = half <= wide ? -1 : 2.0 * (half - wide) / thick - 1;
    if (k >= around / 2) y = -y, z = -z;
    const double a = 2 * std::numbers::pi * u[0], c = std::cos(a / 2), s = std::sin(a / 2);
    const double out = 0.5 * width * y, up = 0.5 * thickness * z, r = 1 + c * out - s * up;
    return Vec3d{r * std::cos(a), r * std::sin(a), s * out + c * up};
  });
}

// A torus with bristles on its inner side that reach through its middle and each other.
inline mesh::TriMesh bristled_torus(int bristles) {
  return mesh::moved(mesh::ring_surface(180, 48), [&](const Vec3d& u) {
    const double a = 2 * std::numbers::pi * u[0], b = 2 * std::numbers::pi * u[1];
    const double r = 1 + 0.35 * std::cos(b);
    Vec3d x = {r * std::cos(a), r * std::sin(a), 0.35 * std::sin(b)};
    for (int k = 0; k < bristles; ++k) {
      const double at = 2 * std::numbers::pi * k / bristles,
                   aside = std::remainder(a - at, 2 * std::numbers::pi);
      const double far = std::hypot(aside / 0.3, (b - std::numbers::pi) / 0.8);
      const double reach = far < 1 ? std::pow(std::cos(0.5 * std::numbers::pi * far * far), 2) : 0;
      x += Vec3d{-std::cos(at + 0.5), -std::sin(at + 0.5), 0.05 * (k % 2)} * (0.9 * reach);
    }
    return x;
  });
}

}  // namespace sinew::tests
