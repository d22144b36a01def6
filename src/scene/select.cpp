#include "scene/select.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/collider.h"
#include "geometry/bvh.h"
#include "geometry/closest.h"
#include "json/words.h"

namespace sinew::scene {
namespace {

using Marks = std::vector<char>;

// Evaluates selections over the nodes or over the tets of one body.
class Selector {
 public:
  Selector(Building& building, int body, bool tets)
      : building_(building), index_(body), body_(building.bodies[body]), tets_(tets) {
    if (!tets) return;
    const auto& X = body_.mesh.vertices;
    for (size_t e = 0; e < body_.element_count(); ++e) {
      Vec3d sum = {0, 0, 0};
      for (int32_t node : body_.corners(e)) sum += X[node];
      centres_.push_back(sum * (1.0 / body_.kind->corners));
    }
  }

  Marks evaluate(const Json& selection, const std::string& path) {
    const std::string& kind = selection.key(0);
    const Json& value = selection.item(0);
    const std::string here = path + "/" + kind;
    if (kind == "box") {
      const Vec3d low = vector_of(value.item(0)), high = vector_of(value.item(1));
      for (int i = 0; i < 3; ++i)
        if (low[i] > high[i])
          building_.problem(value, here,
                            "the first corner is above the second; expected the lower corner first");
      return where([&](const Vec3d& x) {
        return x[0] >= low[0] && x[1] >= low[1] && x[2] >= low[2] && x[0] <= high[0] && x[1] <= high[1] &&
               x[2] <= high[2];
      });
    }
    if (kind == "sphere") {
      const Vec3d centre = vector_of(value["centre"]);
      const double radius = value["radius"].number();
      return where([&](const Vec3d& x) { return norm(x - centre) <= radius; });
    }
    if (kind == "plane") {
      const Vec3d point = vector_of(value["point"]), normal = normalized(vector_of(value["normal"]));
      const double tolerance = value["tolerance"].number();
      return where([&](const Vec3d& x) { return std::abs(dot(x - point, normal)) <= tolerance; });
    }
    if (kind == "near") return near(value, here);
    if (kind == "group") return group(value, here);
    if (kind == "surface") return surface();
    if (kind == "not") {
      Marks marks = evaluate(value, here);
      for (char& mark : marks) mark = !mark;
      return marks;
    }
    if (kind == "union" || kind == "intersection") return combine(value, here, kind == "union");
    return Marks(size(), 1);
  }

  // A selection by name; empty with a problem.
  Marks by_name(const Json& at, const std::string& name, const std::string& path) {
    const Json& select = (*body_.json)["select"];
    if (const Json* selection = select.find(name))
      return evaluate(*selection, body_.path + "/select/" + name);
    if (body_.mesh.vertex_groups.contains(name) || body_.mesh.element_groups.contains(name)) {
      Json group(name);
      group.set_place(at.place());
      return this->group(group, path);
    }
    if (name == "all") return Marks(size(), 1);
    if (name == "surface") return surface();
    std::vector<std::string_view> words;
    for (size_t i = 0; i < select.size(); ++i) words.push_back(select.key(i));
    const std::vector<std::string_view> groups = group_names();
    words.insert(words.end(), groups.begin(), groups.end());
    words.insert(words.end(), {"all", "surface"});
    building_.problem(at, path,
                      json::unknown_word("selection", name, words) + " (selections of the body " +
                          json::quote(body_.name) + ")");
    return {};
  }

 private:
  size_t size() const { return tets_ ? body_.element_count() : body_.mesh.vertices.size(); }

  template <class Inside>
  Marks where(Inside&& inside) const {
    const std::vector<Vec3d>& points = tets_ ? centres_ : body_.mesh.vertices;
    Marks marks(points.size());
    for (size_t i = 0; i < points.size(); ++i) marks[i] = inside(points[i]);
    return marks;
  }

  // Tets of which all nodes are marked.
  Marks tets_of(const Marks& nodes) const {
    Marks marks;
    for (size_t e = 0; e < body_.element_count(); ++e) {
      const auto corners = body_.corners(e);
      marks.push_back(std::all_of(corners.begin(), corners.end(), [&](int32_t node) { return nodes[node]; }));
    }
    return marks;
  }

  std::vector<std::string_view> group_names() const {
    std::vector<std::string_view> names;
    for (const auto& [name, group] : body_.mesh.vertex_groups) names.push_back(name);
    for (const auto& [name, group] : body_.mesh.element_groups)
      if (!body_.mesh.vertex_groups.contains(name)) names.push_back(name);
    return names;
  }

  Marks group(const Json& value, const std::string& path) {
    const auto& mesh = body_.mesh;
    const bool of_vertices = !tets_ && mesh.vertex_groups.contains(value.text());
    if (const auto found = mesh.element_groups.find(value.text());
        found != mesh.element_groups.end() && !of_vertices) {
      Marks marks(size(), 0);
      for (int32_t t : found->second) {
        if (tets_)
          marks[t] = 1;
        else
          for (int32_t node : body_.corners(t)) marks[node] = 1;
      }
      return marks;
    }
    if (const auto found = mesh.vertex_groups.find(value.text()); found != mesh.vertex_groups.end()) {
      Marks marks(mesh.vertices.size(), 0);
      for (int32_t node : found->second) marks[node] = 1;
      return tets_ ? tets_of(marks) : marks;
    }
    building_.problem(
        value, path,
        json::unknown_word("group", value.text(), group_names()) + " (groups of this body's mesh)");
    return Marks(size(), 0);
  }

  Marks surface() const {
    Marks marks(size(), 0);
    for (size_t i = 0; i < body_.boundary.triangles.size(); ++i) {
      if (tets_)
        marks[body_.boundary.tet[i]] = 1;
      else
        for (int32_t node : body_.boundary.triangles[i]) marks[node] = 1;
    }
    return marks;
  }

  Marks near(const Json& value, const std::string& path) {
    if (value.has("body") != value.has("collider"))
      return value.has("body") ? near_body(value, path) : near_collider(value, path);
    building_.problem(value, path,
                      std::string(value.has("body") ? "found \"body\" and \"collider\""
                                                    : "found no \"body\" and no \"collider\"") +
                          ", expected one of them");
    return Marks(size(), 0);
  }

  // By the distance to the surface, from inside and outside alike, where the collider is at time 0.
  Marks near_collider(const Json& value, const std::string& path) {
    const Json& colliders = building_.scene.resolved["colliders"];
    const std::string& name = value["collider"].text();
    std::vector<std::string_view> names;
    for (size_t c = 0; c < colliders.size(); ++c) names.push_back(colliders.key(c));
    if (!colliders.has(name)) {
      building_.problem(value["collider"], path + "/collider", json::unknown_word("collider", name, names));
      return Marks(size(), 0);
    }
    const auto found = std::find_if(building_.colliders.begin(), building_.colliders.end(),
                                    [&](const ColliderParts& parts) { return parts.collider.name == name; });
    if (found == building_.colliders.end()) return Marks(size(), 1);  // what is wrong with it has been told
    model::Model alone;
    alone.colliders.push_back(found->collider);
    alone.colliders[0].pose = alone.inputs.add_pose(name, found->keys);
    std::vector<double> inputs(static_cast<size_t>(alone.inputs.size()));
    alone.inputs.evaluate(0, inputs);
    const contact::ColliderShapes shapes(alone);
    const double distance = value["distance"].number();
    return where([&](const Vec3d& x) { return std::abs(shapes.nearest(0, x, inputs).distance) <= distance; });
  }

  Marks near_body(const Json& value, const std::string& path) {
    const int other = building_.find_body(value["body"], path + "/body");
    if (other == index_)
      building_.problem(value["body"], path + "/body",
                        "found the body itself, expected another one: every point is near its own body");
    if (other < 0 || other == index_) return Marks(size(), 0);
    const BodyParts& target = building_.bodies[other];
    const double distance = value["distance"].number();
    const auto& X = target.mesh.vertices;
    const auto& triangles = target.boundary.triangles;
    std::vector<geometry::Box> boxes(triangles.size());
    for (size_t t = 0; t < boxes.size(); ++t)
      for (int32_t node : triangles[t]) boxes[t].add(X[node]);
    geometry::Bvh tree;
    tree.build(boxes);
    const double limit = std::nextafter(distance * distance, std::numeric_limits<double>::infinity());
    return where([&](const Vec3d& x) {
      return tree.nearest(x, limit, [&](int32_t t) {
        const auto& [a, b, c] = triangles[t];
        return geometry::closest_on_triangle(x, X[a], X[b], X[c]).distance2;
      }) >= 0;
    });
  }

  Marks combine(const Json& list, const std::string& path, bool any) {
    Marks marks(size(), !any);
    for (size_t k = 0; k < list.size(); ++k) {
      const Marks part = evaluate(list.item(k), path + "/" + std::to_string(k));
      for (size_t i = 0; i < marks.size(); ++i) marks[i] = any ? marks[i] || part[i] : marks[i] && part[i];
    }
    return marks;
  }

  Building& building_;
  int index_;
  const BodyParts& body_;
  bool tets_;
  std::vector<Vec3d> centres_;
};

std::string extent_text(const std::vector<Vec3d>& points) {
  const mesh::Bounds box = mesh::bounding_box(points);
  const auto text = [](const Vec3d& v) {
    return std::string("[") + json::number_text(v[0]) + ", " + json::number_text(v[1]) + ", " +
           json::number_text(v[2]) + "]";
  };
  return text(box.low) + " to " + text(box.high);
}

bool any(const Marks& marks) { return std::find(marks.begin(), marks.end(), 1) != marks.end(); }

std::string matches_nothing(const BodyParts& body, std::string_view name, std::string_view what) {
  return "the selection " + json::quote(name) + " matches no " + std::string(what) + " of the body " +
         json::quote(body.name) + ", which extends from " + extent_text(body.mesh.vertices) + " [m]";
}

}  // namespace

void make_selections(Building& building) {
  for (size_t b = 0; b < building.bodies.size(); ++b) {
    BodyParts& body = building.bodies[b];
    const Json& select = (*body.json)["select"];
    Selector selector(building, static_cast<int>(b), false);
    for (size_t i = 0; i < select.size(); ++i) {
      const std::string path = body.path + "/select/" + select.key(i);
      const size_t before = building.diagnostics.count();
      Marks marks = selector.evaluate(select.item(i), path);
      if (building.diagnostics.count() == before && !any(marks))
        building.problem(select.item(i), path, matches_nothing(body, select.key(i), "node"));
      body.selected[select.key(i)] = std::move(marks);
    }
  }
}

What select_what(Building& building, const Json& what, const std::string& path) {
  const std::string& text = what.text();
  const size_t dot = text.find('.');
  What result;
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    building.problem(
        what, path,
        "found " + json::quote(text.substr(0, 80)) + ", expected body.selection such as \"block.left\"");
    return result;
  }
  Json name(text.substr(0, dot));
  name.set_place(what.place());
  result.body = building.find_body(name, path);
  result.selection = text.substr(dot + 1);
  if (result.body < 0) return result;
  const BodyParts& body = building.bodies[result.body];
  const auto cached = body.selected.find(result.selection);
  const Marks marks = cached != body.selected.end()
                          ? cached->second
                          : Selector(building, result.body, false).by_name(what, result.selection, path);
  for (size_t i = 0; i < marks.size(); ++i)
    if (marks[i]) result.nodes.push_back(body.first_node + static_cast<int32_t>(i));
  if (result.nodes.empty() && !marks.empty() && cached == body.selected.end())
    building.problem(what, path, matches_nothing(body, result.selection, "node"));
  return result;
}

std::vector<char> select_tets(Building& building, int body, const Json& name, const std::string& path) {
  const size_t before = building.diagnostics.count();
  Marks marks = Selector(building, body, true).by_name(name, name.text(), path);
  if (building.diagnostics.count() != before) return {};
  if (!any(marks)) {
    building.problem(name, path,
                     matches_nothing(building.bodies[body], name.text(), building.bodies[body].kind->noun));
    return {};
  }
  return marks;
}

}  // namespace sinew::scene
