// vtk/BODY.pvd and vtk/BODY_00001.vtu for ParaView: tets at their deformed positions with the fields of the
// frame.
#include "io/pvd.h"

#include <fmt/format.h>

#include "io/vtu.h"
#include "record/exporter.h"
#include "record/rewrite.h"

namespace sinew::record {
namespace {

std::string vtu_name(const std::string& mesh, int64_t index) {
  return fmt::format("{}_{:05}.vtu", mesh, index);
}

class PvdExport final : public Export {
 public:
  explicit PvdExport(const ExportPlan& plan) : folder_(plan.folder), meshes_(plan.meshes) {
    for (const FrameStamp& stamp : plan.earlier)
      if (written(stamp.index)) stamps_.push_back(stamp);
  }

  Result<Files> frame(const Frame& frame) override {
    Files files;
    for (const FrameMesh& mesh : frame.meshes) {
      std::vector<io::VtuField> on_nodes, on_tets;
      for (const FrameField& field : mesh.fields)
        (field.on_nodes ? on_nodes : on_tets).push_back({field.name, field.width, field.values, true});
      files.push_back("vtk/" + vtu_name(mesh.name, frame.index));
      if (auto ok = io::write_vtu((folder_ / files.back()).string(), mesh.points, mesh.tets, on_nodes,
                                  on_tets, false, mesh.edges);
          !ok)
        return ok.error();
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
    for (size_t m = 0; m < meshes_.size(); ++m) {
      std::vector<io::PvdEntry> entries;
      for (const FrameStamp& stamp : stamps_)
        entries.push_back({stamp.time, vtu_name(meshes_[m], stamp.index)});
      if (auto ok = io::write_pvd((folder_ / files[m]).string(), entries); !ok) return ok.error();
    }
    rewrite_.written = static_cast<int64_t>(stamps_.size());
    return files;
  }

  Files main_files() const override {
    Files files;
    for (const std::string& mesh : meshes_) files.push_back("vtk/" + mesh + ".pvd");
    return files;
  }

 private:
  bool written(int64_t index) const {
    std::error_code code;
    for (const std::string& mesh : meshes_)
      if (!std::filesystem::exists(folder_ / "vtk" / vtu_name(mesh, index), code)) return false;
    return true;
  }

  std::filesystem::path folder_;
  std::vector<std::string> meshes_;
  std::vector<FrameStamp> stamps_;  // frames whose files are there
  Rewrite rewrite_;
};

}  // namespace

const Exporter& exporter_pvd() {
  static const Exporter exporter = {
      "pvd", "ParaView: vtk/BODY.pvd and a .vtu file for every frame.",
      [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        std::error_code code;
        std::filesystem::create_directories(plan.folder / "vtk", code);
        if (code)
          return io_error((plan.folder / "vtk").string(), "cannot make the folder: " + code.message());
        return std::unique_ptr<Export>(new PvdExport(plan));
      },
      [](const std::filesystem::path& path) {
        return path.parent_path() == "vtk" && (path.extension() == ".pvd" || path.extension() == ".vtu");
      }};
  return exporter;
}

}  // namespace sinew::record
