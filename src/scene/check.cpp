#include "scene/check.h"

#include <algorithm>
#include <fmt/format.h>

#include "mesh/borders.h"
#include "mesh/place_text.h"
#include "mesh/poor_tets.h"
#include "model/size.h"
#include "scene/building.h"
#include "scene/check_contact.h"
#include "scene/check_parts.h"

namespace sinew::scene {
namespace {

constexpr double locking_poisson = 0.45;      // above it linear tets are visibly too stiff
constexpr double seconds_per_element = 5e-6;  // one implicit step on one core, to an order of magnitude

using Findings = std::vector<Finding>;

void check_quality(const Built& built, Findings& out) {
  for (const model::Body& body : built.model.bodies) {
    double worst = 2;
    int32_t worst_element = 0;
    mesh::PoorTets poor;
    std::array<math::Vec3d, element::max_nodes> X;
    for (int32_t e = body.elements.begin; e < body.elements.end; ++e) {
      math::Vec3d sum = {0, 0, 0};
      for (int a = 0; a < body.kind->corners; ++a) sum += X[a] = built.model.X[built.model.elements[e][a]];
      const double ratio = body.kind->quality(X.data());
      poor.add({e - body.elements.begin, ratio, sum * (1.0 / body.kind->corners)});
      if (ratio < worst) {
        worst = ratio;
        worst_element = e - body.elements.begin;
      }
    }
    const std::string text = fmt::format("the body {}: worst radius ratio {:.4g} at {} {}",
                                         json::quote(body.name), worst, body.kind->noun, worst_element);
    if (poor.below[0] > 0)
      out.push_back(
          {Severity::warning, fmt::format("{}; of {} {}s, which slow the solution down: {}", text,
                                          body.elements.size(), body.kind->noun, mesh::text_of(poor, body.kind->noun))});
    else
      out.push_back({Severity::note, text});
  }
}

void check_locking(const Built& built, Findings& out) {
  for (size_t s = 0; s < built.model.sets.size(); ++s) {
    const model::ElasticSet& set = built.model.sets[s];
    const element::Kind& kind = *built.model.bodies[set.body].kind;
    if (!kind.locks) continue;
    for (size_t f = 0; f < set.law->fields.size(); ++f) {
      if (set.law->fields[f].name != "poisson") continue;
      const auto& values = built.model.params.material[s][f].values;
      const double largest = *std::max_element(values.begin(), values.end());
      if (largest > locking_poisson)
        out.push_back({Severity::warning, "the body " + json::quote(built.model.bodies[set.body].name) +
                                              ": Poisson's ratio " + json::number_text(largest) + " on " +
                                              std::string(kind.phrase) + " " + std::string(kind.noun) +
                                              "s locks: results are too stiff; set \"elements\" to " +
                                              element::alternatives(kind, &element::Kind::locks) +
                                              ", or use the split \"crossed\""});
    }
  }
}

// Who blows up a sheet takes it for closed.
void check_pressure(const Built& built, Findings& out) {
  const model::Model& model = built.model;
  for (const model::PressureLoad& load : model.pressure_loads) {
    if (load.closed || load.faces.empty()) continue;
    const model::Body& body = model.bodies[model.body_of_node(load.faces[0][0])];
    if (!body.kind->is_triangle() || load.faces.size() != body.surface.size()) continue;
    mesh::TriMesh sheet;
    sheet.vertices = model.X;
    sheet.elements = load.faces;
    const auto loops = mesh::border_loops(sheet);
    const auto longest = std::max_element(loops.begin(), loops.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    out.push_back(
        {Severity::note,
         fmt::format(
             "the load {} presses on all of the body {}, which is open: {} {}, the longest of {} edges "
             "through {}",
             json::quote(load.name), json::quote(body.name), loops.size(),
             loops.size() == 1 ? "border" : "borders", longest->size(),
             mesh::place_text(model.X[(*longest)[0]]))});
  }
}

void check_size(const Built& built, Findings& out) {
  double bytes = 0;
  for (const model::Body& body : built.model.bodies) bytes += body.elements.size() * body.kind->bytes;
  const double steps = static_cast<double>(built.time.frames) * built.time.substeps;
  out.push_back({Severity::note,
                 size_text(model::size_of(built.model)) + ", about " + bytes_text(bytes) + " of memory"});
  const double seconds = static_cast<double>(built.model.elements.size()) * steps * seconds_per_element;
  const char* order = seconds < 1      ? "under a second"
                      : seconds < 60   ? "seconds"
                      : seconds < 3600 ? "minutes"
                                       : "hours";
  out.push_back({Severity::note, json::number_text(steps) + (steps == 1 ? " step" : " steps") +
                                     ", in the order of " + order + " on one core"});
}

}  // namespace

std::vector<Finding> check(const Built& built) {
  Findings out;
  std::string missing;
  for (const std::string& lack : built.method->lacks(built.model, built.settings))
    missing += (missing.empty() ? "" : ", ") + lack;
  if (!missing.empty())
    out.push_back({Severity::error, "the method " + std::string(built.method->name) +
                                        " cannot run this scene: it lacks " + missing});
  check_parts(built, out);
  check_contact(built, out);
  check_pressure(built, out);
  check_locking(built, out);
  check_quality(built, out);
  check_size(built, out);
  for (const std::string& note : built.notes) out.push_back({Severity::note, note});
  std::stable_sort(out.begin(), out.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return out;
}

}  // namespace sinew::scene
