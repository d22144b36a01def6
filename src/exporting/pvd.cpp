// vtk/BODY.pvd and vtk/BODY_00001.vtu for ParaView: tets, or the triangles of a surface, at their deformed positions with
// the fields of the frame.
#include "io/pvd.h"

#include <fmt/format.h>

#include "exporting/exporter.h"
#include "io/file.h"
#include "io/rewrite.h"
#include "io/vtu.h"

namespace sinew::exporting {
namespace {

class PvdExport final : public Export {
 public:
  explicit PvdExport(const ExportPlan& plan) : plan_(plan) {
    for (const FrameStamp& stamp : plan.earlier)
      if (written(stamp.index)) stamps_.push_back(stamp);
  }

  Result<Files> frame(const Frame& frame) override {
    Files files;
    for (const FrameMesh& mesh : frame.meshes) {
      std::vector<io::VtuField> on_nodes, on_cells;
      for (const FrameField& field : mesh.fields)
        (field.on_nodes ? on_nodes : on_cells).push_back({field.name, field.width, field.values, true});
      files.push_back("vtk/" + plan_.frame_file(mesh.name, frame.index, ".vtu"));
      const std::string path = (plan_.folder / files.back()).string();
      const Result<void> ok =
          mesh.tets.empty()
              ? io::write_vtu(path, mesh.points, mesh.surface, on_nodes, on_cells)
              : io::write_vtu(path, mesh.points, mesh.tets, on_nodes, on_cells, false, mesh.edges);
      if (!ok) return ok.error();
    }
    while (!stamps_.empty() && stamps_.back().index >= frame.index) stamps_.pop_back();
    stamps_.push_back({frame.index, frame.time});
    if (!rewrite_.due(static_cast<int64_t>(stamps_.size()))) return files;
    Result<Files> lists = end();
    if (!lists) return lists;
    files.insert(files.end(), lists->begin(), lists->end());
    return files;
  }

  Result<Files> end() override {
    if (stamps_.empty()) return Files{};
    Files files = main_files();
    for (size_t m = 0; m < plan_.meshes.size(); ++m) {
      std::vector<io::PvdEntry> entries;
      for (const FrameStamp& stamp : stamps_)
        entries.push_back({stamp.time, plan_.frame_file(plan_.meshes[m].name, stamp.index, ".vtu")});
      if (auto ok = io::write_pvd((plan_.folder / files[m]).string(), entries); !ok) return ok.error();
    }
    rewrite_.written = static_cast<int64_t>(stamps_.size());
    return files;
  }

  Files main_files() const override {
    Files files;
    for (const FrameMesh& mesh : plan_.meshes) files.push_back("vtk/" + plan_.file(mesh.name, ".pvd"));
    return files;
  }

 private:
  bool written(int64_t index) const {
    std::error_code code;
    for (const FrameMesh& mesh : plan_.meshes)
      if (!std::filesystem::exists(plan_.folder / "vtk" / plan_.frame_file(mesh.name, index, ".vtu"), code))
        return false;
    return true;
  }

  ExportPlan plan_;
  std::vector<FrameStamp> stamps_;  // frames whose files are there
  io::Rewrite rewrite_;
};

}  // namespace

const Exporter& exporter_pvd() {
  static const Exporter exporter = {
      .name = "pvd",
      .doc = "ParaView: vtk/BODY.pvd and a .vtu file for every frame, with fields.",
      .begin = [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        if (auto ok = io::make_folder((plan.folder / "vtk").string()); !ok) return ok.error();
        return std::unique_ptr<Export>(new PvdExport(plan));
      },
      .owns =
          [](const std::filesystem::path& path) {
            return path.parent_path() == "vtk" && (path.extension() == ".pvd" || path.extension() == ".vtu");
          },
      .volume = true,
      .fields = true};
  return exporter;
}

}  // namespace sinew::exporting
