// usda/scene.usda, which refers to usda/BODY.usda: a Mesh in Universal Scene Description (Pixar), as text, with its rest pose as
// the default of `points` and a time sample for every frame. Time codes are frame numbers.
#include <algorithm>
#include <cctype>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "base/machine.h"
#include "exporting/exporter.h"
#include "io/buffered_file.h"
#include "io/file.h"

namespace sinew::exporting {
namespace {

using math::Vec3d;
using Text = std::back_insert_iterator<std::string>;

struct Extent {
  Vec3d low, high;
};

Extent extent_of(std::span<const Vec3d> points) {
  Extent e{points.empty() ? Vec3d::zero() : points[0], points.empty() ? Vec3d::zero() : points[0]};
  for (const Vec3d& p : points)
    for (int k = 0; k < 3; ++k) {
      e.low[k] = std::min(e.low[k], p[k]);
      e.high[k] = std::max(e.high[k], p[k]);
    }
  return e;
}

// Letters, digits and underscores, not a digit at first, not taken.
std::string prim_name(std::string name, std::set<std::string>& taken) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(0, "_");
  while (!taken.insert(name).second) name += '_';
  return name;
}

void put_point(std::string& text, const Vec3d& p) {
  fmt::format_to(Text(text), "({}, {}, {})", static_cast<float>(p[0]), static_cast<float>(p[1]),
                 static_cast<float>(p[2]));
}

void put_extent(std::string& text, const Extent& extent) {
  text += '[';
  put_point(text, extent.low);
  text += ", ";
  put_point(text, extent.high);
  text += ']';
}

void put_points(io::BufferedFile& file, std::span<const Vec3d> points) {
  file.text += '[';
  for (size_t i = 0; i < points.size(); ++i) {
    if (i) file.text += ", ";
    put_point(file.text, points[i]);
    file.flush_if_full();
  }
  file.text += ']';
}

// A pair for each corner, in the order of faceVertexIndices.
void put_texture(io::BufferedFile& file, std::span<const mesh::FlatTriangle> texture) {
  file.text += "    texCoord2f[] primvars:st = [";
  for (size_t t = 0; t < texture.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      fmt::format_to(Text(file.text), "{}({}, {})", t + k ? ", " : "", static_cast<float>(texture[t][k][0]),
                     static_cast<float>(texture[t][k][1]));
      file.flush_if_full();
    }
  file.text += "] (\n        interpolation = \"faceVarying\"\n    )\n";
}

class UsdaExport final : public Export {
 public:
  explicit UsdaExport(const ExportPlan& plan) : plan_(plan), extents_(plan.meshes.size()) {
    std::set<std::string> taken;
    const auto named = [&](const FrameMesh& mesh) { return mesh.name == list_; };
    while (std::any_of(plan.meshes.begin(), plan.meshes.end(), named)) list_ += '_';
    for (const FrameMesh& mesh : plan.meshes) {
      prims_.push_back(prim_name(mesh.name, taken));
      io::BufferedFile& file = files_.emplace_back((plan.folder / path_of(mesh)).string());
      put_header(file.text, prims_.back());
      fmt::format_to(Text(file.text), "def Mesh \"{}\"\n{{\n    int[] faceVertexCounts = [", prims_.back());
      for (size_t t = 0; t < mesh.surface.size(); ++t) file.text += t ? ", 3" : "3";
      file.text += "]\n    int[] faceVertexIndices = [";
      for (size_t t = 0; t < mesh.surface.size(); ++t) {
        fmt::format_to(Text(file.text), "{}{}, {}, {}", t ? ", " : "", mesh.surface[t][0], mesh.surface[t][1],
                       mesh.surface[t][2]);
        file.flush_if_full();
      }
      file.text += "]\n    uniform token subdivisionScheme = \"none\"\n";
      if (!mesh.texture.empty()) put_texture(file, mesh.texture);
      if (!plan.rest) file.text += "    point3f[] points.timeSamples = {\n";
    }
  }

  Result<Files> frame(const Frame& frame) override {
    if (plan_.rest) return Files{};
    for (size_t m = 0; m < files_.size(); ++m) {
      const std::span<const Vec3d> points = frame.meshes[m].points;
      fmt::format_to(Text(files_[m].text), "        {}: ", frame.index);
      put_points(files_[m], points);
      files_[m].text += ",\n";
      extents_[m].push_back(extent_of(points));
      if (auto ok = files_[m].state(); !ok) return ok.error();
    }
    return Files{};
  }

  Result<Files> end() override {
    Files written;
    for (size_t m = 0; m < files_.size(); ++m) {
      if (!plan_.rest) {
        files_[m].text += "    }\n    float3[] extent.timeSamples = {\n";
        for (size_t i = 0; i < extents_[m].size(); ++i) {
          fmt::format_to(Text(files_[m].text), "        {}: ", plan_.frames[i].index);
          put_extent(files_[m].text, extents_[m][i]);
          files_[m].text += ",\n";
        }
        files_[m].text += "    }\n";
      }
      // The defaults after the samples: some readers forget what stands before them.
      files_[m].text += "    float3[] extent = ";
      put_extent(files_[m].text, extent_of(plan_.meshes[m].points));
      files_[m].text += "\n    point3f[] points = ";
      put_points(files_[m], plan_.meshes[m].points);
      files_[m].text += "\n}\n";
      if (auto ok = files_[m].commit(); !ok) return ok.error();
      written.push_back(path_of(plan_.meshes[m]));
    }
    // The list last: it then names files that are there.
    std::string text;
    put_header(text, "scene");
    text += "def Xform \"scene\"\n{\n";
    for (size_t m = 0; m < files_.size(); ++m)
      fmt::format_to(Text(text),
                     "    def \"{}\" (\n        prepend references = @./{}@\n    )\n    {{\n    }}\n",
                     prims_[m], plan_.file(plan_.meshes[m].name, ".usda"));
    text += "}\n";
    written.push_back(scene_file());
    if (auto ok = io::write_atomically((plan_.folder / scene_file()).string(), text); !ok) return ok.error();
    return written;
  }

  Files main_files() const override { return {scene_file()}; }

 private:
  std::string path_of(const FrameMesh& mesh) const { return "usda/" + plan_.file(mesh.name, ".usda"); }
  std::string scene_file() const { return "usda/" + plan_.file(list_, ".usda"); }

  void put_header(std::string& text, const std::string& prim) const {
    fmt::format_to(Text(text), "#usda 1.0\n(\n    defaultPrim = \"{}\"\n    doc = \"sinew {}\"\n", prim,
                   build_info().version);
    if (!plan_.rest && !plan_.frames.empty())
      fmt::format_to(Text(text),
                     "    endTimeCode = {}\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n",
                     plan_.frames.back().index, plan_.frames.front().index, plan_.fps);
    fmt::format_to(Text(text), "    metersPerUnit = {}\n    upAxis = \"{}\"\n)\n\n", plan_.unit,
                   plan_.z_up ? "Z" : "Y");
  }

  ExportPlan plan_;
  std::string list_ = "scene";  // the file that names the others
  std::vector<std::string> prims_;
  std::deque<io::BufferedFile> files_;        // [mesh]
  std::vector<std::vector<Extent>> extents_;  // [mesh][frame]
};

}  // namespace

const Exporter& exporter_usda() {
  static const Exporter exporter = {
      .name = "usda",
      .doc = "Universal Scene Description: usda/scene.usda, surfaces with a time sample for every frame.",
      .begin = [](const ExportPlan& plan) -> Result<std::unique_ptr<Export>> {
        if (auto ok = io::make_folder((plan.folder / "usda").string()); !ok) return ok.error();
        return std::unique_ptr<Export>(new UsdaExport(plan));
      },
      .owns =
          [](const std::filesystem::path& path) {
            return path.parent_path() == "usda" && path.extension() == ".usda";
          },
      .at_end = true};
  return exporter;
}

}  // namespace sinew::exporting
