#include "meshing/join_parts.h"

#include <gtest/gtest.h>
#include <set>

#include "mesh/surfaces.h"
#include "meshing/topology.h"
#include "meshing/volume.h"
#include "surfaces.h"

namespace sinew::meshing {
namespace {

using math::Vec3d;
using mesh::TriMesh;

// Boxes in a row, each a group: a, b, c, ...
TriMesh boxes(const std::vector<std::array<Vec3d, 2>>& list) {
  TriMesh all;
  for (size_t i = 0; i < list.size(); ++i) {
    const TriMesh box = tests::box(list[i][0], list[i][1], 4);
    auto& group = all.element_groups[std::string(1, static_cast<char>('a' + i))];
    for (size_t t = 0; t < box.elements.size(); ++t)
      group.push_back(static_cast<int32_t>(all.elements.size() + t));
    const mesh::Groups groups = all.element_groups;
    all = mesh::joined(all, box);
    all.element_groups = groups;
  }
  return all;
}

Result<Volume> make(const TriMesh& surface, const JoinedParts& joined) {
  return volume_of(surface, {.cell = 0.1, .joined = joined}, "skin.obj", Control());
}

int64_t distinct_cells(const GridMesh<3>& grid) {
  std::set<Index<3>> cells;
  for (size_t e = 0; e < grid.elements.size(); ++e) cells.insert(grid.cell(static_cast<int64_t>(e)));
  return static_cast<int64_t>(cells.size());
}

const TriMesh three = boxes({{Vec3d{0, 0, 0}, {1, 1, 1}},
                             {Vec3d{0.55, 0.35, 0.45}, {1.55, 1.35, 1.45}},
                             {Vec3d{1.3, 0.5, 0.5}, {2, 0.9, 0.9}}});

TEST(JoinParts, OneCellWhereThereWereSeveral) {
  const Result<Volume> loose = make(three, {}), held = make(three, {.all = true, .pairs = {}});
  ASSERT_TRUE(loose && held) << held.error().text();
  EXPECT_EQ(loose->report.components, 3);
  EXPECT_EQ(loose->report.parts, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(held->report.components, 1);
  EXPECT_TRUE(held->report.parts.empty());
  EXPECT_EQ(held->report.overlapping_cells, 0);
  EXPECT_EQ(held->report.cells, distinct_cells(loose->grid));
  EXPECT_EQ(topology<3>(held->grid).euler, 1);  // a ball
  // The union, by hand: the boxes overlap in 0.45 x 0.65 x 0.55 and 0.25 x 0.4 x 0.4.
  EXPECT_NEAR(held->report.covered_volume, 3 - 0.888 - 0.45 * 0.65 * 0.55 - 0.25 * 0.4 * 0.4, 0.03);
  // The surface is still carried where it is.
  for (size_t i = 0; i < held->in_tets.size(); ++i) {
    Vec3d x = Vec3d::zero();
    for (int k = 0; k < 4; ++k)
      x += held->tets.vertices[held->in_tets[i].vertices[k]] * held->in_tets[i].weights[k];
    EXPECT_LT(norm(x - three.vertices[i]), 1e-12);
  }
}

TEST(JoinParts, OnlyThePairsThatAreNamed) {
  const Result<Volume> volume = make(three, {.pairs = {{"b", "a"}}});
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_EQ(volume->report.components, 2);
  EXPECT_EQ(volume->report.parts.size(), 2u);
  EXPECT_GT(volume->report.overlapping_cells, 0);
}

TEST(JoinParts, WhatDoesNotMeetIsRefusedWithItsDistance) {
  const auto refusal = [](const TriMesh& surface, const JoinedParts& joined) {
    const Result<Volume> made = make(surface, joined);
    return made ? "it was meshed" : made.error().text();
  };
  const TriMesh apart = boxes({{Vec3d{0, 0, 0}, {1, 1, 1}}, {Vec3d{1.5, 0, 0}, {2, 1, 1}}});
  std::string text = refusal(apart, {.pairs = {{"a", "b"}}});
  EXPECT_NE(text.find("'a' and 'b' are to be joined, but do not meet: they are 0.5 m apart"), text.npos)
      << text;
  text = refusal(apart, {.pairs = {{"a", "eye"}}});
  EXPECT_NE(text.find("the part 'eye' to join, expected a group of the surface: a, b"), text.npos) << text;
  EXPECT_EQ(refusal(apart, {.all = true, .pairs = {}}), "it was meshed");
}

}  // namespace
}  // namespace sinew::meshing
