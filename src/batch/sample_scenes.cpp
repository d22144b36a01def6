#include "batch/sample_scenes.h"

#include <algorithm>

#include "io/file.h"

namespace sinew::batch {

using json::Diagnostics;
using json::Json;

Topology Topology::of(const model::Model& model) {
  Topology topology;
  for (const model::Body& body : model.bodies) {
    topology.bodies.push_back(body.name);
    topology.nodes.push_back(body.visible().size());
    topology.hidden.push_back(body.hidden);
  }
  topology.elements = model.elements;
  for (const model::Attachment& attachment : model.attachments) topology.held.push_back(attachment.name);
  for (const model::Probe& probe : model.probes) topology.held.push_back(probe.name);
  for (const model::Collider& collider : model.colliders) topology.held.push_back(collider.name);
  return topology;
}

std::string Topology::difference(const Topology& other) const {
  if (bodies != other.bodies) return "the bodies";
  for (size_t b = 0; b < nodes.size(); ++b) {
    if (nodes[b] != other.nodes[b])
      return "the mesh of " + json::quote(bodies[b]) + ": " + std::to_string(other.nodes[b]) +
             " nodes, not " + std::to_string(nodes[b]);
    if (hidden[b] != other.hidden[b]) return "the bending of " + json::quote(bodies[b]);
  }
  if (elements.size() != other.elements.size())
    return "the meshes: " + std::to_string(other.elements.size()) + " elements, not " +
           std::to_string(elements.size());
  if (elements != other.elements) return "the meshes: elements have other nodes";
  if (held != other.held) return "the attachments, probes or colliders";
  return {};
}

std::optional<SampleScenes> SampleScenes::make(const Study& study, Diagnostics& diagnostics) {
  const std::filesystem::path path = study.folder / study.scene;
  Result<std::string> text = io::read_text(path.string(), static_cast<int64_t>(json::JsonLimits{}.bytes));
  if (!text) {
    diagnostics.add(study.resolved["scene"].place(), "/scene", text.error().where + ": " + text.error().what,
                    text.error().kind);
    return std::nullopt;
  }
  return make(study, std::move(*text), path.string(), path.parent_path(), diagnostics);
}

std::optional<SampleScenes> SampleScenes::make(const Study& study, std::string text, std::string name,
                                               std::filesystem::path folder, Diagnostics& diagnostics) {
  SampleScenes scenes;
  scenes.study_ = &study;
  scenes.text_ = std::move(text);
  scenes.meshes_ = std::make_shared<scene::MeshCache>();
  Diagnostics own;
  std::optional<scene::Scene> scene = scene::parse_scene(scenes.text_, name, folder, {}, own);
  for (const Error& error : own.list()) diagnostics.add(error);
  if (!scene) return std::nullopt;
  scenes.scene_ = std::move(*scene);
  if (scenes.scene_.resolved["solve"]["mode"].text() != "quasistatic")
    diagnostics.add(study.resolved["scene"].place(), "/scene",
                    "found a dynamic scene, expected \"mode\": \"quasistatic\": a sample is an equilibrium");
  scenes.check_paths(diagnostics);
  if (!diagnostics.empty()) return std::nullopt;
  std::optional<scene::Built> built = scenes.build(study.parameters(0), diagnostics);
  if (!built) return std::nullopt;
  scenes.first_ = std::make_shared<const scene::Built>(std::move(*built));
  scenes.topology_ = Topology::of(scenes.first_->model);
  Result<Outputs> outputs = Outputs::make(scenes.first_->model, study.keep, study.surface);
  if (!outputs) {
    const Error& error = outputs.error();
    const auto entry = static_cast<size_t>(std::stoul(error.path.substr(6)));
    diagnostics.add(study.resolved["keep"].item(entry).place(), error.path, error.what);
    return std::nullopt;
  }
  scenes.outputs_ = std::move(*outputs);
  return scenes;
}

// Two variables must not set the same value, and every path must be known.
void SampleScenes::check_paths(Diagnostics& diagnostics) const {
  std::vector<std::pair<std::string, const Variable*>> taken;
  for (const Variable& v : study_->vary)
    for (const std::string& path : v.paths) {
      std::string plain = path;
      if (!plain.starts_with('/')) {
        std::replace(plain.begin(), plain.end(), '.', '/');
        plain = "/" + plain;
      }
      for (const auto& [other, by] : taken)
        if (other == plain)
          diagnostics.add(v.place, "/vary/" + v.name,
                          "sets " + plain + ", which " + json::quote(by->name) + " sets already");
      if (path.find('=') != std::string::npos)
        diagnostics.add(
            v.place, "/vary/" + v.name,
            "found " + json::quote(path) + ", expected a path such as /bodies/flesh/material/young");
      taken.emplace_back(plain, &v);
    }
}

// "--set PATH=VALUE" becomes the place of the variable in the study.
Error SampleScenes::blame(const Error& error, std::span<const std::string> overrides,
                          std::span<const size_t> variable) const {
  for (size_t k = 0; k < overrides.size(); ++k)
    if (error.where == "--set " + overrides[k]) {
      const Variable& v = study_->vary[variable[k]];
      const std::string value = overrides[k].substr(overrides[k].find('=') + 1);
      const Diagnostics place(study_->name);
      const std::string at = error.path.empty() ? overrides[k].substr(0, overrides[k].find('=')) : error.path;
      return {error.kind, place.where(v.place), "/vary/" + v.name,
              at + " = " + (value.size() > 60 ? value.substr(0, 57) + "..." : value) + ": " + error.what};
    }
  return error;
}

std::optional<scene::Built> SampleScenes::build(std::span<const double> parameters,
                                                Diagnostics& diagnostics) const {
  std::vector<std::string> overrides;
  std::vector<size_t> variable;  // that each override is of
  for (size_t k = 0; k < study_->vary.size(); ++k) {
    study_->vary[k].override_scene(parameters[k], overrides);
    variable.resize(overrides.size(), k);
  }
  Diagnostics own;
  std::optional<scene::Built> built;
  const std::optional<scene::Scene> sample =
      scene::parse_scene(text_, scene_.name, scene_.folder, overrides, own);
  if (sample) built = scene::build(*sample, own, {.meshes = meshes_.get()});
  for (const Error& error : own.list()) diagnostics.add(blame(error, overrides, variable));
  return built;
}

void SampleScenes::check_at(std::span<const double> parameters, Diagnostics& diagnostics) const {
  const std::optional<scene::Built> built = build(parameters, diagnostics);
  if (!built) return;
  const std::string what = topology_.difference(Topology::of(built->model));
  if (what.empty()) return;
  const std::vector<double> first = study_->parameters(0);
  size_t k = 0;  // the variable that is not as in sample 0, where there is one alone
  for (size_t i = 0; i < first.size(); ++i)
    if (parameters[i] != first[i]) k = i;
  const Variable& v = study_->vary[k];
  diagnostics.add(v.place, "/vary/" + v.name,
                  "with " + v.value(parameters[k]).compact() + " the topology is another than in sample 0: " +
                      what + "; all samples of a data set share it");
}

void SampleScenes::check_corners(Diagnostics& diagnostics) const {
  const std::vector<double> first = study_->parameters(0);
  for (size_t k = 0; k < first.size() && diagnostics.empty(); ++k)
    for (const double corner : study_->vary[k].corners()) {
      std::vector<double> parameters = first;
      parameters[k] = corner;
      check_at(parameters, diagnostics);
      if (!diagnostics.empty()) return;
    }
  const size_t width = std::min<size_t>(first.size(), 6);
  for (size_t bits = 0; bits < (size_t{1} << width) && diagnostics.empty(); ++bits) {
    std::vector<double> parameters = first;
    for (size_t k = 0; k < first.size(); ++k) {
      const std::vector<double> corners = study_->vary[k].corners();
      parameters[k] = (bits >> (k % width) & 1) ? corners.back() : corners.front();
    }
    check_at(parameters, diagnostics);
  }
}

}  // namespace sinew::batch
