#include "measure/quantity.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinew::measure {

using Component = Reading::Component;
using Reduction = Reading::Reduction;

const Quantity* find_quantity(std::string_view name, Target on) {
  for (const Quantity* quantity : quantities())
    if (quantity->name == name && quantity->on == on) return quantity;
  return nullptr;
}

int64_t value_count(const model::Model& model, const Quantity& quantity, int target) {
  switch (quantity.on) {
    case Target::node:
      return int64_t{quantity.width} * model.bodies[target].visible().size();
    case Target::element:
      return int64_t{quantity.width} * model.bodies[target].elements.size();
    default:
      return quantity.width;
  }
}

namespace {

constexpr std::string_view component_names[] = {"",   "x",  "y",  "z",  "xx",  "yy",
                                                "zz", "xy", "yz", "zx", "norm"};
constexpr std::string_view reduction_names[] = {"", "min", "max", "mean"};

bool is_field(const Quantity& quantity) {
  return quantity.on == Target::node || quantity.on == Target::element;
}

bool has_component(const Quantity& quantity, Component component) {
  switch (component) {
    case Component::all:
      return quantity.width == 1;
    case Component::norm:
      return quantity.width > 1;
    case Component::x:
    case Component::y:
    case Component::z:
      return quantity.width == 3;
    default:
      return quantity.width == 6;
  }
}

// A body, attachment or probe, and which of the quantities it has.
struct Named {
  std::string_view name;
  Target kind;  // body, attachment or probe
  int index;

  bool has(const Quantity& quantity) const {
    return quantity.on == kind || (kind == Target::body && is_field(quantity));
  }
};

std::vector<Named> all_targets(const model::Model& model) {
  std::vector<Named> targets;
  const auto add = [&](const auto& list, Target kind) {
    for (size_t i = 0; i < list.size(); ++i) targets.push_back({list[i].name, kind, static_cast<int>(i)});
  };
  add(model.bodies, Target::body);
  add(model.attachments, Target::attachment);
  add(model.probes, Target::probe);
  return targets;
}

std::string quoted(std::string_view word) {
  std::string text = "\"";
  for (char c : word.substr(0, 80)) text += static_cast<unsigned char>(c) < 32 ? '?' : c;
  return text + (word.size() > 80 ? "...\"" : "\"");
}

// "; expected one of a, b, c", without repeats and cut to a bounded length.
std::string expected(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  if (names.empty()) return "; there are none";
  constexpr size_t most = 40;
  std::string text = names.size() == 1 ? "; expected " : "; expected one of ";
  for (size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? ", " : "") + std::string(names[i].substr(0, 80));
  return names.size() > most ? text + ", ..." : text;
}

Error refuse(std::string_view text, const std::string& what) {
  return usage_error(quoted(text) + ": " + what);
}

// The next word up to a dot, taken off `rest`.
std::string_view take_word(std::string_view& rest) {
  const size_t dot = rest.find('.');
  const std::string_view word = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return word;
}

template <size_t n>
int index_of(std::string_view word, const std::string_view (&names)[n]) {
  const auto found = std::find(std::begin(names) + 1, std::end(names), word);
  return found == std::end(names) ? 0 : static_cast<int>(found - std::begin(names));
}

Error wrong_component(std::string_view text, const Quantity& quantity, std::string_view word) {
  std::vector<std::string_view> names;
  for (size_t c = 1; c < std::size(component_names); ++c)
    if (has_component(quantity, static_cast<Component>(c))) names.push_back(component_names[c]);
  const std::string name(quantity.name);
  if (word.empty()) return refuse(text, name + " has several components" + expected(names) + " after it");
  if (names.empty()) return refuse(text, name + " is a single number and has no component " + quoted(word));
  return refuse(text, name + " has no component " + quoted(word) + expected(names));
}

// The components and the reduction: what follows the quantity's name. `single`: they must leave one number.
Result<Reading> parse_tail(std::string_view text, Reading reading, std::string_view tail, bool single) {
  const Quantity& quantity = *reading.quantity;
  while (!tail.empty()) {
    const std::string_view word = take_word(tail);
    const int component = index_of(word, component_names), reduction = index_of(word, reduction_names);
    if (reduction && reading.reduction == Reduction::none) {
      if (!is_field(quantity))
        return refuse(text, std::string(quantity.name) + " is not a field and has no " + quoted(word));
      reading.reduction = static_cast<Reduction>(reduction);
      if (!tail.empty()) return refuse(text, "nothing can follow " + quoted(word));
    } else if (component && reading.component == Component::all &&
               has_component(quantity, Component(component))) {
      reading.component = static_cast<Component>(component);
    } else if (quantity.width > 1 && reading.component == Component::all) {
      return wrong_component(text, quantity, word);
    } else if (is_field(quantity)) {
      return refuse(text, "unknown reduction " + quoted(word) + expected({"min", "max", "mean"}));
    } else {
      return wrong_component(text, quantity, word);
    }
  }
  const bool one = single || reading.reduction != Reduction::none;
  if (one && !has_component(quantity, reading.component)) return wrong_component(text, quantity, {});
  if (single && is_field(quantity) && reading.reduction == Reduction::none)
    return refuse(
        text, std::string(quantity.name) + " is a field" + expected({"min", "max", "mean"}) + " after it");
  return reading;
}

// "a:b.quantity": `colon` is where the first name ends.
Result<Reading> parse_pair(const model::Model& model, std::string_view text, size_t colon, bool single) {
  std::vector<std::string_view> names;
  for (const model::Body& body : model.bodies) names.push_back(body.name);
  for (const model::Collider& collider : model.colliders) names.push_back(collider.name);
  std::string_view tail = text.substr(colon + 1);
  const std::string_view sides[2] = {text.substr(0, colon), take_word(tail)};
  size_t index[2];
  for (int k = 0; k < 2; ++k) {
    index[k] = std::find(names.begin(), names.end(), sides[k]) - names.begin();
    if (index[k] == names.size())
      return refuse(text, quoted(sides[k]) + " is neither a body nor a collider" + expected(names));
  }
  if (std::min(index[0], index[1]) >= model.bodies.size())
    return refuse(text, "two colliders do not touch; expected a body in the pair");
  if (names.size() > 40000) return refuse(text, "there are more than 40000 bodies and colliders");
  const std::string_view word = take_word(tail);
  std::vector<std::string_view> known;
  for (const Quantity* quantity : quantities()) {
    if (quantity->on != Target::pair) continue;
    if (quantity->name == word)
      return parse_tail(text, {quantity, static_cast<int>(index[0] * names.size() + index[1])}, tail, single);
    known.push_back(quantity->name);
  }
  return refuse(text,
                (word.empty() ? std::string("no quantity is named") : "unknown quantity " + quoted(word)) +
                    expected(known));
}

Result<Reading> parse(const model::Model& model, std::string_view text, bool single) {
  if (const size_t colon = text.find(':'); colon != std::string_view::npos)
    return parse_pair(model, text, colon, single);
  const std::vector<Named> targets = all_targets(model);
  size_t length = 0;  // of the longest name that begins the text
  bool found = false;
  for (const Named& target : targets)
    if (text.starts_with(target.name) &&
        (text.size() == target.name.size() || text[target.name.size()] == '.')) {
      length = std::max(length, target.name.size());
      found = true;
    }
  if (!found) {
    std::vector<std::string_view> names;
    for (const Named& target : targets) names.push_back(target.name);
    return refuse(text, "it does not begin with the name of a body, attachment or probe" + expected(names));
  }
  std::string_view tail = text.substr(std::min(text.size(), length + 1));
  const std::string_view word = take_word(tail);
  std::vector<std::string_view> names;
  for (const Named& target : targets) {
    if (target.name != text.substr(0, length)) continue;
    for (const Quantity* quantity : quantities()) {
      if (!target.has(*quantity)) continue;
      if (quantity->name == word) return parse_tail(text, {quantity, target.index}, tail, single);
      names.push_back(quantity->name);
    }
  }
  return refuse(text,
                (word.empty() ? std::string("no quantity is named") : "unknown quantity " + quoted(word)) +
                    expected(names));
}

double component_of(const double* v, int width, Component component) {
  switch (component) {
    case Component::all:
      return v[0];
    case Component::norm:
      if (width == 6)  // of the tensor: its shears stand twice
        return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] +
                         2 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]));
      return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    case Component::x:
    case Component::y:
    case Component::z:
      return v[static_cast<int>(component) - static_cast<int>(Component::x)];
    default:
      return v[static_cast<int>(component) - static_cast<int>(Component::xx)];
  }
}

}  // namespace

Result<Reading> parse_reading(const model::Model& model, std::string_view text) {
  return parse(model, text, true);
}

Result<Reading> parse_values(const model::Model& model, std::string_view text) {
  return parse(model, text, false);
}

int width_of(const Reading& reading) {
  return reading.component == Component::all ? reading.quantity->width : 1;
}

std::vector<double> read_values(const Snapshot& snapshot, const Reading& reading) {
  const Quantity& quantity = *reading.quantity;
  if (reading.reduction != Reduction::none) return {read(snapshot, reading)};
  std::vector<double> values(value_count(snapshot.model(), quantity, reading.target));
  quantity.evaluate(snapshot, reading.target, values);
  if (width_of(reading) == quantity.width) return values;
  const size_t count = values.size() / quantity.width;
  for (size_t i = 0; i < count; ++i)
    values[i] = component_of(&values[i * quantity.width], quantity.width, reading.component);
  values.resize(count);
  return values;
}

double read(const Snapshot& snapshot, const Reading& reading) {
  const Quantity& quantity = *reading.quantity;
  std::vector<double> values(value_count(snapshot.model(), quantity, reading.target));
  quantity.evaluate(snapshot, reading.target, values);
  const size_t count = values.size() / quantity.width;
  double low = INFINITY, high = -INFINITY, sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = component_of(&values[i * quantity.width], quantity.width, reading.component);
    if (std::isnan(value)) return value;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  switch (reading.reduction) {
    case Reduction::min:
      return low;
    case Reduction::max:
      return high;
    case Reduction::mean:
      return sum / static_cast<double>(count);
    case Reduction::none:
      return sum;  // of one value
  }
  return sum;
}

}  // namespace sinew::measure
