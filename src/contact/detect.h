#pragma once
// Finds where surfaces touch or are about to. Vertices against triangles and edges against edges, of different bodies and
// of one, and vertices against colliders; not what shares a node, and not what overlaps at rest (ContactPlan::ignored).
//
// A pair enters the set where the gap at x1 is within reach, or where the two cross on the way from x0 to x1. One that does
// not cross is made linear at x1: n from the closest point of b to that of a, or the outward normal of b where a vertex
// lies inside another body. One that crosses is made linear at the moment of touching, n towards the side that a was on.
// A vertex meets each feature (face, edge, corner) of the other surface once, and two edges only where their closest
// points lie inside both and neither is flat or concave: elsewhere vertices do.
//
//     Detector detector(model);
//     detector.find({x_n, inputs_n, x, inputs, dt}, set);
#include <span>
#include <vector>

#include "contact/bvh.h"
#include "contact/collider.h"
#include "contact/contact_set.h"
#include "contact/surface.h"

namespace sinew::contact {

struct Motion {
  std::span<const Vec3d> x0;  // [m]
  std::span<const double> inputs0;
  std::span<const Vec3d> x1;
  std::span<const double> inputs1;
  double dt = 0;  // [s]; 0: quasistatic
};

class Detector {
 public:
  explicit Detector(const model::Model& model);

  // Replaces the pairs of the set: those within reach at the end of the motion or crossing in it, sorted by key, with
  // stiffness, friction and `start` set, `slip` and `load` zero.
  void find(const Motion& motion, ContactSet& set);
  // Only pairs of bodies that cross in the motion and do not cross at x0 already, sorted by key, made linear at the moment
  // of touching.
  void crossings(const Motion& motion, std::vector<Pair>& found);

  const Surface& surface() const { return surface_; }
  const ColliderShapes& colliders() const { return colliders_; }

 private:
  const model::Model& model_;
  Surface surface_;
  ColliderShapes colliders_;
};

// Which bodies overlap at x, for telling the user: vertices inside another body and edges through its triangles.
struct Overlap {
  int32_t a = 0, b = 0;                         // bodies, a <= b
  int64_t count = 0;                            // vertices inside and edges through
  double depth = 0;                             // of the deepest vertex [m]
  Vec3d where;                                  // that vertex
  std::vector<std::array<int32_t, 2>> ignored;  // the (node, body) pairs to leave out, ascending
};
std::vector<Overlap> find_overlaps(const model::Model& model, const Surface& surface,
                                   std::span<const Vec3d> x);

}  // namespace sinew::contact
