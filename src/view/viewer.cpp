#include "view/viewer.h"

#include <algorithm>

#include "view/extent.h"

namespace sinew::view {
namespace {

// The numbers of messages that may wait for a page; older ones are dropped.
constexpr size_t max_texts = 1000, max_frames = 8;

}  // namespace

Viewer::Viewer(Show& show) : show_(show), panes_(show.panes.size()) {}

void Viewer::tell(const Json& text) {
  if (texts_.size() >= max_texts) texts_.pop_front();
  texts_.push_back(text);
}

void Viewer::complain(const std::string& text) {
  Json json = Json::object();
  json.set("say", "error");
  json.set("text", text);
  tell(json);
}

void Viewer::newer() {
  for (Pane& pane : panes_) pane.fresh = true;
}

void Viewer::ranges_changed() {
  for (size_t p = 0; p < panes_.size(); ++p) {
    Pane& pane = panes_[p];
    if (!pane.range_pending || !show_.panes[p]->range(pane.field.name, pane.field.component).complete)
      continue;
    pane.asked = true;
  }
}

Result<void> Viewer::take(std::string_view text) {
  Result<Request> request = parse_request(text, static_cast<int>(panes_.size()));
  if (!request) return request.error();
  using Kind = Request::Kind;
  Pane& pane = panes_[request->pane];
  switch (request->kind) {
    case Kind::ready:
      ready_ = was_ready_ = true;
      for (Pane& each : panes_) each.asked |= each.generation == 0 && each.to_come.empty();
      return {};
    case Kind::frame:
      if (show_.live) {
        pane.asked = true;
        return {};
      }
      if (pane.to_come.size() >= max_frames) pane.to_come.pop_front();
      pane.to_come.push_back(request->frame);
      return {};
    case Kind::show:
      pane.field = {request->field, request->component, request->over_run};
      pane.range_pending = false;
      pane.asked = true;
      return {};
    case Kind::clip:
      pane.clip = request->clip;
      pane.asked = true;
      return {};
    default:
      break;
  }
  Live* live = show_.live.get();
  if (!live) {
    complain("this is no live scene: it can be looked at, not changed");
    return {};
  }
  if (request->kind == Kind::play) live->play();
  if (request->kind == Kind::pause) live->pause();
  if (request->kind == Kind::step) live->step();
  if (request->kind == Kind::save) live->save();
  if (request->kind == Kind::edit) live->edit(std::move(request->edit));
  return {};
}

// Sends what depends on the box, when the box or the model has changed.
void Viewer::update_box(int index, const Moment& moment, std::vector<Outgoing>& out) {
  Pane& pane = panes_[index];
  const mesh::Bounds box = show_.panes[index]->box();
  const bool same_box = same(box, pane.box);
  if (same_box && pane.stage == moment.stage()) return;
  pane.box = box;
  if (!same_box) {
    Json text = Json::object();
    text.set("say", "box");
    text.set("pane", index);
    text.set("box", describe_box(box));
    out.push_back({text.compact(), false});
  }
  if (std::string bytes = colliders_message(index, moment.stage()->model, box); !bytes.empty())
    out.push_back({std::move(bytes), true});
}

// Anew when the clip plane keeps other tets than before, or the model is another.
void Viewer::update_topology(int index, const Moment& moment, std::vector<Outgoing>& out) {
  Pane& pane = panes_[index];
  const VisibleSurface& surface = moment.stage()->surface;
  std::vector<char> kept;
  if (pane.clip) kept = surface.kept(*pane.clip, moment.positions());
  if (pane.stage == moment.stage() && kept == pane.kept) return;
  pane.stage = moment.stage();
  pane.kept = std::move(kept);
  pane.topology = surface.clipped(pane.kept);
  ++pane.generation;
  out.push_back({topology_message({index, pane.generation, false}, pane.topology), true});
}

void Viewer::add_field(Pane& pane, Source& source, Moment& moment, MessageWriter& message,
                       std::vector<float>& values) {
  const Result<std::span<const float>> all = moment.values(pane.field.name, pane.field.component);
  if (!all) {
    complain(all.error().text());
    pane.field = {};
    return;
  }
  ValueRange range;
  range.add(*all);
  bool over_run = false;
  if (pane.field.over_run) {
    const Source::RunRange run = source.range(pane.field.name, pane.field.component);
    pane.range_pending = !run.complete;
    over_run = run.complete && !run.range.empty();
    if (over_run) range = run.range;
  }
  const FieldInfo& info = *find_field(*moment.stage(), pane.field.name);
  Json field = field_header(info, pane.field.component, range);
  field.set("over", over_run ? "run" : "frame");
  message.header().set("field", std::move(field));
  values = gather_values(info, *all, pane.topology);
  message.add<float>("values", values, {static_cast<int64_t>(values.size())});
}

void Viewer::make(int index, std::vector<Outgoing>& out) {
  Pane& pane = panes_[index];
  Source& source = *show_.panes[index];
  pane.asked = pane.fresh = false;
  int64_t frame = pane.frame;
  if (!pane.to_come.empty()) {
    frame = pane.to_come.front();
    pane.to_come.pop_front();
  }
  if (frame < 0) frame = source.frames().empty() ? 0 : source.frames().front().index;
  const Result<std::shared_ptr<Moment>> moment = source.at(frame);
  if (!moment) return complain(moment.error().text());
  pane.frame = frame;
  update_box(index, **moment, out);
  update_topology(index, **moment, out);
  MessageWriter message(frame_header({index, pane.generation, show_.playing()}, **moment));
  const std::vector<float> positions = gather_positions(**moment, pane.topology);
  message.add<float>("positions", positions, {static_cast<int64_t>(positions.size() / 3), 3});
  const std::vector<float> poses = gather_collider_poses(**moment, pane.box);
  if (!poses.empty())
    message.add<float>("collider_poses", poses, {static_cast<int64_t>(poses.size() / 12), 12});
  std::vector<float> values;
  if (!pane.field.name.empty()) add_field(pane, source, **moment, message, values);
  add_marks(message, (*moment)->marks());
  out.push_back({message.bytes(), true});
}

std::vector<Outgoing> Viewer::due() {
  std::vector<Outgoing> out;
  if (!greeted_) {
    greeted_ = true;
    out.push_back({show_.hello().compact(), false});
    for (size_t p = 0; p < panes_.size(); ++p) panes_[p].box = show_.panes[p]->box();
  }
  const bool pull = ready_;
  for (size_t p = 0; p < panes_.size(); ++p) {
    const bool wanted = panes_[p].asked || !panes_[p].to_come.empty();
    if (!wanted && !(pull && panes_[p].fresh)) continue;
    if (!wanted) ready_ = false;
    make(static_cast<int>(p), out);
  }
  for (const Json& text : texts_) out.push_back({text.compact(), false});
  texts_.clear();
  return out;
}

}  // namespace sinew::view
