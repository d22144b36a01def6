#include "base/control.h"

#include <gtest/gtest.h>
#include <thread>

namespace sinew {
namespace {

TEST(Control, WithNothingSetDoesNothing) {
  const Control control;
  EXPECT_FALSE(control.cancelled());
  control.residual(0.5);
}

TEST(Control, IsCancelledFromAnotherThread) {
  Cancel cancel;
  const Control control{.cancel = &cancel, .on_residual = {}};
  EXPECT_FALSE(control.cancelled());
  std::thread([&] { cancel.request(); }).join();
  EXPECT_TRUE(control.cancelled());
}

TEST(Control, PassesResidualsOn) {
  double heard = 0;
  const Control control{.cancel = nullptr, .on_residual = [&](double r) { heard = r; }};
  control.residual(0.25);
  EXPECT_EQ(heard, 0.25);
}

}  // namespace
}  // namespace sinew
