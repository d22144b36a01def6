#pragma once
// Random closed surfaces by number. Immersions: bars and rings along curled centre lines, x = c(s) + y n1(s) + z n2(s) with frames that do
// not turn about the line, and curvature below 0.6 over the radius, so that the Jacobian 1 - k1 y - k2 z stays above 0.15 wherever
// layers come to lie; and two such bodies through each other. Crumples: spheres and tori moved by sums of waves, and
// points thrown about; these promise nothing.
//
//     RandomSurface made = random_surface(17);
#include <cmath>
#include <numbers>

#include "math/random.h"
#include "mesh/surfaces.h"

namespace sinew::tests {

using math::Vec3d;

struct RandomSurface {
  mesh::TriMesh mesh;
  double cell = 1;         // to mesh it with: bodies are more than 3 cells thick where `immersion`
  bool immersion = false;  // of a solid of `components` pieces with Euler characteristic `euler`
  int64_t components = 0, euler = 0;
  const char* kind = "";
};

// A space curve with a frame that does not turn about it.
struct CentreLine {
  struct Place {
    Vec3d at, along, n1, n2;
  };
  std::vector<Place> places;

  Vec3d point(size_t i, double y, double z) const {
    return places[i].at + places[i].n1 * y + places[i].n2 * z;
  }
};

class RandomSurfaces {
 public:
  explicit RandomSurfaces(uint64_t number) : random_(math::Random(20241016).stream(number)) {}

  RandomSurface make() {
    RandomSurface made;
    const double choice = uniform(0, 1);
    if (choice < 0.35) {
      made = bar();
    } else if (choice < 0.6) {
      made = ring();
    } else if (choice < 0.75) {
      made = uniform(0, 1) < 0.5 ? bar() : ring();
      const RandomSurface other = uniform(0, 1) < 0.5 ? bar() : ring();
      made.mesh = mesh::joined(made.mesh, other.mesh);
      made.components += other.components;
      made.euler += other.euler;
      made.kind = "two bodies";
    } else {
      made = crumple();
    }
    made.cell = std::pow(10, uniform(-3, 1));
    const Vec3d shift = direction() * uniform(0, 40);
    made.mesh = mesh::moved(std::move(made.mesh), [&](const Vec3d& x) { return (x + shift) * made.cell; });
    return made;
  }

 private:
  double uniform(double low, double high) { return random_.uniform(next_++, low, high); }
  Vec3d direction() {
    next_ += 3;
    return math::normalized(
        Vec3d{random_.normal(next_ - 3), random_.normal(next_ - 2), random_.normal(next_ - 1)});
  }

  // Frames along given points.
  static CentreLine framed(const std::vector<Vec3d>& points, bool closed) {
    const size_t n = points.size();
    CentreLine line;
    for (size_t i = 0; i < n; ++i) {
      const Vec3d& before = points[i > 0 ? i - 1 : closed ? n - 1 : 0];
      const Vec3d& after = points[i + 1 < n ? i + 1 : closed ? 0 : i];
      line.places.push_back({points[i], math::normalized(after - before), {}, {}});
    }
    const Vec3d& t = line.places[0].along;
    Vec3d normal = math::normalized(math::cross(t, Vec3d::unit(std::abs(t[0]) < 0.7 ? 0 : 1)));
    const Vec3d first = normal;
    for (auto& place : line.places) {
      normal = math::normalized(normal - place.along * math::dot(normal, place.along));
      place.n1 = normal;
      place.n2 = math::cross(place.along, normal);
    }
    if (!closed) return line;
    // What the frame has turned by when it comes back is taken out evenly.
    normal = math::normalized(normal - t * math::dot(normal, t));
    const double angle = std::atan2(math::dot(normal, math::cross(t, first)), math::dot(normal, first));
    for (size_t i = 0; i < n; ++i) {
      auto& place = line.places[i];
      const double a = -angle * double(i) / double(n);
      const Vec3d n1 = place.n1 * std::cos(a) + place.n2 * std::sin(a);
      place.n2 = math::cross(place.along, n1);
      place.n1 = n1;
    }
    return line;
  }

  // Curvature varies along the line and stays below `most`.
  CentreLine curled(double length, double most, int32_t pieces) {
    double waves[2][3];
    for (auto& wave : waves)
      for (double& value : wave) value = uniform(-1, 1);
    const double sweep = uniform(1, 7);
    std::vector<Vec3d> points;
    Vec3d at = {0, 0, 0}, t = direction();
    Vec3d n1 = math::normalized(math::cross(t, direction())), n2 = math::cross(t, n1);
    constexpr int fine = 16;
    for (int32_t i = 0; i <= pieces * fine; ++i) {
      if (i % fine == 0) points.push_back(at);
      const double s = double(i) / (pieces * fine), step = length / (pieces * fine);
      double k[2];
      for (int a = 0; a < 2; ++a)
        k[a] =
            waves[a][0] + 0.6 * waves[a][1] * std::sin(sweep * s) + 0.6 * waves[a][2] * std::cos(sweep * s);
      const double size = std::hypot(k[0], k[1]), scale = size > 1 ? most / size : most;
      const Vec3d bend = n1 * (k[0] * scale) + n2 * (k[1] * scale);
      at += t * step + bend * (0.5 * step * step);
      t = math::normalized(t + bend * step);
      n1 = math::normalized(n1 - t * math::dot(n1, t));
      n2 = math::cross(t, n1);
    }
    return framed(points, false);
  }

  RandomSurface bar() {
    const double radius = uniform(2.1, 3.5), length = radius * uniform(6, 26);
    const auto pieces = static_cast<int32_t>(length / uniform(0.7, 1.4)), across = int32_t(uniform(2, 6));
    const CentreLine line = curled(length, uniform(0.1, 0.6) / radius, pieces);
    const bool round = uniform(0, 1) < 0.5;
    const auto place = [&](const Vec3d& u) {
      double y = 2 * u[1] - 1, z = 2 * u[2] - 1;
      if (round) {
        const double far = std::max(std::abs(y), std::abs(z)), size = std::hypot(y, z);
        if (size > 0) y *= far / size, z *= far / size;
      } else {
        y *= 0.75, z *= 0.75;
      }
      return line.point(std::lround(u[0] * pieces), radius * y, radius * z);
    };
    return {mesh::moved(mesh::box_surface({pieces, across, across}), place), 1, true, 1, 1, "bar"};
  }

  RandomSurface ring() {
    const double radius = uniform(1.75, 3);
    constexpr int32_t along = 96;
    std::vector<Vec3d> points(along);
    double longest;
    do {
      Vec3d waves[3][2];
      for (int k = 0; k < 3; ++k)
        for (Vec3d& wave : waves[k]) wave = direction() * (uniform(0, 1) / std::pow(k + 1, 1.5));
      for (int32_t i = 0; i < along; ++i) {
        points[i] = Vec3d::zero();
        for (int k = 0; k < 3; ++k) {
          const double a = 2 * std::numbers::pi * (k + 1) * i / along;
          points[i] += waves[k][0] * std::cos(a) + waves[k][1] * std::sin(a);
        }
      }
      double most = 0;  // curvature
      for (int32_t i = 0; i < along; ++i) {
        const Vec3d a = points[i] - points[(i + along - 1) % along], b = points[(i + 1) % along] - points[i];
        most = std::max(
            most, 2 * math::norm(math::cross(a, b)) / (math::norm(a) * math::norm(b) * math::norm(a + b)));
      }
      longest = 0;
      for (int32_t i = 0; i < along; ++i) {
        points[i] *= most * radius / 0.6;
        if (i > 0) longest = std::max(longest, math::norm(points[i] - points[i - 1]));
      }
    } while (longest > 1.5 * radius);
    const CentreLine line = framed(points, true);
    const auto around = static_cast<int32_t>(uniform(8, 20));
    const auto place = [&](const Vec3d& u) {
      const double a = 2 * std::numbers::pi * u[1];
      return line.point(std::lround(u[0] * along), radius * std::cos(a), -radius * std::sin(a));
    };
    return {mesh::moved(mesh::ring_surface(along, around), place), 1, true, 1, 0, "ring"};
  }

  RandomSurface crumple() {
    const double size = uniform(0.3, 9), wild = std::pow(uniform(0, 1), 2) * size;
    const auto n = static_cast<int32_t>(uniform(2, 14));
    RandomSurface made;
    made.kind = "crumple";
    made.mesh = uniform(0, 1) < 0.5 ? mesh::sphere_surface(n) : mesh::torus_surface(1, 0.4, 3 + 2 * n, 3 + n);
    Vec3d wave[4], push[4];
    for (int k = 0; k < 4; ++k) {
      wave[k] = direction() * uniform(0.5, 6);
      push[k] = direction() * wild;
    }
    made.mesh = mesh::moved(std::move(made.mesh), [&](const Vec3d& x) {
      Vec3d y = x * size;
      for (int k = 0; k < 4; ++k) y += push[k] * std::sin(math::dot(wave[k], x) + k);
      return y;
    });
    const double choice = uniform(0, 1);
    if (choice < 0.2) {  // points thrown about
      for (Vec3d& x : made.mesh.vertices) x += direction() * uniform(0, size);
    } else if (choice < 0.4) {  // points on nodes and planes of the lattice
      for (Vec3d& x : made.mesh.vertices)
        for (int a = 0; a < 3; ++a)
          if (uniform(0, 1) < 0.7) x[a] = std::round(x[a]);
    }
    return made;
  }

  math::Random random_;
  uint64_t next_ = 0;
};

inline RandomSurface random_surface(uint64_t number) { return RandomSurfaces(number).make(); }

}  // namespace sinew::tests
