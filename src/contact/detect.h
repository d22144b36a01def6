#pragma once
// Finds where surfaces touch or are about to. Vertices against triangles and edges against edges, of different bodies and
// of one, and vertices against colliders; not what shares a node, and not what overlaps at rest (ContactPlan::ignored).
//
// A pair enters the set where the gap at x1 is within reach, or where the two cross on the way from x0 to x1. One that does
// not cross is made linear at x1: n from the closest point of b to that of a, or the outward normal of b where a vertex
// lies inside another body. One that crosses is made linear at the moment of touching, n towards the side that a was on.
// A vertex meets the other surface where its distance to it has a local minimum, and two edges only where their closest
// points lie inside both and neither is flat or concave: elsewhere vertices do. What meets a sheet, which has no inside, stays on the
// side on which it was at x0.
//
//     Detector detector(model);
//     detector.find({x_n, inputs_n, x, inputs, dt}, set);
#include <span>
#include <vector>

#include "contact/collider_pairs.h"
#include "contact/contact_set.h"
#include "contact/motion.h"
#include "contact/moving_surface.h"
#include "contact/narrow.h"
#include "contact/stiffness.h"
#include "contact/surface.h"

namespace sinew::contact {

class Detector {
 public:
  explicit Detector(const model::Model& model);
  Detector(const Detector&) = delete;  // its parts refer to each other
  Detector& operator=(const Detector&) = delete;

  // Replaces the pairs of the set: those within reach at the end of the motion or crossing in it, sorted by key, with
  // stiffness, friction and `start` set, `slip` and `load` zero.
  void find(const Motion& motion, ContactSet& set);
  // Only pairs of bodies that cross in the motion and do not cross at x0 already, sorted by key, made linear at the moment
  // of touching.
  void crossings(const Motion& motion, std::vector<Pair>& found);
  // Only pairs of sliding tissue.
  void sliding(const Motion& motion, std::vector<Pair>& found);
  // Only pairs with colliders, as find() has them.
  void near_colliders(const Motion& motion, std::vector<Pair>& found);

  const Surface& surface() const { return surface_; }
  const ColliderShapes& colliders() const { return colliders_; }

 private:
  // A block of the vertices or edges of body a, against body b.
  struct Task {
    int32_t a = 0, b = 0;
    bool edges = false;
    model::Range range;
    int64_t where = 0;  // where the vertices of a begin in where_
  };
  Motion of_points(const Motion& motion);
  void plan(const Motion& motion, bool nearby);
  double reach(int32_t body) const;
  void run(bool nearby);
  void look_inside();
  void look_inside(const Task& task, std::vector<Pair>& pairs);
  void gather(std::vector<Pair>& pairs);
  void add_sliding(std::vector<Pair>& pairs) const;

  const model::Model& model_;
  Surface surface_;
  ColliderShapes colliders_;
  std::vector<char> held_;  // of each point: frames hold it completely
  ContactStiffness stiffness_;
  MovingSurface moving_;
  Narrow narrow_;
  ColliderPairs collider_pairs_;
  std::vector<double> longest_edge_,
      thickness_;  // of each body: mean edge at a vertex at rest, thickest rule [m]
  // Kept between calls for their memory.
  std::vector<Vec3d> points0_, points1_;
  std::vector<Task> tasks_;
  std::vector<Found> found_;          // of each task
  std::vector<Narrow::Where> where_;  // of each vertex of a against b, pair of bodies after pair
  std::vector<Pair> crossing_;
};

// An overlap of bodies at x, for messages: vertices inside another body and edges through triangles. Only bodies
// that are to meet by ContactPlan::rules are looked at, a body against itself by its edges alone.
struct Overlap {
  int32_t a = 0, b = 0;     // bodies, a <= b
  int64_t count = 0;        // vertices inside and edges through
  double depth = 0;         // of the deepest vertex [m]
  Vec3d where = {0, 0, 0};  // that vertex, or a point where an edge passes if none is inside
  std::vector<std::array<int32_t, 2>> ignored;  // the (point, body) pairs to leave out, ascending
};
std::vector<Overlap> find_overlaps(const model::Model& model, const Surface& surface,
                                   std::span<const Vec3d> x);

}  // namespace sinew::contact
