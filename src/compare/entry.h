#pragma once
// One method of a comparison with its options, and the texts that name it on a command line:
//     newton                              the scene's own options of that method
//     newton:linear=pcg:iterations=50     some of them changed
//     newton:tolerance=1e-4               it stops at that relative residual, or a little below
//     all                                 every method that can run the scene
//
//     auto entries = parse_entries(scene, built->model, "pbng,newton:linear=pcg");
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/scene.h"

namespace sinew::compare {

struct Entry {
  std::string label;  // as it was given
  const step::Method* method = nullptr;
  step::Settings settings;
  bool own_iterations = false;  // the text names "iterations": that budget is kept
  bool own_tolerance = false;   // the text names "tolerance"; else that of the comparison is taken
};

// Refuses unknown methods and options, values out of range, and methods that cannot run the model, each with
// what it lacks.
Result<std::vector<Entry>> parse_entries(const scene::Scene& scene, const model::Model& model,
                                         std::string_view list);

// Says what the list "all" leaves out, and why: "pbd lacks quadratic elements".
std::vector<std::string> left_out(const scene::Scene& scene, const model::Model& model);

// "1.3", "1.3s", "200ms" in seconds: more than 0 and at most a day.
Result<double> parse_seconds(std::string_view text);

// The words between the separators, without blanks around them; empty ones too.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace sinew::compare
