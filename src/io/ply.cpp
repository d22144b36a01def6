#include "io/ply.h"

#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "io/mesh_file.h"

namespace sinew::io {
namespace {

using mesh::Attributes;
using mesh::TriMesh;

static_assert(std::endian::native == std::endian::little);

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// A word that the header can hold and that is not taken.
std::string unique_word(std::string_view name, std::set<std::string>& taken) {
  std::string word(name);
  for (char& c : word)
    if (c <= ' ' || c > '~' || c == '#') c = '_';
  if (word.empty()) word = "attribute";
  while (!taken.insert(word).second) word += '_';
  return word;
}

void put_properties(std::string& text, const Attributes& data, std::set<std::string> taken) {
  for (const auto& [name, attribute] : data)
    for (int k = 0; k < attribute.width; ++k)
      fmt::format_to(std::back_inserter(text), "property double {}\n",
                     unique_word(attribute.width == 1 ? name : fmt::format("{}_{}", name, k), taken));
}

void put_row(std::string& bytes, const Attributes& data, size_t row) {
  for (const auto& [name, attribute] : data)
    for (int k = 0; k < attribute.width; ++k) put(bytes, attribute.values[row * attribute.width + k]);
}

}  // namespace

std::string format_ply(const TriMesh& mesh) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\n";
  fmt::format_to(std::back_inserter(bytes),
                 "element vertex {}\nproperty double x\nproperty double y\nproperty double z\n",
                 mesh.vertices.size());
  put_properties(bytes, mesh.vertex_data, {"x", "y", "z"});
  fmt::format_to(std::back_inserter(bytes), "element face {}\nproperty list uchar int vertex_indices\n",
                 mesh.elements.size());
  put_properties(bytes, mesh.element_data, {"vertex_indices", "vertex_index"});
  bytes += "end_header\n";
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (int k = 0; k < 3; ++k) put(bytes, mesh.vertices[i][k]);
    put_row(bytes, mesh.vertex_data, i);
  }
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    put(bytes, uint8_t{3});
    for (int32_t corner : mesh.elements[t]) put(bytes, corner);
    put_row(bytes, mesh.element_data, t);
  }
  return bytes;
}

const MeshFormat& mesh_format_ply() {
  static const MeshFormat format = {
      .name = "PLY",
      .extensions = "ply",
      .read_triangles = read_and_parse<parse_ply>,
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_ply(mesh)); },
      .holds = {.vertex_data = keeps_all, .element_data = keeps_all},
  };
  return format;
}

}  // namespace sinew::io
