// Four nodes, constant strain, one quadrature point.
#include "element/tet_linear.h"

#include "mesh/properties.h"

namespace sinew::element {

namespace {

double volume(const Vec3d* X) { return dot(X[1] - X[0], cross(X[2] - X[0], X[3] - X[0])) / 6; }

constexpr std::array<int8_t, 2> edges[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr int8_t faces[] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1};  // as in mesh/faces.h
constexpr std::array<int8_t, 3> face_triangles[] = {{0, 1, 2}};
constexpr double quarters[] = {0.25, 0.25, 0.25, 0.25};

}  // namespace

const Kind& kind_tet_linear() {
  static const Kind kind = {
      .name = "linear",
      .phrase = "linear",
      .plural = "linear elements",
      .noun = "tet",
      .doc = "4 nodes, constant strain.",
      .dimension = 3,
      .nodes = 4,
      .corners = 4,
      .edges = edges,
      .face_nodes = 3,
      .faces = faces,
      .face_triangles = face_triangles,
      .points = 1,
      .point_values = quarters,
      .mass_shares = quarters,
      .volume = volume,
      .point_volumes = [](const Vec3d* X, double* out) { *out = volume(X); },
      .min_volume = [](const Vec3d* X) { return mesh::tet_volume(X[0], X[1], X[2], X[3]); },
      .quality =
          [](const Vec3d* X) {
            return mesh::radius_ratio({X, 4}, {0, 1, 2, 3});
          },
      .values = [](const double* L, double* N) { std::copy_n(L, 4, N); },
      .node_sweeps = true,
      .constraints = true,
      .lanes = true,
      .hessians = true,
      .clamps = true,
      .locks = true,
      .bytes = 1000,
  };
  return kind;
}

}  // namespace sinew::element
