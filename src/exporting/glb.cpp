// glb/scene.glb: all meshes and their motion in one file, as morph targets.
#include "exporting/exporter.h"
#include "exporting/glb_writer.h"
#include "io/file.h"

namespace sinew::exporting {
namespace {

class GlbExport final : public Export {
 public:
  GlbExport(GlbWriter writer, std::string file) : writer_(std::move(writer)), file_(std::move(file)) {}

  Result<Files> frame(const Frame& frame) override {
    if (auto ok = writer_.add(frame.meshes); !ok) return ok.error();
    return Files{};
  }
  Result<Files> end() override {
    if (auto ok = writer_.commit(); !ok) return ok.error();
    return main_files();
  }
  Files main_files() const override { return {file_}; }

 private:
  GlbWriter writer_;
  std::string file_;
};

}  // namespace

const Exporter& exporter_glb() {
  static const Exporter exporter = {
      .name = "glb",
      .doc = "glTF 2.0: all surfaces in one file, moved by morph targets.",
      .begin = [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        if (auto ok = io::make_folder((plan.folder / "glb").string()); !ok) return ok.error();
        const std::string file = "glb/" + plan.file("scene", ".glb");
        std::vector<double> times;
        for (const FrameStamp& stamp : plan.frames) times.push_back(stamp.time);
        auto writer = GlbWriter::open((plan.folder / file).string(), plan.meshes, std::move(times));
        if (!writer) return writer.error();
        return std::unique_ptr<Export>(new GlbExport(std::move(*writer), file));
      },
      .owns =
          [](const std::filesystem::path& path) {
            return path.parent_path() == "glb" && path.extension() == ".glb";
          },
      .at_end = true,
      .y_up_in_metres = true,
      .max_frames = 500,  // a target is a shape of its own in the programs that read it
      .instead = "glb_frames"};
  return exporter;
}

}  // namespace sinew::exporting
