// Points in bodies: springs and probes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "element/shape.h"
#include "geometry/closest.h"
#include "geometry/embedding.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::Site;

// The tet that contains p; outside the body, the one behind the nearest face, and of a shell the nearest triangle.
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
    const auto w = element::barycentric(p, X, body.mesh.elements[t]);
    if (*std::min_element(w.begin(), w.end()) >= -1e-12) return static_cast<int32_t>(t);
  }
  int32_t best = body.boundary.tet[0];
  distance = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < body.boundary.triangles.size(); ++i) {
    const auto& [a, b, c] = body.boundary.triangles[i];
    const double d = std::sqrt(geometry::closest_on_triangle(p, X[a], X[b], X[c]).distance2);
    if (d < distance) {
      distance = d;
      best = body.boundary.tet[i];
    }
  }
  return best;
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
                     "the point is " + json::number_text(distance) + " m away from the body " +
                         json::quote(body.name) + "; expected a point in it or close to its surface");
    return std::nullopt;
  }
  return site_in_element(body, t, p);
}

}  // namespace

Site site_in_element(const BodyParts& body, int32_t t, const Vec3d& p) {
  Site site;
  if (body.is_shell()) {
    const auto& [a, b, c] = body.boundary.triangles[t];
    const auto& X = body.mesh.vertices;
    const auto nearest = geometry::closest_on_triangle(p, X[a], X[b], X[c]);
    site.count = 3;
    for (int k = 0; k < 3; ++k) {
      site.node[k] = body.boundary.triangles[t][k];
      site.weight[k] = nearest.weight[k];
    }
  } else {
    site = {geometry::embed_in_tet(body.mesh, t, p)};
  }
  for (int k = 0; k < site.count; ++k) site.node[k] += body.first_node;
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
        building.problem(probes.item(i), path,
                         "the name " + json::quote(body.name) + " is already that of a body");
    if (const std::optional<Site> site = embed(building, probes.item(i), path))
      building.built.model.probes.push_back({probes.key(i), *site});
  }
}

}  // namespace sinew::scene
