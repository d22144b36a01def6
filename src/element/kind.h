#pragma once
// A kind of element: what the rest of the engine asks about the elements of a body, in one table. Each file of this
// folder that defines const Kind& kind_<stem>() adds one; the terms that give it energy are in energy/.
//
//     const Kind* kind = find_kind("quadratic");
//     if (!kind->node_sweeps) list.push_back(std::string(kind->plural) + " ...");
//
// A method asks for an ability, never for a kind: a new kind has the abilities that its file grants.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "element/connectivity.h"
#include "math/vec.h"

namespace sinew::element {

using math::Vec3d;

inline constexpr int max_nodes = 10, max_points = 4;  // of an element of any kind

struct Kind {
  std::string_view name;    // the word of "elements" in a scene
  std::string_view phrase;  // in a table: "second order"
  std::string_view plural;  // in a sentence: "elements of second order"
  std::string_view noun;    // one of them: "tet"
  std::string_view doc;     // for the description of a scene

  // Topology. Local numbers: corners come first among the nodes.
  int dimension = 3;
  int nodes = 0, corners = 0;
  std::span<const std::array<int8_t, 2>> edges = {};  // pairs of corners
  int face_nodes = 0;
  // face_nodes of each face, corners first, counter-clockwise seen from outside.
  std::span<const int8_t> faces = {};
  // The flat triangles that stand for a face, by places in it.
  std::span<const std::array<int8_t, 3>> face_triangles = {};

  // Shape functions and quadrature at rest.
  int points = 0;                             // quadrature points
  std::span<const double> point_values = {};  // [point * nodes + node] shape functions at the points
  std::span<const double> mass_shares = {};   // of the lumped mass, of each node
  bool loads_corners = true;  // the shape functions of corners have a positive integral over a face
  double (*volume)(const Vec3d* X) = nullptr;                    // between the corners [m^dimension]
  void (*point_volumes)(const Vec3d* X, double* out) = nullptr;  // that the points stand for [m^dimension]
  // Least volume that the Jacobian has at points and corners: not positive where the element is flat or folds.
  double (*min_volume)(const Vec3d* X) = nullptr;
  // Radius ratio of the corners: 1 for the best shape, 0 for a flat one.
  double (*quality)(const Vec3d* X) = nullptr;
  void (*values)(const double* barycentric, double* N) = nullptr;  // shape functions

  // Abilities, which methods ask for.
  bool node_sweeps = false;  // node by node: pbng, the sweeps of hybrid
  bool constraints = false;  // as constraints: pbd, xpbd
  bool lanes = false;        // eight samples at once (solve/lane_system.h)
  bool hessians = false;     // with each of the Hessians of plain_newton
  bool clamps = false;       // stress at clamped stretches where it is inverted

  bool locks = false;            // too stiff near Poisson's ratio 0.5
  bool mean_dilatation = false;  // the volumetric part of the law is taken at the mean dilatation of a patch

  // Peak memory of a run per element, to an order of magnitude: state, rest shapes, matrix and preconditioner, output.
  double bytes = 0;

  bool is_tet() const { return dimension == 3 && corners == 4; }
  bool is_triangle() const { return dimension == 2; }
};

std::span<const Kind* const> kinds();
// Null: there is none of that name.
const Kind* find_kind(std::string_view name);
// Linear tets.
const Kind& default_kind();
// The plainest kind that has as many nodes as the elements of the mesh.
const Kind& plain_kind(const mesh::TetMesh& mesh);
// The names of the kinds on the same meshes that differ from this one in a property: "\"linear\" or \"quadratic\"".
std::string alternatives(const Kind& kind, bool Kind::*property);

// The face across each face of the elements [begin, end), by number: (element - begin) * faces + face; negative:
// mesh/faces.h. Their nodes lie in [first_node, first_node + node_count). Triangles have none across.
std::vector<int64_t> face_partners(const Kind& kind, const Connectivity& elements, int32_t begin, int32_t end,
                                   int32_t first_node, int64_t node_count);

}  // namespace sinew::element
