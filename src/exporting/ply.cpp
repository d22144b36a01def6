// ply/BODY_00001.ply: a surface for every frame, in bytes, with the fields of vertices and faces.
#include "io/ply.h"

#include "exporting/sequence.h"

namespace sinew::exporting {

const Exporter& exporter_ply() {
  static const Exporter exporter = {
      .name = "ply",
      .doc = "PLY: a surface for every frame, with fields.",
      .begin =
          [](const ExportPlan& plan) {
            return begin_sequence(
                plan, {"ply", [](const FrameMesh& mesh) { return io::format_ply(surface_of(mesh)); }});
          },
      .owns = [](const std::filesystem::path& path) { return is_frame_file(path, "ply", ".ply"); },
      .fields = true};
  return exporter;
}

}  // namespace sinew::exporting
