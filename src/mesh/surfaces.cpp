#include "mesh/surfaces.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

namespace sinew::mesh {

TriMesh box_surface(const std::array<int32_t, 3>& cells) {
  TriMesh surface;
  std::unordered_map<int64_t, int32_t> ids;
  const auto point = [&](const std::array<int32_t, 3>& i) {
    const int64_t key = i[0] + (cells[0] + int64_t{1}) * (i[1] + (cells[1] + int64_t{1}) * i[2]);
    const auto [at, added] = ids.emplace(key, static_cast<int32_t>(surface.vertices.size()));
    if (added)
      surface.vertices.push_back({double(i[0]) / cells[0], double(i[1]) / cells[1], double(i[2]) / cells[2]});
    return at->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int32_t j = 0; j < cells[v]; ++j)
        for (int32_t i = 0; i < cells[u]; ++i) {
          const auto corner = [&](int32_t di, int32_t dj) {
            std::array<int32_t, 3> at{};
            at[axis] = high ? cells[axis] : 0;
            at[u] = i + di;
            at[v] = j + dj;
            return point(at);
          };
          const int32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (high) {
            surface.elements.push_back({a, b, c});
            surface.elements.push_back({a, c, d});
          } else {
            surface.elements.push_back({a, c, b});
            surface.elements.push_back({a, d, c});
          }
        }
    }
  return surface;
}

TriMesh sphere_surface(int32_t n) {
  return moved(box_surface({n, n, n}), [](const Vec3d& u) {
    Vec3d x;
    for (int a = 0; a < 3; ++a) x[a] = std::tan(0.25 * std::numbers::pi * (2 * u[a] - 1));
    return math::normalized(x);
  });
}

TriMesh ring_surface(int32_t along, int32_t around, int32_t shift) {
  TriMesh surface;
  for (int32_t i = 0; i < along; ++i)
    for (int32_t j = 0; j < around; ++j)
      surface.vertices.push_back({double(i) / along, double(j) / around, 0});
  for (int32_t i = 0; i < along; ++i)
    for (int32_t j = 0; j < around; ++j) {
      const auto point = [&](int32_t di, int32_t dj) {
        int32_t at = (j + dj) % around;
        if (i + di == along) at = ((at + shift) % around + around) % around;
        return ((i + di) % along) * around + at;
      };
      const int32_t a = point(0, 0), b = point(1, 0), c = point(1, 1), d = point(0, 1);
      surface.elements.push_back({a, b, c});
      surface.elements.push_back({a, c, d});
    }
  return surface;
}

TriMesh torus_surface(double major, double minor, int32_t along, int32_t around) {
  return moved(ring_surface(along, around), [&](const Vec3d& u) {
    const double a = 2 * std::numbers::pi * u[0], b = 2 * std::numbers::pi * u[1];
    const double r = major + minor * std::cos(b);
    return Vec3d{r * std::cos(a), r * std::sin(a), minor * std::sin(b)};
  });
}

TriMesh joined(TriMesh a, const TriMesh& b) {
  const auto first = static_cast<int32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& t : b.elements) a.elements.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

double signed_volume(const TriMesh& surface) {
  double sum = 0;
  for (const auto& t : surface.elements)
    sum += math::dot(surface.vertices[t[0]], math::cross(surface.vertices[t[1]], surface.vertices[t[2]])) / 6;
  return sum;
}

}  // namespace sinew::mesh
