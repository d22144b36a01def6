#include "contact/surface.h"

#include <cmath>
#include <numeric>

#include "unit/contact/contact_sample.h"

namespace sinew::contact {
namespace {

model::Model two_boxes() {
  model::Model model;
  sample::add_box(model, {1, 2, 3}, {2, 3, 4}, {0, 0, 0});
  sample::add_box(model, {1, 1, 1}, {2, 2, 2}, {5, 0, 0});
  return model;
}

TEST(Surface, CountsAndAreas) {
  const model::Model model = two_boxes();
  const Surface surface(model);
  ASSERT_EQ(surface.parts.size(), 2u);
  for (const Surface::Part& part : surface.parts) {
    EXPECT_EQ(part.vertices.size() - part.edges.size() + part.triangles.size(), 2);  // Euler
    EXPECT_EQ(2 * part.edges.size(), 3 * part.triangles.size());
  }
  const auto area = [&](const Surface::Part& part) {
    return std::accumulate(surface.area.begin() + part.vertices.begin,
                           surface.area.begin() + part.vertices.end, 0.0);
  };
  EXPECT_NEAR(area(surface.parts[0]), 22, 1e-12);
  EXPECT_NEAR(area(surface.parts[1]), 6, 1e-12);
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    EXPECT_EQ(surface.vertex_of_point[surface.vertices[v]], static_cast<int32_t>(v));
    EXPECT_EQ(surface.vertex_body[v], model.body_of_node(surface.vertices[v]));
  }
  for (size_t e = 0; e < surface.edges.size(); ++e) {
    EXPECT_LT(surface.edges[e][0], surface.edges[e][1]);
    if (e > 0) {
      EXPECT_LT(surface.edges[e - 1], surface.edges[e]);
    }
    EXPECT_EQ(surface.edge_between(surface.edges[e][1], surface.edges[e][0]), static_cast<int32_t>(e));
    EXPECT_LT(surface.edge_triangles[e][0], surface.edge_triangles[e][1]);
  }
  EXPECT_EQ(surface.vertex_of_point[1 + 3 * (1 + 4 * 1)], -1);  // inside the first box
  EXPECT_EQ(surface.edge_between(0, 1 + 3 * 2), -1);
}

TEST(Surface, NormalsOfABox) {
  const model::Model model = two_boxes();
  const Surface surface(model);
  for (size_t t = 0; t < surface.triangles.size(); ++t)
    for (int32_t feature : {1, 2, 3, 4, 5, 6, 7}) {
      // The sum of the normals of all sides that the feature lies on, whatever the triangles.
      const model::Body& body = model.bodies[surface.triangle_body[t]];
      Vec3d expected = {0, 0, 0};
      for (int axis = 0; axis < 3; ++axis)
        for (double sign : {-1.0, 1.0}) {
          double side = -INFINITY;
          for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i)
            side = std::max(side, sign * model.X[i][axis]);
          bool on = true;
          for (int k = 0; k < 3; ++k)
            if (feature >> k & 1) on = on && sign * model.X[surface.triangles[t][k]][axis] > side - 1e-9;
          if (on) expected += Vec3d::unit(axis) * sign;
        }
      EXPECT_NEAR(norm(surface.normal(static_cast<int32_t>(t), feature, model.X) - normalized(expected)), 0,
                  1e-12);
    }
}

}  // namespace
}  // namespace sinew::contact
