#include "meshing/touching_skin.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "math/mat.h"
#include "mesh/decimate.h"
#include "mesh/faces.h"
#include "mesh/properties.h"
#include "meshing/surface_check.h"

namespace sinew::meshing {

namespace {

using math::Vec3d;
using Triangle = std::array<int32_t, 3>;
using Edge = std::array<int32_t, 2>;

constexpr double far_outside = -1;  // a weight below this
// Over the mean edge of the tets: edges of the skin that collapse, those that are split, and how far a collapse moves the skin.
constexpr double shortest = 0.7, longest = 1.5, tolerance = 0.03;
constexpr int max_steps = 1000;  // of a walk from tet to tet
constexpr int max_passes = 24;   // each halves the longest edges

Edge edge_of(const Triangle& t, int k) {
  const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
  return {low, high};
}

class Maker {
 public:
  Maker(const mesh::Skin& skin, const mesh::TetMesh& mesh)
      : mesh_(mesh),
        partner_(mesh::face_partners<4>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()))) {
    for (size_t v = 0; v < skin.tet.size(); ++v) points_.push_back(at(skin.tet[v], skin.weights[v]));
    skin_ = skin;
  }

  // Closes the skin; false: it cannot be. Vertices that are new are carried from where their neighbours are.
  bool close() {
    mesh::TriMesh given;
    given.vertices = points_;
    given.elements = skin_.triangles;
    const Result<CheckedSurface> checked = check_surface(given, {}, "skin");
    if (!checked) return false;
    std::vector<int32_t> tet(checked->mesh.vertices.size(), -1);
    for (size_t v = 0; v < checked->point_of.size(); ++v)
      if (const int32_t point = checked->point_of[v]; point >= 0) tet[point] = skin_.tet[v];
    skin_.triangles = checked->mesh.elements;
    points_ = checked->mesh.vertices;
    for (bool more = true; more;) {
      more = false;
      for (const Triangle& t : skin_.triangles)
        for (int k = 0; k < 3; ++k)
          if (const int32_t from = tet[t[(k + 1) % 3]]; tet[t[k]] < 0 && from >= 0) {
            tet[t[k]] = tet_towards(from, points_[t[k]]);
            more = true;
          }
    }
    skin_.tet = std::move(tet);
    skin_.weights.resize(points_.size());
    for (size_t v = 0; v < points_.size(); ++v)
      if (skin_.tet[v] >= 0) skin_.weights[v] = weights_in(skin_.tet[v], points_[v]);
    return true;
  }

  void leave_out_far_parts() {
    mesh::TriMesh surface;
    surface.vertices = points_;
    surface.elements = skin_.triangles;
    const mesh::Components parts = mesh::connected_components(surface);
    std::vector<char> out(parts.count, 0);
    for (size_t t = 0; t < skin_.triangles.size(); ++t)
      for (const int32_t v : skin_.triangles[t])
        if (skin_.tet[v] < 0 || std::ranges::min(skin_.weights[v]) < far_outside)
          out[parts.of_element[t]] = 1;
    std::vector<Triangle> kept;
    for (size_t t = 0; t < skin_.triangles.size(); ++t)
      if (!out[parts.of_element[t]]) kept.push_back(skin_.triangles[t]);
    skin_.triangles = std::move(kept);
  }

  void collapse_short_edges(double edge) {
    skin_.triangles = mesh::decimate(
        points_, std::move(skin_.triangles),
        {.shortest = shortest * edge, .longest = longest * edge, .tolerance = tolerance * edge});
  }

  // One pass over the edges longer than this. False: there are none.
  bool split(double length) {
    std::map<Edge, int32_t> middle;
    for (const Triangle& t : skin_.triangles)
      for (int k = 0; k < 3; ++k)
        if (const Edge e = edge_of(t, k); norm(points_[e[0]] - points_[e[1]]) > length) middle[e] = -1;
    for (auto& [edge, vertex] : middle) vertex = add_middle(edge);
    std::vector<Triangle> triangles;
    triangles.swap(skin_.triangles);
    for (const Triangle& t : triangles) split(t, middle);
    return !middle.empty();
  }

  // The skin with the vertices that its triangles have.
  mesh::Skin take() {
    mesh::Skin out;
    std::vector<int32_t> id(points_.size(), -1);
    for (Triangle& t : skin_.triangles)
      for (int32_t& v : t) {
        if (id[v] < 0) {
          id[v] = static_cast<int32_t>(out.tet.size());
          out.tet.push_back(skin_.tet[v]);
          out.weights.push_back(skin_.weights[v]);
        }
        v = id[v];
      }
    out.triangles = std::move(skin_.triangles);
    return out;
  }

 private:
  Vec3d at(int32_t tet, const std::array<double, 4>& weights) const {
    Vec3d x = {0, 0, 0};
    for (int k = 0; k < 4; ++k) x += mesh_.vertices[mesh_.elements[tet][k]] * weights[k];
    return x;
  }

  std::array<double, 4> weights_in(int32_t tet, const Vec3d& x) const {
    const auto& corners = mesh_.elements[tet];
    const Vec3d& a = mesh_.vertices[corners[0]];
    const Vec3d w =
        math::inverse(math::Mat3d::columns(mesh_.vertices[corners[1]] - a, mesh_.vertices[corners[2]] - a,
                                           mesh_.vertices[corners[3]] - a)) *
        (x - a);
    return {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]};
  }

  // Walks through faces towards x. Where the mesh ends before, the last tet carries the point.
  int32_t tet_towards(int32_t tet, const Vec3d& x) const {
    for (int step = 0; step < max_steps; ++step) {
      const std::array<double, 4> weights = weights_in(tet, x);
      int32_t next = -1;
      double least = 0;
      for (int f = 0; f < 4; ++f)  // face f is opposite to corner f
        if (const int64_t other = partner_[4 * int64_t{tet} + f]; weights[f] < least && other >= 0) {
          least = weights[f];
          next = static_cast<int32_t>(other / 4);
        }
      if (next < 0) break;
      tet = next;
    }
    return tet;
  }

  int32_t add_middle(const Edge& edge) {
    const Vec3d x = (points_[edge[0]] + points_[edge[1]]) * 0.5;
    const int32_t tet = tet_towards(skin_.tet[edge[0]], x);
    points_.push_back(x);
    skin_.tet.push_back(tet);
    skin_.weights.push_back(weights_in(tet, x));
    return static_cast<int32_t>(points_.size()) - 1;
  }

  void split(const Triangle& t, const std::map<Edge, int32_t>& middle) {
    std::array<int32_t, 3> m;  // of the side that begins at each corner; -1: it stays whole
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      const auto found = middle.find(edge_of(t, k));
      m[k] = found == middle.end() ? -1 : found->second;
      count += m[k] >= 0;
    }
    auto& out = skin_.triangles;
    if (count == 0) {
      out.push_back(t);
    } else if (count == 3) {
      for (int k = 0; k < 3; ++k) out.push_back({t[k], m[k], m[(k + 2) % 3]});
      out.push_back({m[0], m[1], m[2]});
    } else if (count == 1) {
      const int k = m[0] >= 0 ? 0 : m[1] >= 0 ? 1 : 2;
      out.push_back({t[k], m[k], t[(k + 2) % 3]});
      out.push_back({m[k], t[(k + 1) % 3], t[(k + 2) % 3]});
    } else {
      const int k = m[0] < 0 ? 1 : m[1] < 0 ? 2 : 0;  // both sides at the corner k + 1 are split
      const int32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], ab = m[k], bc = m[(k + 1) % 3];
      out.push_back({ab, b, bc});
      if (norm2(points_[a] - points_[bc]) < norm2(points_[ab] - points_[c])) {
        out.push_back({a, ab, bc});
        out.push_back({a, bc, c});
      } else {
        out.push_back({a, ab, c});
        out.push_back({ab, bc, c});
      }
    }
  }

  const mesh::TetMesh& mesh_;
  std::vector<int64_t> partner_;
  mesh::Skin skin_;
  std::vector<Vec3d> points_;  // of its vertices
};

}  // namespace

mesh::Skin touching_skin(const mesh::Skin& skin, const mesh::TetMesh& mesh, double edge, bool coarsen) {
  Maker maker(skin, mesh);
  if (!maker.close()) return {};
  maker.leave_out_far_parts();
  if (coarsen) maker.collapse_short_edges(edge);
  for (int pass = 0; pass < max_passes && maker.split(longest * edge);) ++pass;
  return maker.take();
}

}  // namespace sinew::meshing
