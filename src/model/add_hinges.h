#pragma once
// The hinges of a body of triangles: the edges across which it bends.
#include "mesh/triangle_edges.h"
#include "model/model.h"

namespace sinew::model {

// The angles at which nothing bends: those of the rest positions, or none.
enum class RestAngles { of_positions, flat };

// Fills Model::hinges and Body::hinges of the last body of the model, which model::add_shell has just added. Of bodies that
// bend as shells every edge is a hinge, with a hidden node each, in the order of the hinges; else those between two triangles
// are. Rest angles of another sort may be written into Model::hinges afterwards. Returns the edges and their faults, at which
// nothing bends.
mesh::TriangleEdges add_hinges(Model& model, Bending bending, RestAngles rest = RestAngles::of_positions,
                               bool weighted = true);

// The borders of a body, as hinges without a triangle on the right and with the rest angle 0. Of bodies that bend by hinges they are not
// in the Model: those that are held bend too (energy/hinges.cpp).
std::vector<Hinge> border_hinges(const Model& model, const Body& body);

// The angle from the normal on the left to that on the right of the edge from a to b, positive where they part: where the edge
// is a ridge seen from the side that the normals point to [rad].
double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& left, const Vec3d& right);

}  // namespace sinew::model
