#include "io/vtk.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>

#include "io/mesh_file.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

template <class T>
void append(std::string& text, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::reverse(std::begin(bytes), std::end(bytes));  // big endian
  text.append(bytes, sizeof(T));
}

std::string encoded(std::string_view name) {
  std::string s;
  for (char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 33 || u > 126 || c == '"' || c == '%') {
      fmt::format_to(std::back_inserter(s), "%{:02X}", u);
    } else {
      s += c;
    }
  }
  return s.empty() ? "unnamed" : s;
}

void append_data(std::string& text, const char* section, size_t count, const mesh::Attributes& data,
                 const mesh::Groups& groups) {
  if (data.empty() && groups.empty()) return;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} {}\nFIELD FieldData {}\n", section, count, data.size() + groups.size());
  for (const auto& [name, attribute] : data) {
    fmt::format_to(out, "{} {} {} double\n", encoded(name), attribute.width, count);
    for (double value : attribute.values) append(text, value);
    text += '\n';
  }
  for (const auto& [name, ids] : groups) {
    fmt::format_to(out, "{} 1 {} unsigned_char\n", encoded("group:" + name), count);
    const size_t begin = text.size();
    text.append(count, '\0');
    for (int32_t id : ids) text[begin + id] = 1;
    text += '\n';
  }
}

template <int corners, class Mid>
std::string format_mesh(const mesh::Mesh<corners>& mesh, const std::vector<Mid>& mid, int type) {
  const size_t nodes = corners + (mid.empty() ? 0 : std::tuple_size_v<Mid>), cells = mesh.elements.size();
  std::string text =
      fmt::format("# vtk DataFile Version 4.2\nSinew\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                  mesh.vertices.size());
  const auto out = std::back_inserter(text);
  for (const auto& x : mesh.vertices)
    for (double value : x.v) append(text, value);
  fmt::format_to(out, "\nCELLS {} {}\n", cells, cells * (nodes + 1));
  for (size_t e = 0; e < cells; ++e) {
    append(text, static_cast<int32_t>(nodes));
    for (int32_t node : mesh.elements[e]) append(text, node);
    if (!mid.empty())
      for (int32_t node : mid[e]) append(text, node);
  }
  fmt::format_to(out, "\nCELL_TYPES {}\n", cells);
  for (size_t e = 0; e < cells; ++e) append(text, static_cast<int32_t>(type));
  text += '\n';
  append_data(text, "POINT_DATA", mesh.vertices.size(), mesh.vertex_data, mesh.vertex_groups);
  append_data(text, "CELL_DATA", cells, mesh.element_data, mesh.element_groups);
  return text;
}

}  // namespace

std::string format_vtk(const TetMesh& mesh) {
  return format_mesh<4>(mesh, mesh.edge_nodes, mesh.edge_nodes.empty() ? 10 : 24);
}
std::string format_vtk(const TriMesh& mesh) {
  return format_mesh<3>(mesh, std::vector<std::array<int32_t, 3>>{}, 5);
}
std::string format_vtk(const mesh::HexMesh& mesh) {
  return format_mesh<8>(mesh, std::vector<std::array<int32_t, 3>>{}, 12);
}

const MeshFormat& mesh_format_vtk() {
  static const MeshFormat format = {
      .name = "VTK legacy",
      .extensions = "vtk",
      .read_tets = read_and_parse<parse_vtk_tets>,
      .read_triangles = read_and_parse<parse_vtk_triangles>,
      .write_tets = [](const std::string& path,
                       const TetMesh& mesh) { return write_atomically(path, format_vtk(mesh)); },
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_vtk(mesh)); },
      .write_hexes = [](const std::string& path,
                        const mesh::HexMesh& mesh) { return write_atomically(path, format_vtk(mesh)); },
      .holds = {.second_order = true,
                .vertex_groups = true,
                .element_groups = true,
                .vertex_data = keeps_all,
                .element_data = keeps_all},
  };
  return format;
}

}  // namespace sinew::io
