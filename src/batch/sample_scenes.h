#pragma once
// The scenes of the samples: the study's scene with the values of a sample set in it, built. And all that can be checked
// before anything is solved: paths, ends, choices and keys, the same meshes throughout, the keep-list.
//
//     std::optional<SampleScenes> scenes = SampleScenes::make(study, diagnostics);
//     std::optional<scene::Built> built = scenes->build(study.parameters(12), diagnostics);
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/outputs.h"
#include "batch/study.h"
#include "scene/scene.h"

namespace sinew::batch {

// The part of the model that all samples of a data set share.
struct Topology {
  std::vector<std::string> bodies;
  std::vector<int32_t> nodes;      // how many each body has
  std::vector<int32_t> hidden;     // and how many that are hidden
  element::Connectivity elements;  // of all
  std::vector<std::string> held;   // names of attachments, probes and colliders

  static Topology of(const model::Model& model);
  // Describes the difference in words; empty if there is none.
  std::string difference(const Topology& other) const;
};

class SampleScenes {
 public:
  // Reads the study's scene file and builds the first sample.
  static std::optional<SampleScenes> make(const Study& study, json::Diagnostics& diagnostics);
  // The same for a scene given as text.
  static std::optional<SampleScenes> make(const Study& study, std::string text, std::string name,
                                          std::filesystem::path folder, json::Diagnostics& diagnostics);

  // The scene as it is without a sample.
  const scene::Scene& scene() const { return scene_; }
  const scene::Built& first() const { return *first_; }  // of sample 0
  const Outputs& outputs() const { return outputs_; }
  // An error names the study's variable where a value of it is to blame.
  std::optional<scene::Built> build(std::span<const double> parameters, json::Diagnostics& diagnostics) const;
  // Builds samples at ends, choices and keys: each alone with the others at sample 0, and up to 64 corners.
  void check_corners(json::Diagnostics& diagnostics) const;

 private:
  SampleScenes() = default;
  Error blame(const Error& error, std::span<const std::string> overrides,
              std::span<const size_t> variable) const;
  void check_paths(json::Diagnostics& diagnostics) const;
  void check_at(std::span<const double> parameters, json::Diagnostics& diagnostics) const;

  const Study* study_ = nullptr;
  std::string text_;  // of the scene
  scene::Scene scene_;
  std::shared_ptr<const scene::Built> first_;
  std::shared_ptr<scene::MeshCache> meshes_;
  Topology topology_;
  Outputs outputs_;
};

}  // namespace sinew::batch
