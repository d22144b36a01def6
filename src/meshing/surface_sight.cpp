// sort_by_sight of meshing/rough_surface.h: which side of a patch is outside, by what is seen from it (after Takayama, Jacobson, Kavan,
// Sorkine-Hornung, A Simple Method for Correcting Facet Orientations in Polygon Meshes Based on Ray Casting, 2014).
#include <cmath>

#include "base/parallel.h"
#include "geometry/bvh.h"
#include "meshing/rough_surface.h"
#include "meshing/triangle_boxes.h"

namespace sinew::meshing {

namespace {

constexpr size_t samples_of_patch = 8;
constexpr int64_t many_patches = 10000;  // of which each is seen in 6 directions, not in 48
constexpr double grazing = 0.1;          // cosine to the normal below which a ray tells nothing
constexpr double near = 1e-9;            // of the extent: what is closer lies in the same place
constexpr double open_share = 0.02;      // of the rays from a side: as many get away where it is outside

// Three directions at right angles to each other, spread over the sphere by k.
std::array<Vec3d, 3> frame_of(int k) {
  const double z = (2 * k + 1) / 16.0, turn = 2.399963 * k + 0.7, r = std::sqrt(1 - z * z);
  const Vec3d a = {r * std::cos(turn), r * std::sin(turn), z};
  const Vec3d b = normalized(cross(a, Vec3d{0.36, 0.48, -0.8}));
  return {a, b, cross(a, b)};
}

struct Sight {
  int32_t rays[2] = {0, 0}, away[2] = {0, 0};  // in front and behind

  bool open(int side) const { return away[side] > open_share * rays[side]; }
  double share(int side) const { return rays[side] > 0 ? double(away[side]) / rays[side] : 0; }
};

// What is seen from the middle of each sample, along the axes of one frame.
class Look {
 public:
  Look(const RoughSurface& surface, const std::vector<int32_t>& kept, int frame)
      : axes_(frame_of(frame)), corners_(kept.size()) {
    const UnitFrame unit = unit_frame(surface.points, all_of(surface, kept));
    std::vector<geometry::Box> boxes(kept.size());
    for (size_t i = 0; i < kept.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const Vec3d x = unit(surface.points[surface.triangles[kept[i]][k]]);
        corners_[i][k] = {dot(axes_[0], x), dot(axes_[1], x), dot(axes_[2], x)};
        boxes[i].add(corners_[i][k]);
      }
    tree_.build(boxes);
  }

  void from(size_t triangle, Sight& sight) const {
    const auto& [a, b, c] = corners_[triangle];
    const Vec3d middle = (a + b + c) / 3, normal = cross(b - a, c - a);
    const double length = norm(normal);
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::abs(normal[axis]) > grazing * length)) continue;
      for (const int way : {-1, 1}) {
        const int side = normal[axis] * way > 0 ? 0 : 1;
        ++sight.rays[side];
        sight.away[side] += gets_away(middle, axis, way);
      }
    }
  }

 private:
  static std::vector<RoughSurface::Triangle> all_of(const RoughSurface& surface,
                                                    const std::vector<int32_t>& kept) {
    std::vector<RoughSurface::Triangle> triangles;
    for (const int32_t t : kept) triangles.push_back(surface.triangles[t]);
    return triangles;
  }

  bool gets_away(const Vec3d& from, int axis, int way) const {
    geometry::Box ray;
    Vec3d end = from;
    end[axis] += 4.0 * way;  // the surface is no longer than 1 along any direction but diagonals
    ray.add(from);
    ray.add(end);
    bool away = true;
    tree_.query(ray, [&](int32_t t) { away = away && !(hit(t, from, axis, way) > near); });
    return away;
  }

  // How far away the triangle is along the ray; negative: it is not met.
  double hit(int32_t t, const Vec3d& from, int axis, int way) const {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double weight[3], sum = 0, depth = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d p = corners_[t][(k + 1) % 3] - from, q = corners_[t][(k + 2) % 3] - from;
      weight[k] = p[u] * q[v] - p[v] * q[u];
      sum += weight[k];
    }
    if (sum == 0) return -1;
    for (int k = 0; k < 3; ++k) {
      if (weight[k] * sum < 0) return -1;
      depth += weight[k] / sum * (corners_[t][k][axis] - from[axis]);
    }
    return depth * way;
  }

  std::array<Vec3d, 3> axes_;
  std::vector<std::array<Vec3d, 3>> corners_;
  geometry::Bvh tree_;
};

// The largest triangles of each patch, as places in `kept`.
std::vector<std::vector<int32_t>> sample_patches(const RoughSurface& surface, const Parts& patches,
                                                 const std::vector<int32_t>& kept) {
  std::vector<std::vector<std::pair<double, int32_t>>> sized(patches.count);
  for (int32_t i = 0; i < static_cast<int32_t>(kept.size()); ++i) {
    const auto [a, b, c] = surface.corners(surface.triangles[kept[i]]);
    sized[patches.of_triangle[kept[i]]].emplace_back(-norm(cross(b - a, c - a)), i);
  }
  std::vector<std::vector<int32_t>> samples(patches.count);
  for (int32_t p = 0; p < patches.count; ++p) {
    const size_t n = std::min(samples_of_patch, sized[p].size());
    std::partial_sort(sized[p].begin(), sized[p].begin() + static_cast<int64_t>(n), sized[p].end());
    for (size_t i = 0; i < n; ++i) samples[p].push_back(sized[p][i].second);
  }
  return samples;
}

}  // namespace

Sighted sort_by_sight(RoughSurface& surface, bool crowded_alone) {
  const Parts patches = parts_of(surface);
  std::vector<int32_t> kept;
  std::vector<char> asked(patches.count, !crowded_alone);
  for (int32_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    kept.push_back(t);
    for (int k = 0; k < 3; ++k)
      if (surface.across[3 * t + k] == RoughSurface::crowded) asked[patches.of_triangle[t]] = 1;
  }
  const auto samples = sample_patches(surface, patches, kept);
  std::vector<Sight> sights(patches.count);
  const int frames = std::count(asked.begin(), asked.end(), 1) > many_patches ? 1 : 8;
  for (int k = 0; k < frames; ++k) {
    const Look look(surface, kept, k);
    for_each_block(patches.count, 16, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p)
        for (const int32_t i : samples[p])
          if (asked[p]) look.from(static_cast<size_t>(i), sights[p]);
    });
  }

  Sighted found;
  std::vector<char> flags(surface.count(), 0);
  for (const int32_t t : kept) {
    const int32_t p = patches.of_triangle[t];
    if (!asked[p]) continue;
    const Sight& sight = sights[p];
    const double front = sight.share(0), back = sight.share(1);
    const bool wall = !sight.open(0) && !sight.open(1);
    const bool fin = sight.open(0) && sight.open(1) && std::min(front, back) > std::max(front, back) / 4;
    if (crowded_alone && (wall || fin)) {
      if (found.left_out == 0) found.at = surface.points[surface.triangles[t][0]];
      ++found.left_out;
      surface.leave_out(t);
    } else if (back > front) {
      flags[t] = 1;
      ++found.turned;
    }
  }
  turn(surface, flags);
  return found;
}

}  // namespace sinew::meshing
