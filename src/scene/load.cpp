#include "base/hash.h"
#include "base/memory.h"
#include "io/file.h"
#include "scene/overrides.h"
#include "scene/scene.h"
#include "scene/scene_type.h"

namespace sinew::scene {

namespace {

std::optional<Scene> parse(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder, std::span<const std::string> overrides,
                           Problems& problems) {
  problems.set_file(name);
  problems.set_overrides(overrides);
  Result<Json> json = parse_json(text, name);
  if (!json) {
    problems.add(json.error());
    return std::nullopt;
  }
  const Type& type = scene_type();
  if (json->is(Json::Kind::object))
    for (size_t k = 0; k < overrides.size(); ++k)
      apply_override(*json, overrides[k], static_cast<int32_t>(k) + 1, type, problems);
  Json resolved = validate(*json, type, problems);
  if (!problems.empty()) return std::nullopt;
  return Scene{std::move(resolved), name, folder, {overrides.begin(), overrides.end()}};
}

}  // namespace

std::optional<Scene> load_scene(const std::filesystem::path& path, std::span<const std::string> overrides,
                                Problems& problems) {
  try {
    Result<std::string> text = io::read_text(path.string(), static_cast<int64_t>(JsonLimits{}.bytes));
    if (text) return parse(*text, path.string(), path.parent_path(), overrides, problems);
    problems.add(text.error());
  } catch (const std::bad_alloc&) {
    problems.add(out_of_memory(path.native()));
  }
  return std::nullopt;
}

std::optional<Scene> parse_scene(std::string_view text, const std::string& name,
                                 const std::filesystem::path& folder, std::span<const std::string> overrides,
                                 Problems& problems) {
  try {
    return parse(text, name, folder, overrides, problems);
  } catch (const std::bad_alloc&) {
    problems.add(out_of_memory(name));
    return std::nullopt;
  }
}

std::vector<std::filesystem::path> referenced_files(const Scene& scene) {
  std::vector<std::filesystem::path> files;
  const auto add = [&](const Json& file) {
    if (!file.is(Json::Kind::text)) return;
    std::filesystem::path path = scene.folder / file.text();
    files.push_back(path);
    // TetGen's meshes are two files.
    if (path.extension() == ".node")
      files.push_back(path.replace_extension(".ele"));
    else if (path.extension() == ".ele")
      files.push_back(path.replace_extension(".node"));
  };
  for (const Json& body : scene.resolved["bodies"].items()) add(body["mesh"]["file"]);
  for (const Json& attachment : scene.resolved["attach"].items()) add(attachment["motion"]["file"]);
  for (const Json& collider : scene.resolved["colliders"].items()) {
    add(collider["shape"]["mesh"]["file"]);
    add(collider["motion"]["file"]);
  }
  return files;
}

Result<std::string> scene_hash(const Scene& scene) {
  Hash hash;
  hash.add(scene.resolved.compact());
  for (const std::filesystem::path& file : referenced_files(scene)) {
    Result<std::string> text = io::read_text(file.string());
    if (!text) return text.error();
    hash.add(*text);
  }
  return hash.text();
}

}  // namespace sinew::scene
