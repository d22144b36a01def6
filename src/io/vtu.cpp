#include "io/vtu.h"

#include "io/mesh_file.h"

namespace sinew::io {

using mesh::TetMesh;
using mesh::TriMesh;

const MeshFormat& mesh_format_vtu() {
  static const MeshFormat format = {
      .name = "VTK XML",
      .extensions = "vtu",
      .read_tets = read_and_parse<parse_vtu_tets>,
      .read_triangles = read_and_parse<parse_vtu_triangles>,
      .write_tets = [](const std::string& path,
                       const TetMesh& mesh) { return write_atomically(path, format_vtu(mesh)); },
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_vtu(mesh)); },
  };
  return format;
}

}  // namespace sinew::io
