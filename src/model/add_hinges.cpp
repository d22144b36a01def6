#include "model/add_hinges.h"

#include <cassert>
#include <cmath>

#include "model/flat_triangle.h"

namespace sinew::model {

double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& left, const Vec3d& right) {
  const Vec3d n1 = normalized(cross(b - a, left - a)), n2 = normalized(cross(a - b, right - b));
  return std::atan2(dot(cross(n1, n2), normalized(b - a)), dot(n1, n2));
}

namespace {

std::vector<Triangle> triangles_of(const Model& model, const Body& body) {
  std::vector<Triangle> triangles;
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e)
    triangles.push_back(model.elements.nodes<3>(e));
  return triangles;
}

// What all hinges have; there need not be a triangle on the right.
Hinge hinge_at(const mesh::TriangleEdge& edge, const Body& body, std::span<const Triangle> triangles) {
  const bool border = edge.right < 0;
  Hinge hinge;
  hinge.nodes = {edge.a, edge.b, triangles[edge.left][edge.left_corner],
                 border ? -1 : triangles[edge.right][edge.right_corner]};
  hinge.triangles = {body.elements.begin + edge.left, border ? -1 : body.elements.begin + edge.right};
  hinge.length = FlatTriangle(body.flat[edge.left]).length[edge.left_corner];
  // Flat patterns that are sewn together may differ a little in the lengths of the seam.
  if (!border)
    hinge.length = 0.5 * (hinge.length + FlatTriangle(body.flat[edge.right]).length[edge.right_corner]);
  return hinge;
}

}  // namespace

mesh::TriangleEdges add_hinges(Model& model, Bending bending, RestAngles rest, bool weighted) {
  Body& body = model.bodies.back();
  assert(body.kind->is_triangle() && body.hinges.size() == 0 && body.hidden == 0);
  assert(body.nodes.end == static_cast<int32_t>(model.X.size()));
  body.bending = bending;
  body.weighted_hinges = weighted;
  const std::vector<Triangle> triangles = triangles_of(model, body);
  mesh::TriangleEdges table = mesh::triangle_edges(triangles, static_cast<int64_t>(model.X.size()));
  body.hinges.begin = static_cast<int32_t>(model.hinges.size());
  for (const mesh::TriangleEdge& edge : table.edges) {
    const bool border = edge.right < 0;
    if (bending == Bending::none || (bending == Bending::hinge && border)) continue;
    Hinge hinge = hinge_at(edge, body, triangles);
    if (!border && rest == RestAngles::of_positions)
      hinge.rest_angle = hinge_angle(model.X[hinge.nodes[0]], model.X[hinge.nodes[1]],
                                     model.X[hinge.nodes[2]], model.X[hinge.nodes[3]]);
    if (bending == Bending::shell) {
      hinge.turn = static_cast<int32_t>(model.X.size());
      model.X.push_back({0, 0, 0});
      ++body.hidden;
    }
    model.hinges.push_back(hinge);
  }
  body.nodes.end = static_cast<int32_t>(model.X.size());
  body.hinges.end = static_cast<int32_t>(model.hinges.size());
  return table;
}

std::vector<Hinge> border_hinges(const Model& model, const Body& body) {
  const std::vector<Triangle> triangles = triangles_of(model, body);
  std::vector<Hinge> list;
  for (const mesh::TriangleEdge& edge :
       mesh::triangle_edges(triangles, static_cast<int64_t>(model.X.size())).edges)
    if (edge.right < 0) list.push_back(hinge_at(edge, body, triangles));
  return list;
}

}  // namespace sinew::model
