#pragma once
// Pairs of vertices and colliders: where a vertex is within reach of the surface at the end of a motion, or has passed
// through it. The path is straight in the frame of the moving collider. A vertex in the corner of a hollow box or cylinder
// meets each wall that is within reach. Sheets also have the pairs of contact/feature_pairs.h.
//
//     collider_pairs.find(motion, moving_surface, pairs);    // appends
#include <vector>

#include "contact/collider.h"
#include "contact/contact_set.h"
#include "contact/feature_pairs.h"
#include "contact/motion.h"
#include "contact/moving_surface.h"
#include "contact/stiffness.h"
#include "geometry/bvh.h"

namespace sinew::contact {

using geometry::Bvh;

class ColliderPairs {
 public:
  ColliderPairs(const model::Model& model, const Surface& surface, const ColliderShapes& shapes,
                const ContactStiffness& stiffness, const std::vector<char>& held);
  void find(const Motion& motion, const MovingSurface& moving, std::vector<Pair>& pairs);

 private:
  // One collider in one motion.
  struct Moving {
    int32_t collider;
    Motion motion;
    model::Pose from_start;  // takes a point that moved with the collider from x0's place to x1's
    model::Pose from_local, to_local,
        to_rest;  // between the collider's own frame, the world at x1 and the world at rest
  };
  struct Task {
    int32_t moving, body;
    model::Range range;
    Box around;
  };
  Moving follow(int32_t collider, const Motion& motion) const;
  void vertex(const Moving& moving, int32_t vertex, std::vector<Pair>& pairs) const;
  bool entry(const Moving& moving, const Vec3d& from, const Vec3d& to, double edge, Nearest& nearest) const;
  bool mesh_entry(const Moving& moving, const Vec3d& from, const Vec3d& to, Nearest& nearest) const;

  const model::Model& model_;
  const Surface& surface_;
  const ColliderShapes& shapes_;
  const ContactStiffness& stiffness_;
  const std::vector<char>& held_;
  FeaturePairs features_;
  std::vector<double> longest_edge_;  // of each body [m]
  std::vector<Bvh> mesh_;             // of each collider, in its own frame; empty: not a mesh
  std::vector<Task> tasks_;
  std::vector<std::vector<Pair>> found_;
};

}  // namespace sinew::contact
