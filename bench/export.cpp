// Every exporter on a long sequence: a closed surface that moves is written and removed again. Files of single frames go as
// soon as they are written, so that the disk has room for one format at a time.
#include <cmath>
#include <filesystem>
#include <malloc.h>
#include <numbers>
#include <unistd.h>

#include "bench/bench.h"
#include "exporting/exporter.h"

namespace sinew::bench {

namespace {

namespace fs = std::filesystem;
using math::Vec3d;

constexpr int32_t around = 400, along = 250;  // 100,000 vertices, 200,000 triangles
constexpr int64_t frames = 1000;

std::vector<std::array<int32_t, 3>> torus_triangles() {
  std::vector<std::array<int32_t, 3>> triangles;
  for (int32_t j = 0; j < along; ++j)
    for (int32_t i = 0; i < around; ++i) {
      const int32_t next = (i + 1) % around, above = (j + 1) % along;
      const int32_t a = j * around + i, b = j * around + next, c = above * around + next,
                    d = above * around + i;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  return triangles;
}

// A ring whose thickness runs around it.
void move_torus(double time, std::vector<Vec3d>& points) {
  points.resize(size_t{around} * along);
  for (int32_t j = 0; j < along; ++j) {
    const double v = 2 * std::numbers::pi * j / along, thickness = 0.3 + 0.05 * std::sin(3 * v + time);
    for (int32_t i = 0; i < around; ++i) {
      const double u = 2 * std::numbers::pi * i / around, r = 1 + thickness * std::cos(u);
      points[j * around + i] = {r * std::cos(v), thickness * std::sin(u), r * std::sin(v)};
    }
  }
}

json::Json measure(const exporting::Exporter& exporter, const fs::path& folder) {
  const auto triangles = torus_triangles();
  std::vector<Vec3d> points, rest;
  move_torus(0, rest);
  exporting::FrameMesh mesh{"ring", rest, {}, {}, triangles, {}, {}};
  exporting::ExportPlan plan;
  plan.folder = folder;
  plan.meshes = {&mesh, 1};
  const int64_t count = exporter.max_frames > 0 ? std::min(frames, exporter.max_frames) : frames;
  for (int64_t f = 0; f < count; ++f) plan.frames.push_back({f, static_cast<double>(f) / plan.fps});

  json::Json row = json::Json::object();
  row.set("case", "export");
  row.set("format", exporter.name);
  std::error_code ignored;
  double bytes = 0, seconds = 0, early_peak = 0;
  const auto weigh = [&](const Result<exporting::Files>& files) {
    if (!files) row.set("error", files.error().text());
    for (const std::string& file : files ? *files : exporting::Files()) {
      bytes += static_cast<double>(fs::file_size(folder / file, ignored));
      fs::remove(folder / file, ignored);
    }
  };
  malloc_trim(0);  // what earlier formats left would hide what this one takes
  forget_peak_memory();
  const double before = process_memory("VmRSS");
  Result<std::unique_ptr<exporting::Export>> out = Error{};
  seconds += seconds_of([&] { out = exporter.begin(plan); });
  if (!out) row.set("error", out.error().text());
  for (const exporting::FrameStamp& stamp : plan.frames) {
    if (row.has("error")) return row;
    move_torus(stamp.time, points);
    exporting::Frame frame{stamp.index, stamp.time, {mesh}, {}};
    frame.meshes[0].points = points;
    Result<exporting::Files> files = Error{};
    seconds += seconds_of([&] { files = (*out)->frame(frame); });
    weigh(files);
    if (stamp.index == count / 10) early_peak = process_memory("VmHWM");
  }
  Result<exporting::Files> files = Error{};
  seconds += seconds_of([&] { files = (*out)->end(); });
  weigh(files);
  const double peak = process_memory("VmHWM");
  row.set("vertices", rest.size());
  row.set("frames", count);
  row.set("tets", 0);
  row.set("threads", 1);
  row.set("precision", "single");
  row.set("seconds", seconds / static_cast<double>(count));
  row.set("unit", "frame");
  row.set("file_MB", bytes / 1e6);
  row.set("file_MB_per_s", bytes / 1e6 / seconds);
  row.set("positions_MB_per_s",
          12e-6 * static_cast<double>(rest.size()) * static_cast<double>(count) / seconds);
  row.set("peak_MB", (peak - before) / 1e6);
  row.set("peak_after_a_tenth_MB", (early_peak - before) / 1e6);
  return row;
}

}  // namespace

void run_export(const Options&, const Emit& emit) {
  const fs::path folder = fs::temp_directory_path() / ("sinew_bench_" + std::to_string(::getpid()));
  std::error_code ignored;
  for (const exporting::Exporter* exporter : exporting::exporters()) {
    fs::create_directories(folder, ignored);
    emit(measure(*exporter, folder));
    fs::remove_all(folder, ignored);
  }
}

}  // namespace sinew::bench
