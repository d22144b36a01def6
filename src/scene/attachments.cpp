#include <algorithm>
#include <map>

#include "json/type.h"
#include "scene/building.h"
#include "scene/select.h"

namespace sinew::scene {
namespace {

using model::Attachment;
using model::PoseKey;

bool same(const Vec3d& a, const Vec3d& b) { return norm2(a - b) == 0; }

bool same_motion(const std::vector<PoseKey>& a, const std::vector<PoseKey>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PoseKey& p, const PoseKey& q) {
    const bool turned = p.angle != 0 || q.angle != 0;
    return p.time == q.time && same(p.translate, q.translate) && p.angle == q.angle &&
           (!turned || (same(p.axis, q.axis) && same(p.about, q.about)));
  });
}

// The scene entry behind each model attachment.
struct Entry {
  size_t index;  // in the scene's list
  std::vector<PoseKey> keys;
};

class Attacher {
 public:
  explicit Attacher(Building& building)
      : building_(building), model_(building.built.model), rigid_by_(model_.X.size(), -1) {}

  void add(size_t index, const Json& json) {
    const std::string path = "/attach/" + std::to_string(index);
    What what = select_what(building_, json["what"], path + "/what");
    if (what.nodes.empty()) return;
    Vec3d centroid = {0, 0, 0};
    for (int32_t node : what.nodes) centroid += model_.X[node];
    centroid *= 1.0 / static_cast<double>(what.nodes.size());
    std::vector<PoseKey> keys = motion_keys(building_, json["motion"], path + "/motion", centroid);
    if (keys.empty()) return;

    Attachment attachment;
    attachment.name = name_of(json, path, what);
    if (const Json* clamped = json.find("clamped"); clamped && clamped->boolean()) {
      if (!clamps_a_border(what)) {
        building_.problem(*clamped, path + "/clamped",
                          "found no border of a shell that bends between the nodes of " +
                              json::quote(json["what"].text()) +
                              "; expected both ends of at least one such edge");
        return;
      }
      attachment.clamped = what.nodes;
    }
    attachment.nodes = std::move(what.nodes);
    const std::string& hold = json["hold"].text();
    if (hold == "rigid" && !claim(attachment, json, path, {index, keys})) return;
    attachment.pose = model_.inputs.add_pose("attach." + attachment.name, std::move(keys));
    if (hold == "soft") return add_soft(attachment, json["stiffness"].number());
    if (hold == "plane") {
      attachment.hold = model::Hold::plane;
      attachment.direction = normalized(vector_of(json["normal"]));
    } else if (hold == "line") {
      attachment.hold = model::Hold::line;
      attachment.direction = normalized(vector_of(json["direction"]));
    }
    model_.attachments.push_back(std::move(attachment));
  }

 private:
  // Bodies, attachments and probes share the names that readings begin with.
  bool taken(const std::string& name) const {
    const auto named = [&](const auto& thing) { return thing.name == name; };
    return std::any_of(model_.bodies.begin(), model_.bodies.end(), named) ||
           building_.scene.resolved["probes"].has(name) ||
           std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  std::string name_of(const Json& json, const std::string& path, const What& what) {
    std::string name = what.selection;
    if (const Json* given = json.find("name")) {
      name = given->text();
      if (!json::valid_name(name))
        building_.problem(
            *given, path + "/name",
            "found the name " + json::quote(name.substr(0, 60)) + ", expected letters, digits, '_' and '-'");
      else if (taken(name))
        building_.problem(
            *given, path + "/name",
            "the name " + json::quote(name) + " is already that of a body, a probe or another attachment");
    } else {
      const std::string& full = json["what"].text();
      if (taken(name)) name = full;
      for (int k = 2; taken(name); ++k) name = full + "_" + std::to_string(k);
    }
    names_.push_back(name);
    return name;
  }

  bool clamps_a_border(const What& what) const {
    const model::Body& body = model_.bodies[what.body];
    if (body.bending == model::Bending::none) return false;
    const auto has = [&](int32_t node) {
      return std::binary_search(what.nodes.begin(), what.nodes.end(), node);
    };
    std::map<std::pair<int32_t, int32_t>, int> triangles;  // of each edge between such nodes
    for (const model::Triangle& t : body.surface)
      for (int k = 0; k < 3; ++k)
        if (const int32_t a = t[k], b = t[(k + 1) % 3]; has(a) && has(b)) ++triangles[std::minmax(a, b)];
    return std::any_of(triangles.begin(), triangles.end(), [](const auto& edge) { return edge.second == 1; });
  }

  // Nodes that another attachment holds the same way are left to it; held otherwise they are a problem.
  bool claim(Attachment& attachment, const Json& json, const std::string& path, Entry entry) {
    const auto id = static_cast<int32_t>(entries_.size());
    for (int32_t& node : attachment.nodes) {
      const int32_t by = rigid_by_[node];
      if (by < 0) {
        rigid_by_[node] = id;
      } else if (same_motion(entries_[by].keys, entry.keys)) {
        node = -1;
      } else {
        const BodyParts& body = building_.bodies[model_.body_of_node(node)];
        building_.problem(json["what"], path + "/what",
                          "node " + std::to_string(node - body.first_node) + " of the body " +
                              json::quote(body.name) + " is already held rigidly by /attach/" +
                              std::to_string(entries_[by].index) + " (" + json::quote(names_[by_name_[by]]) +
                              ") with another motion");
        return false;
      }
    }
    std::erase(attachment.nodes, -1);
    entries_.push_back(std::move(entry));
    by_name_.push_back(names_.size() - 1);
    if (attachment.nodes.empty())
      building_.built.notes.push_back("attachment " + attachment.name + " holds only nodes that others hold");
    return true;
  }

  void add_soft(const Attachment& attachment, double stiffness) {
    for (int32_t node : attachment.nodes) {
      model::Link link;
      link.a = model::Site::at_node(node);
      link.b = model::Site::on_frame(attachment.pose, model_.X[node]);
      link.group = attachment.name;
      model_.links.push_back(std::move(link));
      model_.params.link_normal.push_back(stiffness);
      model_.params.link_tangent.push_back(stiffness);
    }
  }

  Building& building_;
  model::Model& model_;
  std::vector<int32_t> rigid_by_;  // entry that holds each node, -1: none
  std::vector<Entry> entries_;     // the rigid ones
  std::vector<size_t> by_name_;    // place of each entry's name
  std::vector<std::string> names_;
};

}  // namespace

void add_attachments(Building& building) {
  Attacher attacher(building);
  const Json& list = building.scene.resolved["attach"];
  for (size_t i = 0; i < list.size(); ++i) attacher.add(i, list.item(i));
}

}  // namespace sinew::scene
