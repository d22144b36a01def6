#include "base/hash.h"
#include "base/memory.h"
#include "io/file.h"
#include "json/overrides.h"
#include "scene/scene.h"
#include "scene/scene_type.h"

namespace sinew::scene {

namespace {

std::optional<Scene> parse(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder, std::span<const std::string> overrides,
                           Diagnostics& diagnostics) {
  diagnostics.set_file(name);
  diagnostics.set_overrides(overrides);
  Result<Json> json = json::parse_json(text, name);
  if (!json) {
    diagnostics.add(json.error());
    return std::nullopt;
  }
  const json::Type& type = scene_type();
  if (json->is(Json::Kind::object))
    for (size_t k = 0; k < overrides.size(); ++k)
      json::apply_override(*json, overrides[k], static_cast<int32_t>(k) + 1, type, diagnostics);
  Json resolved = json::validate(*json, type, diagnostics);
  if (!diagnostics.empty()) return std::nullopt;
  return Scene{std::move(resolved), name, folder, {overrides.begin(), overrides.end()}, {}};
}

// Calls f with every text that names a file.
template <class Tree, class F>
void for_each_file(Tree& resolved, F f) {
  const auto visit = [&](Tree* at, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
      if (at) at = at->find(key);
    if (at && at->is(Json::Kind::text)) f(*at);
  };
  const auto each = [&](std::string_view list, std::initializer_list<std::string_view> keys) {
    if (Tree* items = resolved.find(list))
      for (size_t i = 0; i < items->size(); ++i) visit(&items->item(i), keys);
  };
  each("bodies", {"mesh", "file"});
  each("bodies", {"mesh", "skin"});
  each("bodies", {"mesh", "surface"});
  each("attach", {"motion", "file"});
  each("colliders", {"shape", "mesh", "file"});
  each("colliders", {"motion", "file"});
}

template <class T>
void add_numbers(Hash& hash, const std::vector<T>& numbers) {
  hash.add(std::span<const T>(numbers));
}

template <class Mesh>
void add_mesh(Hash& hash, const std::string& name, const Mesh& mesh) {
  hash.add(name);
  add_numbers(hash, mesh.vertices);
  add_numbers(hash, mesh.elements);
  for (const mesh::Attributes* data : {&mesh.vertex_data, &mesh.element_data})
    for (const auto& [label, attribute] : *data) {
      hash.add(label);
      add_numbers(hash, attribute.values);
    }
  for (const mesh::Groups* groups : {&mesh.vertex_groups, &mesh.element_groups})
    for (const auto& [label, ids] : *groups) {
      hash.add(label);
      add_numbers(hash, ids);
    }
}

// TetGen's meshes are two files.
std::vector<std::filesystem::path> files_behind(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files = {path};
  if (path.extension() == ".node" || path.extension() == ".ele")
    files.emplace_back(path).replace_extension(path.extension() == ".node" ? ".ele" : ".node");
  return files;
}

}  // namespace

std::optional<Scene> load_scene(const std::filesystem::path& path, std::span<const std::string> overrides,
                                Diagnostics& diagnostics) {
  try {
    Result<std::string> text = io::read_text(path.string(), static_cast<int64_t>(json::JsonLimits{}.bytes));
    if (text) return parse(*text, path.string(), path.parent_path(), overrides, diagnostics);
    diagnostics.add(text.error());
  } catch (const std::bad_alloc&) {
    diagnostics.add(out_of_memory(path.native()));
  }
  return std::nullopt;
}

std::optional<Scene> parse_scene(std::string_view text, const std::string& name,
                                 const std::filesystem::path& folder, std::span<const std::string> overrides,
                                 Diagnostics& diagnostics) {
  try {
    return parse(text, name, folder, overrides, diagnostics);
  } catch (const std::bad_alloc&) {
    diagnostics.add(out_of_memory(name));
    return std::nullopt;
  }
}

std::vector<std::filesystem::path> referenced_files(const Scene& scene) {
  std::vector<std::filesystem::path> files;
  for_each_file(scene.resolved, [&](const Json& file) {
    for (const std::filesystem::path& path : files_behind(scene.folder / file.text())) files.push_back(path);
  });
  return files;
}

PortableScene portable(const Scene& scene, const std::string& folder) {
  PortableScene result{scene.resolved, {}};
  int count = 0;
  for_each_file(result.resolved, [&](Json& file) {
    const std::string prefix = folder + "/" + std::to_string(count++) + "_";
    const std::filesystem::path given = scene.folder / file.text();
    for (const std::filesystem::path& path : files_behind(given))
      result.files.push_back({path, prefix + path.filename().string()});
    file = Json(prefix + given.filename().string());
  });
  return result;
}

Result<std::string> scene_hash(const Scene& scene) {
  Hash hash;
  hash.add(scene.resolved.compact());
  for (const std::filesystem::path& file : referenced_files(scene)) {
    Result<std::string> text = io::read_text(file.string());
    if (!text) return text.error();
    hash.add(*text);
  }
  for (const auto& [name, mesh] : scene.memory.solids) {
    add_mesh(hash, name, *mesh);
    add_numbers(hash, mesh->edge_nodes);
  }
  for (const auto& [name, mesh] : scene.memory.surfaces) add_mesh(hash, name, *mesh);
  for (const auto& [name, skin] : scene.memory.skins) {
    hash.add(name);
    add_numbers(hash, skin->tet);
    add_numbers(hash, skin->weights);
    add_numbers(hash, skin->triangles);
  }
  return hash.text();
}

}  // namespace sinew::scene
