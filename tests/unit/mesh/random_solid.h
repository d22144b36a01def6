#pragma once
// Solids of random kinds, sizes and places around the origin, nested up to a depth.
#include "math/random.h"
#include "mesh/solid.h"

namespace sinew::mesh {

inline Solid random_solid(const math::Random& random, uint64_t& n, int depth) {
  const auto uniform = [&](double low, double high) { return random.uniform(n++, low, high); };
  constexpr Solid::Kind kinds[] = {Solid::Kind::ellipsoid, Solid::Kind::box,       Solid::Kind::cylinder,
                                   Solid::Kind::capsule,   Solid::Kind::torus,     Solid::Kind::unite,
                                   Solid::Kind::unite,     Solid::Kind::intersect, Solid::Kind::subtract};
  Solid solid{.kind = kinds[static_cast<int>(uniform(0, depth > 0 ? 9 : 5))]};
  for (int k = 0; k < 3; ++k) {
    solid.size[k] = uniform(0.1, 0.8);
    solid.centre[k] = uniform(-0.5, 0.5);
  }
  if (solid.kind == Solid::Kind::torus) solid.size[1] = solid.size[0] * uniform(0.2, 0.9);
  const Vec3d a = normalized(Vec3d{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
  const Vec3d b = normalized(cross(a, {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}));
  solid.turn = Mat3d::columns(a, b, cross(a, b));
  if (solid.kind >= Solid::Kind::unite)
    for (int parts = static_cast<int>(uniform(2, 4)); parts > 0; --parts)
      solid.parts.push_back(random_solid(random, n, depth - 1));
  return solid;
}

}  // namespace sinew::mesh
