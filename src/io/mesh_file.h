#pragma once
// Mesh files by extension: which formats there are and what each can do. Every source of this folder that
// defines `const MeshFormat& mesh_format_<stem>()` adds one.
//
//     Notes notes;
//     Result<TetMesh> mesh = read_tet_mesh("bunny.mesh", &notes);
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "io/file.h"
#include "io/source.h"
#include "mesh/mesh.h"

namespace sinew::io {

// Whether a writer keeps an attribute of this name with these numbers.
using KeepsData = bool (*)(std::string_view name, const mesh::Attribute& data);
inline bool keeps_all(std::string_view, const mesh::Attribute&) { return true; }

// The parts of a mesh that a format's writer keeps, besides positions and corners.
struct Holds {
  bool second_order = false, vertex_groups = false, element_groups = false;
  bool ref_groups = false;  // of the groups, those that add_refs makes from the attribute "ref"
  KeepsData vertex_data = nullptr, element_data = nullptr;  // null: none
};

// A mesh format. Functions that it does not have are null.
struct MeshFormat {
  std::string_view name;
  std::string_view extensions;  // "node ele", without dots
  Result<mesh::TetMesh> (*read_tets)(const std::string& path, Notes* notes) = nullptr;
  Result<mesh::TriMesh> (*read_triangles)(const std::string& path, Notes* notes) = nullptr;
  Result<void> (*write_tets)(const std::string& path, const mesh::TetMesh& mesh) = nullptr;
  Result<void> (*write_triangles)(const std::string& path, const mesh::TriMesh& mesh) = nullptr;
  Result<void> (*write_hexes)(const std::string& path, const mesh::HexMesh& mesh) = nullptr;
  Holds holds = {};
  // Triangles are written as positions rounded to float: vertices come back numbered by first use.
  bool corners_as_float = false;
};
std::span<const MeshFormat* const> mesh_formats();  // by name of their source

// The format of a path's ending; null: none.
const MeshFormat* find_mesh_format(const std::string& path);

// Reads a whole file and parses it: what most formats do.
template <auto parse>
auto read_and_parse(const std::string& path, Notes* notes) -> decltype(parse({}, path, notes)) {
  const auto text = read_text(path);
  if (!text) return text.error();
  return parse(*text, path, notes);
}

// The same for files that may be large: parse takes them in windows.
template <auto parse>
auto read_in_windows(const std::string& path, Notes* notes) -> decltype(parse({""}, path, notes)) {
  const auto source = Source::open(path);
  if (!source) return source.error();
  return parse(*source, path, notes);
}

Result<mesh::TetMesh> read_tet_mesh(const std::string& path, Notes* notes = nullptr);
Result<mesh::TriMesh> read_tri_mesh(const std::string& path, Notes* notes = nullptr);
// Leaves out data that the format cannot hold and names it in the notes, but refuses to drop the order of elements.
Result<void> write_tet_mesh(const std::string& path, const mesh::TetMesh& mesh, Notes* notes = nullptr);
Result<void> write_tri_mesh(const std::string& path, const mesh::TriMesh& mesh, Notes* notes = nullptr);
Result<void> write_hex_mesh(const std::string& path, const mesh::HexMesh& mesh, Notes* notes = nullptr);

// A note for each kind of thing of the mesh that is not kept: "dropped: element data 'density', 'young'".
template <int corners>
void note_dropped(const Holds& holds, const mesh::Mesh<corners>& mesh, Notes* notes);

// The attribute of this name if a writer keeps it; null: none.
const mesh::Attribute* find_kept(const mesh::Attributes& data, const std::string& name, KeepsData keeps);

}  // namespace sinew::io
