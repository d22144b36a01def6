#pragma once
// The narrow phase: tests of single primitives in a motion, which make a Pair of a vertex and a surface, or of two edges. All are
// const and may run at the same time; the boxes of the MovingSurface must be those of the motion.
//
//     Found found;
//     narrow.begin(motion);
//     narrow.vertex(v, body, found);
#include <span>
#include <vector>

#include "contact/contact_set.h"
#include "contact/motion.h"
#include "contact/moving_surface.h"
#include "contact/stiffness.h"
#include "geometry/closest.h"

namespace sinew::contact {

using geometry::closest_on_edges;
using geometry::closest_on_triangle;
using geometry::OnEdges;
using geometry::OnTriangle;

struct Found {
  struct Candidate {
    int32_t triangle;
    OnTriangle on;
  };
  std::vector<Pair> near;             // within reach at x1
  std::vector<Pair> crossing;         // in the motion
  std::vector<Candidate> candidates;  // workspace

  void clear() {
    near.clear();
    crossing.clear();
  }
};

class Narrow {
 public:
  Narrow(const model::Model& model, const Surface& surface, const MovingSurface& moving,
         const ContactStiffness& stiffness, const std::vector<char>& held)
      : model_(model), surface_(surface), moving_(moving), stiffness_(stiffness), held_(held) {}
  void begin(const Motion& motion) { motion_ = motion; }
  const Motion& motion() const { return motion_; }

  // How far around a vertex (or an edge) of one body the surface of another is looked for [m].
  double vertex_radius(int32_t vertex, int32_t body) const;
  double edge_radius(int32_t edge, int32_t body) const;
  // Pairs of a vertex with a body (perhaps its own), crossings if the plan says so, and where the surface of the body is:
  // near, farther than the radius, or so far that the vertex is outside even of the body's box.
  enum class Where : char { beyond, near, far };
  Where vertex(int32_t vertex, int32_t body, Found& found) const;
  void edge(int32_t edge, int32_t body, Found& found) const;
  // Only the crossings.
  void vertex_crossings(int32_t vertex, int32_t body, Found& found) const;
  void edge_crossings(int32_t edge, int32_t body, Found& found) const;

  // Closest point of a body to p, with the sign of the distance: negative inside. x: positions that the boxes hold.
  struct Closest {
    int32_t triangle = -1;  // -1: the body has no surface
    OnTriangle on;
    Vec3d to;             // from the surface to p [m]
    Vec3d normal;         // outward there
    double distance = 0;  // [m]
  };
  Closest closest(const Vec3d& p, int32_t body, std::span<const Vec3d> x) const;
  // The pair of a vertex inside a body.
  void inside(int32_t vertex, const Closest& closest, std::vector<Pair>& pairs) const;
  // With weights, bodies and `start` set, but no response.
  Pair vertex_pair(int32_t node, int32_t triangle, const Vec3d& weight) const;

 private:
  bool is_sheet(int32_t body) const { return !surface_.solid[body]; }
  bool turned_over(const Pair& pair) const;
  Vec3d side_of_start(const Pair& pair, const Vec3d& n) const;
  void near_features(int32_t vertex, int32_t body, double radius, Found& found) const;
  bool lowest_around(const Vec3d& p, const Found::Candidate& candidate) const;
  void near_edges(int32_t a, int32_t b, const OnEdges& on, std::vector<Pair>& pairs) const;
  void near_edges_of_sheets(int32_t a, int32_t b, Pair& pair, const Vec3d& d, std::vector<Pair>& pairs) const;
  void touch(int32_t vertex, int32_t triangle, const Vec3d& axis, std::vector<Pair>& pairs) const {
    if (is_sheet(surface_.triangle_body[triangle]))
      touch_sheet(vertex, triangle, axis, pairs);
    else
      touch_solid(vertex, triangle, axis, pairs);
  }
  void touch_edges(int32_t a, int32_t b, const Vec3d& axis, std::vector<Pair>& pairs) const {
    if (is_sheet(surface_.edge_body[a]) || is_sheet(surface_.edge_body[b]))
      touch_edges_of_sheets(a, b, axis, pairs);
    else
      touch_edges_of_solids(a, b, axis, pairs);
  }
  void touch_solid(int32_t vertex, int32_t triangle, const Vec3d& axis, std::vector<Pair>& pairs) const;
  void touch_sheet(int32_t vertex, int32_t triangle, const Vec3d& axis, std::vector<Pair>& pairs) const;
  void touch_edges_of_solids(int32_t a, int32_t b, const Vec3d& axis, std::vector<Pair>& pairs) const;
  void touch_edges_of_sheets(int32_t a, int32_t b, const Vec3d& axis, std::vector<Pair>& pairs) const;
  bool edges_penetrate(int32_t a, int32_t b, std::span<const Vec3d> x) const;
  bool inside(int32_t node, int32_t body, std::span<const Vec3d> x) const;
  Pair edge_pair(int32_t a, int32_t b, double s, double t) const;
  bool skipped(const Pair& pair) const;
  double reach(const Pair& pair, const Vec3d& d1) const;
  double local_edge(const Pair& pair, bool side_b) const;
  double rest_distance(const Pair& pair) const;
  Vec3d offset(const Pair& pair, std::span<const Vec3d> x) const;
  void finish(Pair& pair, const Vec3d& normal) const;

  const model::Model& model_;
  const Surface& surface_;
  const MovingSurface& moving_;
  const ContactStiffness& stiffness_;
  const std::vector<char>& held_;
  Motion motion_;
};

// An edge passes through a triangle, both ends farther from its plane than `tolerance` [m].
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c,
             double tolerance);

}  // namespace sinew::contact
