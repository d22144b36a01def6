#include "view/request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "json/words.h"

namespace sinew::view {
namespace {

using Kind = Request::Kind;
using json::Json;

constexpr size_t longest_name = 200;
constexpr size_t max_numbers = 64;  // of an input

enum class Shape { number, text, text_or_null, object, vector, numbers, any };

struct Key {
  std::string_view name;
  Shape shape;
  bool required = true;
};

struct Form {
  std::string_view name;
  Kind kind;
  Key keys[3];
};

constexpr Form forms[] = {
    {"ready", Kind::ready, {}},
    {"frame", Kind::frame, {{"pane", Shape::number, false}, {"index", Shape::number}}},
    {"show",
     Kind::show,
     {{"field", Shape::text_or_null},
      {"component", Shape::text_or_null, false},
      {"range", Shape::text, false}}},
    {"clip", Kind::clip, {{"plane", Shape::any}}},
    {"play", Kind::play, {}},
    {"pause", Kind::pause, {}},
    {"step", Kind::step, {}},
    {"save", Kind::save, {}},
    {"reset", Kind::edit, {}},
    {"grab", Kind::edit, {{"node", Shape::number}, {"to", Shape::vector}}},
    {"move", Kind::edit, {{"to", Shape::vector}}},
    {"release", Kind::edit, {}},
    {"pose",
     Kind::edit,
     {{"name", Shape::text}, {"translate", Shape::vector, false}, {"rotate", Shape::object, false}}},
    {"input", Kind::edit, {{"name", Shape::text}, {"value", Shape::numbers}}},
    {"set", Kind::edit, {{"path", Shape::text}, {"value", Shape::any}}},
    {"method", Kind::edit, {{"name", Shape::text}}},
};

bool finite(const Json& value) { return value.is(Json::Kind::number) && std::isfinite(value.number()); }

bool numbers(const Json& value, size_t least, size_t most) {
  return value.is(Json::Kind::list) && value.size() >= least && value.size() <= most &&
         std::all_of(value.items().begin(), value.items().end(), finite);
}

bool text(const Json& value) { return value.is(Json::Kind::text) && value.text().size() <= longest_name; }

// {"axis": [x, y, z], "degrees": a}.
bool rotation(const Json& value) {
  return value.is(Json::Kind::object) && numbers(value["axis"], 3, 3) && finite(value["degrees"]);
}

bool has_shape(const Json& value, Shape shape) {
  switch (shape) {
    case Shape::number:
      return finite(value);
    case Shape::text:
      return text(value);
    case Shape::text_or_null:
      return text(value) || value.is(Json::Kind::null);
    case Shape::object:
      return rotation(value);
    case Shape::vector:
      return numbers(value, 3, 3);
    case Shape::numbers:
      return numbers(value, 1, max_numbers);
    default:
      return true;
  }
}

Error refuse(const std::string& what) { return input_error("request", what); }

const Form* find_form(std::string_view name) {
  const auto form =
      std::find_if(std::begin(forms), std::end(forms), [&](const Form& f) { return f.name == name; });
  return form == std::end(forms) ? nullptr : form;
}

Result<Request> read_clip(Request request, const Json& plane) {
  if (plane.is(Json::Kind::null)) return request;
  if (!numbers(plane, 4, 4))
    return refuse("clip: found a \"plane\" that is neither null nor four numbers a, b, c, d");
  const math::Vec3d normal = {plane.item(0).number(), plane.item(1).number(), plane.item(2).number()};
  if (norm2(normal) == 0) return refuse("clip: the normal of the plane is zero");
  request.clip = ClipPlane{normal, plane.item(3).number()};
  return request;
}

}  // namespace

Result<Request> parse_request(std::string_view bytes, int panes) {
  const Result<Json> json =
      json::parse_json(bytes, "request", {.bytes = longest_request, .depth = 8, .values = 1000});
  if (!json) return json.error();
  if (!json->is(Json::Kind::object) || !(*json)["do"].is(Json::Kind::text))
    return refuse("expected an object with a text \"do\"");
  const std::string& name = (*json)["do"].text();
  const Form* form = find_form(name);
  if (!form) {
    std::vector<std::string_view> known;
    for (const Form& f : forms) known.push_back(f.name);
    return refuse(json::unknown_word("\"do\"", name.substr(0, longest_name), known));
  }
  for (const Key& key : form->keys) {
    if (key.name.empty()) continue;
    const Json* value = json->find(key.name);
    if (!value && !key.required) continue;
    if (!value || !has_shape(*value, key.shape))
      return refuse(fmt::format("{}: \"{}\" is {}", name, key.name, value ? "of the wrong kind" : "missing"));
  }
  Request request;
  request.kind = form->kind;
  if (const Json* pane = json->find("pane")) {
    if (!finite(*pane) || pane->number() < 0 || pane->number() >= panes ||
        pane->number() != std::floor(pane->number()))
      return refuse(fmt::format("{}: found the pane {}, expected 0 to {}", name, pane->compact(), panes - 1));
    request.pane = static_cast<int>(pane->number());
  }
  switch (form->kind) {
    case Kind::frame: {
      const double index = (*json)["index"].number();
      if (!(index >= 0 && index < 1e15 && index == std::floor(index)))
        return refuse("frame: \"index\" is no frame number");
      request.frame = static_cast<int64_t>(index);
      return request;
    }
    case Kind::show:
      request.field = (*json)["field"].text();
      request.component = (*json)["component"].text();
      if (const Json* range = json->find("range")) {
        if (range->text() != "run" && range->text() != "frame")
          return refuse("show: \"range\" is neither \"run\" nor \"frame\"");
        request.over_run = range->text() == "run";
      }
      return request;
    case Kind::clip:
      return read_clip(std::move(request), (*json)["plane"]);
    case Kind::edit:
      request.edit = *json;
      return request;
    default:
      return request;
  }
}

}  // namespace sinew::view
