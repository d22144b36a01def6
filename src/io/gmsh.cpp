#include "io/gmsh.h"

#include "io/mesh_file.h"

namespace sinew::io {

const MeshFormat& mesh_format_gmsh() {
  static const MeshFormat format = {
      .name = "Gmsh",
      .extensions = "msh",
      .read_tets = read_in_windows<parse_gmsh_tets>,
      .read_triangles = read_in_windows<parse_gmsh_triangles>,
      .write_tets = write_gmsh,
      .write_triangles = write_gmsh,
      .write_hexes = write_gmsh,
      .holds = {.second_order = true,
                .vertex_groups = true,
                .element_groups = true,
                .vertex_data = keeps_all,
                .element_data = keeps_all},
  };
  return format;
}

}  // namespace sinew::io
