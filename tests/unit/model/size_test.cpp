#include "model/size.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "unit/plates.h"

namespace sinew::model {
namespace {

// A grid of 4 x 3 squares has 20 corners; one unknown for each of its 43 edges is hidden.
TEST(Size, HiddenNodesDoNotCount) {
  const Model plate = sample::plate();
  EXPECT_EQ(plate.X.size(), 20u + 43u);
  EXPECT_EQ(size_text(size_of(plate)), "20 nodes, 24 triangles");
}

TEST(Size, BothKindsOfBodies) {
  Model model;
  add_body(model, "block", element::default_kind(),
           *mesh::make_box({.cells = {10, 10, 10}, .split = mesh::Split::six}));
  EXPECT_EQ(size_text(size_of(model)), "1,331 nodes, 6,000 tets");
  sample::add_plate(model, sample::plate_mesh({}), {});
  EXPECT_EQ(size_text(size_of(model)), "1,351 nodes, 6,000 tets and 24 triangles");
  EXPECT_EQ(elements_text(size_of(model.bodies[0])), "6,000 tets");
  EXPECT_EQ(elements_text(size_of(model.bodies[1])), "24 triangles");
}

}  // namespace
}  // namespace sinew::model
