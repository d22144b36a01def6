#include "exporting/frame_shape.h"

#include <cmath>

#include "math/mat.h"
#include "sample_export.h"

namespace sinew::exporting {
namespace {

using math::Mat3d;

class Shaped {
 public:
  explicit Shaped(const ShapeOptions& options, std::vector<std::string> fields = {})
      : fields_(std::move(fields)),
        model_(sample.model),
        state_(model_.make_state(model::StateLayout())),
        maker_(model_, fields_),
        shape_(FrameShape::make(model_, options)) {
    for (int32_t i = 0; i < SampleExport::nodes; ++i) state_.x()[i] = sample.x(i, 3);
  }
  const Frame& frame() {
    const measure::Snapshot snapshot(model_, model_.params, state_);
    made_ = maker_.make(3, snapshot);
    return shape_->apply(made_);
  }
  const Result<FrameShape>& shape() const { return shape_; }

  SampleExport sample;

 private:
  std::vector<std::string> fields_;
  const model::Model& model_;
  model::State state_;
  FrameMaker maker_;
  Frame made_;
  Result<FrameShape> shape_;
};

CarriedSurface skin(std::vector<Vec3d> vertices, const std::string& name = "skin") {
  mesh::TriMesh mesh;
  mesh.vertices = std::move(vertices);
  mesh.elements = {{0, 2, 1}, {1, 2, 3}};
  return {"beam", name, name + ".obj", std::move(mesh)};
}

TEST(FrameShape, SurfacesKeepTheOrderOfTheBody) {
  Shaped shaped({}, {"displacement", "det_F"});
  const Frame& frame = shaped.frame();
  ASSERT_EQ(frame.meshes.size(), 1u);
  const FrameMesh& mesh = frame.meshes[0];
  const std::vector<int32_t> surface = SampleExport::surface();
  EXPECT_EQ(std::vector<int32_t>(mesh.nodes.begin(), mesh.nodes.end()), surface);
  EXPECT_TRUE(mesh.tets.empty());
  for (size_t i = 0; i < surface.size(); ++i)
    EXPECT_EQ(norm(mesh.points[i] - shaped.sample.x(surface[i], 3)), 0);
  EXPECT_EQ(mesh.fields[0].values.size(), 3 * surface.size());
  EXPECT_DOUBLE_EQ(mesh.fields[0].values[3 * 25], 0.03 * 27);

  // Of a field on tets each triangle has the value of the tet that it is a face of.
  const model::Model& model = shaped.sample.model;
  Shaped whole({.what = What::volume}, {"det_F"});
  const std::vector<double> on_tets = whole.frame().meshes[0].fields[0].values;
  ASSERT_EQ(mesh.fields[1].values.size(), mesh.surface.size());
  for (size_t t = 0; t < mesh.surface.size(); ++t) {
    int found = 0;
    for (size_t k = 0; k < model.elements.size(); ++k) {
      int shared = 0;
      for (int32_t node : model.elements[k])
        for (int32_t corner : mesh.surface[t]) shared += surface[corner] == node;
      if (shared != 3) continue;
      ++found;
      EXPECT_EQ(mesh.fields[1].values[t], on_tets[k]);
    }
    EXPECT_EQ(found, 1);
  }
}

// Points lie where their tets carry them, at rest and later; triangles have the values of tets.
TEST(FrameShape, ASkinTakesThePlaceOfTheSurface) {
  const SampleExport sample;
  const model::Model& model = sample.model;
  model::Skin skin;
  for (const int32_t tet : {4, 0, 9}) {
    geometry::EmbeddedPoint site;
    site.count = 4;
    site.weight = {0.125, 0.25, 0.5, 0.125};
    std::copy_n(model.elements[tet].begin(), 4, site.node.begin());
    skin.points.push_back(site);
    skin.tets.push_back(tet);
  }
  skin.triangles = {{2, 1, 0}};
  const auto skins = std::make_shared<const std::vector<model::Skin>>(1, skin);
  Shaped shaped({.skins = skins}, {"displacement", "det_F"});
  Shaped whole({.what = What::volume, .skins = skins}, {"displacement", "det_F"});
  const FrameMesh& mesh = shaped.frame().meshes[0];
  const FrameMesh volume = whole.frame().meshes[0];
  EXPECT_EQ(mesh.name, "beam");
  ASSERT_EQ(mesh.points.size(), 3u);
  ASSERT_EQ(mesh.surface.size(), 1u);
  for (size_t i = 0; i < 3; ++i) {
    Vec3d x = Vec3d::zero(), rest = Vec3d::zero(), moved = Vec3d::zero();
    for (int k = 0; k < 4; ++k) {
      const int32_t node = model.elements[skin.tets[i]][k];
      x += sample.x(node, 3) * skin.points[i].weight[k];
      rest += model.X[node] * skin.points[i].weight[k];
      for (int c = 0; c < 3; ++c)
        moved[c] += volume.fields[0].values[3 * node + c] * skin.points[i].weight[k];
    }
    EXPECT_LT(norm(mesh.points[i] - x), 1e-15);
    EXPECT_LT(norm(shaped.shape()->rest()[0].points[i] - rest), 1e-15);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(mesh.fields[0].values[3 * i + c], moved[c], 1e-15);
  }
  ASSERT_EQ(mesh.fields[1].values.size(), 1u);
  EXPECT_EQ(mesh.fields[1].values[0], volume.fields[1].values[9]);
  EXPECT_EQ(volume.points.size(), 27u);
}

// The texture coordinates of a body are those of its own surface, whatever else is asked for; a surface of the user's has its own.
TEST(FrameShape, TrianglesKeepTheirTexture) {
  const SampleExport sample;
  const size_t triangles = sample.model.bodies[0].surface.size();
  model::Skin own;
  for (size_t t = 0; t < triangles; ++t) {
    const auto u = static_cast<double>(t);
    own.texture.push_back({{{u, 0}, {u + 1, 0}, {u, 0.5}}});
  }
  const auto skins = std::make_shared<const std::vector<model::Skin>>(1, own);
  for (const What what : {What::surface, What::volume})
    for (const bool own_surfaces : {false, true}) {
      Shaped shaped({.what = what, .skins = skins, .own_surfaces = own_surfaces});
      for (const FrameMesh& mesh : {shaped.frame().meshes[0], shaped.shape()->rest()[0]}) {
        ASSERT_EQ(mesh.texture.size(), triangles);
        EXPECT_EQ(mesh.surface.size(), triangles);
        EXPECT_EQ(mesh.texture[7][1][0], 8);
      }
    }
  CarriedSurface painted = skin({{-0.9, 0.1, 0.1}, {0, 0, 0}, {0, 0.1, 0}, {0.9, 0.1, 0.1}});
  painted.mesh.element_data["texture"] = {6, {0, 0, 1, NAN, 1, 1, 2, 0, 3, 0, 3, 1}};
  Shaped carried({.carried = {painted}, .skins = skins});
  ASSERT_TRUE(carried.shape()) << carried.shape().error().text();
  const FrameMesh mesh = carried.frame().meshes[0];
  ASSERT_EQ(mesh.texture.size(), 2u);
  EXPECT_EQ(mesh.texture[1][2][0], 3);
  EXPECT_EQ(mesh.texture[0][2][0], 0);  // what is no number is left out
}

TEST(FrameMaker, LeavesHiddenNodesOut) {
  const SampleExport sample;
  model::Model model = sample.model;
  model.X.push_back({1e6, 0, 0});
  ++model.bodies[0].nodes.end;
  model.bodies[0].hidden = 1;
  const std::vector<std::string> fields = {"displacement"};
  const FrameMaker maker(model, fields);
  const model::State state = model.make_state(model::StateLayout());
  const Frame frame = maker.make(0, measure::Snapshot(model, model.params, state));
  EXPECT_EQ(frame.meshes[0].points.size(), 27u);
  EXPECT_EQ(frame.meshes[0].fields[0].values.size(), 3 * 27u);
}

TEST(FrameShape, AllOfItIsTheFrameItself) {
  Shaped shaped({.what = What::volume});
  const Frame& frame = shaped.frame();
  EXPECT_EQ(frame.meshes[0].points.size(), 27u);
  EXPECT_FALSE(frame.meshes[0].tets.empty());
  ASSERT_TRUE(shaped.shape());
  EXPECT_EQ(norm(shaped.shape()->rest()[0].points[5] - shaped.sample.model.X[5]), 0);
}

// Vectors as R v, matrices as R S R^T, with the rotation that takes y to z.
TEST(FrameShape, FieldsTurnWithTheAxes) {
  const Mat3d R = Mat3d::columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0});
  const std::vector<std::string> fields = {"displacement", "stress"};
  Shaped upright({.what = What::volume}, fields);
  Shaped turned({.what = What::volume, .z_up = true, .unit = 0.5}, fields);
  const FrameMesh before = upright.frame().meshes[0];
  const FrameMesh& after = turned.frame().meshes[0];
  for (size_t i = 0; i < before.points.size(); ++i) {
    EXPECT_LT(norm(after.points[i] - (R * before.points[i]) * 2.0), 1e-15);
    const double *u = &before.fields[0].values[3 * i], *w = &after.fields[0].values[3 * i];
    EXPECT_EQ(norm(Vec3d{w[0], w[1], w[2]} - R * Vec3d{u[0], u[1], u[2]}), 0);
  }
  const auto matrix = [](const double* s) {
    return Mat3d::columns({s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]});
  };
  double largest = 0;
  for (size_t t = 0; t < before.tets.size(); ++t) {
    const Mat3d S = matrix(&before.fields[1].values[6 * t]), T = matrix(&after.fields[1].values[6 * t]);
    const Mat3d wanted = R * S * transpose(R);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(T(i, j), wanted(i, j));
        if (i != j) largest = std::max(largest, std::abs(T(i, j)));
      }
  }
  EXPECT_GT(largest, 0);
}

TEST(FrameShape, CarriedSurfacesMoveWithTheBody) {
  // In the axes and unit of the output: the beam is 2 x 0.5 x 0.5 m, the file in cm with z up.
  const std::vector<Vec3d> points = {{10, -10, 10}, {190, -10, 10}, {10, -10, 40}, {190, -40, 52}};
  Shaped shaped({.carried = {skin(points)}, .z_up = true, .unit = 0.01}, {"displacement", "det_F"});
  ASSERT_TRUE(shaped.shape()) << shaped.shape().error().text();
  const FrameMesh& rest = shaped.shape()->rest()[0];
  EXPECT_EQ(shaped.shape()->rest().size(), 1u);
  EXPECT_EQ(rest.name, "skin");
  for (size_t i = 0; i < points.size(); ++i) EXPECT_LT(norm(rest.points[i] - points[i]), 1e-12);
  const FrameMesh& mesh = shaped.frame().meshes[0];
  EXPECT_EQ(mesh.surface[0], (std::array<int32_t, 3>{0, 2, 1}));
  ASSERT_EQ(mesh.fields.size(), 1u);  // fields on tets are left out
  // What it moved by is the interpolated displacement, in cm.
  for (size_t i = 0; i < points.size(); ++i) {
    const double* u = &mesh.fields[0].values[3 * i];
    EXPECT_LT(norm(mesh.points[i] - points[i] - Vec3d{u[0], u[1], u[2]} * 100.0), 1e-11);
  }
}

TEST(FrameShape, RefusesWhatIsNotThere) {
  const auto refusal = [&](const ShapeOptions& options) {
    const Shaped shaped(options);
    return shaped.shape() ? std::string() : shaped.shape().error().text();
  };
  EXPECT_NE(refusal({.bodies = {"bean"}}).find("did you mean \"beam\"?"), std::string::npos);
  CarriedSurface lost = skin({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  lost.body = "arm";
  EXPECT_NE(refusal({.carried = {lost}}).find("unknown body \"arm\""), std::string::npos);
  EXPECT_NE(refusal({.carried = {skin({{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}, {100, 1, 0}})}})
                .find("skin.obj: 1 of 4 vertices"),
            std::string::npos);
  const CarriedSurface near = skin({{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}, {1, 0.5, 0}});
  EXPECT_NE(refusal({.carried = {near, near}}).find("two meshes would be called \"skin\""),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::exporting
