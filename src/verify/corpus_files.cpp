#include "verify/corpus_files.h"

#include <fmt/format.h>

#include "json/json.h"

namespace sinew::verify {

namespace {

struct File {
  const char* name;
  const char* path;
  bool surface = false;
};
constexpr File example_files[] = {
    {"face", "24_mouth/face.obj", true},
    {"rings", "22_two_rings/rings.obj", true},
    {"moebius", "23_moebius_bands/bands.obj", true},
};
constexpr File data_files[] = {
    {"bunny", "tets/bunny_small.mesh"},
    {"ditto", "tets/ditto.mesh"},
    {"frog", "tets/frog_reg.mesh"},
    {"liver", "tets/liver_small.mesh"},
    {"armadillo", "tets/armadillo_4k.node"},
    {"turtle", "tets/turtle.veg"},
    {"bunny_surface", "surfaces/bunny_2k.obj", true},
    {"biceps", "anatomy/FMA37684.stl", true},
};

}  // namespace

std::vector<CorpusMesh> corpus_files(const CorpusFolders& folders, int tets) {
  std::vector<CorpusMesh> list;
  const auto add = [&](const std::filesystem::path& folder, const File& file) {
    if (folder.empty() || !std::filesystem::exists(folder / file.path)) return;
    const std::string path = json::Json(std::filesystem::absolute(folder / file.path).string()).compact();
    list.push_back({file.name, file.surface ? fmt::format(R"({{"tets": {}, "surface": {}}})", tets, path)
                                            : fmt::format(R"({{"file": {}}})", path)});
  };
  for (const File& file : example_files) add(folders.examples, file);
  for (const File& file : data_files) add(folders.data, file);
  return list;
}

std::optional<scene::Built> build_mesh(const std::string& mesh) {
  json::Diagnostics diagnostics;
  const auto scene = scene::parse_scene(
      R"({"sinew": 1, "bodies": {"body": {"material": {"model": "stable_neo_hookean", "young": 1, "poisson": 0},
"parts": "largest", "mesh": )" +
          mesh + "}}}",
      "corpus", {}, {}, diagnostics);
  return scene ? scene::build(*scene, diagnostics) : std::nullopt;
}

}  // namespace sinew::verify
