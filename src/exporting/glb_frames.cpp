// glb_frames/frame_00001.glb: all meshes of one frame, without motion.
#include "exporting/exporter.h"
#include "exporting/glb_writer.h"
#include "io/file.h"

namespace sinew::exporting {
namespace {

class GlbFrames final : public Export {
 public:
  explicit GlbFrames(const ExportPlan& plan) : plan_(plan) {
    if (!plan.earlier.empty()) first_ = file(plan.earlier.front().index);
  }

  Result<Files> frame(const Frame& frame) override {
    const std::string name = file(frame.index);
    if (first_.empty()) first_ = name;
    auto writer = GlbWriter::open((plan_.folder / name).string(), frame.meshes, {frame.time});
    if (!writer) return writer.error();
    if (auto ok = writer->add(frame.meshes); !ok) return ok.error();
    if (auto ok = writer->commit(); !ok) return ok.error();
    return Files{name};
  }
  Result<Files> end() override { return Files{}; }
  Files main_files() const override { return first_.empty() ? Files{} : Files{first_}; }

 private:
  std::string file(int64_t index) const { return "glb_frames/" + plan_.frame_file("frame", index, ".glb"); }

  ExportPlan plan_;
  std::string first_;
};

}  // namespace

const Exporter& exporter_glb_frames() {
  static const Exporter exporter = {
      .name = "glb_frames",
      .doc = "glTF 2.0: a file for every frame, without motion.",
      .begin = [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        if (auto ok = io::make_folder((plan.folder / "glb_frames").string()); !ok) return ok.error();
        return std::unique_ptr<Export>(new GlbFrames(plan));
      },
      .owns = [](const std::filesystem::path& path) { return is_frame_file(path, "glb_frames", ".glb"); },
      .y_up_in_metres = true};
  return exporter;
}

}  // namespace sinew::exporting
