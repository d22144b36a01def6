#pragma once
// The difference of two runs, frame by frame, or of two checkpoints, column by column.
//
//     auto difference = compare_runs("a", "b");   difference->largest   // largest distance of two nodes [m]
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace sinew::run {

struct Difference {
  std::vector<std::string> shape;  // what cannot be compared number by number, one sentence each
  bool same_bits = true;
  double largest = 0;        // largest difference of positions [m]; a distance for nodes
  std::string where;         // frame and node of it
  double largest_other = 0;  // of velocities and other columns, in their own units
  std::string first;         // where the bits first differ
  int64_t frames = 0;        // compared

  bool within(double tolerance) const {
    return shape.empty() && (tolerance > 0 ? largest <= tolerance : same_bits);
  }
};

Result<Difference> compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);
Result<Difference> compare_checkpoints(const std::string& a, const std::string& b);

}  // namespace sinew::run
