#include "view/visible.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "model/add_body.h"

namespace sinew::view {
namespace {

mesh::TetMesh box(int cells, bool second_order = false) {
  auto mesh = *mesh::make_box({.cells = {cells, cells, cells}});
  if (second_order) mesh::add_edge_nodes(mesh);
  return mesh;
}

model::Model model_of(const mesh::TetMesh& mesh) {
  model::Model model;
  model::add_body(model, "box", element::plain_kind(mesh), mesh, mesh::boundary(mesh));
  return model;
}

// The triangles in ids of the model.
std::vector<model::Triangle> in_model_ids(const Topology& topology) {
  std::vector<model::Triangle> out = topology.triangles;
  for (auto& triangle : out)
    for (int32_t& node : triangle) node = topology.nodes[node];
  return out;
}

double enclosed(const Topology& topology, const std::vector<math::Vec3d>& x) {
  double volume = 0;
  for (const auto& t : in_model_ids(topology)) volume += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  return volume;
}

TEST(Visible, whole_is_the_boundary) {
  for (const bool second_order : {false, true}) {
    const model::Model model = model_of(box(3, second_order));
    const Topology all = VisibleSurface(model).whole();
    EXPECT_EQ(in_model_ids(all), model.bodies[0].surface);
    EXPECT_EQ(all.tets.size(), all.triangles.size());
    EXPECT_TRUE(std::is_sorted(all.nodes.begin(), all.nodes.end()));
    EXPECT_EQ(std::set<int32_t>(all.nodes.begin(), all.nodes.end()).size(), all.nodes.size());
    EXPECT_LT(all.nodes.size(), model.X.size());  // the inside is not sent
    EXPECT_NEAR(enclosed(all, model.X), 1, 1e-12);
    for (size_t t = 0; t < all.triangles.size(); ++t) {
      const auto tet = model.elements[all.tets[t]];
      for (const int32_t corner : model.bodies[0].surface[t])
        EXPECT_TRUE(second_order || std::find(tet.begin(), tet.end(), corner) != tet.end());
    }
  }
}

// The surface of what is kept encloses exactly the volume of the tets that are kept.
TEST(Visible, clipped_encloses_what_is_kept) {
  for (const bool second_order : {false, true}) {
    const mesh::TetMesh mesh = box(4, second_order);
    const model::Model model = model_of(mesh);
    const VisibleSurface surface(model);
    for (const ClipPlane& plane :
         {ClipPlane{{1, 0, 0}, 0.5}, ClipPlane{{1, 2, -1}, 0.8}, ClipPlane{{0, 0, -1}, 5.0}}) {
      const std::vector<char> kept = surface.kept(plane, model.X);
      double volume = 0;
      for (size_t t = 0; t < model.elements.size(); ++t) {
        const auto tet = model.elements.nodes<4>(t);
        const math::Vec3d centre =
            (model.X[tet[0]] + model.X[tet[1]] + model.X[tet[2]] + model.X[tet[3]]) * 0.25;
        EXPECT_EQ(bool(kept[t]), dot(plane.normal, centre) <= plane.offset);
        if (kept[t]) volume += mesh::tet_volume(model.X, tet);
      }
      const Topology cut = surface.clipped(kept);
      EXPECT_NEAR(enclosed(cut, model.X), volume, 1e-12);
      for (const int32_t tet : cut.tets) EXPECT_TRUE(kept[tet]);
    }
    EXPECT_TRUE(surface.clipped(surface.kept({{1, 0, 0}, -1}, model.X)).triangles.empty());
  }
}

TEST(Visible, triangles_without_tets) {
  const mesh::TetMesh mesh = box(2);
  model::Model model = model_of(mesh);
  model.elements = {};
  model.bodies[0].elements = {0, 0};
  model.bodies[0].behind.clear();
  const VisibleSurface surface(model);
  const Topology all = surface.whole();
  EXPECT_EQ(in_model_ids(all), model.bodies[0].surface);
  for (size_t t = 0; t < all.tets.size(); ++t) {
    EXPECT_EQ(all.tets[t], -1);
    EXPECT_EQ(all.elements[t], static_cast<int32_t>(t));
  }
  const Topology half = surface.clipped(surface.kept({{0, 1, 0}, 0.5}, model.X));
  EXPECT_LT(half.triangles.size(), all.triangles.size());
  for (const int32_t element : half.elements) {
    const auto& t = model.bodies[0].surface[element];
    EXPECT_LE((model.X[t[0]][1] + model.X[t[1]][1] + model.X[t[2]][1]) / 3, 0.5);
  }
}

// A skin is seen in place of the boundary, with its points where their tets are; behind a clip plane the tets are seen.
TEST(Visible, skins_in_place_of_the_boundary) {
  const model::Model model = model_of(box(2));
  model::Skin skin;
  for (const int32_t tet : {0, 7, 3}) {
    geometry::EmbeddedPoint site;
    site.count = 4;
    site.weight = {0.1, 0.2, 0.6, 0.1};
    std::copy_n(model.elements[tet].begin(), 4, site.node.begin());
    skin.points.push_back(site);
    skin.tets.push_back(tet);
  }
  skin.triangles = {{0, 1, 2}, {2, 1, 0}};
  const auto skins = std::make_shared<const std::vector<model::Skin>>(1, skin);
  const VisibleSurface surface(model, skins);
  const Topology all = surface.whole();
  EXPECT_EQ(all.triangles, skin.triangles);
  ASSERT_EQ(all.points.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(all.nodes[i], model.elements[skin.tets[i]][2]);  // most of the weight
  EXPECT_EQ(all.tets, (std::vector<int32_t>{0, 3}));
  EXPECT_EQ(all.elements, all.tets);
  const std::vector<char> kept = surface.kept({{1, 0, 0}, 0.5}, model.X);
  EXPECT_EQ(surface.clipped(kept).triangles, VisibleSurface(model).clipped(kept).triangles);
}

}  // namespace
}  // namespace sinew::view
