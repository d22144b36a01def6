// exact_crossings RUN_FOLDER SCENE_FOLDER: whether surfaces pass through each other, or touch, in any frame of a run, by
// exact arithmetic. Pairs of triangles that meet in the rest shape already are left out. Exits with 0: none, 1: some,
// 2: the run cannot be read.
#include <cstdio>
#include <filesystem>
#include <string>

#include "exact/crossings.h"
#include "io/npz.h"
#include "model/contact_points.h"
#include "run/run_folder.h"
#include "scene/scene.h"

namespace {

using namespace sinew;
namespace fs = std::filesystem;

int complain(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 2;
}

struct Surfaces {
  std::vector<exact::Triangle> triangles;
  std::vector<const model::Body*> body;  // of each
};

Surfaces surfaces_of(const model::Model& model) {
  Surfaces all;
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (const model::Triangle& triangle : model.touching_surface(b)) {
      all.triangles.push_back(triangle);
      all.body.push_back(&model.bodies[b]);
    }
  return all;
}

std::vector<fs::path> frame_files(const fs::path& run) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(run / "frames", code))
    if (entry.path().extension() == ".npz") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return complain("usage: exact_crossings RUN_FOLDER SCENE_FOLDER");
  const fs::path run = arguments[1];
  const Result<json::Json> summary = run::read_run(run);
  if (!summary) return complain(summary.error().text());
  const json::Json* text = summary->find("scene");
  if (!text) return complain(run.string() + ": run.json has no scene");
  json::Diagnostics diagnostics;
  const auto scene = scene::parse_scene(text->compact(), "run.json", arguments[2], {}, diagnostics);
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) return complain(diagnostics.text());
  const model::Model& model = built->model;
  const Surfaces surfaces = surfaces_of(model);
  std::vector<math::Vec3d> memory;
  const auto at_rest = exact::crossings(model::contact_points(model, model.X, memory), surfaces.triangles);

  const std::vector<fs::path> files = frame_files(run);
  if (files.empty()) return complain(run.string() + ": no frames");
  size_t total = 0, different = 0;
  for (const fs::path& file : files) {
    const Result<io::Npz> frame = io::read_npz(file.string());
    if (!frame) return complain(frame.error().text());
    const auto array = frame->find("x");
    const std::span<const double> numbers =
        array == frame->end() ? std::span<const double>() : array->second.view<double>();
    if (numbers.size() != 3 * model.X.size())
      return complain(file.string() + ": not the positions of this scene");
    if (!std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); }))
      return complain(file.string() + ": positions that are not finite");
    std::vector<math::Vec3d> x(model.X.size());
    for (size_t i = 0; i < numbers.size(); ++i) x[i / 3][static_cast<int>(i % 3)] = numbers[i];
    std::vector<std::array<int32_t, 2>> found;
    std::ranges::set_difference(exact::crossings(model::contact_points(model, x, memory), surfaces.triangles),
                                at_rest, std::back_inserter(found));
    total += found.size();
    if (found.empty()) continue;
    const auto here = static_cast<size_t>(std::ranges::count_if(
        found, [&](const auto& pair) { return surfaces.body[pair[0]] != surfaces.body[pair[1]]; }));
    different += here;
    std::printf("%s: %zu pairs of triangles meet, %zu of different bodies, first one of %s and one of %s\n",
                file.filename().c_str(), found.size(), here, surfaces.body[found[0][0]]->name.c_str(),
                surfaces.body[found[0][1]]->name.c_str());
  }
  std::printf("%zu frames, %zu triangles, %zu pairs meet, %zu of different bodies\n", files.size(),
              surfaces.triangles.size(), total, different);
  return total == 0 ? 0 : 1;
}
