#include "mesh/solid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "mesh/request.h"

namespace sinew::mesh {
namespace {

using Kind = Solid::Kind;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_operation(Kind kind) {
  return kind == Kind::unite || kind == Kind::intersect || kind == Kind::subtract;
}

// How many sizes count, and how they are called.
struct Sizes {
  const char* shape;
  int count;
  const char* names[3];
};
Sizes sizes_of(Kind kind) {
  switch (kind) {
    case Kind::ellipsoid:
      return {"ellipsoid", 3, {"radius x", "radius y", "radius z"}};
    case Kind::box:
      return {"box", 3, {"half size x", "half size y", "half size z"}};
    case Kind::cylinder:
      return {"cylinder", 2, {"radius", "half length"}};
    case Kind::capsule:
      return {"capsule", 2, {"radius", "half length"}};
    case Kind::torus:
      return {"torus", 2, {"major", "minor"}};
    default:
      return {"half space", 0, {}};
  }
}

Result<void> check_simple(const Solid& solid) {
  const Sizes sizes = sizes_of(solid.kind);
  for (int k = 0; k < sizes.count; ++k)
    if (auto ok = check_length(sizes.shape, sizes.names[k], solid.size[k]); !ok) return ok;
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(solid.centre[k] + norm(solid.turn.col(k))))
      return usage_error(fmt::format("{}: centre or rotation is not finite", sizes.shape));
  if (solid.kind == Kind::torus) return check_below("torus", "minor", solid.size[1], "major", solid.size[0]);
  return {};
}

Result<void> check_tree(const Solid& solid, int depth, int& items) {
  if (++items > max_solid_items)
    return usage_error(fmt::format("the solid has more than {} items", max_solid_items));
  if (!is_operation(solid.kind)) return check_simple(solid);
  if (depth > max_solid_depth)
    return usage_error(fmt::format("set operations are nested more than {} deep", max_solid_depth));
  if (solid.parts.empty())
    return usage_error("found a set operation on nothing, expected at least one solid");
  for (const Solid& part : solid.parts)
    if (auto ok = check_tree(part, depth + 1, items); !ok) return ok;
  return {};
}

// Distance to a rectangle |p| <= h in two dimensions, negative inside.
double outside(double dx, double dy) {
  return std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0);
}

// In the axes of the solid.
double simple_value(const Solid& solid, const Vec3d& p) {
  const Vec3d& s = solid.size;
  switch (solid.kind) {
    case Kind::ellipsoid:
      return (norm(Vec3d{p[0] / s[0], p[1] / s[1], p[2] / s[2]}) - 1) * std::min({s[0], s[1], s[2]});
    case Kind::box: {
      Vec3d over;
      for (int k = 0; k < 3; ++k) over[k] = std::abs(p[k]) - s[k];
      const double worst = std::max({over[0], over[1], over[2]});
      for (int k = 0; k < 3; ++k) over[k] = std::max(over[k], 0.0);
      return norm(over) + std::min(worst, 0.0);
    }
    case Kind::cylinder:
      return outside(std::hypot(p[0], p[1]) - s[0], std::abs(p[2]) - s[1]);
    case Kind::capsule:
      return norm(Vec3d{p[0], p[1], p[2] - std::clamp(p[2], -s[1], s[1])}) - s[0];
    case Kind::torus:
      return std::hypot(std::hypot(p[0], p[1]) - s[0], p[2]) - s[1];
    default:
      return p[2];
  }
}

// Half the extent along the solid's own axes.
Vec3d half_extent(const Solid& solid) {
  const Vec3d& s = solid.size;
  switch (solid.kind) {
    case Kind::cylinder:
      return {s[0], s[0], s[1]};
    case Kind::capsule:
      return {s[0], s[0], s[0] + s[1]};
    case Kind::torus:
      return {s[0] + s[1], s[0] + s[1], s[1]};
    default:
      return s;
  }
}

Bounds simple_bounds(const Solid& solid) {
  Bounds b{Vec3d::filled(-infinity), Vec3d::filled(infinity)};
  if (solid.kind == Kind::half_space) {
    const Vec3d& normal = solid.turn.col(2);
    for (int k = 0; k < 3; ++k) {
      if (normal[k] == 1) b.high[k] = solid.centre[k];
      if (normal[k] == -1) b.low[k] = solid.centre[k];
    }
    return b;
  }
  const Vec3d half = half_extent(solid);
  for (int k = 0; k < 3; ++k) {
    double reach = 0;
    if (solid.kind == Kind::ellipsoid)
      reach = norm(Vec3d{solid.turn(k, 0) * half[0], solid.turn(k, 1) * half[1], solid.turn(k, 2) * half[2]});
    else
      for (int j = 0; j < 3; ++j) reach += std::abs(solid.turn(k, j)) * half[j];
    b.low[k] = solid.centre[k] - reach;
    b.high[k] = solid.centre[k] + reach;
  }
  return b;
}

bool is_empty(const Bounds& b) {
  return b.low[0] > b.high[0] || b.low[1] > b.high[1] || b.low[2] > b.high[2];
}

}  // namespace

Result<void> check_solid(const Solid& solid) {
  int items = 0;
  return check_tree(solid, 1, items);
}

double value(const Solid& solid, const Vec3d& x) {
  if (!is_operation(solid.kind)) {
    const Vec3d d = x - solid.centre;
    return simple_value(solid,
                        {dot(solid.turn.col(0), d), dot(solid.turn.col(1), d), dot(solid.turn.col(2), d)});
  }
  double f = value(solid.parts[0], x);
  for (size_t i = 1; i < solid.parts.size(); ++i) {
    const double g = value(solid.parts[i], x);
    f = solid.kind == Kind::unite ? std::min(f, g) : std::max(f, solid.kind == Kind::intersect ? g : -g);
  }
  return f;
}

Bounds bounds(const Solid& solid) {
  if (!is_operation(solid.kind)) return simple_bounds(solid);
  Bounds b = bounds(solid.parts[0]);
  if (solid.kind == Kind::subtract) return b;
  for (size_t i = 1; i < solid.parts.size(); ++i) {
    const Bounds other = bounds(solid.parts[i]);
    if (solid.kind == Kind::unite && is_empty(other)) continue;
    if (solid.kind == Kind::unite && is_empty(b)) {
      b = other;
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const bool grow = solid.kind == Kind::unite;
      b.low[k] = grow ? std::min(b.low[k], other.low[k]) : std::max(b.low[k], other.low[k]);
      b.high[k] = grow ? std::max(b.high[k], other.high[k]) : std::min(b.high[k], other.high[k]);
    }
  }
  return b;
}

}  // namespace sinew::mesh
