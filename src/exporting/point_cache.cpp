#include "exporting/point_cache.h"

#include <bit>
#include <deque>
#include <fmt/format.h>

#include "io/buffered_file.h"
#include "io/file.h"

namespace sinew::exporting {
namespace {

static_assert(std::endian::native == std::endian::little);

class PointCache final : public Export {
 public:
  PointCache(const ExportPlan& plan, PointCacheFormat format) : plan_(plan), format_(std::move(format)) {
    for (const FrameMesh& mesh : plan.meshes)
      files_.emplace_back(path(mesh, "." + format_.name)).text =
          format_.header(plan, static_cast<int32_t>(mesh.points.size()));
  }

  Result<Files> frame(const Frame& frame) override {
    for (size_t m = 0; m < files_.size(); ++m) {
      if (frame.meshes[m].points.size() != plan_.meshes[m].points.size())
        return usage_error(fmt::format("frame {}: {} has {} vertices, the cache {}", frame.index,
                                       frame.meshes[m].name, frame.meshes[m].points.size(),
                                       plan_.meshes[m].points.size()));
      numbers_.clear();
      for (const math::Vec3d& x : frame.meshes[m].points)
        for (int k = 0; k < 3; ++k) numbers_.push_back(bits_of(static_cast<float>(x[k])));
      files_[m].array<uint32_t>(numbers_);
      if (auto ok = files_[m].state(); !ok) return ok.error();
    }
    return Files{};
  }

  Result<Files> end() override {
    Files written;
    for (size_t m = 0; m < files_.size(); ++m) {
      const FrameMesh& mesh = plan_.meshes[m];
      if (auto ok = files_[m].commit(); !ok) return ok.error();
      if (auto ok = io::write_atomically(path(mesh, ".obj"), obj_of(mesh)); !ok) return ok.error();
      written.push_back(file(mesh, ".obj"));
      written.push_back(file(mesh, "." + format_.name));
    }
    return written;
  }

  Files main_files() const override {
    Files files;
    for (const FrameMesh& mesh : plan_.meshes) files.push_back(file(mesh, "." + format_.name));
    return files;
  }

 private:
  uint32_t bits_of(float value) const {
    const auto bits = std::bit_cast<uint32_t>(value);
    return format_.big_endian ? __builtin_bswap32(bits) : bits;
  }
  std::string file(const FrameMesh& mesh, const std::string& ending) const {
    return format_.name + "/" + plan_.file(mesh.name, ending);
  }
  std::string path(const FrameMesh& mesh, const std::string& ending) const {
    return (plan_.folder / file(mesh, ending)).string();
  }

  ExportPlan plan_;
  PointCacheFormat format_;
  std::deque<io::BufferedFile> files_;  // [mesh]
  std::vector<uint32_t> numbers_;       // of one frame, in the order of bytes of the file
};

}  // namespace

Result<std::unique_ptr<Export>> begin_point_cache(const ExportPlan& plan, const PointCacheFormat& format) {
  if (auto ok = io::make_folder((plan.folder / format.name).string()); !ok) return ok.error();
  return std::unique_ptr<Export>(new PointCache(plan, format));
}

}  // namespace sinew::exporting
