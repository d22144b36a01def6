#include "verify/contact_corpus.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "contact/surface.h"
#include "meshing/self_intersections.h"
#include "run/simulation.h"

namespace sinew::verify {

namespace {

struct Pace {
  int per_second;
  int steps;
};
constexpr Pace paces[] = {{24, 12}, {60, 24}, {240, 48}};
constexpr double frictions[] = {0, 0.5, 1};
constexpr double poissons[] = {0.3, 0.45, 0.49};

// Pairs of triangles of what may touch that meet, ascending. Those that share a point are no contact, nor are those with a point that
// is left out of it, since the body passes through itself there at rest.
std::vector<std::array<int32_t, 2>> meeting(const model::Model& model, std::span<const math::Vec3d> x) {
  std::vector<math::Vec3d> memory;
  const std::span<const math::Vec3d> points = model::contact_points(model, x, memory);
  mesh::TriMesh surface;
  surface.vertices.assign(points.begin(), points.end());
  surface.elements = contact::Surface(model).triangles;
  const auto left_out = [&](const model::Triangle& a, const model::Triangle& b) {
    const int32_t other = model.body_of_point(b[0]);
    return std::any_of(a.begin(), a.end(), [&](int32_t point) {
      return std::ranges::binary_search(model.contact.ignored, std::array<int32_t, 2>{point, other});
    });
  };
  auto found = meshing::self_intersections(surface, std::numeric_limits<int32_t>::max());
  std::vector<std::array<int32_t, 2>> pairs = std::move(found.triangles);
  pairs.insert(pairs.end(), found.touching_triangles.begin(), found.touching_triangles.end());
  std::erase_if(pairs, [&](const auto& pair) {
    const auto &a = surface.elements[pair[0]], &b = surface.elements[pair[1]];
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end() || left_out(a, b) ||
           left_out(b, a);
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::string ContactCase::name() const {
  return fmt::format("{} {} dt=1/{}s mu={} nu={}", motion, body, std::round(1 / setting.step),
                     setting.friction, setting.poisson);
}

int ContactOutcome::iterations() const { return std::accumulate(per_step.begin(), per_step.end(), 0); }

int ContactOutcome::most_iterations() const {
  return per_step.empty() ? 0 : *std::max_element(per_step.begin(), per_step.end());
}

std::vector<ContactCase> contact_corpus(const CorpusFolders& folders) {
  const ContactBodies bodies = contact_bodies(folders);
  std::vector<ContactCase> cases;
  for (size_t m = 0; m < contact_motions().size(); ++m) {
    const ContactMotion& motion = contact_motions()[m];
    const auto& list = motion.small ? bodies.small : bodies.list;
    for (size_t b = 0; b < list.size(); ++b)
      for (size_t k = 0; k < 3; ++k) {
        const auto& [per_second, steps] = paces[k];
        ContactCase each;
        each.motion = motion.name;
        each.body = list[b].name;
        each.setting = {1.0 / per_second, steps, frictions[(k + b + m) % 3], poissons[(k + b + 2 * m) % 3]};
        each.scene = scene_of(motion, bodies, b, each.setting);
        each.memory = bodies.memory;
        cases.push_back(std::move(each));
      }
  }
  return cases;
}

ContactOutcome run(const ContactCase& each, const Control& control) {
  ContactOutcome outcome;
  json::Diagnostics diagnostics;
  auto scene = scene::parse_scene(each.scene, "contact_corpus", {}, {}, diagnostics);
  if (scene) scene->memory = each.memory;
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) {
    outcome.reason = diagnostics.text();
    return outcome;
  }
  outcome.barrier = built->model.contact.barrier;
  outcome.tets = static_cast<int64_t>(built->model.elements.size());
  auto simulation = run::Simulation::make(*scene, *built);
  if (!simulation) {
    outcome.reason = simulation.error().what;
    return outcome;
  }
  outcome.status = step::StepStatus::converged;
  const auto at_start = meeting(built->model, simulation->state().x());
  while (simulation->frame() < built->time.frames) {
    run::FrameTotals totals;
    const std::clock_t before = std::clock();
    const run::Advanced advanced = simulation->advance(totals, control);
    outcome.cpu_seconds += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    const step::StepReport& frame = totals.sum;
    outcome.seconds += totals.seconds;
    outcome.per_step.push_back(frame.iterations);
    outcome.inverted = std::max(outcome.inverted, frame.inverted);
    outcome.penetration = std::max(outcome.penetration, frame.penetration_edge);
    outcome.status = std::max(outcome.status, frame.status);
    if (outcome.reason.empty() && frame.reason)
      outcome.reason =
          run::FrameReason{simulation->frame() + (advanced != run::Advanced::taken), *frame.reason}.text();
    if (advanced != run::Advanced::taken) break;
    ++outcome.frames;
  }
  const auto at_end = meeting(built->model, simulation->state().x());
  std::vector<std::array<int32_t, 2>> found;
  std::set_difference(at_end.begin(), at_end.end(), at_start.begin(), at_start.end(),
                      std::back_inserter(found));
  outcome.crossings = static_cast<int64_t>(found.size());
  outcome.meeting_at_start = static_cast<int64_t>(at_start.size());
  return outcome;
}

}  // namespace sinew::verify
