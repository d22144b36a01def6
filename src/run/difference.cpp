#include "run/difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <span>

#include "base/memory.h"
#include "io/file.h"
#include "io/npz.h"
#include "run/checkpoint.h"
#include "run/run_folder.h"

namespace sinew::run {

namespace fs = std::filesystem;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rows of `width` numbers. Positions are compared by distance, everything else number by number.
void compare_numbers(std::span<const double> a, std::span<const double> b, const std::string& name,
                     const std::string& place, Difference& out) {
  if (a.size() != b.size()) {
    out.shape.push_back(
        fmt::format("{}: {} has {} numbers in one and {} in the other", place, name, a.size(), b.size()));
    return;
  }
  if (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) return;
  out.same_bits = false;
  if (out.first.empty()) out.first = place + ", " + name;
  const size_t width = name == "x" ? 3 : 1;
  for (size_t i = 0; i + width <= a.size(); i += width) {
    double square = 0;
    for (size_t k = i; k < i + width; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
    const double distance = std::isfinite(square) ? std::sqrt(square) : infinity;
    double& largest = width == 3 ? out.largest : out.largest_other;
    if (distance <= largest) continue;
    largest = distance;
    if (width == 3) out.where = fmt::format("{}, node {}", place, i / 3);
  }
}

std::set<std::string> frame_names(const fs::path& folder) {
  std::set<std::string> names;
  for (const std::string& name : io::read_folder((folder / "frames").string()).files)
    if (name.ends_with(".npz")) names.insert(name);
  return names;
}

Result<void> compare_frames(const fs::path& a, const fs::path& b, const std::string& name, Difference& out) {
  const Result<io::Npz> first = io::read_npz((a / "frames" / name).string());
  if (!first) return first.error();
  const Result<io::Npz> second = io::read_npz((b / "frames" / name).string());
  if (!second) return second.error();
  const std::string place = name.substr(0, name.rfind('.'));
  for (const auto& [key, array] : *first) {
    const auto other = second->find(key);
    if (other == second->end())
      out.shape.push_back(fmt::format("{}: {} is only in the first", place, key));
    else
      compare_numbers(array.view<double>(), other->second.view<double>(), key, place, out);
  }
  for (const auto& [key, array] : *second)
    if (!first->contains(key)) out.shape.push_back(fmt::format("{}: {} is only in the second", place, key));
  ++out.frames;
  return {};
}

void list_missing(const std::set<std::string>& have, const std::set<std::string>& other, const char* which,
                  Difference& out) {
  std::vector<std::string> missing;
  std::set_difference(have.begin(), have.end(), other.begin(), other.end(), std::back_inserter(missing));
  if (missing.empty()) return;
  out.shape.push_back(
      fmt::format("{} frames are only in the {} run, from {} on", missing.size(), which, missing[0]));
}

Result<Difference> compare_frames_of(const fs::path& a, const fs::path& b) {
  const Result<json::Json> run_a = read_run(a), run_b = read_run(b);
  if (!run_a) return run_a.error();
  if (!run_b) return run_b.error();
  Difference difference;
  const std::set<std::string> frames_a = frame_names(a), frames_b = frame_names(b);
  list_missing(frames_a, frames_b, "first", difference);
  list_missing(frames_b, frames_a, "second", difference);
  for (const std::string& name : frames_a)
    if (frames_b.contains(name))
      if (auto ok = compare_frames(a, b, name, difference); !ok) return ok.error();
  if (difference.same_bits && difference.shape.empty() &&
      (*run_a)["state_hash"].text() != (*run_b)["state_hash"].text()) {
    difference.same_bits = false;
    difference.first = "the final state beyond the positions";
  }
  return difference;
}

Result<Difference> compare_columns(const std::string& a, const std::string& b) {
  const Result<Checkpoint> first = read_checkpoint(a), second = read_checkpoint(b);
  if (!first) return first.error();
  if (!second) return second.error();
  Difference difference;
  const auto columns_a = first->state.columns(), columns_b = second->state.columns();
  const auto same = [](const model::Column& one, const model::Column& two) { return one.spec == two.spec; };
  if (!std::equal(columns_a.begin(), columns_a.end(), columns_b.begin(), columns_b.end(), same)) {
    difference.shape.push_back("the states have other columns");
    return difference;
  }
  for (size_t c = 0; c < columns_a.size(); ++c) {
    compare_numbers(columns_a[c].f64, columns_b[c].f64, columns_a[c].spec.name, "the checkpoint", difference);
    if (columns_a[c].i64 != columns_b[c].i64) {
      difference.same_bits = false;
      if (difference.first.empty()) difference.first = "the checkpoint, " + columns_a[c].spec.name;
    }
  }
  return difference;
}

}  // namespace

Result<Difference> compare_runs(const fs::path& a, const fs::path& b) {
  return unless_out_of_memory(a.native(), [&] { return compare_frames_of(a, b); });
}

Result<Difference> compare_checkpoints(const std::string& a, const std::string& b) {
  return unless_out_of_memory(a, [&] { return compare_columns(a, b); });
}

}  // namespace sinew::run
