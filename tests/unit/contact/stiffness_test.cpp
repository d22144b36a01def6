#include "contact/stiffness.h"

#include <gtest/gtest.h>

#include "unit/plates.h"

namespace sinew::contact {
namespace {

// A membrane resists by E t, however that is told apart; cloth is often given a thickness in name only.
TEST(ContactStiffness, ABarrierOfASheetDependsOnItsTensionAndOnTheThicknessOfTheContact) {
  for (const double t : {1e-6, 1e-3, 0.02}) {
    const model::Model model = sample::plate({.jitter = 0, .thickness = t, .young = 500 / t});
    const Surface surface(model);
    const ContactStiffness stiffness(model, surface);
    for (const double h : {1e-4, 5e-3}) {
      EXPECT_NEAR(stiffness.barrier_force({7, -1, -1, -1}, false, h, 0), 500 * h, 1e-9 * h) << t;
      EXPECT_NEAR(stiffness.barrier_force({7, 0, 1, 2}, false, h, 0), 0.3 * 500 * h, 1e-9 * h) << t;
    }
    // Not beyond what the sheet answers to a pull at an edge.
    EXPECT_NEAR(stiffness.barrier_force({7, -1, -1, -1}, false, 10, 0),
                500 * std::sqrt(surface.area[surface.vertex_of_point[7]]), 1e-6);
  }
}

}  // namespace
}  // namespace sinew::contact
