#pragma once
// Solids as a tree of set operations on simple ones, and their implicit function f: negative inside, zero on
// the surface, and never steeper than the distance, |f(x) - f(y)| <= |x - y|. A union is the least f of its
// parts, an intersection the largest, a difference the first part without the others (Ricci, A constructive
// geometry for computer graphics, 1973). So f(x) > r says that no point within r of x is inside.
//
//     const Solid hole{.kind = Solid::Kind::cylinder, .size = {0.2, 1, 0}};
//     const Solid plate{.kind = Solid::Kind::subtract, .parts = {{.kind = Solid::Kind::box}, hole}};
//     double f = value(plate, {0.5, 0, 0});
#include <vector>

#include "base/result.h"
#include "math/mat.h"
#include "mesh/properties.h"

namespace sinew::mesh {

using math::Mat3d;

struct Solid {
  enum class Kind {
    ellipsoid,   // size: radii
    box,         // size: half edges
    cylinder,    // size: radius, half length; axis z
    capsule,     // size: radius, half the distance between the cap centres; axis z
    torus,       // size: major radius, minor radius; axis z
    half_space,  // z <= 0
    unite,
    intersect,
    subtract,  // the first part without the others
  };
  Kind kind = Kind::ellipsoid;
  Vec3d size{1, 1, 1};             // [m]
  Vec3d centre{0, 0, 0};           // [m]; centre and turn are for the simple ones
  Mat3d turn = Mat3d::identity();  // its own axes as columns
  std::vector<Solid> parts = {};
};

constexpr int max_solid_depth = 16;
constexpr int max_solid_items = 1000;

// Sizes, depth and number of items.
Result<void> check_solid(const Solid& solid);

double value(const Solid& solid, const Vec3d& x);  // [m]

// A box around the solid; infinite along an axis where a half space is not cut off; low > high: empty.
Bounds bounds(const Solid& solid);

}  // namespace sinew::mesh
