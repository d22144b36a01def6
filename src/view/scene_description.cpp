#include "view/scene_description.h"

#include <algorithm>
#include <cmath>

#include "scene/scene_type.h"
#include "step/stepper.h"

namespace sinew::view {
namespace {

using json::Json;
using json::Key;
using json::Type;

constexpr size_t most = 200;
constexpr std::string_view left_out[] = {"sinew", "mesh",   "select", "where",  "motion", "initial",
                                         "time",  "output", "expect", "probes", "groups"};

std::string doc_of(const Type& type, const std::string& name, const Type& member) {
  const auto find = [&](const std::vector<Key>& keys) -> const Key* {
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
    return key == keys.end() ? nullptr : &*key;
  };
  if (const Key* key = find(type.keys)) return key->doc;
  for (const json::Variant& variant : type.variants)
    if (const Key* key = find(variant.keys)) return key->doc;
  return std::string(member.field.doc);
}

class Walker {
 public:
  explicit Walker(const scene::Scene& scene) : method_(scene.resolved["solve"]["method"].text()) {}

  void walk(const Type& type, const Json& value, const std::string& path, const std::string& doc) {
    if (value.is(Json::Kind::number)) return add(type, value, path, doc);
    const bool list = value.is(Json::Kind::list);
    if (!list && !value.is(Json::Kind::object)) return;
    for (size_t i = 0; i < value.size(); ++i) {
      const std::string name = list ? std::to_string(i) : value.key(i);
      if (!list && passed_over(name, path)) continue;
      std::vector<std::string_view> known;
      const Type* member = json::member_type(type, &value, name, known);
      if (member)
        walk(*member, value.item(i), path.empty() ? name : path + "." + name,
             list ? doc : doc_of(type, name, *member));
    }
  }
  Json take() { return std::move(out_); }

 private:
  bool passed_over(const std::string& name, const std::string& path) const {
    // Names that the user gave are never keys of the format.
    const bool named = path == "bodies" || path == "colliders";
    if (!named && std::find(std::begin(left_out), std::end(left_out), name) != std::end(left_out))
      return true;
    return path == "solve" && name != method_ && step::find_method(name) != nullptr;
  }

  void add(const Type& type, const Json& value, const std::string& path, const std::string& doc) {
    const bool number = type.field.kind == Field::Kind::number || type.field.kind == Field::Kind::integer;
    if (type.kind != Type::Kind::leaf || !number || out_.size() >= most) return;
    Json entry = Json::object();
    entry.set("path", path);
    entry.set("value", value.number());
    entry.set("unit", type.field.unit);
    entry.set("min", std::isfinite(type.field.min) ? Json(type.field.min) : Json());
    entry.set("max", std::isfinite(type.field.max) ? Json(type.field.max) : Json());
    entry.set("doc", doc);
    if (type.field.kind == Field::Kind::integer) entry.set("whole", true);
    out_.add(std::move(entry));
  }

  std::string method_;
  Json out_ = Json::list();
};

}  // namespace

Json scene_numbers(const scene::Scene& scene) {
  Walker walker(scene);
  walker.walk(scene::scene_type(), scene.resolved, {}, {});
  return walker.take();
}

Json describe_scene(const run::Simulation& simulation) {
  Json json = Json::object(), methods = Json::list(), inputs = Json::list(), attachments = Json::list();
  const scene::Built& built = simulation.built();
  const model::Model& model = built.model;
  for (const step::Method* method : step::methods())
    if (method->lacks(model, scene::settings_for(simulation.scene(), *method)).empty())
      methods.add(method->name);
  std::vector<double> values(model.inputs.size());
  model.inputs.evaluate(simulation.state().time(), values);
  for (const model::InputCurve::Block& block : model.inputs.blocks()) {
    if (block.name == run::hand_input) continue;
    Json entry = Json::object();
    const bool pose = !block.poses.empty();
    entry.set("name", block.name);
    entry.set("kind", pose ? "pose" : "number");
    entry.set("width", block.width);
    entry.set("value", Json::numbers(std::span(values).subspan(block.first, block.width)));
    if (pose) entry.set("about", Json::numbers(run::centre_of_pose(model, block.first).v));
    inputs.add(std::move(entry));
  }
  for (const model::Attachment& attachment : model.attachments) {
    Json entry = Json::object();
    entry.set("name", attachment.name);
    for (const model::InputCurve::Block& block : model.inputs.blocks())
      if (block.first == attachment.pose) entry.set("input", block.name);
    entry.set("nodes", attachment.nodes.size());
    attachments.add(std::move(entry));
  }
  json.set("method", built.method->name);
  json.set("methods", std::move(methods));
  json.set("inputs", std::move(inputs));
  json.set("numbers", scene_numbers(simulation.scene()));
  json.set("attachments", std::move(attachments));
  json.set("fps", built.time.fps);
  json.set("frames", built.time.frames);
  return json;
}

}  // namespace sinew::view
