#pragma once
// A Scene is a scene file with every default filled in. build() makes of it the Model and all that a run
// needs.
//
//     Diagnostics diagnostics;
//     auto scene = load_scene("block.json", {"bodies.block.density=10"}, diagnostics);
//     auto built = scene ? build(*scene, diagnostics) : std::nullopt;
//     if (!built) print(diagnostics.text());
//
// All problems are collected, not only the first. Paths in the scene are relative to its folder.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/diagnostics.h"
#include "json/json.h"
#include "measure/quantity.h"
#include "mesh/mesh.h"
#include "mesh/skin.h"
#include "model/model.h"
#include "model/skin.h"
#include "step/stepper.h"

namespace sinew::scene {

using json::Diagnostics;
using json::Json;

// Meshes that a program has in memory, by the names that the scene gives under "memory". Never null.
struct MemoryMeshes {
  std::map<std::string, std::shared_ptr<const mesh::TetMesh>> solids;
  std::map<std::string, std::shared_ptr<const mesh::TriMesh>> surfaces;
  std::map<std::string, std::shared_ptr<const mesh::Skin>> skins;  // of some of the solids, by their names
};

struct Scene {
  Json resolved;                 // valid, with every default
  std::string name;              // of the file, for messages
  std::filesystem::path folder;  // that paths in the scene are relative to
  std::vector<std::string> overrides;
  MemoryMeshes memory = {};
};

// Overrides are "path=value": the path as /bodies/block/density or bodies.block.density, the value as JSON or
// else a text.
std::optional<Scene> load_scene(const std::filesystem::path& path, std::span<const std::string> overrides,
                                Diagnostics& diagnostics);
std::optional<Scene> parse_scene(std::string_view text, const std::string& name,
                                 const std::filesystem::path& folder, std::span<const std::string> overrides,
                                 Diagnostics& diagnostics);

// Files that the scene names, relative paths resolved.
std::vector<std::filesystem::path> referenced_files(const Scene& scene);
// The scene as it can be kept elsewhere: its files have names of their own, "FOLDER/0_mesh.vtu".
struct PortableScene {
  struct File {
    std::filesystem::path from;
    std::string name;
  };
  Json resolved;
  std::vector<File> files;  // to be copied
};
PortableScene portable(const Scene& scene, const std::string& folder);
// The hash of the resolved scene, of the files that it names and of the meshes in memory.
Result<std::string> scene_hash(const Scene& scene);

struct TimePlan {
  double fps = 30;       // [1/s]
  int32_t frames = 1;    // after frame 0
  int32_t substeps = 1;  // per frame

  double time_of(int64_t frame) const { return static_cast<double>(frame) / fps; }
  // End of substep k = 1 .. substeps of the step to `frame`.
  double time_of(int64_t frame, int32_t k) const {
    return (static_cast<double>(frame - 1) + static_cast<double>(k) / substeps) / fps;
  }
};

struct Expectation {
  std::string text;  // "block.det_F.min"
  measure::Reading reading;
  double min, max;  // infinite where there is no bound
  int32_t frame;
};

struct OutputPlan {
  std::vector<std::string> exports;
  std::vector<std::string> fields;
  int32_t checkpoint_every = 10;  // frames; 0: only at the end
};

struct Built {
  model::Model model;
  std::vector<model::Vec3d> x0, v0;  // where the nodes start [m] [m/s]; empty: at rest
  step::Settings settings;           // of the chosen method
  const step::Method* method = nullptr;
  TimePlan time;
  OutputPlan output;
  std::vector<Expectation> expect;
  std::vector<std::string> notes;  // what was repaired or may surprise
  model::Skins skins;
};

// Meshes and their boundaries from build to build of scenes that differ little, by what makes them: the entry in the
// scene, the kind of elements, the place. Not for several threads at once.
class MeshCache {
 public:
  MeshCache();
  MeshCache(const MeshCache&) = delete;
  MeshCache& operator=(const MeshCache&) = delete;
  ~MeshCache();

  struct Content;
  Content& content() { return *content_; }

 private:
  std::unique_ptr<Content> content_;
};

struct BuildOptions {
  int64_t available_bytes = -1;  // memory that may be used; -1: what the system says is available
  MeshCache* meshes = nullptr;   // null: every mesh is made or read
};

std::optional<Built> build(const Scene& scene, Diagnostics& diagnostics, const BuildOptions& options = {});

// The options of any method of the scene, for comparisons.
step::Settings settings_for(const Scene& scene, const step::Method& method);

// At time 0, held nodes where they are held.
model::State initial_state(const Built& built, const model::StateLayout& layout);

}  // namespace sinew::scene
