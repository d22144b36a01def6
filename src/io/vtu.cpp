#include "io/vtu.h"

#include "io/mesh_file.h"

namespace sinew::io {

const MeshFormat& mesh_format_vtu() {
  static const MeshFormat format = {
      .name = "VTK XML",
      .extensions = "vtu",
      .read_tets = read_in_windows<parse_vtu_tets>,
      .read_triangles = read_in_windows<parse_vtu_triangles>,
      .write_tets = write_vtu,
      .write_triangles = write_vtu,
      .write_hexes = write_vtu,
      .holds = {.second_order = true,
                .vertex_groups = true,
                .element_groups = true,
                .vertex_data = keeps_all,
                .element_data = keeps_all},
  };
  return format;
}

}  // namespace sinew::io
