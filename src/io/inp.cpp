#include "io/inp.h"

#include "io/mesh_file.h"

namespace sinew::io {

const MeshFormat& mesh_format_inp() {
  static const MeshFormat format = {
      .name = "Abaqus and CalculiX",
      .extensions = "inp",
      .read_tets = read_and_parse<parse_inp_tets>,
      .read_triangles = read_and_parse<parse_inp_triangles>,
      .write_tets = [](const std::string& path,
                       const mesh::TetMesh& mesh) { return write_atomically(path, format_inp(mesh)); },
      .write_triangles = [](const std::string& path,
                            const mesh::TriMesh& mesh) { return write_atomically(path, format_inp(mesh)); },
      .write_hexes = [](const std::string& path,
                        const mesh::HexMesh& mesh) { return write_atomically(path, format_inp(mesh)); },
      .holds = {.second_order = true, .vertex_groups = true, .element_groups = true},
  };
  return format;
}

}  // namespace sinew::io
