#include "run/run_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "base/machine.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/npz.h"
#include "run/run_folder.h"

namespace sinew::run {

namespace fs = std::filesystem;
using json::Json;
using model::ColumnType;
using model::On;

namespace {

constexpr const char* copy_again = "copy the whole folder again, or run the scene anew";

// "0.12.3" as numbers that can be compared; what is no number counts as 0.
std::array<int, 3> version_of(std::string_view text) {
  std::array<int, 3> parts = {};
  const char *at = text.data(), *end = at + text.size();
  for (int& part : parts) {
    at = std::from_chars(at, end, part).ptr;
    if (at != end) ++at;
  }
  return parts;
}

// The number in "frame_00012.npz"; -1: another file.
int64_t frame_index(std::string_view name) {
  constexpr std::string_view head = "frame_", tail = ".npz";
  if (!name.starts_with(head) || !name.ends_with(tail)) return -1;
  int64_t index = -1;
  const char *begin = name.data() + head.size(), *end = name.data() + name.size() - tail.size();
  const auto [at, code] = std::from_chars(begin, end, index);
  return code == std::errc() && at == end ? index : -1;
}

// "3, 5, 6 and 12 more".
std::string list_text(const std::vector<int64_t>& numbers) {
  constexpr size_t most = 5;
  std::string text;
  for (size_t i = 0; i < numbers.size() && i < most; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return numbers.size() > most ? text + fmt::format(" and {} more", numbers.size() - most) : text;
}

}  // namespace

Result<RunReader> RunReader::begin(const fs::path& folder) {
  const std::string name = folder.string();
  std::error_code code;
  if (!fs::exists(folder / "run.json", code))
    return input_error(name,
                       fmt::format("no run.json in it, so it is not the folder of a run; {}", copy_again));
  Result<Json> summary = read_run(folder);
  if (!summary) return summary.error();
  RunReader run;
  run.folder_ = folder;
  run.summary_ = std::move(*summary);
  const std::string& version = run.summary_["sinew"].text();
  if (version_of(version) > version_of(build_info().version))
    return input_error((folder / "run.json").string(),
                       fmt::format("written by sinew {}, newer than this one ({}): update sinew", version,
                                   build_info().version));
  return run;
}

Result<RunReader> RunReader::open(const fs::path& folder) {
  Result<RunReader> run = begin(folder);
  if (!run) return run;
  json::Diagnostics diagnostics;
  auto scene = scene::parse_scene(run->summary_["scene"].compact(), folder.string() + "/run.json, scene",
                                  folder, {}, diagnostics);
  auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) {
    Error error = diagnostics.list()[0];
    error.what += fmt::format(" (the scene of this run cannot be built again: {})", copy_again);
    return error;
  }
  run->scene_ = std::make_shared<scene::Scene>(std::move(*scene));
  run->built_ = std::make_shared<scene::Built>(std::move(*built));
  if (auto ok = run->refresh(); !ok) return ok.error();
  return run;
}

Result<RunReader> RunReader::open(const fs::path& folder, const scene::Scene& scene,
                                  const scene::Built& built) {
  Result<RunReader> run = begin(folder);
  if (!run) return run;
  run->scene_ = {std::shared_ptr<void>(), &scene};  // not owned
  run->built_ = {std::shared_ptr<void>(), &built};
  if (auto ok = run->refresh(); !ok) return ok.error();
  return run;
}

Result<void> RunReader::refresh() {
  Result<std::vector<Json>> lines = read_lines(folder_);
  if (!lines) return lines.error();
  lines_ = std::move(*lines);
  std::map<int64_t, double> times;
  for (const Json& line : lines_) times[frame_of(line)] = line["time"].number();
  frames_.clear();
  warnings_.clear();
  for (const std::string& file : io::read_folder((folder_ / "frames").string()).files)
    if (const int64_t index = frame_index(file); index >= 0) {
      const auto known = times.find(index);
      frames_.push_back({index, known == times.end() ? built_->time.time_of(index) : known->second});
    }
  std::sort(frames_.begin(), frames_.end(),
            [](const exporting::FrameStamp& a, const exporting::FrameStamp& b) { return a.index < b.index; });
  if (frames_.empty()) return {};
  std::vector<int64_t> missing;
  const auto there = [&](int64_t index) {
    const auto at =
        std::lower_bound(frames_.begin(), frames_.end(), index,
                         [](const exporting::FrameStamp& frame, int64_t i) { return frame.index < i; });
    return at != frames_.end() && at->index == index;
  };
  for (const auto& [index, time] : times)
    if (index > frames_.front().index && !there(index)) missing.push_back(index);
  if (!missing.empty())
    warnings_.push_back(fmt::format("{}: the files of frames {} are missing; {}", folder_.string(),
                                    list_text(missing), copy_again));
  return {};
}

Result<model::State> RunReader::state(size_t i) const {
  const std::string name = (folder_ / frame_file(frames_[i].index)).string();
  Result<io::Npz> arrays = io::read_npz(name);
  if (!arrays) return arrays.error();
  const model::Counts counts = built_->model.counts();
  const auto find = [&](const char* key) -> const io::NpyArray* {
    const auto at = arrays->find(key);
    return at == arrays->end() ? nullptr : &at->second;
  };
  const auto is_vectors = [&](const io::NpyArray* array, int64_t rows) {
    return array && array->type == io::NpyType::f8 && array->shape == std::vector<int64_t>{rows, 3};
  };
  const io::NpyArray *x = find("x"), *v = find("v"), *keys = find("contact_key"),
                     *force = find("contact_force"), *on_node = find("contact_node_force");
  if (!is_vectors(x, counts.nodes))
    return input_error(name, fmt::format("found no x of {} points, expected the positions of all nodes; {}",
                                         counts.nodes, copy_again));
  const int64_t contacts =
      keys && keys->type == io::NpyType::i8 && keys->shape.size() == 2 && keys->shape[1] == 6 ? keys->shape[0]
                                                                                              : 0;
  const bool touching = contacts > 0 && is_vectors(force, contacts) && is_vectors(on_node, counts.nodes);
  return unless_out_of_memory(name, [&]() -> Result<model::State> {
    model::StateLayout layout;
    if (touching) {
      layout.declare({"contact_key", ColumnType::i64, 6, On::contact});
      layout.declare({"contact_force", ColumnType::f64, 3, On::contact});
      layout.declare({"contact_node_force", ColumnType::f64, 3, On::node});
    }
    model::State state(layout, counts);
    const auto copy = [](std::span<const double> from, std::span<double> to) {
      std::copy(from.begin(), from.end(), to.begin());
    };
    copy(x->view<double>(), state.numbers("x"));
    if (is_vectors(v, counts.nodes)) copy(v->view<double>(), state.numbers("v"));
    if (touching) {
      const std::span<const int64_t> key = keys->view<int64_t>();
      const std::span<const double> forces = force->view<double>();
      state.rows("contact_key").i64.assign(key.begin(), key.end());
      state.rows("contact_force").f64.assign(forces.begin(), forces.end());
      copy(on_node->view<double>(), state.numbers("contact_node_force"));
    }
    state.set_time(frames_[i].time);
    return state;
  });
}

}  // namespace sinew::run
