#include "mesh/second_order.h"

#include <algorithm>

#include "mesh/faces.h"

namespace sinew::mesh {

namespace {

using Edge = std::array<int32_t, 2>;

Edge edge_of(const TetMesh::Element& tet, int e) {
  Edge edge = {tet[tet_edges[e][0]], tet[tet_edges[e][1]]};
  if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  return edge;
}

// Number of the edge between two local corners.
int local_edge(int a, int b) {
  for (int e = 0; e < 6; ++e)
    if ((tet_edges[e][0] == a && tet_edges[e][1] == b) || (tet_edges[e][0] == b && tet_edges[e][1] == a))
      return e;
  return -1;
}

// The boundary faces, by corners and edge nodes.
std::vector<std::array<int32_t, 6>> boundary_faces(const TetMesh& mesh) {
  const auto partner = face_partners<4>(std::span(mesh.elements), static_cast<int64_t>(mesh.vertices.size()));
  std::vector<std::array<int32_t, 6>> faces;
  for (size_t k = 0; k < partner.size(); ++k)
    if (partner[k] == no_partner)
      faces.push_back(face_nodes(mesh.elements[k / 4], mesh.edge_nodes[k / 4], static_cast<int>(k % 4)));
  return faces;
}

void extend_groups(TetMesh& mesh, const std::vector<Edge>& edges, int32_t first) {
  const auto faces = boundary_faces(mesh);
  std::vector<char> on_boundary(mesh.vertices.size(), 0), member(mesh.vertices.size());
  for (const auto& face : faces)
    for (int32_t node : face) on_boundary[node] = 1;
  for (auto& [name, group] : mesh.vertex_groups) {
    std::fill(member.begin(), member.end(), 0);
    for (int32_t node : group) member[node] = 1;
    if (std::all_of(group.begin(), group.end(), [&](int32_t node) { return on_boundary[node]; })) {
      bool has_face = false;
      for (const auto& face : faces) has_face |= member[face[0]] && member[face[1]] && member[face[2]];
      for (const auto& face : faces)
        for (int k = 0; k < 3; ++k)
          if (member[face[k]] && member[face[(k + 1) % 3]] && (!has_face || member[face[(k + 2) % 3]]))
            member[face[3 + k]] = 1;
    } else {
      for (size_t e = 0; e < edges.size(); ++e)
        member[first + e] = member[edges[e][0]] && member[edges[e][1]];
    }
    for (size_t e = 0; e < edges.size(); ++e)
      if (member[first + e]) group.push_back(first + static_cast<int32_t>(e));
  }
}

}  // namespace

std::array<int32_t, 6> face_nodes(const std::array<int32_t, 4>& tet, const std::array<int32_t, 6>& edges,
                                  int f) {
  const auto& corner = FaceCorners<4>::corner[f];
  std::array<int32_t, 6> nodes;
  for (int k = 0; k < 3; ++k) {
    nodes[k] = tet[corner[k]];
    nodes[3 + k] = edges[local_edge(corner[k], corner[(k + 1) % 3])];
  }
  return nodes;
}

std::array<std::array<int32_t, 3>, 4> split_face(const std::array<int32_t, 6>& f) {
  return {{{f[0], f[3], f[5]}, {f[3], f[1], f[4]}, {f[5], f[4], f[2]}, {f[3], f[4], f[5]}}};
}

void add_edge_nodes(TetMesh& mesh) {
  if (!mesh.edge_nodes.empty()) return;
  std::vector<Edge> edges;
  edges.reserve(mesh.elements.size() * 6);
  for (const auto& tet : mesh.elements)
    for (int e = 0; e < 6; ++e) edges.push_back(edge_of(tet, e));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto first = static_cast<int32_t>(mesh.vertices.size());
  for (const auto& tet : mesh.elements) {
    auto& list = mesh.edge_nodes.emplace_back();
    for (int e = 0; e < 6; ++e)
      list[e] = first + static_cast<int32_t>(std::lower_bound(edges.begin(), edges.end(), edge_of(tet, e)) -
                                             edges.begin());
  }
  for (const Edge& edge : edges)
    mesh.vertices.push_back((mesh.vertices[edge[0]] + mesh.vertices[edge[1]]) * 0.5);
  for (auto& [name, data] : mesh.vertex_data)
    for (const Edge& edge : edges)
      for (int k = 0; k < data.width; ++k)
        data.values.push_back(0.5 * (data.values[size_t(edge[0]) * data.width + k] +
                                     data.values[size_t(edge[1]) * data.width + k]));
  extend_groups(mesh, edges, first);
}

}  // namespace sinew::mesh
