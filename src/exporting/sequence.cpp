#include "exporting/sequence.h"

#include "io/file.h"

namespace sinew::exporting {
namespace {

class Sequence final : public Export {
 public:
  Sequence(const ExportPlan& plan, SequenceFormat format) : plan_(plan), format_(std::move(format)) {
    if (!plan.earlier.empty()) first_ = plan.earlier.front().index;
  }

  Result<Files> frame(const Frame& frame) override {
    if (first_ < 0) first_ = frame.index;
    Files files;
    for (const FrameMesh& mesh : frame.meshes) {
      files.push_back(file(mesh.name, frame.index));
      const std::string path = (plan_.folder / files.back()).string();
      if (auto ok = io::write_atomically(path, format_.format(mesh)); !ok) return ok.error();
    }
    return files;
  }

  Result<Files> end() override { return Files{}; }

  Files main_files() const override {
    Files files;
    if (first_ < 0) return files;
    for (const FrameMesh& mesh : plan_.meshes) files.push_back(file(mesh.name, first_));
    return files;
  }

 private:
  std::string file(const std::string& mesh, int64_t index) const {
    return format_.name + "/" + plan_.frame_file(mesh, index, "." + format_.name);
  }

  ExportPlan plan_;
  SequenceFormat format_;
  int64_t first_ = -1;
};

}  // namespace

Result<std::unique_ptr<Export>> begin_sequence(const ExportPlan& plan, const SequenceFormat& format) {
  if (auto ok = io::make_folder((plan.folder / format.name).string()); !ok) return ok.error();
  return std::unique_ptr<Export>(new Sequence(plan, format));
}

}  // namespace sinew::exporting
