#pragma once
// A body of 27 nodes, one of them inside, that moves in a known way, through an exporter into a folder; and what tests
// need to take the files apart.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "exporting/exports.h"
#include "unit/energy/sample.h"
#include "unit/scratch_folder.h"

namespace sinew::exporting {

using math::Vec3d;

// A number at a place of the bytes, in either order.
template <class T>
T number_at(const std::string& bytes, size_t at, bool big_endian = false) {
  EXPECT_LE(at + sizeof(T), bytes.size());
  std::array<char, sizeof(T)> raw{};
  if (at + sizeof(T) <= bytes.size())
    for (size_t i = 0; i < sizeof(T); ++i) raw[i] = bytes[at + (big_endian ? sizeof(T) - 1 - i : i)];
  return std::bit_cast<T>(raw);
}

inline Vec3d point_at(const std::string& bytes, size_t at, bool big_endian = false) {
  Vec3d p;
  for (size_t k = 0; k < 3; ++k) p[static_cast<int>(k)] = number_at<float>(bytes, at + 4 * k, big_endian);
  return p;
}

// Equal after rounding to single precision.
inline void expect_point(const Vec3d& found, const Vec3d& wanted) {
  for (int k = 0; k < 3; ++k) EXPECT_EQ(static_cast<float>(found[k]), static_cast<float>(wanted[k]));
}

class SampleExport {
 public:
  static constexpr int32_t nodes = 27, inner = 13;

  static constexpr double fps = 30;

  model::Model model = beam();
  ScratchFolder folder;
  std::vector<std::string> fields;
  std::vector<int64_t> frames = {2, 4, 6};
  int64_t step = 2;
  bool rest = false;
  std::optional<What> what;
  ShapeOptions shape;

  static model::Model beam() {
    model::Model model =
        sample::block("stable_neo_hookean",
                      {.cells = {2, 2, 2}, .size = {2, 0.5, 0.5}, .jitter = 0, .split = mesh::Split::five});
    model.bodies[0].name = "beam";
    return model;
  }
  static double time_of(int64_t frame) { return static_cast<double>(frame) / fps; }
  // Where node i is at a frame.
  Vec3d x(int32_t i, int64_t frame) const {
    const auto f = static_cast<double>(frame);
    return model.X[i] + Vec3d{0.01 * f * (i + 1), 0.02 * f * f, -0.03 * f * i};
  }
  // The nodes on the surface, in the body's order.
  static std::vector<int32_t> surface() {
    std::vector<int32_t> list;
    for (int32_t i = 0; i < nodes; ++i)
      if (i != inner) list.push_back(i);
    return list;
  }

  // Writes all frames, or the first few and then stops as an interruption would.
  Result<Files> write(const std::string& format, size_t stop = SIZE_MAX) {
    ExportPlan plan;
    plan.folder = folder.path();
    plan.step = step;
    plan.fps = fps;
    plan.rest = rest;
    for (int64_t f : frames) plan.frames.push_back({f, time_of(f)});
    const Exporter* exporter = find_exporter(format);
    auto out = Exports::begin(model, {&exporter, 1}, what, shape, plan);
    if (!out) return out.error();
    const FrameMaker maker(model, fields);
    Files files;
    const auto add = [&](const Result<Files>& some) -> Result<void> {
      if (!some) return some.error();
      files.insert(files.end(), some->begin(), some->end());
      return {};
    };
    for (size_t k = 0; k < frames.size() && k < stop; ++k) {
      model::State state = model.make_state(model::StateLayout());
      if (!rest)
        for (int32_t i = 0; i < nodes; ++i) state.x()[i] = x(i, frames[k]);
      state.set_time(time_of(frames[k]));
      const measure::Snapshot snapshot(model, model.params, state);
      if (auto ok = add(out->frame(maker.make(frames[k], snapshot))); !ok) return ok.error();
    }
    if (auto ok = add(out->end(stop >= frames.size())); !ok) return ok.error();
    return files;
  }

  std::string bytes(const std::string& file) const { return contents(folder / file); }
  size_t file_count() const {
    size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      count += entry.is_regular_file();
    return count;
  }
};

}  // namespace sinew::exporting
