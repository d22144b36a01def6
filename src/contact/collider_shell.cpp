#include "contact/collider_shell.h"

#include <cmath>

namespace sinew::contact {

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

Shell shell_of(const model::Collider& collider, double size) {
  const Vec3d& s = collider.size;
  const double h = 0.5 * size;
  switch (collider.shape) {
    case Shape::plane:
      return {{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    case Shape::sphere:
      return capsule(s[0], 0);
    case Shape::capsule:
      return capsule(s[0], s[1]);
    case Shape::cylinder:
      return revolved({{0, -s[1]}, {s[0], -s[1]}, {s[0], s[1]}, {0, s[1]}});
    case Shape::box:
      return box(s);
    case Shape::mesh:
      return {collider.points, collider.triangles};
  }
  return {};
}

model::Pose shell_pose(const model::Collider& collider, std::span<const double> inputs, const Vec3d& centre) {
  const model::Pose moved = model::pose_at(inputs, collider.pose);
  model::Pose pose = {moved.A * collider.transform.A, moved(collider.transform.b)};
  if (collider.shape == Shape::plane) {
    const Vec3d normal = pose.A * Vec3d{0, 0, 1};
    pose.b = centre - normal * dot(normal, centre - pose.b);
  }
  return pose;
}

}  // namespace sinew::contact
