#include "report/facts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/count_text.h"
#include "model/size.h"
#include "plot/html.h"
#include "plot/plot.h"

namespace sinew::report {

using json::Json;
using plot::escaped;

namespace {

constexpr size_t max_names = 12;  // of one kind in a line

std::string count_of(size_t number, std::string_view what) {
  return count_text(static_cast<int64_t>(number), what);
}

// "a, b, c and 7 more".
std::string names_text(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), max_names);
  std::string out =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

// One value, or the range of those that elements have.
std::string values_text(const model::ParamField& field) {
  const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
  if (low == field.values.end()) return "none";
  return *low == *high ? fmt::format("{:.6g}", *low) : fmt::format("{:.4g} to {:.4g}", *low, *high);
}

bool varies(const model::ParamField& field) { return field.values.size() != 1; }

// "neo_hookean, young 1e+06 Pa, poisson 0.4".
std::string law_text(const material::Law& law, const std::vector<model::ParamField>& values) {
  std::string out(law.name);
  size_t at = 0;
  for (const Field& field : law.fields) {
    const bool vector = field.kind == Field::Kind::vector3;
    const size_t width = vector ? 3 : 1;
    if (at + width > values.size()) break;
    const std::string unit = field.unit.empty() || field.unit == "1" ? "" : fmt::format(" {}", field.unit);
    if (!vector)
      out += fmt::format(", {} {}{}", field.name, values_text(values[at]), unit);
    else if (varies(values[at]))
      out += fmt::format(", {} by element", field.name);
    else
      out += fmt::format(", {} ({:.4g}, {:.4g}, {:.4g})", field.name, values[at].at(0), values[at + 1].at(0),
                         values[at + 2].at(0));
    at += width;
  }
  return out;
}

std::string materials_html(const model::Model& model, int32_t body) {
  const model::Body& of = model.bodies[static_cast<size_t>(body)];
  std::string out;
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const model::ElasticSet& set = model.sets[s];
    if (set.body != body) continue;
    if (!out.empty()) out += "<br>";
    out += escaped(law_text(*set.law, model.params.material[s]));
    if (set.elements.size() != static_cast<size_t>(of.elements.size()))
      out += fmt::format(" ({})", count_of(set.elements.size(), of.kind->noun));
  }
  return out;
}

// "0.0123", or "0.0123 (mesh 0.0145)" where elements are material in part.
std::string volume_text(const model::Model::Volumes& volumes) {
  const std::string material = fmt::format("{:.5g}", volumes.material);
  return volumes.mesh == volumes.material ? material
                                          : fmt::format("{} (mesh {:.5g})", material, volumes.mesh);
}

// The colour of a body in the pictures.
std::string swatch(size_t body) {
  return fmt::format("<span class=\"swatch\" style=\"background: {}\"></span>", plot::colour_of(body));
}

std::string attachments_text(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Attachment& a : model.attachments) {
    constexpr const char* holds[] = {"held", "in a plane", "on a line"};
    const auto blocks = model.inputs.blocks();
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.first == a.pose; });
    const bool moves = block != blocks.end() && block->poses.size() > 1;
    list.push_back(fmt::format("{} ({}, {}{})", a.name, count_of(a.nodes.size(), "node"),
                               holds[static_cast<int>(a.hold)], moves ? ", moving" : ""));
  }
  return names_text(list);
}

// Springs and tissue by the entry that made them.
std::string links_text(const model::Model& model) {
  std::map<std::string, size_t> groups;
  for (const model::Link& link : model.links) ++groups[link.group];
  std::vector<std::string> list;
  list.reserve(groups.size() + 1);
  for (const auto& [name, count] : groups) list.push_back(fmt::format("{} ({})", name, count));
  if (!model.sliding.empty()) list.push_back(fmt::format("sliding tissue ({})", model.sliding.size()));
  return names_text(list);
}

std::string loads_text(const scene::Built& built) {
  const model::Model& model = built.model;
  std::vector<std::string> list;
  if (model.gravity >= 0) {
    std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
    model.inputs.evaluate(0, inputs);
    const auto* g = inputs.data() + model.gravity;
    if (g[0] != 0 || g[1] != 0 || g[2] != 0)
      list.push_back(fmt::format("gravity ({:.4g}, {:.4g}, {:.4g}) m/s^2", g[0], g[1], g[2]));
  }
  for (const model::NodalLoad& load : model.nodal_loads)
    list.push_back(fmt::format("{} (forces on {})", load.name, count_of(load.nodes.size(), "node")));
  for (const model::PressureLoad& load : model.pressure_loads)
    list.push_back(fmt::format("{} (pressure {:.4g} Pa)", load.name, load.pressure));
  return names_text(list);
}

std::string colliders_text(const model::Model& model) {
  constexpr const char* shapes[] = {"plane", "sphere", "capsule", "box", "cylinder", "surface"};
  std::vector<std::string> list;
  for (const model::Collider& c : model.colliders)
    list.push_back(
        fmt::format("{} ({}{})", c.name, c.hollow ? "hollow " : "", shapes[static_cast<int>(c.shape)]));
  return names_text(list);
}

// Says which kinds of pairs meet, and their friction.
std::string contact_text(const model::Model& model) {
  if (model.contact.rules.empty()) return {};
  const auto bodies = static_cast<int32_t>(model.bodies.size());
  const auto others = bodies + static_cast<int32_t>(model.colliders.size());
  size_t between = 0, self = 0, colliders = 0;
  double low = INFINITY, high = 0;
  for (int32_t a = 0; a < bodies; ++a)
    for (int32_t b = a; b < others; ++b) {
      const model::ContactRule& rule = model.contact_rule(a, b);
      if (!rule.on) continue;
      ++(b == a ? self : b < bodies ? between : colliders);
      low = std::min(low, rule.friction);
      high = std::max(high, rule.friction);
    }
  std::vector<std::string> list;
  if (between > 0) list.push_back(count_of(between, "pair") + " of bodies");
  if (self > 0)
    list.push_back(self == 1 ? "a body with itself" : fmt::format("{} bodies with themselves", self));
  if (colliders > 0) list.push_back(count_of(colliders, "pair") + " with colliders");
  if (list.empty()) return "none";
  list.push_back(low == high ? fmt::format("friction {:.4g}", low)
                             : fmt::format("friction {:.4g} to {:.4g}", low, high));
  list.push_back(model.contact.continuous ? "motions followed (continuous)" : "not continuous");
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string time_text(const scene::Built& built) {
  const scene::TimePlan& time = built.time;
  const char* mode = built.settings.mode == step::Mode::quasistatic        ? "quasistatic"
                     : built.settings.integrator == step::Integrator::bdf2 ? "in time, BDF2"
                                                                           : "in time, backward Euler";
  if (built.settings.auto_steps)
    return fmt::format("{}; {} at {:.6g} a second, in steps of {:.4g} s or less, as they converge", mode,
                       count_of(static_cast<size_t>(time.frames), "frame"), time.fps, 1 / time.fps);
  return fmt::format("{}; {} at {:.6g} a second, {}, so steps of {:.4g} s", mode,
                     count_of(static_cast<size_t>(time.frames), "frame"), time.fps,
                     time.substeps == 1 ? "one step each" : fmt::format("{} steps each", time.substeps),
                     1 / (time.fps * time.substeps));
}

// The options of the method that the scene chose, as they were.
std::string method_text(const scene::Built& built, const Json& summary) {
  const std::string name(built.method->name);
  std::string out =
      fmt::format("{} ({}), tolerance {:.3g}", name, built.method->title, built.settings.tolerance);
  const Json& options = summary["scene"]["solve"][name];
  if (options.is(Json::Kind::object))
    for (size_t i = 0; i < options.size(); ++i) {
      const Json& value = options.item(i);
      out +=
          fmt::format(", {} {}", options.key(i), value.is(Json::Kind::text) ? value.text() : value.compact());
    }
  return out;
}

std::string seconds_text(const Json& json) {
  return json.is(Json::Kind::number) ? fmt::format("{:.3g} s", json.number()) : "not known";
}

std::vector<std::string> words_of(const Json& json) {
  std::vector<std::string> words;
  for (const Json& word : json.items()) words.push_back(word.text());
  return words;
}

}  // namespace

std::string bodies_html(const model::Model& model) {
  plot::HtmlTable table{
      {"body", "material", "kind", "nodes", "elements", "volume [m^3]", "mass [kg]"}, 3, {}};
  const std::vector<double> mass = model.lumped_mass(model.params);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const model::Size size = model::size_of(body);
    double sum = 0;
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i) sum += mass[static_cast<size_t>(i)];
    table.rows.push_back({swatch(b) + escaped(body.name), materials_html(model, static_cast<int32_t>(b)),
                          std::string(body.kind->phrase), count_text(size.nodes), elements_text(size),
                          volume_text(model.volumes(static_cast<int32_t>(b))), fmt::format("{:.5g}", sum)});
  }
  return plot::html_table(table);
}

std::string setup_html(const scene::Built& built, const Json& summary) {
  plot::HtmlFacts facts;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) facts.emplace_back(name, escaped(text));
  };
  const model::Model& model = built.model;
  add("about", summary["scene"]["description"].text());
  add("method", method_text(built, summary));
  add("time", time_text(built));
  add("attachments", attachments_text(model));
  add("springs and tissue", links_text(model));
  add("loads", loads_text(built));
  add("colliders", colliders_text(model));
  add("contact", contact_text(model));
  return plot::html_facts(facts);
}

std::string origin_html(const Json& summary) {
  plot::HtmlFacts facts;
  const auto add = [&](const char* name, const std::string& text) {
    facts.emplace_back(name, escaped(text));
  };
  facts.emplace_back("command",
                     "<code>" + escaped(plot::command_text(words_of(summary["command"]))) + "</code>");
  add("scene", fmt::format("{} ({})", summary["scene_file"].text(), summary["scene_hash"].text()));
  if (const std::vector<std::string> overrides = words_of(summary["overrides"]); !overrides.empty())
    add("changed by --set", fmt::format("{}", fmt::join(overrides, " ")));
  add("program", fmt::format("sinew {}, {}, {}", summary["sinew"].text(), summary["build"]["compiler"].text(),
                             summary["build"]["flags"].text()));
  add("machine", fmt::format("{}, {} cores, {}; {} used", summary["machine"]["cpu"].text(),
                             summary["machine"]["cores"].number(), summary["machine"]["system"].text(),
                             count_of(static_cast<size_t>(std::clamp(summary["threads"].number(), 0.0, 1e6)),
                                      "thread")));
  const Json& timings = summary["timings"];
  add("time taken", fmt::format("{}: building {}, solving {}, writing {}", seconds_text(timings["total"]),
                                seconds_text(timings["build"]), seconds_text(timings["solve"]),
                                seconds_text(timings["write"])));
  if (!summary["state_hash"].text().empty()) add("final state", summary["state_hash"].text());
  return plot::html_facts(facts);
}

}  // namespace sinew::report
