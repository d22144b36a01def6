// The tree of boxes over a million triangles: build, refit, and all pairs that meet. Embree (Apache-2.0) builds its trees
// over the same triangles where its header was there when this was compiled and its library is there now; it is opened at
// run time, so that the tool does not depend on it.
#include <cmath>
#include <numbers>
#include <optional>
#if __has_include(<embree3/rtcore.h>)
#include <dlfcn.h>
#include <embree3/rtcore.h>
#define SINEW_HAS_EMBREE
#endif

#include "base/parallel.h"
#include "bench/bench.h"
#include "geometry/bvh.h"

namespace sinew::bench {

namespace {

using geometry::Box;
using math::Vec3d;

struct Mesh {
  std::vector<Vec3d> points;
  std::vector<std::array<int32_t, 3>> triangles;
};

// A torus with bumps, 2 x 1000 x 500 triangles.
Mesh bumpy_torus(double phase) {
  constexpr int32_t around = 1000, across = 500;
  Mesh mesh;
  for (int32_t j = 0; j < across; ++j)
    for (int32_t i = 0; i < around; ++i) {
      const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across;
      const double r =
          0.4 + 0.05 * std::sin(9 * a + phase) * std::sin(7 * b) + 0.01 * std::sin(60 * a) * std::sin(40 * b);
      const double R = 1 + r * std::cos(b);
      mesh.points.push_back({R * std::cos(a), R * std::sin(a), r * std::sin(b)});
      const int32_t p = j * around + i, q = j * around + (i + 1) % around;
      const int32_t up = ((j + 1) % across - j) * around;
      mesh.triangles.push_back({p, q, p + up});
      mesh.triangles.push_back({q, q + up, p + up});
    }
  return mesh;
}

void make_boxes(const Mesh& mesh, std::vector<Box>& boxes) {
  boxes.resize(mesh.triangles.size());
  for_each_block(static_cast<int64_t>(boxes.size()), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      boxes[t] = Box{};
      for (int32_t node : mesh.triangles[t]) boxes[t].add(mesh.points[node]);
    }
  });
}

#ifdef SINEW_HAS_EMBREE
// Seconds of Embree's build with a quality; nothing where the library is missing.
std::optional<double> embree_build(const Mesh& mesh, RTCBuildQuality quality, int threads, int repeats) {
  static void* const library = dlopen("libembree3.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  const auto call = [](const char* name, auto declared, auto... arguments) {
    return reinterpret_cast<decltype(declared)>(dlsym(library, name))(arguments...);
  };
#define SINEW_EMBREE(function, ...) call(#function, static_cast<decltype(&function)>(nullptr), __VA_ARGS__)
  const std::string settings = "threads=" + std::to_string(threads);
  const RTCDevice device = SINEW_EMBREE(rtcNewDevice, settings.c_str());
  if (!device) return std::nullopt;
  std::vector<double> seconds;
  for (int r = 0; r <= repeats; ++r) {
    const RTCScene scene = SINEW_EMBREE(rtcNewScene, device);
    const RTCGeometry geometry = SINEW_EMBREE(rtcNewGeometry, device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points =
        static_cast<float*>(SINEW_EMBREE(rtcSetNewGeometryBuffer, geometry, RTC_BUFFER_TYPE_VERTEX, 0u,
                                         RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.points.size()));
    auto* corners =
        static_cast<uint32_t*>(SINEW_EMBREE(rtcSetNewGeometryBuffer, geometry, RTC_BUFFER_TYPE_INDEX, 0u,
                                            RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), mesh.triangles.size()));
    for (size_t i = 0; i < 3 * mesh.points.size(); ++i)
      points[i] = static_cast<float>(mesh.points[i / 3][i % 3]);
    for (size_t i = 0; i < 3 * mesh.triangles.size(); ++i) corners[i] = mesh.triangles[i / 3][i % 3];
    SINEW_EMBREE(rtcSetGeometryBuildQuality, geometry, quality);
    SINEW_EMBREE(rtcCommitGeometry, geometry);
    SINEW_EMBREE(rtcAttachGeometry, scene, geometry);
    SINEW_EMBREE(rtcReleaseGeometry, geometry);
    SINEW_EMBREE(rtcSetSceneBuildQuality, scene, quality);
    const double t = seconds_of([&] { SINEW_EMBREE(rtcCommitScene, scene); });
    if (r > 0) seconds.push_back(t);
    SINEW_EMBREE(rtcReleaseScene, scene);
  }
  SINEW_EMBREE(rtcReleaseDevice, device);
#undef SINEW_EMBREE
  return median(seconds);
}
#endif

json::Json row_of(const char* work, size_t triangles, int threads, double seconds) {
  json::Json row = json::Json::object();
  row.set("case", "contact");
  row.set("work", work);
  row.set("tets", 0);
  row.set("triangles", static_cast<double>(triangles));
  row.set("threads", threads);
  row.set("precision", "double");
  row.set("seconds", seconds);
  row.set("unit", "mesh");
  return row;
}

}  // namespace

void run_contact(const Options& options, const Emit& emit) {
  const Mesh mesh = bumpy_torus(0), moved = bumpy_torus(0.5);
  const int before = thread_count();
  for (int threads : options.threads) {
    set_thread_count(threads);
    geometry::Bvh tree;
    std::vector<Box> boxes;
    std::vector<std::array<int32_t, 2>> pairs;
    std::vector<double> build, refit, query;
    for (int r = 0; r <= options.repeats; ++r) {
      const double times[] = {seconds_of([&] {
                                make_boxes(mesh, boxes);
                                tree.build(boxes);
                              }),
                              seconds_of([&] {
                                make_boxes(moved, boxes);
                                tree.refit(boxes);
                              }),
                              seconds_of([&] { overlaps(tree, pairs); })};
      if (r == 0) continue;
      build.push_back(times[0]);
      refit.push_back(times[1]);
      query.push_back(times[2]);
    }
    json::Json row = row_of("boxes and build", boxes.size(), threads, median(build));
#ifdef SINEW_HAS_EMBREE
    if (const auto morton = embree_build(mesh, RTC_BUILD_QUALITY_LOW, threads, options.repeats)) {
      row.set("embree_low_seconds", *morton);
      row.set("over_embree_low", median(build) / *morton);
    }
    if (const auto sah = embree_build(mesh, RTC_BUILD_QUALITY_MEDIUM, threads, options.repeats)) {
      row.set("embree_medium_seconds", *sah);
      row.set("over_embree_medium", median(build) / *sah);
    }
#endif
    emit(row);
    emit(row_of("boxes and refit", boxes.size(), threads, median(refit)));
    row = row_of("all pairs of boxes that meet", boxes.size(), threads, median(query));
    row.set("pairs", static_cast<double>(pairs.size()));
    emit(row);
  }
  set_thread_count(before);
}

}  // namespace sinew::bench
