#include <cmath>
#include <limits>

#include "base/memory.h"
#include "scene/building.h"
#include "scene/select.h"

namespace sinew::scene {
namespace {

FieldValues options_of(const step::Method& method, const Json& json) {
  FieldValues values(method.fields);
  for (const Field& field : method.fields) {
    const Json& value = json[field.name];
    if (value.is(Json::Kind::number)) values.set(field.name, value.number());
    if (value.is(Json::Kind::boolean)) values.set(field.name, value.boolean());
    if (value.is(Json::Kind::text)) values.set(field.name, value.text());
  }
  return values;
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> result;
  for (const Json& item : list.items()) result.push_back(item.text());
  return result;
}

void set_plans(const Scene& scene, Built& built) {
  const Json& solve = scene.resolved["solve"];
  built.method = step::find_method(solve["method"].text());
  built.settings = settings_for(scene, *built.method);
  const Json& time = scene.resolved["time"];
  const Json* substeps = time.find("substeps");
  built.time = {time["fps"].number(), static_cast<int32_t>(time["frames"].number()),
                substeps && substeps->is(Json::Kind::number) ? static_cast<int32_t>(substeps->number()) : 1};
  const Json& output = scene.resolved["output"];
  built.output = {texts(output["export"]), texts(output["fields"]),
                  static_cast<int32_t>(output["checkpoint_every"].number())};
}

// False with a problem where the bounds make no sense.
bool set_bounds(Building& building, const Json& json, const std::string& path, Expectation& e) {
  const Json *min = json.find("min"), *max = json.find("max"), *value = json.find("value"),
             *tolerance = json.find("tolerance");
  if ((value != nullptr) != (tolerance != nullptr)) {
    building.problem(json, path, "found \"value\" or \"tolerance\" alone, expected both");
    return false;
  }
  if (!min && !max && !value) {
    building.problem(json, path, "found no bound, expected \"min\", \"max\" or \"value\" with \"tolerance\"");
    return false;
  }
  e.min = min ? min->number() : -std::numeric_limits<double>::infinity();
  e.max = max ? max->number() : std::numeric_limits<double>::infinity();
  if (value) {
    e.min = std::max(e.min, value->number() - tolerance->number());
    e.max = std::min(e.max, value->number() + tolerance->number());
  }
  if (e.min <= e.max) return true;
  building.problem(
      json, path,
      "no number can lie between " + json::number_text(e.min) + " and " + json::number_text(e.max));
  return false;
}

void add_expectations(Building& building) {
  const Json& expect = building.scene.resolved["expect"];
  Built& built = building.built;
  for (size_t i = 0; i < expect.size(); ++i) {
    const Json& json = expect.item(i);
    const std::string path = "/expect/" + expect.key(i);
    Result<measure::Reading> reading = measure::parse_reading(built.model, expect.key(i));
    if (!reading) building.diagnostics.add(expect.key_place(i), path, reading.error().what);
    Expectation e{expect.key(i), reading ? *reading : measure::Reading{}, 0, 0, built.time.frames};
    if (const Json* frame = json.find("frame")) {
      e.frame = static_cast<int32_t>(frame->number());
      if (e.frame > built.time.frames)
        building.problem(*frame, path + "/frame",
                         "found frame " + std::to_string(e.frame) + ", expected at most the last one, " +
                             std::to_string(built.time.frames));
    }
    if (set_bounds(building, json, path, e) && reading) built.expect.push_back(std::move(e));
  }
}

std::optional<Built> build_all(const Scene& scene, Diagnostics& diagnostics, const BuildOptions& options) {
  Built built;
  const size_t before = diagnostics.count();
  const int64_t available = options.available_bytes < 0 ? system_available_bytes() : options.available_bytes;
  Building building{scene, diagnostics, available, options.meshes, built, {}};
  set_plans(scene, built);
  make_meshes(building);
  if (diagnostics.count() != before) return std::nullopt;  // what follows needs all bodies
  make_colliders(building);
  make_selections(building);
  add_materials(building);
  add_attachments(building);
  add_colliders(building);
  add_springs(building);
  add_connections(building);
  add_probes(building);
  const Vec3d gravity = vector_of(scene.resolved["gravity"]);
  if (norm2(gravity) > 0)
    built.model.gravity =
        built.model.inputs.add_numbers("gravity", {{0, {gravity[0], gravity[1], gravity[2]}}});
  add_loads(building);
  add_wind(building);
  set_initial(building);
  add_contacts(building);
  add_expectations(building);
  if (diagnostics.count() == before) look_for_overlaps(building);
  if (diagnostics.count() != before) return std::nullopt;
  return built;
}

}  // namespace

step::Settings settings_for(const Scene& scene, const step::Method& method) {
  const Json& solve = scene.resolved["solve"];
  step::Settings settings;
  settings.mode = solve["mode"].text() == "dynamic" ? step::Mode::dynamic : step::Mode::quasistatic;
  settings.integrator =
      solve["integrator"].text() == "bdf2" ? step::Integrator::bdf2 : step::Integrator::backward_euler;
  settings.tolerance = solve["tolerance"].number();
  settings.options = options_of(method, solve[method.name]);
  const Json* substeps = scene.resolved["time"].find("substeps");
  const bool may_touch = scene.resolved.find("contact") || scene.resolved["colliders"].size() > 0;
  settings.auto_steps = !method.budgeted && settings.mode == step::Mode::dynamic &&
                        (substeps ? substeps->is(Json::Kind::text) : may_touch);
  return settings;
}

std::optional<Built> build(const Scene& scene, Diagnostics& diagnostics, const BuildOptions& options) {
  try {
    return build_all(scene, diagnostics, options);
  } catch (const std::bad_alloc&) {
    diagnostics.add(out_of_memory(scene.name));
    return std::nullopt;
  }
}

}  // namespace sinew::scene
