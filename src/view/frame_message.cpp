#include "view/frame_message.h"

#include <algorithm>

namespace sinew::view {
namespace {

template <class T, size_t n>
std::span<const T> flat(const std::vector<std::array<T, n>>& rows) {
  return {reinterpret_cast<const T*>(rows.data()), n * rows.size()};
}

}  // namespace

std::string topology_message(const FrameTags& tags, const Topology& topology) {
  Json header = Json::object();
  header.set("say", "topology");
  header.set("pane", tags.pane);
  header.set("generation", tags.generation);
  MessageWriter message(std::move(header));
  const auto count = static_cast<int64_t>(topology.triangles.size());
  message.add<int32_t>("triangles", flat(topology.triangles), {count, 3});
  message.add<int32_t>("nodes", topology.nodes, {static_cast<int64_t>(topology.nodes.size())});
  message.add<int32_t>("tets", topology.tets, {count});
  message.add<int32_t>("body", topology.body, {count});
  return message.bytes();
}

std::vector<float> gather_positions(const Moment& moment, const Topology& topology) {
  const std::span<const Vec3d> x = moment.positions();
  std::vector<float> out(3 * topology.nodes.size());
  for (size_t i = 0; i < topology.nodes.size(); ++i)
    for (int k = 0; k < 3; ++k) out[3 * i + k] = static_cast<float>(x[topology.nodes[i]][k]);
  return out;
}

std::vector<float> gather_values(const FieldInfo& field, std::span<const float> all,
                                 const Topology& topology) {
  const std::vector<int32_t>& ids = field.on_nodes ? topology.nodes : topology.elements;
  std::vector<float> out(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) out[i] = all[ids[i]];
  return out;
}

Json frame_header(const FrameTags& tags, const Moment& moment) {
  Json header = Json::object();
  header.set("say", "frame");
  header.set("pane", tags.pane);
  header.set("generation", tags.generation);
  header.set("index", moment.index());
  header.set("time", moment.time());
  header.set("playing", tags.playing);
  header.set("field", nullptr);
  header.set("line", moment.line());
  if (!moment.inputs().is(Json::Kind::null)) header.set("inputs", moment.inputs());
  return header;
}

Json field_header(const FieldInfo& field, const std::string& component, const ValueRange& range) {
  Json json = Json::object();
  const std::vector<std::string> components = field.components();
  json.set("name", field.name);
  json.set("component", component.empty() && !components.empty() ? components[0] : component);
  json.set("unit", field.unit);
  json.set("on", field.on_nodes ? "node" : "tet");
  json.set("min", range.empty() ? Json() : Json(range.min));
  json.set("max", range.empty() ? Json() : Json(range.max));
  return json;
}

void add_marks(MessageWriter& message, const Marks& marks) {
  const auto contacts = static_cast<int64_t>(marks.contacts.size()),
             segments = static_cast<int64_t>(marks.constraints.size());
  message.add<float>("contacts", flat(marks.contacts), {contacts, 3});
  message.add<uint8_t>("contact_kind", marks.contact_kind, {contacts});
  message.add<float>("constraints", flat(marks.constraints), {segments, 2, 3});
  message.add<uint8_t>("constraint_kind", marks.constraint_kind, {segments});
}

const FieldInfo* find_field(const Stage& stage, const std::string& name) {
  const auto field = std::find_if(stage.fields.begin(), stage.fields.end(),
                                  [&](const FieldInfo& f) { return f.name == name; });
  return field == stage.fields.end() ? nullptr : &*field;
}

}  // namespace sinew::view
