#pragma once
// Tets of second order from tets of first order: a node in the middle of every edge.
#include "mesh/mesh.h"

namespace sinew::mesh {

// Adds a vertex at the middle of every edge, after those that are there, and lists them in edge_nodes. Vertex data is
// the mean of the ends. An edge node joins the vertex groups that hold both ends; where a group lies on the boundary,
// only on the boundary faces that it holds, or, if it holds none, on the edges of the boundary. A mesh of second order is left as it is.
void add_edge_nodes(TetMesh& mesh);

// The four flat triangles that stand for a face of second order: corners a b c, edge nodes ab bc ca.
std::array<std::array<int32_t, 3>, 4> split_face(const std::array<int32_t, 6>& face);

// Corners and edge nodes of face f of a tet (mesh/faces.h).
std::array<int32_t, 6> face_nodes(const std::array<int32_t, 4>& tet, const std::array<int32_t, 6>& edges,
                                  int f);

}  // namespace sinew::mesh
