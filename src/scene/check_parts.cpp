#include "scene/check_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/count_text.h"
#include "json/words.h"
#include "model/rigid_modes.h"
#include "model/unbalanced_parts.h"

namespace sinew::scene {
namespace {

constexpr size_t named = 5;  // parts that are told of one by one

bool may_touch(const model::Model& model, int32_t body) {
  const auto all = static_cast<int32_t>(model.bodies.size() + model.colliders.size());
  for (int32_t other = 0; other < all && !model.contact.rules.empty(); ++other)
    if (other != body && model.contact_rule(body, other).on) return true;
  return std::any_of(model.sliding.begin(), model.sliding.end(), [&](const model::SlidingLink& link) {
    return link.body == body || model.body_of_node(link.node) == body;
  });
}

// Which part, where it is and how large.
std::string part_name(const model::Model& model, const model::Parts& parts, int32_t p) {
  const model::Part& part = parts.list[p];
  const std::string body = "the body " + json::quote(model.bodies[part.body].name);
  if (parts.per_body[part.body] == 1) return body;
  math::Vec3d centre = part.centre;
  for (double& c : centre.v)
    if (std::abs(c) < 1e-3 * part.radius) c = 0;
  return fmt::format("part {} of {} of {} ({} around ({:.3g}, {:.3g}, {:.3g}), {:.2g} m across)",
                     part.number + 1, parts.per_body[part.body], body,
                     count_text(part.elements, model.bodies[part.body].kind->noun), centre[0], centre[1],
                     centre[2], 2 * part.radius);
}

// The groups that contact cannot hold either.
std::vector<model::UnbalancedPart> without_equilibrium(const Built& built, const model::Parts& parts) {
  const double end = built.time.time_of(built.time.frames);
  std::vector<model::UnbalancedPart> list = model::unbalanced_parts(built.model, parts, end);
  std::erase_if(list, [&](const model::UnbalancedPart& group) {
    return std::any_of(group.parts.begin(), group.parts.end(),
                       [&](int32_t p) { return may_touch(built.model, parts.list[p].body); });
  });
  return list;
}

std::string sentence(const Built& built, const model::Parts& parts, const model::UnbalancedPart& group) {
  const int32_t part = group.parts[0];
  std::string text = part_name(built.model, parts, part);
  if (group.parts.size() > 1) text += fmt::format(", with {} linked to it,", group.parts.size() - 1);
  text += fmt::format(
      " is free to move and has no equilibrium: nothing balances its net force ({:.3g}, {:.3g}, {:.3g}) N; a "
      "quasistatic scene needs attachments that hold it",
      group.force[0], group.force[1], group.force[2]);
  const int32_t body = parts.list[part].body;
  if (parts.per_body[body] > 1 && !built.model.bodies[body].kind->is_triangle())
    text += ", or leave it out: \"parts\": \"largest\" in the body";
  return text;
}

std::vector<std::string> sentences(const Built& built, const model::Parts& parts,
                                   const std::vector<model::UnbalancedPart>& groups) {
  std::vector<std::string> list;
  for (size_t i = 0; i < std::min(groups.size(), named); ++i)
    list.push_back(sentence(built, parts, groups[i]));
  if (groups.size() > named)
    list.push_back(fmt::format("{} more parts have no equilibrium either", groups.size() - named));
  return list;
}

void check_modes(const Built& built, const model::Parts& parts,
                 const std::vector<model::UnbalancedPart>& unbalanced, std::vector<Finding>& out) {
  std::vector<char> told(parts.list.size(), 0);
  for (const model::UnbalancedPart& group : unbalanced)
    for (const int32_t p : group.parts) told[p] = 1;
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(built.time.time_of(built.time.frames), inputs);
  int64_t unchecked = 0;
  for (const model::FreePart& free : model::free_rigid_modes(built.model, parts, unchecked)) {
    if (told[free.part]) continue;
    const std::string name = part_name(built.model, parts, free.part);
    const double moment = model::turning_pressure(built.model, parts, free, inputs);
    // Whether contacts will hold it only the run can tell.
    if (may_touch(built.model, parts.list[free.part].body))
      out.push_back(
          {Severity::warning, name + " is held by contact alone: " + free.modes +
                                  "; a quasistatic step without enough contacts does not converge"});
    else if (moment > 0)
      out.push_back(
          {Severity::warning,
           fmt::format(
               "{} is free to move: {}; pressure on a surface that is not closed turns with it, with a "
               "moment of {:.3g} N m about what nothing holds, and may let it find no place to rest",
               name, free.modes, moment)});
    else
      out.push_back({Severity::note, name + " is free to move: " + free.modes +
                                         "; no net force drives it, and one of its equilibria is found"});
  }
  if (unchecked > 0)
    out.push_back(
        {Severity::note, std::to_string(unchecked) + " parts were not looked at for free rigid modes"});
}

}  // namespace

void check_parts(const Built& built, std::vector<Finding>& out) {
  if (built.settings.mode != step::Mode::quasistatic) return;
  const model::Parts parts = model::find_parts(built.model);
  const std::vector<model::UnbalancedPart> unbalanced = without_equilibrium(built, parts);
  for (std::string& text : sentences(built, parts, unbalanced))
    out.push_back({Severity::error, std::move(text)});
  check_modes(built, parts, unbalanced, out);
}

std::optional<Error> lacks_equilibrium(const Built& built) {
  if (built.settings.mode != step::Mode::quasistatic) return std::nullopt;
  const model::Parts parts = model::find_parts(built.model);
  std::string text;
  for (const std::string& each : sentences(built, parts, without_equilibrium(built, parts)))
    text += (text.empty() ? "" : "\n") + each;
  if (text.empty()) return std::nullopt;
  return usage_error(text);
}

}  // namespace sinew::scene
