// npz/BODY.npz: all frames of a mesh for NumPy (io/npz_writer.h), streamed.
//
//     rest (V,3) f8 | triangles (T,3) i4 | frame (F) i8, time (F) f8 [s] | positions (F,V,3) f4
//     tets (E,4) i4, edge_nodes (E,6) i4 where there are tets; nodes (V) i4: those of the body, where V are some of them
//     a field NAME (F,V or E or T,width) f4, without the last axis where the width is 1
#include <deque>

#include "exporting/exporter.h"
#include "io/file.h"
#include "io/npz_writer.h"

namespace sinew::exporting {
namespace {

using io::NpyType;
using io::NpzWriter;

int64_t length(auto span) { return static_cast<int64_t>(span.size()); }

template <size_t width>
std::span<const int32_t> flat(std::span<const std::array<int32_t, width>> rows) {
  return {rows.empty() ? nullptr : rows.data()->data(), rows.size() * width};
}

class NpzExport final : public Export {
 public:
  explicit NpzExport(const ExportPlan& plan) : plan_(plan) {}

  Result<Files> frame(const Frame& frame) override {
    if (files_.empty())
      if (auto ok = begin(frame); !ok) return ok.error();
    for (size_t m = 0; m < files_.size(); ++m) {
      const FrameMesh& mesh = frame.meshes[m];
      numbers_.clear();
      for (const math::Vec3d& x : mesh.points)
        for (int k = 0; k < 3; ++k) numbers_.push_back(static_cast<float>(x[k]));
      size_t array = positions_[m];
      if (auto ok = files_[m].append<float>(array, numbers_); !ok) return ok.error();
      for (const FrameField& field : mesh.fields) {
        numbers_.assign(field.values.begin(), field.values.end());
        if (auto ok = files_[m].append<float>(++array, numbers_); !ok) return ok.error();
      }
    }
    return Files{};
  }

  Result<Files> end() override {
    for (NpzWriter& file : files_)
      if (auto ok = file.commit(); !ok) return ok.error();
    return main_files();
  }

  Files main_files() const override {
    Files files;
    for (const FrameMesh& mesh : plan_.meshes) files.push_back("npz/" + plan_.file(mesh.name, ".npz"));
    return files;
  }

 private:
  // The first frame says which fields there are.
  Result<void> begin(const Frame& frame) {
    const int64_t frames = length(std::span(plan_.frames));
    std::vector<int64_t> indices;
    std::vector<double> times;
    for (const FrameStamp& stamp : plan_.frames) {
      indices.push_back(stamp.index);
      times.push_back(stamp.time);
    }
    const Files names = main_files();
    for (size_t m = 0; m < plan_.meshes.size(); ++m) {
      const FrameMesh& mesh = plan_.meshes[m];
      const int64_t points = length(mesh.points);
      std::vector<NpzWriter::Array> arrays = {{"rest", NpyType::f8, {points, 3}},
                                              {"triangles", NpyType::i4, {length(mesh.surface), 3}},
                                              {"frame", NpyType::i8, {frames}},
                                              {"time", NpyType::f8, {frames}}};
      if (!mesh.tets.empty()) arrays.push_back({"tets", NpyType::i4, {length(mesh.tets), 4}});
      if (!mesh.edges.empty()) arrays.push_back({"edge_nodes", NpyType::i4, {length(mesh.edges), 6}});
      if (!mesh.nodes.empty()) arrays.push_back({"nodes", NpyType::i4, {points}});
      positions_.push_back(arrays.size());
      arrays.push_back({"positions", NpyType::f4, {frames, points, 3}});
      for (const FrameField& field : frame.meshes[m].fields) {
        arrays.push_back({field.name, NpyType::f4, {frames, length(std::span(field.values)) / field.width}});
        if (field.width > 1) arrays.back().shape.push_back(field.width);
      }
      Result<NpzWriter> file = NpzWriter::open((plan_.folder / names[m]).string(), std::move(arrays));
      if (!file) return file.error();
      NpzWriter& out = files_.emplace_back(std::move(*file));
      size_t next = 4;
      Result<void> ok = out.append<double>(
          0, {mesh.points.empty() ? nullptr : mesh.points.data()->v, 3 * mesh.points.size()});
      if (ok) ok = out.append<int32_t>(1, flat(mesh.surface));
      if (ok) ok = out.append<int64_t>(2, indices);
      if (ok) ok = out.append<double>(3, times);
      if (ok && !mesh.tets.empty()) ok = out.append<int32_t>(next++, flat(mesh.tets));
      if (ok && !mesh.edges.empty()) ok = out.append<int32_t>(next++, flat(mesh.edges));
      if (ok && !mesh.nodes.empty()) ok = out.append<int32_t>(next++, mesh.nodes);
      if (!ok) return ok;
    }
    return {};
  }

  ExportPlan plan_;
  std::deque<NpzWriter> files_;    // [mesh]
  std::vector<size_t> positions_;  // [mesh] place among the arrays; fields follow
  std::vector<float> numbers_;
};

}  // namespace

const Exporter& exporter_npz() {
  static const Exporter exporter = {
      .name = "npz",
      .doc = "NumPy: all frames of a body with its tets in one file, with fields.",
      .begin = [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        if (auto ok = io::make_folder((plan.folder / "npz").string()); !ok) return ok.error();
        return std::unique_ptr<Export>(new NpzExport(plan));
      },
      .owns =
          [](const std::filesystem::path& path) {
            return path.parent_path() == "npz" && path.extension() == ".npz";
          },
      .at_end = true,
      .volume = true,
      .fields = true};
  return exporter;
}

}  // namespace sinew::exporting
