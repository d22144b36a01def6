#include "report/shapes.h"

#include <cmath>

namespace sinew::report {

using model::Vec3d;
using Shape = model::Collider::Shape;

namespace {

constexpr int around = 32, along = 8;  // along: of a quarter of a circle
constexpr double pi = 3.14159265358979323846;

// A surface of revolution about z: radius and height, from the lowest point to the highest.
Shell revolved(const std::vector<std::array<double, 2>>& profile) {
  Shell shell;
  for (const auto& [radius, z] : profile)
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      shell.points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  const auto rows = static_cast<int32_t>(profile.size());
  for (int32_t r = 0; r + 1 < rows; ++r)
    for (int32_t k = 0; k < around; ++k) {
      const int32_t a = r * around + k, b = r * around + (k + 1) % around;
      shell.triangles.push_back({a, b, b + around});
      shell.triangles.push_back({a, b + around, a + around});
    }
  return shell;
}

// Half circles of that radius, their centres at -half and half.
Shell capsule(double radius, double half) {
  std::vector<std::array<double, 2>> profile;
  for (int k = -along; k <= along; ++k) {
    const double angle = 0.5 * pi * k / along;
    if (k == 0) profile.push_back({radius, -half});
    profile.push_back({radius * std::cos(angle), radius * std::sin(angle) + (k < 0 ? -half : half)});
  }
  return revolved(profile);
}

Shell box(const Vec3d& half) {
  Shell shell;
  for (int k = 0; k < 8; ++k)
    shell.points.push_back(
        {k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]});
  shell.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return shell;
}

}  // namespace

Shell shell_of(const model::Collider& collider, const model::Pose& pose, const Vec3d& centre, double size) {
  Shell shell;
  const Vec3d& s = collider.size;
  switch (collider.shape) {
    case Shape::plane: {
      const Vec3d at = transpose(pose.A) * (centre - pose.b);
      const double h = 0.5 * size;
      shell.points = {{at[0] - h, at[1] - h, 0},
                      {at[0] + h, at[1] - h, 0},
                      {at[0] + h, at[1] + h, 0},
                      {at[0] - h, at[1] + h, 0}};
      shell.triangles = {{0, 1, 2}, {0, 2, 3}};
      break;
    }
    case Shape::sphere:
      shell = capsule(s[0], 0);
      break;
    case Shape::capsule:
      shell = capsule(s[0], s[1]);
      break;
    case Shape::cylinder:
      shell = revolved({{0, -s[1]}, {s[0], -s[1]}, {s[0], s[1]}, {0, s[1]}});
      break;
    case Shape::box:
      shell = box(s);
      break;
    case Shape::mesh:
      shell.points = collider.points;
      shell.triangles = collider.triangles;
      break;
  }
  for (Vec3d& point : shell.points) point = pose(point);
  return shell;
}

}  // namespace sinew::report
