// pc2/BODY.pc2, a point cache of version 2 (of 3ds Max; Blender reads it), and pc2/BODY.obj, the mesh:
//
//     char "POINTCACHE2\0"; int32 version = 1, points; float32 first frame, frames between samples; int32 samples
//     float32 x, y, z of every point, sample after sample; all little endian
#include "exporting/point_cache.h"

namespace sinew::exporting {
namespace {

std::string pc2_header(const ExportPlan& plan, int32_t points) {
  std::string bytes("POINTCACHE2\0", 12);
  put_number<int32_t>(bytes, 1, false);
  put_number<int32_t>(bytes, points, false);
  put_number<float>(bytes, plan.frames.empty() ? 0 : static_cast<float>(plan.frames.front().index), false);
  put_number<float>(bytes, static_cast<float>(plan.step), false);
  put_number<int32_t>(bytes, static_cast<int32_t>(plan.frames.size()), false);
  return bytes;
}

}  // namespace

const Exporter& exporter_pc2() {
  static const Exporter exporter = {.name = "pc2",
                                    .doc = "Point cache PC2 and the mesh as OBJ, for Blender and 3ds Max.",
                                    .begin =
                                        [](const ExportPlan& plan) {
                                          return begin_point_cache(plan, {"pc2", false, pc2_header});
                                        },
                                    .owns =
                                        [](const std::filesystem::path& path) {
                                          return path.parent_path() == "pc2" &&
                                                 (path.extension() == ".pc2" || path.extension() == ".obj");
                                        },
                                    .at_end = true};
  return exporter;
}

}  // namespace sinew::exporting
