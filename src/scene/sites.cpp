// Points in bodies: springs and probes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/closest.h"
#include "mesh/tet_shape.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::Site;

using Tet = std::array<int32_t, 4>;

// Weights of p in a tet: they sum to one, and all are >= 0 inside.
std::array<double, 4> barycentric(const Vec3d& p, std::span<const Vec3d> X, const Tet& tet) {
  const Mat3d D = Mat3d::columns(X[tet[1]] - X[tet[0]], X[tet[2]] - X[tet[0]], X[tet[3]] - X[tet[0]]);
  const Vec3d w = inverse(D) * (p - X[tet[0]]);
  return {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]};
}

// The tet that contains p; outside the body, the one behind the nearest face.
int32_t carrier(const Vec3d& p, const BodyParts& body, double& distance) {
  const auto& X = body.mesh.vertices;
  distance = 0;
  for (size_t t = 0; t < body.mesh.elements.size(); ++t) {
    bool near = true;
    for (int i = 0; i < 3 && near; ++i) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (int32_t node : body.mesh.elements[t]) {
        low = std::min(low, X[node][i]);
        high = std::max(high, X[node][i]);
      }
      near = p[i] >= low && p[i] <= high;
    }
    if (!near) continue;
    const auto w = barycentric(p, X, body.mesh.elements[t]);
    if (*std::min_element(w.begin(), w.end()) >= -1e-12) return static_cast<int32_t>(t);
  }
  int32_t best = body.boundary.tet[0];
  distance = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < body.boundary.triangles.size(); ++i) {
    const auto& [a, b, c] = body.boundary.triangles[i];
    const double d = std::sqrt(contact::closest_on_triangle(p, X[a], X[b], X[c]).distance2);
    if (d < distance) {
      distance = d;
      best = body.boundary.tet[i];
    }
  }
  return best;
}

// Barycentric coordinates of p in a curved tet of second order, by Newton's method from those of its corners.
mesh::Barycentric locate(const Vec3d& p, const mesh::TetMesh& mesh, int32_t t, mesh::Barycentric L) {
  std::array<Vec3d, 10> X;
  for (int a = 0; a < 10; ++a) X[a] = mesh.vertices[a < 4 ? mesh.elements[t][a] : mesh.edge_nodes[t][a - 4]];
  for (int iteration = 0; iteration < 20; ++iteration) {
    const auto N = mesh::shape_values<10>(L);
    Vec3d error = p;
    for (int a = 0; a < 10; ++a) error -= X[a] * N[a];
    const Vec3d step = mesh::barycentric_step(X, L, error);
    for (int k = 0; k < 3; ++k) L[k + 1] += step[k];
    L[0] = 1 - L[1] - L[2] - L[3];
    if (norm(step) < 1e-14) break;
  }
  return L;
}

// A site at rest at the point; it follows the affine map of its tet, also a little outside the body.
std::optional<Site> embed(Building& building, const Json& json, const std::string& path) {
  const int b = building.find_body(json["body"], path + "/body");
  if (b < 0) return std::nullopt;
  const BodyParts& body = building.bodies[b];
  const Vec3d p = vector_of(json["point"]);
  double distance = 0;
  const int32_t t = carrier(p, body, distance);
  const mesh::Bounds box = mesh::bounding_box(body.mesh.vertices);
  if (distance > 0.1 * norm(box.high - box.low)) {
    building.problem(json["point"], path + "/point",
                     "the point is " + number_text(distance) + " m away from the body " + quote(body.name) +
                         "; expected a point in it or close to its surface");
    return std::nullopt;
  }
  return site_in_tet(body, t, p);
}

}  // namespace

Site site_in_tet(const BodyParts& body, int32_t t, const Vec3d& p) {
  const Tet& tet = body.mesh.elements[t];
  const auto corners = barycentric(p, body.mesh.vertices, tet);
  Site site;
  site.count = 4;
  for (int k = 0; k < 4; ++k) {
    site.node[k] = body.first_node + tet[k];
    site.weight[k] = corners[k];
  }
  if (!body.mesh.edge_nodes.empty()) {
    const auto N = mesh::shape_values<10>(locate(p, body.mesh, t, corners));
    site.count = 10;
    for (int a = 0; a < 10; ++a) {
      if (a >= 4) site.node[a] = body.first_node + body.mesh.edge_nodes[t][a - 4];
      site.weight[a] = N[a];
    }
  }
  // Outside its tet a point may have a weight of 1 and others beside it.
  double sum = 0;
  for (int k = 0; k < site.count; ++k) sum += std::abs(site.weight[k]);
  for (int k = 0; k < site.count; ++k)
    if (std::abs(site.weight[k] - 1) < 1e-12 && sum < 1 + 1e-11) return Site::at_node(site.node[k]);
  return site;
}

void add_springs(Building& building) {
  const Json& list = building.scene.resolved["springs"];
  model::Model& model = building.built.model;
  for (size_t i = 0; i < list.size(); ++i) {
    const Json& json = list.item(i);
    const std::string path = "/springs/" + std::to_string(i);
    const Json &from = json["from"], &to = json["to"];
    const std::optional<Site> a = embed(building, from, path + "/from");
    const std::optional<Site> b =
        to.has("body") ? embed(building, to, path + "/to") : Site::on_frame(-1, vector_of(to["point"]));
    if (!a || !b) continue;
    model::Link link;
    link.a = *a;
    link.b = *b;
    const Json* length = json.find("rest_length");
    link.rest_length = length ? length->number() : norm(vector_of(to["point"]) - vector_of(from["point"]));
    link.group = "springs." + std::to_string(i);
    // Without a length there is no direction: such a spring pulls alike from every side.
    const double stiffness = json["stiffness"].number();
    model.params.link_normal.push_back(stiffness);
    model.params.link_tangent.push_back(link.rest_length == 0 ? stiffness : 0);
    model.links.push_back(std::move(link));
  }
}

void add_probes(Building& building) {
  const Json& probes = building.scene.resolved["probes"];
  for (size_t i = 0; i < probes.size(); ++i) {
    const std::string path = "/probes/" + probes.key(i);
    for (const BodyParts& body : building.bodies)
      if (body.name == probes.key(i))
        building.problem(probes.item(i), path, "the name " + quote(body.name) + " is already that of a body");
    if (const std::optional<Site> site = embed(building, probes.item(i), path))
      building.built.model.probes.push_back({probes.key(i), *site});
  }
}

}  // namespace sinew::scene
