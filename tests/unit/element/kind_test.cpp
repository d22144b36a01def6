#include "element/kind.h"

#include <gtest/gtest.h>
#include <set>

#include "mesh/faces.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"

namespace sinew::element {
namespace {

std::vector<const Kind*> tets() {
  std::vector<const Kind*> list;
  for (const Kind* kind : kinds())
    if (kind->is_tet()) list.push_back(kind);
  return list;
}

class Tets : public testing::TestWithParam<const Kind*> {
 protected:
  const Kind& kind = *GetParam();

  // A mesh with straight edges and the nodes of the kind.
  mesh::TetMesh mesh() const {
    mesh::TetMesh box = *mesh::make_box({.size = {1, 2, 3}, .cells = {2, 1, 2}});
    if (kind.nodes == 10) mesh::add_edge_nodes(box);
    return box;
  }
  std::vector<Vec3d> positions(const mesh::TetMesh& mesh, size_t t) const {
    Connectivity elements;
    elements.append(mesh, 0);
    std::vector<Vec3d> X;
    for (int32_t node : elements[t]) X.push_back(mesh.vertices[node]);
    return X;
  }
};

INSTANTIATE_TEST_SUITE_P(Kind, Tets, testing::ValuesIn(tets()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(Tets, SharesAddUpToOne) {
  double mass = 0;
  for (double share : kind.mass_shares) mass += share;
  EXPECT_NEAR(mass, 1, 1e-15);
  ASSERT_EQ(kind.mass_shares.size(), size_t(kind.nodes));
  ASSERT_EQ(kind.point_values.size(), size_t(kind.points * kind.nodes));
  for (int q = 0; q < kind.points; ++q) {
    double sum = 0;
    for (int a = 0; a < kind.nodes; ++a) sum += kind.point_values[q * kind.nodes + a];
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_LE(kind.nodes, max_nodes);
  EXPECT_LE(kind.points, max_points);
}

TEST_P(Tets, ShapeFunctionsAreOneAtTheirCornerAndZeroAtTheOthers) {
  for (int corner = 0; corner < kind.corners; ++corner) {
    double L[4] = {0, 0, 0, 0}, N[max_nodes];
    L[corner] = 1;
    kind.values(L, N);
    for (int a = 0; a < kind.nodes; ++a) EXPECT_EQ(N[a], a == corner ? 1 : 0);
  }
}

// Volumes against the determinant, and the integral of the position against the centroid of the corners.
TEST_P(Tets, QuadratureIsExactForLinearFunctions) {
  const mesh::TetMesh mesh = this->mesh();
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const std::vector<Vec3d> X = positions(mesh, t);
    const double volume = mesh::tet_volume(mesh.vertices, mesh.elements[t]);
    double weight[max_points], sum = 0;
    kind.point_volumes(X.data(), weight);
    Vec3d moment = Vec3d::zero(), centre = Vec3d::zero();
    for (int q = 0; q < kind.points; ++q) {
      sum += weight[q];
      for (int a = 0; a < kind.nodes; ++a)
        moment += X[a] * (weight[q] * kind.point_values[q * kind.nodes + a]);
    }
    for (int a = 0; a < kind.corners; ++a) centre += X[a] * (1.0 / kind.corners);
    EXPECT_NEAR(sum, volume, 1e-15);
    EXPECT_NEAR(kind.volume(X.data()), volume, 1e-15);
    EXPECT_LT(norm(moment - centre * volume), 1e-15);
    EXPECT_GT(kind.min_volume(X.data()), 0);
    EXPECT_NEAR(kind.quality(X.data()), mesh::radius_ratio(mesh.vertices, mesh.elements[t]), 1e-15);
    std::vector<Vec3d> mirrored = X;
    for (Vec3d& p : mirrored) p[0] = -p[0];
    EXPECT_LT(kind.min_volume(mirrored.data()), 0);
  }
}

// The triangles of an element's faces point outwards: they enclose its volume.
TEST_P(Tets, FacesEncloseTheElement) {
  const mesh::TetMesh mesh = this->mesh();
  const std::vector<Vec3d> X = positions(mesh, 3);
  double volume = 0;
  for (size_t first = 0; first < kind.faces.size(); first += kind.face_nodes) {
    const int8_t* face = &kind.faces[first];
    for (const auto& [i, j, k] : kind.face_triangles)
      volume += dot(X[face[i]], cross(X[face[j]], X[face[k]])) / 6;
  }
  EXPECT_NEAR(volume, kind.volume(X.data()), 1e-15);
}

TEST_P(Tets, FacesWithoutPartnerAreTheBoundary) {
  const mesh::TetMesh mesh = this->mesh();
  Connectivity elements;
  elements.append(mesh, 0);
  elements.append(mesh, 1000);
  const auto count = static_cast<int32_t>(mesh.elements.size());
  const std::vector<int64_t> partner =
      face_partners(kind, elements, count, 2 * count, 1000, static_cast<int64_t>(mesh.vertices.size()));
  const auto faces = static_cast<int64_t>(kind.faces.size()) / kind.face_nodes;
  ASSERT_EQ(static_cast<int64_t>(partner.size()), faces * count);
  std::vector<std::array<int32_t, 3>> open;
  for (int64_t number = 0; number < static_cast<int64_t>(partner.size()); ++number) {
    if (partner[number] != mesh::no_partner) {
      EXPECT_EQ(partner[partner[number]], number);
      continue;
    }
    const int8_t* face = &kind.faces[number % faces * kind.face_nodes];
    const auto nodes = elements[number / faces];
    for (const auto& [i, j, k] : kind.face_triangles)
      open.push_back({nodes[face[i]], nodes[face[j]], nodes[face[k]]});
  }
  EXPECT_EQ(open, mesh::boundary(mesh).triangles);
}

TEST(Kind, NamesAreFoundAndDifferent) {
  std::set<std::string_view> names;
  for (const Kind* kind : kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second);
    EXPECT_EQ(find_kind(kind->name), kind);
    EXPECT_FALSE(kind->phrase.empty() || kind->plural.empty() || kind->noun.empty() || kind->doc.empty());
    EXPECT_GT(kind->bytes, 0);
  }
  EXPECT_EQ(find_kind("cubic"), nullptr);
  EXPECT_EQ(default_kind().name, "linear");
}

TEST(Kind, AlternativesDifferInTheProperty) {
  EXPECT_EQ(alternatives(default_kind(), &Kind::locks), "\"averaged\" or \"quadratic\"");
  EXPECT_EQ(alternatives(*find_kind("averaged"), &Kind::mean_dilatation), "\"linear\" or \"quadratic\"");
}

}  // namespace
}  // namespace sinew::element
