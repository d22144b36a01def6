#pragma once
// Model = Topology + Params. The topology never changes; Params (material fields, density, stiffness), uniform
// or per element, are cheap to copy and override. One Model serves every method.
//
// All bodies share one numbering of nodes and one of elements; a body is a range of each, in scene order, with elements
// of one kind (element/kind.h).
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "element/kind.h"
#include "geometry/embedded_point.h"
#include "material/law.h"
#include "math/mat.h"
#include "model/inputs.h"
#include "model/state.h"

namespace sinew::model {

using Tet = std::array<int32_t, 4>;
using Triangle = std::array<int32_t, 3>;

struct Range {
  int32_t begin = 0, end = 0;
  int32_t size() const { return end - begin; }
};

// How a body of triangles resists bending: by the angles between triangles (energy/hinges.cpp), or as a plate, by the turn of
// its normals at the middle of the edges (energy/mid_edge_bending.cpp).
enum class Bending { none, hinge, shell };

struct Body {
  std::string name;
  Range nodes;
  Range elements;
  const element::Kind* kind = &element::default_kind();
  // The triangles that are drawn, exported and touched, outward, in model node ids: element::Kind::face_triangles of each
  // face in a row.
  std::vector<Triangle> surface = {};
  std::vector<int32_t> behind = {};  // the element behind each triangle of the surface, in model ids
  // Nodes at the end of the range that contact, exports, measures and bounds do not see: unknowns that are no points of
  // the body, such as angles.
  int32_t hidden = 0;
  // Bodies of triangles.
  double thickness = 0;          // [m]
  bool fixed_thickness = false;  // it stays as it is; else it is such that no stress acts across
  Bending bending = Bending::none;
  bool weighted_hinges =
      true;           // by the lengths of edges and the areas of triangles; else all hinges are alike
  Range hinges = {};  // in Model::hinges
  // The edges (1, 0) and (2, 0) of each triangle at rest [m], in a plane whose first axis is that of the material. They need not fit
  // together in space: a garment is at rest in its flat patterns.
  std::vector<std::array<math::Vec<double, 2>, 2>> flat = {};

  double mass_damping = 0;       // Rayleigh alpha [1/s]
  double stiffness_damping = 0;  // Rayleigh beta [s]

  Range visible() const { return {nodes.begin, nodes.end - hidden}; }
};

// The elements of a body that obey one law. An element may belong to several sets; their energies add.
struct ElasticSet {
  int32_t body = 0;
  const material::Law* law = nullptr;
  std::vector<int32_t> elements;  // ids in Model::elements, ascending
};

// An edge of a body of triangles. It runs from a to b in the triangle (a, b, left) and from b to a in (b, a, right).
struct Hinge {
  std::array<int32_t, 4> nodes;      // a, b, left, right; right -1: the edge is at a border
  std::array<int32_t, 2> triangles;  // on the left and on the right, in model ids; -1
  // Of bodies that bend as shells: the hidden node whose x coordinate, over the length of the edge at rest, is the turn of the
  // normal at the middle of the edge, positive in the triangle on the left as the angle is.
  int32_t turn = -1;
  double length = 0;      // of the edge at rest [m]
  double rest_angle = 0;  // atan2((n_left x n_right).e, n_left.n_right), e along the edge; 0: flat [rad]
};

// A point that nodes carry, or, where it has none, a fixed point of a moving frame.
struct Site : geometry::EmbeddedPoint {
  int32_t pose = -1;        // first number of a pose in the inputs; -1: the world
  Vec3d point = {0, 0, 0};  // [m] rest position, for a site on a frame

  static Site at_node(int32_t i) { return {{1, {i}, {1}}, -1, {0, 0, 0}}; }
  static Site on_frame(int32_t pose, const Vec3d& X) { return {{}, pose, X}; }
};

Vec3d position(const Site& site, std::span<const Vec3d> x, std::span<const double> inputs);  // [m]

// A spring between two sites. With rest length 0 the energy is d K d / 2, d = a - b, K = k_normal n n^T +
// k_tangent (1 - n n^T); otherwise it is k_normal (|d| - rest_length)^2 / 2.
struct Link {
  Site a, b;
  Vec3d normal = {0, 0, 1};
  double rest_length = 0;  // [m]
  std::string group;       // the scene entry that made it
};

enum class Hold { rigid, plane, line };

// A Dirichlet condition: nodes that a moving frame constrains completely, to a plane (normal) or to a line (direction).
struct Attachment {
  std::string name;
  Hold hold = Hold::rigid;
  std::vector<int32_t> nodes;
  Vec3d direction = {0, 0, 1};  // plane normal or line direction at rest, unit
  int32_t pose = 0;             // first number of the pose in the inputs
  // Of bodies of triangles: borders between these do not turn either, ascending. Along a plane they stay at right angles to it. Another
  // attachment may hold them.
  std::vector<int32_t> clamped = {};
};

// A Neumann condition: dead forces on nodes, scaled by an input.
struct NodalLoad {
  std::string name;
  std::vector<int32_t> nodes;
  std::vector<Vec3d> forces;  // [N]
  int32_t factor = 0;         // index in the inputs
};

// A Neumann condition: follower pressure on faces (outward normals); positive pushes inwards.
struct PressureLoad {
  std::string name;
  std::vector<Triangle> faces;                      // of first order
  double pressure = 0;                              // [Pa]
  int32_t factor = 0;                               // index in the inputs
  bool closed = false;                              // the faces bound a volume: the load has an energy
  std::vector<std::array<int32_t, 6>> curved = {};  // of second order: corners a b c, edge nodes ab bc ca
};

// Air that moves past the surfaces of bodies and drags at them (energy/wind.cpp).
struct Wind {
  std::vector<Triangle> faces;
  int32_t velocity = 0;    // first of three inputs [m/s]
  int32_t clock = 0;       // the input that is the time [s]: gusts drift with the wind
  double density = 1.2;    // [kg/m^3]
  double drag = 1;         // coefficient of the motion across a face
  double friction = 0;     // and along it
  double gust_speed = 0;   // root mean square of what is added to the velocity [m/s]
  double gust_length = 1;  // wavelength that the gusts have about [m]
  uint64_t seed = 1;
};

// A named point of a body whose motion is recorded.
struct Probe {
  std::string name;
  Site site;
};

// A rigid shape that bodies cannot enter, in a frame of its own (see contact/collider.h), placed in the world at rest by
// `transform` and moved by a pose.
struct Collider {
  enum class Shape { plane, sphere, capsule, box, cylinder, mesh };
  // How bodies are kept out: by penalty forces, or by moving nodes back (pbng alone): `project` takes the part of a step
  // that goes inwards away (Chen et al. 2023), `clamp` only what would go below the surface.
  enum class Response { penalty, project, clamp };
  std::string name;
  Shape shape = Shape::plane;
  Vec3d size = {0, 0, 0};     // [m] sphere: radius; capsule, cylinder: radius, half length; box: half extents
  bool hollow = false;        // bodies are kept inside: the inside of the shape is free, the outside is not
  std::vector<Vec3d> points;  // [m] of a mesh
  std::vector<Triangle> triangles;
  Pose transform = {Mat3d::identity(), {0, 0, 0}};
  int32_t pose = 0;  // first number of its pose in the inputs
  Response response = Response::penalty;
};

// How two bodies, or a body and a collider, meet.
struct ContactRule {
  bool on = false;
  double friction = 0;   // Coulomb's coefficient
  double thickness = 0;  // distance between the surfaces at which the force begins [m]
  double stiffness = 0;  // force over depth at a vertex [N/m]; 0: from material, mesh and time step
};

// Tissue between two bodies that lets them slide: the node keeps its distance to the surface of the body.
struct SlidingLink {
  int32_t node = 0;
  int32_t body = 0;
  double gap = 0;        // signed distance at rest [m]
  double stiffness = 0;  // [N/m]
};

struct ContactPlan {
  // The rule of each body a against each body and then each collider b: rules[a * (bodies + colliders) + b], symmetric; of a body
  // against itself: self-contact. Empty: no contacts.
  std::vector<ContactRule> rules;
  // Points that touch beside the nodes, numbered on from these: elements carry them, as they do the vertices of a skin
  // (model/contact_points.h).
  std::vector<geometry::EmbeddedPoint> carried = {};
  std::vector<int32_t> carried_body = {};  // of each: the body it is on, ascending
  // Of each body: the triangles that touch in place of Body::surface, outward, in ids of points; none: that does. Empty:
  // all bodies touch with their own.
  std::vector<std::vector<Triangle>> skins = {};
  // Overlaps at rest that are ignored: (point, body) pairs, ascending; a point stands for the vertices and edges it is on.
  std::vector<std::array<int32_t, 2>> ignored;
  // Surfaces never pass through each other: motions are followed and what would cross is stopped.
  bool continuous = true;
  // Methods that can keep bodies apart by a barrier, which nothing passes, do so; else by penalty as all others.
  bool barrier = false;
  int32_t rounds = 20;  // solves of one increment, between which contacts are found anew
};

// A material field or density: one value for all, or one for each element.
struct ParamField {
  std::vector<double> values;
  double at(size_t i) const { return values.size() == 1 ? values[0] : values[i]; }
};

struct Params {
  std::vector<std::vector<ParamField>> material;  // [set][field of its law]
  std::vector<ParamField> density;                // [body], per element of the body [kg/m^3]
  std::vector<ParamField> rigidity;  // [body], per triangle [N m]; 0: that of a plate of its material
  std::vector<double> link_normal;   // [link] [N/m]
  std::vector<double> link_tangent;  // [link] [N/m]
};

struct Model {
  std::vector<Vec3d> X;  // rest positions [m]
  element::Connectivity elements;
  // The share of each element's volume that is material, above 0 and at most 1: cells that the surface of a body passes through
  // are filled in part. Mass, weight and energy count no more of the volume. Empty: whole elements.
  std::vector<double> coverage;
  std::vector<Body> bodies;
  std::vector<ElasticSet> sets;
  std::vector<Hinge> hinges;
  std::vector<Attachment> attachments;
  std::vector<Link> links;
  std::vector<NodalLoad> nodal_loads;
  std::vector<PressureLoad> pressure_loads;
  std::vector<Wind> winds;
  std::vector<Probe> probes;
  std::vector<Collider> colliders;
  std::vector<SlidingLink> sliding;
  ContactPlan contact;
  int32_t gravity = -1;  // first of three numbers in the inputs; -1: none
  Params params;
  InputCurve inputs;

  Counts counts() const;
  // A State at rest at time 0.
  State make_state(const StateLayout& layout) const;
  double rest_volume(
      int32_t element) const;  // [m^3], between the corners; of a triangle area times thickness
  // Of a triangle at rest [m^2].
  double rest_area(const Body& body, int32_t element) const;
  // That the quadrature points of an element stand for at rest [m^3].
  void point_volumes(const Body& body, int32_t element, double* out) const;
  double covered(int32_t element) const { return coverage.empty() ? 1.0 : coverage[element]; }
  // Of a body at rest, between the corners of its elements [m^3]: of whole elements, and of what of them is material.
  struct Volumes {
    double mesh = 0, material = 0;
  };
  Volumes volumes(int32_t body) const;
  // Lumped mass of every node [kg], by the shares of the kind.
  std::vector<double> lumped_mass(const Params& params) const;
  // The integral of density times each node's shape function [kg]: what a uniform acceleration acts on. In linear
  // elements it is the lumped mass.
  std::vector<double> load_mass(const Params& params) const;
  // The size of a body's numbers, for telling rounding errors from results: largest material constant E [Pa], largest
  // entry of the Hessian at rest (the modulus of a wave that changes volume, large near nu = 0.5) [Pa], mean edge h [m]
  // and volume [m^3].
  struct Scales {
    double stiffness, modulus, edge, volume;
  };
  Scales scales(const Params& params, int32_t body) const;
  int32_t body_of_node(int32_t node) const;
  int32_t body_of_element(int32_t element) const;
  // Of a node or, from the number of nodes on, of a point that elements carry (ContactPlan::carried).
  int32_t body_of_point(int32_t point) const {
    const auto nodes = static_cast<int32_t>(X.size());
    return point < nodes ? body_of_node(point) : contact.carried_body[point - nodes];
  }
  int32_t point_count() const { return static_cast<int32_t>(X.size() + contact.carried.size()); }
  const std::vector<Triangle>& touching_surface(size_t body) const {
    return contact.skins.empty() || contact.skins[body].empty() ? bodies[body].surface : contact.skins[body];
  }
  // The rule of a body against a body or, from the number of bodies on, a collider.
  const ContactRule& contact_rule(int32_t body, int32_t other) const {
    return contact.rules[static_cast<size_t>(body) * (bodies.size() + colliders.size()) + other];
  }
  bool has_contacts() const { return !contact.rules.empty() || !sliding.empty(); }
};

}  // namespace sinew::model
