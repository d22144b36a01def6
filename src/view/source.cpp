#include "view/source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "json/words.h"
#include "model/size.h"

namespace sinew::view {
namespace {

constexpr size_t kept_moments = 8;
constexpr int64_t kept_bytes = int64_t{256} << 20;  // of positions and fields; at least two moments stay
constexpr size_t max_ranges = 32;

// -1: there is none of this name.
int find_component(const FieldInfo& field, const std::string& name) {
  const std::vector<std::string> names = field.components();
  if (name.empty() || names.empty()) return name.empty() ? 0 : -1;
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// Component 0 of a field with several is the norm.
float component_of(const double* v, int width, int component) {
  if (width == 1) return static_cast<float>(v[0]);
  if (component > 0) return static_cast<float>(v[component - 1]);
  double sum = 0;
  for (int k = 0; k < width; ++k) sum += (width == 6 && k >= 3 ? 2 : 1) * v[k] * v[k];  // a tensor's shears
  return static_cast<float>(std::sqrt(sum));
}

Json vector_json(const Vec3d& v) { return Json::numbers(v.v); }

}  // namespace

std::vector<std::string> FieldInfo::components() const {
  if (width == 1) return {};
  if (width == 3) return {"norm", "x", "y", "z"};
  if (width == 6) return {"norm", "xx", "yy", "zz", "xy", "yz", "zx"};
  std::vector<std::string> names = {"norm"};
  for (int k = 1; k <= width; ++k) names.push_back(std::to_string(k));
  return names;
}

Result<std::span<const float>> Moment::values(const std::string& name, const std::string& component) {
  const std::vector<FieldInfo>& fields = stage_->fields;
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const FieldInfo& f) { return f.name == name; });
  if (field == fields.end()) {
    std::vector<std::string_view> known;
    for (const FieldInfo& f : fields) known.push_back(f.name);
    return usage_error(json::unknown_word("field", name, known));
  }
  const int which = find_component(*field, component);
  if (which < 0) {
    const std::vector<std::string> names = field->components();
    const std::vector<std::string_view> known(names.begin(), names.end());
    return usage_error(names.empty() ? fmt::format("{} is a plain number: it has no components", name)
                                     : json::unknown_word("component of " + name, component, known));
  }
  const std::pair<size_t, int> key(field - fields.begin(), which);
  if (const auto known = values_.find(key); known != values_.end())
    return std::span<const float>(known->second);
  const std::vector<double> all = compute(key.first);
  std::vector<float> picked(all.size() / field->width);
  for (size_t i = 0; i < picked.size(); ++i)
    picked[i] = component_of(&all[i * field->width], field->width, which);
  return std::span<const float>(values_.emplace(key, std::move(picked)).first->second);
}

void ValueRange::add(std::span<const float> values) {
  for (const float value : values)
    if (std::isfinite(value)) add(static_cast<double>(value));
}

Result<std::shared_ptr<Moment>> Source::at(int64_t index) {
  const auto known = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const std::shared_ptr<Moment>& m) { return m->index() == index; });
  if (known != recent_.end()) {
    std::rotate(recent_.begin(), known, known + 1);
    return recent_.front();
  }
  Result<std::shared_ptr<Moment>> moment = load(index);
  if (!moment) return moment;
  recent_.push_front(*moment);
  const auto bytes = static_cast<int64_t>(64 * (*moment)->positions().size());
  while (recent_.size() > kept_moments ||
         (recent_.size() > 2 && bytes * static_cast<int64_t>(recent_.size()) > kept_bytes))
    recent_.pop_back();
  return moment;
}

void Source::forget() {
  recent_.clear();
  ranges_.clear();
}

Source::RunRange Source::range(const std::string& field, const std::string& component) {
  if (ranges_.size() >= max_ranges && !ranges_.contains({field, component})) ranges_.clear();
  return ranges_[{field, component}];
}

bool Source::advance() {
  for (auto& [key, range] : ranges_) {
    if (range.looked_at >= frames().size()) {
      range.complete = true;
      continue;
    }
    range.complete = false;
    if (const auto moment = load(frames()[range.looked_at].index); moment)
      if (const auto values = (*moment)->values(key.first, key.second); values) range.range.add(*values);
    range.complete = ++range.looked_at == frames().size();
    return true;
  }
  return false;
}

Json describe_bodies(const Stage& stage) {
  Json list = Json::list();
  for (size_t b = 0; b < stage.model.bodies.size(); ++b) {
    const model::Body& body = stage.model.bodies[b];
    const model::Skin* skin = model::skin_of(stage.skins, b);
    Json entry = Json::object();
    entry.set("name", body.name);
    const model::Size size = model::size_of(body);
    entry.set("nodes", size.nodes);
    entry.set("tets", size.tets);
    entry.set("triangles", (skin ? skin->triangles : body.surface).size());
    list.add(std::move(entry));
  }
  return list;
}

Json describe_colliders(const model::Model& model) {
  Json list = Json::list();
  for (const model::Collider& collider : model.colliders) {
    Json entry = Json::object();
    entry.set("name", collider.name);
    list.add(std::move(entry));
  }
  return list;
}

Json describe_fields(const Stage& stage) {
  Json list = Json::list();
  for (const FieldInfo& field : stage.fields) {
    Json entry = Json::object(), components = Json::list();
    for (const std::string& name : field.components()) components.add(name);
    entry.set("name", field.name);
    entry.set("unit", field.unit);
    entry.set("doc", field.doc);
    entry.set("on", field.on_nodes ? "node" : "tet");
    entry.set("components", std::move(components));
    list.add(std::move(entry));
  }
  return list;
}

Json describe_frames(std::span<const exporting::FrameStamp> frames) {
  Json list = Json::list();
  for (const exporting::FrameStamp& stamp : frames) {
    Json entry = Json::object();
    entry.set("index", stamp.index);
    entry.set("time", stamp.time);
    list.add(std::move(entry));
  }
  return list;
}

Json describe_box(const mesh::Bounds& box) {
  Json json = Json::list();
  json.add(vector_json(box.low));
  json.add(vector_json(box.high));
  return json;
}

}  // namespace sinew::view
