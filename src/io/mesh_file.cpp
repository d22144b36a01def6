#include "io/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/memory.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

std::string extension_of(const std::string& path) {
  const size_t dot = path.rfind('.'), slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string extension = path.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool lists(std::string_view extensions, std::string_view extension) {
  while (!extensions.empty()) {
    const size_t space = std::min(extensions.find(' '), extensions.size());
    if (extensions.substr(0, space) == extension) return true;
    extensions.remove_prefix(std::min(space + 1, extensions.size()));
  }
  return false;
}

// What the format of a path's ending does, as the member `action` of its MeshFormat.
template <class Action>
Result<Action> find_action(const std::string& path, Action MeshFormat::*action, std::string_view what) {
  const MeshFormat* format = find_mesh_format(path);
  if (format && format->*action) return format->*action;
  std::string known;
  for (const MeshFormat* other : mesh_formats())
    if (other->*action)
      for (char c : " " + std::string(other->extensions))
        known += c == ' ' ? std::string(" .") : std::string(1, c);
  return Error{ErrorKind::usage,
               path,
               {},
               fmt::format("extension {} is not one of those that can {}:{}",
                           in_quotes("." + extension_of(path)), what, known)};
}

}  // namespace

const MeshFormat* find_mesh_format(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const MeshFormat* format : mesh_formats())
    if (lists(format->extensions, extension)) return format;
  return nullptr;
}

Result<mesh::TetMesh> read_tet_mesh(const std::string& path, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<mesh::TetMesh> {
    const auto action = find_action(path, &MeshFormat::read_tets, "be read as tets");
    return action ? (*action)(path, notes) : action.error();
  });
}

Result<mesh::TriMesh> read_tri_mesh(const std::string& path, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<mesh::TriMesh> {
    const auto action = find_action(path, &MeshFormat::read_triangles, "be read as triangles");
    return action ? (*action)(path, notes) : action.error();
  });
}

Result<void> write_tet_mesh(const std::string& path, const mesh::TetMesh& mesh) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto action = find_action(path, &MeshFormat::write_tets, "hold tets");
    return action ? (*action)(path, mesh) : action.error();
  });
}

Result<void> write_tri_mesh(const std::string& path, const mesh::TriMesh& mesh) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto action = find_action(path, &MeshFormat::write_triangles, "hold triangles");
    return action ? (*action)(path, mesh) : action.error();
  });
}

}  // namespace sinew::io
