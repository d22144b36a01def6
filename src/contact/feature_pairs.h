#pragma once
// Pairs of the triangles and edges of sheets with the corners and edges of colliders (contact/collider_features.h): what is within
// reach at the end of a motion, or was passed in it. Which side is the free one is told by the collider, which has an inside; of what was
// passed it is that on which the sheet was at the start. The path is straight in the frame of the moving collider.
//
//     feature_pairs.find(motion, moving_surface, pairs);    // appends
#include <vector>

#include "contact/collider.h"
#include "contact/collider_features.h"
#include "contact/contact_set.h"
#include "contact/motion.h"
#include "contact/moving_surface.h"
#include "contact/stiffness.h"

namespace sinew::contact {

class FeaturePairs {
 public:
  FeaturePairs(const model::Model& model, const Surface& surface, const ColliderShapes& shapes,
               const ContactStiffness& stiffness, const std::vector<char>& held);
  void find(const Motion& motion, const MovingSurface& moving, std::vector<Pair>& pairs);

 private:
  // One collider in one motion.
  struct Moving {
    int32_t collider;
    Motion motion;
    model::Pose from_start;         // takes a point that moved with the collider from x0's place to x1's
    model::Pose to_local, to_rest;  // from the world at x1 to the shape's frame and to the world at rest
  };
  struct Task {
    int32_t moving, body;
    bool edges;
    model::Range range;
  };
  // A triangle or an edge of a sheet and a feature, where the collider is at the end of the motion.
  struct Near {
    const Moving& moving;
    int32_t body, primitive, feature;
    bool edges;
    int32_t borders;
    std::array<int32_t, 4> node;
    double moved, edge;  // what they moved against each other at most, the mean edge around [m]
    Corners x0, x1;
  };
  Moving follow(int32_t collider, const Motion& motion) const;
  void look_at(const Moving& moving, const Task& task, int32_t primitive, std::vector<Pair>& pairs) const;
  bool passed(const Near& near, std::vector<Pair>& pairs) const;
  void within_reach(const Near& near, std::vector<Pair>& pairs) const;
  bool closest_of_sheet(const Near& near, const Separation& at) const;
  void add(const Near& near, const std::array<double, 4>& weight, const Vec3d& normal,
           std::vector<Pair>& pairs) const;

  const model::Model& model_;
  const Surface& surface_;
  const ColliderShapes& shapes_;
  const ContactStiffness& stiffness_;
  const std::vector<char>& held_;
  std::vector<ColliderFeatures> features_;  // of each collider; none in a model without sheets
  std::vector<double> longest_edge_;        // of each body [m]
  std::vector<Task> tasks_;
  std::vector<std::vector<Pair>> found_;
};

}  // namespace sinew::contact
