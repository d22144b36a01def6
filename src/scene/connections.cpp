// Connective tissue: which surface vertices lie close to another body at rest, and what joins them to it.
#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "geometry/box.h"
#include "geometry/mesh_distance.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using geometry::MeshDistance;

constexpr int64_t bytes_per_link = 1000;  // with its share of the matrix

class Connector {
 public:
  explicit Connector(Building& building)
      : building_(building), model_(building.built.model), sides_(building.bodies.size()) {}

  void add(size_t index, const Json& json) {
    const std::string path = "/connect/" + std::to_string(index);
    const std::set<std::pair<int32_t, int32_t>> pairs = pairs_of(json["between"], path + "/between");
    if (pairs.empty()) return;
    const bool tied = json["kind"].text() == "tied";
    const size_t links = model_.links.size(), sliding = model_.sliding.size();
    for (const auto& [a, b] : pairs)
      if (!join(a, b, json, index) || !join(b, a, json, index)) {
        building_.problem(json, path,
                          "found more connections than fit into the " +
                              bytes_text(static_cast<double>(building_.available_bytes)) +
                              " of memory that are available; is the distance too large?");
        return;
      }
    const size_t count = model_.links.size() - links + model_.sliding.size() - sliding;
    if (count == 0) return refuse(json, path, pairs);
    building_.built.notes.push_back("connect " + std::to_string(index) + ": " + std::to_string(count) +
                                    (tied ? " tied" : " sliding") + " vertices between " +
                                    std::to_string(pairs.size()) + (pairs.size() == 1 ? " pair" : " pairs") +
                                    " of bodies");
  }

 private:
  // The surface of a body with its search structures, made when first used.
  struct Side {
    std::unique_ptr<MeshDistance> distance;
    std::vector<int32_t> vertices;  // of the surface, ascending
    geometry::Box box;
  };

  const Side& side(int32_t b) {
    Side& side = sides_[b];
    if (side.distance) return side;
    const BodyParts& body = building_.bodies[b];
    for (const auto& triangle : body.boundary.triangles)
      side.vertices.insert(side.vertices.end(), triangle.begin(), triangle.end());
    std::sort(side.vertices.begin(), side.vertices.end());
    side.vertices.erase(std::unique(side.vertices.begin(), side.vertices.end()), side.vertices.end());
    for (int32_t v : side.vertices) side.box.add(body.mesh.vertices[v]);
    side.distance = std::make_unique<MeshDistance>(body.mesh.vertices, body.boundary.triangles);
    return side;
  }

  // Pairs of different bodies, lower first; empty with a problem.
  std::set<std::pair<int32_t, int32_t>> pairs_of(const Json& between, const std::string& path) {
    const std::vector<int32_t> a = building_.find_members(between.item(0), path + "/0"),
                               b = building_.find_members(between.item(1), path + "/1");
    std::set<std::pair<int32_t, int32_t>> pairs;
    if (a.empty() || b.empty()) return pairs;
    const auto bodies = static_cast<int32_t>(building_.bodies.size());
    for (int32_t i : a)
      for (int32_t j : b)
        if (i != j && i < bodies && j < bodies) pairs.insert({std::min(i, j), std::max(i, j)});
    if (pairs.empty()) building_.problem(between, path, "found no two different bodies behind these names");
    return pairs;
  }

  // From the surface vertices of `a` to the body `b`; false where memory would not hold what is joined.
  bool join(int32_t a, int32_t b, const Json& json, size_t index) {
    const double distance = json["distance"].number(), stiffness = json["stiffness"].number();
    const bool tied = json["kind"].text() == "tied";
    const Side &from = side(a), &to = side(b);
    const geometry::Box near = to.box.grown(distance);
    if (!near.meets(from.box)) return true;
    const BodyParts &body = building_.bodies[a], &other = building_.bodies[b];
    for (int32_t v : from.vertices) {
      const Vec3d& p = body.mesh.vertices[v];
      geometry::Box at;
      at.add(p);
      if (!near.meets(at)) continue;
      const MeshDistance::Found found = to.distance->closest(p, distance);
      if (found.triangle < 0) continue;
      const auto joined = static_cast<int64_t>(model_.links.size() + model_.sliding.size());
      if (joined >= building_.available_bytes / bytes_per_link) return false;
      if (!tied) {
        // The winding number of an open surface is no inside: the side is that of the normal.
        const double along = dot(p - found.point, found.normal);
        model_.sliding.push_back({body.first_node + v, b,
                                  other.is_shell() ? std::copysign(found.distance, along) : found.distance,
                                  stiffness});
        continue;
      }
      // A vertex of a solid is tied by those of the sheet near it, whose places in the solid's tets are exact.
      if (other.is_shell() && !body.is_shell()) continue;
      model::Link& link = model_.links.emplace_back();
      link.a = model::Site::at_node(body.first_node + v);
      link.b = site_in_element(other, other.boundary.tet[found.triangle], p);
      link.group = "connect." + std::to_string(index);
      // Sheets at a distance keep it; what the point of a triangle has in one place has no length.
      if (other.is_shell() && std::abs(found.distance) > 1e-9 * distance)
        link.rest_length = std::abs(found.distance);
      model_.params.link_normal.push_back(stiffness);
      model_.params.link_tangent.push_back(stiffness);
    }
    return true;
  }

  double min_distance(int32_t a, int32_t b) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [i, j] : {std::pair{a, b}, std::pair{b, a}})
      for (int32_t v : side(i).vertices) {
        const auto found = side(j).distance->closest(building_.bodies[i].mesh.vertices[v], least);
        if (found.triangle >= 0) least = std::min(least, std::abs(found.distance));
      }
    return least;
  }

  void refuse(const Json& json, const std::string& path, const std::set<std::pair<int32_t, int32_t>>& pairs) {
    std::string what = "no surface vertex lies within " + json::number_text(json["distance"].number()) +
                       " m of the other body";
    if (pairs.size() == 1) {
      const auto [a, b] = *pairs.begin();
      what += ": " + json::quote(building_.bodies[a].name) + " and " + json::quote(building_.bodies[b].name) +
              " are " + json::number_text(min_distance(a, b)) + " m apart";
    }
    building_.problem(json["distance"], path + "/distance", what);
  }

  Building& building_;
  model::Model& model_;
  std::vector<Side> sides_;
};

}  // namespace

void add_connections(Building& building) {
  Connector connector(building);
  const Json& list = building.scene.resolved["connect"];
  for (size_t i = 0; i < list.size(); ++i) connector.add(i, list.item(i));
}

}  // namespace sinew::scene
