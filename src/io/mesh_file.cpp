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

// Lists the formats that can do what that of the path cannot: those for which can(format) is true.
template <class Can>
Error unable(const std::string& path, std::string_view what, const Can& can) {
  std::string known;
  for (const MeshFormat* format : mesh_formats())
    if (can(*format))
      for (char c : " " + std::string(format->extensions))
        known += c == ' ' ? std::string(" .") : std::string(1, c);
  return Error{ErrorKind::usage,
               path,
               {},
               fmt::format("extension {} is not one of those that can {}:{}",
                           in_quotes("." + extension_of(path)), what, known)};
}

// The format of a path's ending, which has the member `action`.
template <class Action>
Result<const MeshFormat*> find_able(const std::string& path, Action MeshFormat::*action,
                                    std::string_view what) {
  const MeshFormat* format = find_mesh_format(path);
  if (format && format->*action) return format;
  return unable(path, what, [&](const MeshFormat& other) { return other.*action != nullptr; });
}

void note_names(const char* what, const std::vector<std::string>& names, Notes* notes) {
  constexpr size_t most = 10;
  if (names.empty()) return;
  const size_t listed = std::min(most, names.size());
  const auto begin = names.begin();
  note(notes,
       fmt::format("dropped: {} {}{}", what, fmt::join(begin, begin + static_cast<int64_t>(listed), ", "),
                   listed < names.size() ? fmt::format(" and {} more", names.size() - listed) : ""));
}

void note_dropped_data(const char* what, const mesh::Attributes& all, KeepsData keeps, Notes* notes) {
  std::vector<std::string> names;
  for (const auto& [name, data] : all)
    if (!keeps || !keeps(name, data)) names.push_back(in_quotes(name));
  note_names(what, names, notes);
}

void note_dropped_groups(const char* what, const mesh::Groups& all, const mesh::Groups& kept, Notes* notes) {
  std::vector<std::string> names;
  for (const auto& [name, ids] : all)
    if (const auto found = kept.find(name); found == kept.end() || found->second != ids)
      names.push_back(in_quotes(name));
  note_names(what, names, notes);
}

mesh::Groups groups_of_refs(const mesh::Attributes& data, KeepsData keeps) {
  mesh::Groups groups;
  mesh::Attributes ignored;
  if (const mesh::Attribute* ref = find_kept(data, "ref", keeps))
    add_refs(std::vector<int64_t>(ref->values.begin(), ref->values.end()), ignored, groups, nullptr);
  return groups;
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
    const auto format = find_able(path, &MeshFormat::read_tets, "be read as tets");
    return format ? (*format)->read_tets(path, notes) : format.error();
  });
}

Result<mesh::TriMesh> read_tri_mesh(const std::string& path, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<mesh::TriMesh> {
    const auto format = find_able(path, &MeshFormat::read_triangles, "be read as triangles");
    return format ? (*format)->read_triangles(path, notes) : format.error();
  });
}

Result<void> write_tet_mesh(const std::string& path, const mesh::TetMesh& mesh, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto format = find_able(path, &MeshFormat::write_tets, "hold tets");
    if (!format) return format.error();
    if (!mesh.edge_nodes.empty() && !(*format)->holds.second_order)
      return unable(path, "hold tets of second order",
                    [](const MeshFormat& other) { return other.write_tets && other.holds.second_order; });
    if (auto ok = (*format)->write_tets(path, mesh); !ok) return ok;
    note_dropped((*format)->holds, mesh, notes);
    return {};
  });
}

Result<void> write_tri_mesh(const std::string& path, const mesh::TriMesh& mesh, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto format = find_able(path, &MeshFormat::write_triangles, "hold triangles");
    if (!format) return format.error();
    if (auto ok = (*format)->write_triangles(path, mesh); !ok) return ok;
    note_dropped((*format)->holds, mesh, notes);
    return {};
  });
}

Result<void> write_hex_mesh(const std::string& path, const mesh::HexMesh& mesh, Notes* notes) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    const auto format = find_able(path, &MeshFormat::write_hexes, "hold hexahedra");
    if (!format) return format.error();
    if (auto ok = (*format)->write_hexes(path, mesh); !ok) return ok;
    note_dropped((*format)->holds, mesh, notes);
    return {};
  });
}

template <int corners>
void note_dropped(const Holds& holds, const mesh::Mesh<corners>& mesh, Notes* notes) {
  note_dropped_data("vertex data", mesh.vertex_data, holds.vertex_data, notes);
  note_dropped_data("element data", mesh.element_data, holds.element_data, notes);
  const auto kept_groups = [&](const mesh::Attributes& data, KeepsData keeps) {
    return holds.ref_groups ? groups_of_refs(data, keeps) : mesh::Groups();
  };
  if (!holds.vertex_groups)
    note_dropped_groups("vertex groups", mesh.vertex_groups, kept_groups(mesh.vertex_data, holds.vertex_data),
                        notes);
  if (!holds.element_groups)
    note_dropped_groups("element groups", mesh.element_groups,
                        kept_groups(mesh.element_data, holds.element_data), notes);
}
template void note_dropped(const Holds&, const mesh::Mesh<3>&, Notes*);
template void note_dropped(const Holds&, const mesh::Mesh<4>&, Notes*);
template void note_dropped(const Holds&, const mesh::Mesh<8>&, Notes*);

const mesh::Attribute* find_kept(const mesh::Attributes& data, const std::string& name, KeepsData keeps) {
  const auto found = data.find(name);
  return found != data.end() && keeps && keeps(name, found->second) ? &found->second : nullptr;
}

}  // namespace sinew::io
