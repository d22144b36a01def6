#include "view/frame_message.h"

#include <algorithm>

#include "contact/collider_shell.h"

namespace sinew::view {
namespace {

template <class T, size_t n>
std::span<const T> flat(const std::vector<std::array<T, n>>& rows) {
  return {reinterpret_cast<const T*>(rows.data()), n * rows.size()};
}

constexpr double plane_size = 1.3;  // of the diagonal of the box

}  // namespace

std::string colliders_message(int pane, const model::Model& model, const mesh::Bounds& box) {
  if (model.colliders.empty()) return {};
  std::vector<float> points;
  std::vector<model::Triangle> triangles;
  std::vector<int32_t> collider;
  for (size_t c = 0; c < model.colliders.size(); ++c) {
    const auto first = static_cast<int32_t>(points.size() / 3);
    const contact::Shell shell = contact::shell_of(model.colliders[c], plane_size * norm(box.high - box.low));
    for (const Vec3d& p : shell.points)
      for (int k = 0; k < 3; ++k) points.push_back(static_cast<float>(p[k]));
    for (const auto& [i, j, k] : shell.triangles) triangles.push_back({first + i, first + j, first + k});
    collider.resize(triangles.size(), static_cast<int32_t>(c));
  }
  Json header = Json::object();
  header.set("say", "colliders");
  header.set("pane", pane);
  MessageWriter message(std::move(header));
  const auto count = static_cast<int64_t>(triangles.size());
  message.add<float>("points", points, {static_cast<int64_t>(points.size() / 3), 3});
  message.add<int32_t>("triangles", flat(triangles), {count, 3});
  message.add<int32_t>("collider", collider, {count});
  return message.bytes();
}

std::vector<float> gather_collider_poses(Moment& moment, const mesh::Bounds& box) {
  std::vector<float> out;
  for (const model::Collider& collider : moment.stage()->model.colliders) {
    const model::Pose pose = contact::shell_pose(collider, moment.input_vector(), (box.low + box.high) * 0.5);
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) out.push_back(static_cast<float>(pose.A(row, column)));
    for (int row = 0; row < 3; ++row) out.push_back(static_cast<float>(pose.b[row]));
  }
  return out;
}

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
  const size_t first = topology.nodes.size() - topology.points.size();
  for (size_t i = 0; i < topology.nodes.size(); ++i) {
    const Vec3d p = i < first ? x[topology.nodes[i]] : geometry::position(*topology.points[i - first], x);
    for (int k = 0; k < 3; ++k) out[3 * i + k] = static_cast<float>(p[k]);
  }
  return out;
}

std::vector<float> gather_values(const FieldInfo& field, std::span<const float> all,
                                 const Topology& topology) {
  const std::vector<int32_t>& ids = field.on_nodes ? topology.nodes : topology.elements;
  std::vector<float> out(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) out[i] = all[ids[i]];
  if (!field.on_nodes) return out;
  const size_t first = ids.size() - topology.points.size();
  for (size_t i = first; i < ids.size(); ++i) {
    const geometry::EmbeddedPoint& point = *topology.points[i - first];
    double sum = 0;
    for (int k = 0; k < point.count; ++k) sum += point.weight[k] * static_cast<double>(all[point.node[k]]);
    out[i] = static_cast<float>(sum);
  }
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
