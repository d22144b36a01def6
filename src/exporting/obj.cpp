// obj/BODY_00001.obj: a surface for every frame, in text.
#include "exporting/sequence.h"

namespace sinew::exporting {

const Exporter& exporter_obj() {
  static const Exporter exporter = {
      .name = "obj",
      .doc = "Wavefront OBJ: a surface for every frame.",
      .begin =
          [](const ExportPlan& plan) {
            return begin_sequence(plan, {"obj", obj_of});
          },
      .owns = [](const std::filesystem::path& path) { return is_frame_file(path, "obj", ".obj"); }};
  return exporter;
}

}  // namespace sinew::exporting
