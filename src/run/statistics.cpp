#include "run/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "measure/stored_contacts.h"
#include "step/report_sum.h"

namespace sinew::run {

using json::Json;

namespace {

constexpr size_t max_pairs = 100;  // in a line
constexpr double infinity = std::numeric_limits<double>::infinity();

Json vector_reading(const measure::Snapshot& snapshot, std::string_view quantity, int attachment) {
  std::array<double, 3> values = {};
  if (const measure::Quantity* q = measure::find_quantity(quantity, measure::Target::attachment))
    q->evaluate(snapshot, attachment, values);
  return Json::numbers(values);
}

Json reactions(const measure::Snapshot& snapshot) {
  Json all = Json::object();
  const auto& attachments = snapshot.model().attachments;
  for (size_t a = 0; a < attachments.size(); ++a) {
    Json one = Json::object();
    one.set("force", vector_reading(snapshot, "force", static_cast<int>(a)));
    one.set("moment", vector_reading(snapshot, "moment", static_cast<int>(a)));
    all.set(attachments[a].name, std::move(one));
  }
  return all;
}

// The forces of the first pairs that press, in the order of the scene, and the number of all such pairs.
void add_contact_forces(const measure::Snapshot& snapshot, Json& line) {
  const model::Model& model = snapshot.model();
  const auto name = [&](int32_t i) {
    const auto bodies = static_cast<int32_t>(model.bodies.size());
    return i < bodies ? model.bodies[i].name : model.colliders[i - bodies].name;
  };
  const std::vector<measure::PairForce> pairs = measure::pair_forces(snapshot);
  Json forces = Json::object();
  for (size_t i = 0; i < pairs.size() && i < max_pairs; ++i)
    forces.set(name(pairs[i].pair.first) + ":" + name(pairs[i].pair.second), Json::numbers(pairs[i].force.v));
  line.set("contact_pairs", pairs.size());
  line.set("contact_forces", std::move(forces));
}

}  // namespace

void FrameTotals::add(const step::StepReport& report) {
  if (!stepped) {
    sum.status = report.status;
    sum.min_det_F = report.min_det_F;
    stepped = true;
  }
  step::append(report, sum);
}

Json FrameTotals::line(int64_t frame, const measure::Snapshot& snapshot) const {
  const auto known = [&](auto value) { return stepped ? Json(value) : Json(); };
  Json line = Json::object(), phases = Json::object();
  line.set("frame", frame);
  line.set("time", snapshot.state().time());
  line.set("status", stepped ? step::name_of(sum.status) : "start");
  line.set("increments", sum.increments);
  line.set("iterations", sum.iterations);
  line.set("linear_iterations", sum.linear_iterations);
  line.set("residual", known(sum.residual));
  line.set("relative_residual", known(sum.relative_residual));
  line.set("energy", known(sum.energy));
  line.set("seconds", seconds);
  line.set("min_det_F", known(sum.min_det_F));
  line.set("inverted", known(sum.inverted));
  line.set("linear_solver", known(sum.linear_solver));
  line.set("reactions", reactions(snapshot));
  if (snapshot.model().has_contacts()) {
    line.set("contacts", known(sum.contacts));
    line.set("penetration", known(sum.penetration));
    line.set("dissipation", known(sum.dissipation));
    add_contact_forces(snapshot, line);
  }
  for (const auto& [phase, time] : sum.seconds) phases.set(phase, time);
  line.set("phases", std::move(phases));
  if (!sum.notes.empty()) {
    Json notes = Json::list();
    for (const std::string& note : sum.notes) notes.add(note);
    line.set("notes", std::move(notes));
  }
  if (sum.reason) line.set("reason", to_json(*sum.reason));
  return line;
}

Json to_json(const step::Reason& reason) {
  Json json = Json::object();
  json.set("body", reason.body);
  if (!reason.other.empty()) json.set("other", reason.other);
  json.set("place", Json::numbers(reason.place.v));
  if (reason.node >= 0) json.set("node", reason.node);
  if (reason.element >= 0) json.set("element", reason.element);
  json.set("cause", reason.cause);
  json.set("advice", reason.advice);
  return json;
}

step::Reason reason_of(const Json& json) {
  const auto number = [&](std::string_view key) {
    return json[key].is(Json::Kind::number) ? static_cast<int32_t>(std::clamp(json[key].number(), -1.0, 2e9))
                                            : -1;
  };
  step::Reason reason{.body = json["body"].text(),
                      .other = json["other"].text(),
                      .node = number("node"),
                      .element = number("element"),
                      .cause = json["cause"].text(),
                      .advice = json["advice"].text()};
  const std::span<const Json> place = json["place"].items();
  for (size_t k = 0; k < 3 && k < place.size(); ++k) reason.place[k] = place[k].number();
  return reason;
}

std::string FrameReason::text() const { return fmt::format("frame {}: {}", frame, reason.text()); }

Json FrameReason::json() const {
  Json json = to_json(reason);
  json.set("frame", frame);
  return json;
}

std::string ExpectationResult::sentence() const {
  std::string bounds = std::isinf(max)   ? fmt::format("at least {:.9g}", min)
                       : std::isinf(min) ? fmt::format("at most {:.9g}", max)
                                         : fmt::format("{:.9g} to {:.9g}", min, max);
  return fmt::format("{} at frame {}: found {:.9g}, expected {}", text, frame, value, bounds);
}

Json ExpectationResult::json() const {
  Json json = Json::object();
  json.set("target", text);
  json.set("frame", frame);
  json.set("value", value);
  json.set("min", min);  // an infinite bound is written as null
  json.set("max", max);
  json.set("ok", ok);
  return json;
}

ExpectationResult expectation_of(const Json& json) {
  const auto number = [&](std::string_view key, double otherwise) {
    return json[key].is(Json::Kind::number) ? json[key].number() : otherwise;
  };
  return {json["target"].text(),
          static_cast<int64_t>(std::clamp(number("frame", 0), 0.0, 1e15)),
          number("value", std::numeric_limits<double>::quiet_NaN()),
          number("min", -infinity),
          number("max", infinity),
          json["ok"].boolean()};
}

ExpectationResult evaluate(const scene::Expectation& expectation, const measure::Snapshot& snapshot) {
  ExpectationResult result{expectation.text, expectation.frame, measure::read(snapshot, expectation.reading),
                           expectation.min,  expectation.max,   false};
  result.ok = result.value >= result.min && result.value <= result.max;
  return result;
}

}  // namespace sinew::run
