#pragma once
// Mesh files by extension: which formats there are and what each can do.
//
//     Notes notes;
//     Result<TetMesh> mesh = read_tet_mesh("bunny.mesh", &notes);
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

struct MeshFormat {
  std::string_view name;
  std::string_view extensions;  // "node ele", without dots
  bool tets;                    // reads and writes tet meshes
  bool triangles;               // reads and writes triangle meshes
};
std::span<const MeshFormat> mesh_formats();

Result<mesh::TetMesh> read_tet_mesh(const std::string& path, Notes* notes = nullptr);
Result<mesh::TriMesh> read_tri_mesh(const std::string& path, Notes* notes = nullptr);
// TetGen's two files are each written whole, the .ele last.
Result<void> write_tet_mesh(const std::string& path, const mesh::TetMesh& mesh);
Result<void> write_tri_mesh(const std::string& path, const mesh::TriMesh& mesh);

}  // namespace sinew::io
