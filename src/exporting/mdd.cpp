// mdd/BODY.mdd, a point cache (of LightWave; Blender and Houdini read it), and mdd/BODY.obj, the mesh:
//
//     int32 frames, points; float32 time of every frame [s]
//     float32 x, y, z of every point, frame after frame; all big endian
#include "exporting/point_cache.h"

namespace sinew::exporting {
namespace {

std::string mdd_header(const ExportPlan& plan, int32_t points) {
  std::string bytes;
  put_number<int32_t>(bytes, static_cast<int32_t>(plan.frames.size()), true);
  put_number<int32_t>(bytes, points, true);
  for (const FrameStamp& stamp : plan.frames) put_number<float>(bytes, static_cast<float>(stamp.time), true);
  return bytes;
}

}  // namespace

const Exporter& exporter_mdd() {
  static const Exporter exporter = {
      .name = "mdd",
      .doc = "Point cache MDD and the mesh as OBJ, for Blender, Houdini and LightWave.",
      .begin =
          [](const ExportPlan& plan) {
            return begin_point_cache(plan, {"mdd", true, mdd_header});
          },
      .owns =
          [](const std::filesystem::path& path) {
            return path.parent_path() == "mdd" && (path.extension() == ".mdd" || path.extension() == ".obj");
          },
      .at_end = true};
  return exporter;
}

}  // namespace sinew::exporting
