#include "view/open.h"

#include <filesystem>
#include <fmt/format.h>

#include "base/memory.h"
#include "view/mesh_source.h"
#include "view/run_source.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;

enum class PathKind { scene, run, mesh };

Result<PathKind> kind_of(const std::string& path) {
  std::error_code code;
  if (!fs::exists(path, code)) return io_error(path, "cannot open: no such file or folder");
  if (fs::is_directory(path, code)) {
    if (fs::exists(fs::path(path) / "run.json", code)) return PathKind::run;
    return usage_error(
        path + ": the folder holds no run (there is no run.json); name the folder that `sinew run` wrote");
  }
  return fs::path(path).extension() == ".json" ? PathKind::scene : PathKind::mesh;
}

Result<Show> open(const std::vector<std::string>& paths, const OpenOptions& options) {
  if (paths.empty() || paths.size() > 2)
    return usage_error(fmt::format("found {} things to show, expected one or two", paths.size()));
  Show show;
  show.names = paths;
  for (const std::string& path : paths) {
    const Result<PathKind> kind = kind_of(path);
    if (!kind) return kind.error();
    if (*kind == PathKind::scene && paths.size() > 1)
      return usage_error(path + ": a scene is shown alone; two runs or meshes stand side by side");
    if (*kind != PathKind::scene && !options.overrides.empty())
      return usage_error("--set changes a scene; " + path + " is none");
    if (*kind != PathKind::mesh && options.unit)
      return usage_error("--unit is of the coordinates of a mesh; " + path + " is none");
    show.title += (show.title.empty() ? "" : " | ") + fs::path(path).lexically_normal().string();
    if (*kind == PathKind::scene) {
      Result<OpenedLive> opened = open_live(path, options.overrides, options.live);
      if (!opened) return opened.error();
      show.kind = "scene";
      show.panes.push_back(std::move(opened->source));
      show.live = std::move(opened->live);
      continue;
    }
    Result<std::unique_ptr<Source>> source =
        *kind == PathKind::run ? open_run(path) : open_mesh(path, options.unit.value_or(1));
    if (!source) return source.error();
    show.panes.push_back(std::move(*source));
    if (show.kind != "run") show.kind = *kind == PathKind::run ? "run" : "mesh";
  }
  return show;
}

}  // namespace

Result<Show> open_show(const std::vector<std::string>& paths, const OpenOptions& options) {
  return unless_out_of_memory(paths.empty() ? "" : paths[0], [&] { return open(paths, options); });
}

}  // namespace sinew::view
