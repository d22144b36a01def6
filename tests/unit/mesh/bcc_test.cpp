#include "mesh/bcc.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

namespace sinew::mesh {
namespace {

class BccTest : public testing::Test {
 protected:
  const Bcc lattice_{{1, 2, 3}, 0.5, {6, 7, 8}};
  const int64_t corner_ = 2 * (3 + 3 * lattice_.stride(1) + 4 * lattice_.stride(2));
  std::vector<int8_t> sign_ = std::vector<int8_t>(lattice_.point_count(), 1);

  math::Vec3d step(int64_t point, int slot) const {
    return lattice_.position(lattice_.neighbour(point, slot)) - lattice_.position(point);
  }
};

TEST_F(BccTest, PointsAreCornersAndCentres) {
  EXPECT_LT(norm(lattice_.position(corner_) - math::Vec3d{2.5, 3.5, 5}), 1e-15);
  EXPECT_LT(norm(lattice_.position(corner_ + 1) - math::Vec3d{2.75, 3.75, 5.25}), 1e-15);
}

TEST_F(BccTest, NeighboursAreAtTheTwoShortestDistances) {
  for (int64_t point : {corner_, corner_ + 1}) {
    std::set<int64_t> all;
    for (int slot = 0; slot < Bcc::slots; ++slot) {
      const int64_t other = lattice_.neighbour(point, slot);
      all.insert(other);
      EXPECT_NEAR(norm(step(point, slot)), lattice_.length(slot), 1e-15);
      EXPECT_EQ(lattice_.neighbour(other, Bcc::opposite(slot)), point);
      EXPECT_EQ(lattice_.slot_between(point, other), slot);
    }
    EXPECT_EQ(all.size(), 14u);
  }
}

TEST_F(BccTest, FacesAcrossMakeASphereOfTheLatticesTets) {
  for (int64_t point : {corner_, corner_ + 1}) {
    std::map<std::pair<int, int>, int> edges;
    for (const auto& face : Bcc::link(point)) {
      const math::Vec3d a = step(point, face[0]), b = step(point, face[1]), c = step(point, face[2]);
      EXPECT_NEAR(std::abs(dot(cross(a, b), c)) / 6, 0.125 / 12, 1e-15);  // twelve tets fill a cell
      for (int k = 0; k < 3; ++k) ++edges[std::minmax(face[k], face[(k + 1) % 3])];
    }
    EXPECT_EQ(edges.size(), 36u);  // 14 - 36 + 24 = 2
    for (const auto& [edge, count] : edges) EXPECT_EQ(count, 2);
  }
}

TEST_F(BccTest, OneNeighbourInsideIsALoop) {
  EXPECT_FALSE(pinched(lattice_, sign_, corner_));
  for (int slot = 0; slot < Bcc::slots; ++slot) {
    sign_[lattice_.neighbour(corner_, slot)] = -1;
    EXPECT_FALSE(pinched(lattice_, sign_, corner_));
    sign_[lattice_.neighbour(corner_, slot)] = 1;
  }
}

TEST_F(BccTest, TwoThatDoNotTouchArePinched) {
  sign_[lattice_.neighbour(corner_, 0)] = sign_[lattice_.neighbour(corner_, 1)] = -1;
  EXPECT_TRUE(pinched(lattice_, sign_, corner_));
  // Everything inside but two: the same from the other side.
  for (int8_t& sign : sign_) sign = static_cast<int8_t>(-sign);
  EXPECT_TRUE(pinched(lattice_, sign_, corner_));
}

TEST_F(BccTest, AnEdgeBetweenTwoPartsIsPinched) {
  // Inside on two opposite sides of the upward edge of a point, all else around that edge on the surface.
  sign_[lattice_.neighbour(corner_, 4)] = 0;
  const auto at = [&](int x, int y) -> int8_t& {
    for (int slot = 6; slot < Bcc::slots; ++slot) {
      const math::Vec3d d = step(corner_, slot);
      if (d[2] > 0 && d[0] * x > 0 && d[1] * y > 0) return sign_[lattice_.neighbour(corner_, slot)];
    }
    return sign_[0];
  };
  at(1, 1) = at(-1, -1) = -1;
  EXPECT_TRUE(pinched(lattice_, sign_, corner_));
  at(1, -1) = -1;
  EXPECT_FALSE(pinched(lattice_, sign_, corner_));
}

}  // namespace
}  // namespace sinew::mesh
