#pragma once
// A Study is a file that says which equilibria of a scene make a data set: what varies, how it is sampled, what is kept.
// Its table of keys (study_type) gives validation, defaults, the JSON Schema and the reference, as that of scenes does.
//
//     Diagnostics diagnostics;
//     std::optional<Study> study = load_study("study.json", diagnostics);
//     study->parameters(12);     // of sample 12: a pure function of (seed, 12)
//
// Samples are numbered from 0. A shard is a fixed range of numbers: sample i lies in shard i / shard.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/design.h"
#include "batch/variable.h"
#include "json/diagnostics.h"
#include "json/type.h"

namespace sinew::batch {

struct Study {
  json::Json resolved;           // valid, with every default; rows of a list file included
  std::string name;              // of the file, for messages
  std::filesystem::path folder;  // that paths are relative to
  std::string scene;             // file
  DesignKind kind = DesignKind::halton;
  int64_t samples = 0;
  uint64_t seed = 0;
  std::vector<Variable> vary;
  std::vector<double> rows;  // of a list: one parameter for each variable, sample after sample
  std::vector<std::string> keep;
  bool surface = false;
  bool single = true;  // stored as float32
  double validation = 0;
  int64_t shard = 64;
  double tolerance = 1e-6;
  std::shared_ptr<const Design> design;

  std::vector<double> parameters(int64_t index) const;
  // Coordinates in the unit cube, where the distances of the warm start tree are taken.
  std::vector<double> point(int64_t index) const;
  bool held_out(int64_t index) const;  // for validation

  int64_t shards() const { return (samples + shard - 1) / shard; }
  int64_t first_of(int64_t s) const { return s * shard; }
  int64_t end_of(int64_t s) const { return samples < (s + 1) * shard ? samples : (s + 1) * shard; }
};

const json::Type& study_type();

std::optional<Study> load_study(const std::filesystem::path& path, json::Diagnostics& diagnostics);
// The same for text that stands for a file `name` in `folder`.
std::optional<Study> parse_study(std::string_view text, const std::string& name,
                                 const std::filesystem::path& folder, json::Diagnostics& diagnostics);
// The same for JSON that was resolved before.
std::optional<Study> study_of(const json::Json& resolved, const std::string& name,
                              const std::filesystem::path& folder, json::Diagnostics& diagnostics);

}  // namespace sinew::batch
