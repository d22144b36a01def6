#pragma once
// The pairs of primitives that a barrier keeps apart (contact/barrier.h), followed along the iterates of a solve: vertices and
// triangles, edges and edges, vertices and colliders. The energy of a pair at the gap d is scale * b(d / thickness); that of
// two edges fades out as they become parallel, where others take over. Pairs of one body that are close to each other at rest have
// less thickness, so that nothing presses there. Against a collider the force begins at the thickness of the scene, 0 by default,
// so that what stands on it stands still: the gap is that to a surface somewhat inside. Sheets keep the thickness of the scene from
// colliders where there is one, with their vertices and with their triangles and edges (contact/collider_features.h).
//
// Two sides of a sheet are told apart by nothing: distances have no sign, and no way passes through it.
//
//     pairs.begin(inputs, dt);
//     const double share = pairs.clear_way(x, x_end);       // how far x may go; list() has what can come near up to there
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "contact/collider.h"
#include "contact/collider_features.h"
#include "contact/contact_set.h"
#include "contact/moving_surface.h"
#include "contact/separation.h"
#include "contact/stiffness.h"

namespace sinew::contact {

struct BarrierPair {
  std::array<int32_t, 4> node = {-1, -1, -1, -1};  // points, as those of a Pair
  int32_t collider = -1, wall = 0;                 // as those of a Pair
  bool edges = false;
  int32_t borders = 0;  // of a sheet, where it meets a corner or an edge of a collider (contact/surface.h)
  std::array<int32_t, 2> body = {-1, -1};
  double thickness = 0;  // [m]
  double inset = 0;      // of a collider: how far inside it the surface is that the gap is measured to [m]
  double scale = 0;      // [J]
  double parallel = 0;   // of edges: spanned area squared below which the energy fades out [m^4]

  int count() const {  // of points
    return node[1] < 0 ? 1 : node[2] < 0 ? 2 : node[3] < 0 ? 3 : 4;
  }
  bool has_feature() const { return collider >= 0 && node[1] >= 0; }  // of the collider
  int32_t feature() const { return -2 - node[count()]; }
  bool operator==(const BarrierPair&) const = default;
};

class BarrierPairs {
 public:
  explicit BarrierPairs(const model::Model& model);
  BarrierPairs(const BarrierPairs&) = delete;  // its parts refer to each other
  BarrierPairs& operator=(const BarrierPairs&) = delete;

  // An increment to these inputs. dt: 0 in quasistatics.
  void begin(std::span<const double> inputs, double dt);
  // The share of the straight way from x to `end`, at most 1, on which no surfaces meet, some of the gap at x kept. Finds
  // the pairs that come within their thickness on it.
  double clear_way(std::span<const Vec3d> x, std::span<const Vec3d> end);
  // The same with colliders, for the pairs of the last call: how far vertices may go to keep some of the thickness.
  double clear_of_colliders(std::span<const Vec3d> x, std::span<const Vec3d> end) const;
  // Puts vertices of sheets that go from x into a collider, in pairs of the last call of clear_way(), to where some of their gap
  // is left. A sheet gives way across itself, where it is soft. False: there were none.
  bool leave_colliders(std::span<const Vec3d> x, std::span<Vec3d> end) const;
  std::span<const BarrierPair> list() const { return pairs_; }

  // The gap of a pair at x, as its distance, with its normal and weights; of a collider, with the sign.
  Separation separation(const BarrierPair& pair, std::span<const Vec3d> x,
                        std::span<const double> inputs) const;
  // The pairs within their thickness at x, made linear there: of the same force and stiffness along the normal.
  void linear(std::span<const Vec3d> x, std::span<const double> inputs, std::vector<Pair>& out) const;

  // Of two primitives, those of a collider where `inputs` put it.
  Corners corners(const BarrierPair& pair, std::span<const Vec3d> x, std::span<const double> inputs) const;
  // In clear_way() since the last call; for reports only.
  double take_seconds() { return std::exchange(seconds_, 0.0); }
  const model::Model& model() const { return model_; }
  const Surface& surface() const { return surface_; }

 private:
  struct Found {
    std::vector<BarrierPair> pairs;
    double touch =
        std::numeric_limits<double>::infinity();  // where the first two meet, as a share of the way

    void clear() {
      pairs.clear();
      touch = std::numeric_limits<double>::infinity();
    }
  };
  struct Task {
    int32_t a = 0, b = 0;  // bodies, or a body and a collider
    enum class Kind { vertices, edges, collider, collider_corners, collider_edges } kind = Kind::vertices;
    model::Range range;
  };
  struct Way;  // from where to where the nodes of a task go
  double find(const Way& world, const Way& own, std::vector<BarrierPair>& pairs);
  double take_found(int64_t count, std::vector<BarrierPair>& pairs) const;
  double moved(std::span<const Vec3d> from, std::span<const Vec3d> to) const;
  double clear_of_listed(std::span<const Vec3d> x, std::span<const Vec3d> end);
  void list(std::span<const Vec3d> x);
  double clear_of_bodies(std::span<const Vec3d> x, std::span<const Vec3d> end);
  double first_part(std::span<const Vec3d> x, std::span<const Vec3d> end) const;
  void plan_bodies();
  void plan_colliders(std::span<const Vec3d> x, std::span<const Vec3d> end);
  void split(int32_t a, int32_t b, Task::Kind kind);
  void vertices(const Task& task, const Way& way, Found& found) const;
  void edges(const Task& task, const Way& way, Found& found) const;
  void collider(const Task& task, const Way& way, Found& found) const;
  void features(const Task& task, const Way& way, Found& found) const;
  void add_feature(const BarrierPair& pair, const Way& way, Found& found) const;
  void add(const BarrierPair& pair, const Way& way, Found& found) const;
  bool left_out(const BarrierPair& pair) const;
  void measure_from_collider(BarrierPair& pair) const;
  double scale(const BarrierPair& pair) const;
  double rest_distance(const BarrierPair& pair) const;

  const model::Model& model_;
  Surface surface_;
  ColliderShapes colliders_;
  std::vector<ColliderFeatures> features_;  // of each collider; none in a model without sheets
  std::vector<char> held_;                  // of each point: frames hold it completely
  std::vector<double> edge_;                // of each body: its mean surface edge [m]
  ContactStiffness stiffness_;
  MovingSurface moving_;  // in the world
  MovingSurface own_;     // in a frame that moves with each body
  std::vector<double> inputs_;
  double dt_ = 0, seconds_ = 0;
  double margin_;                    // of the list [m]
  std::vector<BarrierPair> listed_;  // what is close, with the thickness of the scene
  std::vector<Vec3d> listed_at_;     // the points then
  std::vector<BarrierPair> pairs_;
  // Kept between calls for their memory.
  std::vector<Vec3d> from_, to_;  // of points
  std::vector<Vec3d> end_own_;
  std::array<std::vector<Vec3d>, 4>
      part_;  // where a part of the way begins and ends, in the world and within the bodies
  std::vector<Task> tasks_;
  std::vector<Found> found_;
};

}  // namespace sinew::contact
