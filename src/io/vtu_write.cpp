#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <zlib.h>

#include "base/parallel.h"
#include "io/base64.h"
#include "io/buffered_file.h"
#include "io/vtu.h"
#include "io/xml.h"

namespace sinew::io {
namespace {

constexpr size_t block_size = size_t{1} << 16;  // [bytes] before compression
constexpr int compression_level = 1;            // an eighth of the time of level 6 for a tenth more bytes

class Writer {
 public:
  explicit Writer(const std::string& path) : file(path) {}
  BufferedFile file;

  // `count` numbers, at(i) each.
  template <class T, class At>
  void array(const char* type, std::string_view name, int width, size_t count, const At& at) {
    fmt::format_to(std::back_inserter(file.text),
                   "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", type,
                   xml_escaped(name), width);
    constexpr size_t values_in_block = block_size / sizeof(T);
    // [blocks, block size, size of a shorter last block or 0, compressed sizes...], then the blocks.
    const size_t blocks = (count + values_in_block - 1) / values_in_block;
    std::vector<std::string> packed(blocks);
    for_each_index(static_cast<int64_t>(blocks), [&](int64_t b) {
      const size_t begin = static_cast<size_t>(b) * values_in_block;
      std::vector<T> plain(std::min(values_in_block, count - begin));
      for (size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<T>(at(begin + i));
      packed[b] = deflated(plain.data(), plain.size() * sizeof(T));
    });
    std::vector<uint64_t> header{blocks, block_size, count % values_in_block * sizeof(T)};
    for (const std::string& block : packed) header.push_back(block.size());
    append_base64(file.text,
                  {reinterpret_cast<const char*>(header.data()), header.size() * sizeof(uint64_t)});
    base64(packed);
    file.text += "\n</DataArray>\n";
  }

  void reals(std::string_view name, int width, std::span<const double> values, bool single) {
    const auto at = [&](size_t i) { return values[i]; };
    if (single)
      array<float>("Float32", name, width, values.size(), at);
    else
      array<double>("Float64", name, width, values.size(), at);
  }

  void group(const std::string& name, const std::vector<int32_t>& ids, size_t count) {
    std::vector<bool> member(count);
    for (int32_t id : ids) member[id] = true;
    array<uint8_t>("UInt8", "group:" + name, 1, count, [&](size_t i) { return member[i]; });
  }

 private:
  static std::string deflated(const void* bytes, size_t count) {
    uLongf length = compressBound(count);
    std::string packed(length, '\0');
    // With room enough it can only lack memory.
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, static_cast<const Bytef*>(bytes), count,
                  compression_level) != Z_OK)
      throw std::bad_alloc();
    packed.resize(length);
    packed.shrink_to_fit();
    return packed;
  }

  // The blocks as one text: what is left of a group of three bytes goes before the next block.
  void base64(std::vector<std::string>& packed) {
    std::string rest;
    for (std::string& block : packed) {
      rest += block;
      std::string().swap(block);
      const size_t whole = rest.size() / 3 * 3;
      append_base64(file.text, std::string_view(rest).substr(0, whole));
      rest.erase(0, whole);
      file.flush_if_full();
    }
    append_base64(file.text, rest);
  }
};

void open_piece(Writer& w, size_t points, size_t cells) {
  fmt::format_to(std::back_inserter(w.file.text),
                 "<?xml version=\"1.0\"?>\n"
                 "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                 "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
                 "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                 points, cells);
}

void points_and_fields(Writer& w, std::span<const math::Vec3d> points, bool single,
                       std::span<const VtuField> point_fields) {
  static_assert(sizeof(math::Vec3d) == 3 * sizeof(double));
  w.file.text += "<Points>\n";
  w.reals("Points", 3, {points.empty() ? nullptr : points.data()->v, points.size() * 3}, single);
  w.file.text += "</Points>\n<PointData>\n";
  for (const VtuField& field : point_fields) w.reals(field.name, field.width, field.values, field.single);
}

using EdgeNodes = std::span<const std::array<int32_t, 6>>;  // empty: first order

template <int corners>
void cells_array(Writer& w, std::span<const std::array<int32_t, corners>> cells, EdgeNodes edges) {
  const int vtk_type = !edges.empty() ? 24 : corners == 8 ? 12 : corners == 4 ? 10 : 5;
  const size_t nodes = corners + (edges.empty() ? 0 : 6);
  w.file.text += "<Cells>\n";
  w.array<int32_t>("Int32", "connectivity", 1, cells.size() * nodes, [&](size_t i) {
    const size_t cell = i / nodes, k = i % nodes;
    return k < corners ? cells[cell][k] : edges[cell][k - corners];
  });
  w.array<int64_t>("Int64", "offsets", 1, cells.size(), [&](size_t i) { return nodes * (i + 1); });
  w.array<uint8_t>("UInt8", "types", 1, cells.size(), [&](size_t) { return vtk_type; });
  w.file.text += "</Cells>\n<CellData>\n";
}

Result<void> close_piece(Writer& w) {
  w.file.text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return w.file.commit();
}

template <int corners>
Result<void> write_mesh(const std::string& path, const mesh::Mesh<corners>& mesh, EdgeNodes edges) {
  Writer w(path);
  open_piece(w, mesh.vertices.size(), mesh.elements.size());
  points_and_fields(w, mesh.vertices, false, {});
  for (const auto& [name, data] : mesh.vertex_data) w.reals(name, data.width, data.values, false);
  for (const auto& [name, ids] : mesh.vertex_groups) w.group(name, ids, mesh.vertices.size());
  w.file.text += "</PointData>\n";
  cells_array<corners>(w, mesh.elements, edges);
  for (const auto& [name, data] : mesh.element_data) w.reals(name, data.width, data.values, false);
  for (const auto& [name, ids] : mesh.element_groups) w.group(name, ids, mesh.elements.size());
  return close_piece(w);
}

template <int corners>
Result<void> write_cells(const std::string& path, std::span<const math::Vec3d> points,
                         std::span<const std::array<int32_t, corners>> cells, EdgeNodes edges,
                         std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields,
                         bool single_points) {
  const auto check = [](std::span<const VtuField> fields, size_t count, const char* on) -> Result<void> {
    for (const VtuField& field : fields)
      if (field.width < 1 || field.values.size() != count * field.width)
        return usage_error(fmt::format("field '{}' has {} values, expected {} for {} {} of width {}",
                                       field.name, field.values.size(), count * field.width, count, on,
                                       field.width));
    return {};
  };
  if (auto ok = check(point_fields, points.size(), "points"); !ok) return ok;
  if (auto ok = check(cell_fields, cells.size(), "cells"); !ok) return ok;
  Writer w(path);
  open_piece(w, points.size(), cells.size());
  points_and_fields(w, points, single_points, point_fields);
  w.file.text += "</PointData>\n";
  cells_array<corners>(w, cells, edges);
  for (const VtuField& field : cell_fields) w.reals(field.name, field.width, field.values, field.single);
  return close_piece(w);
}

}  // namespace

Result<void> write_vtu(const std::string& path, const mesh::TetMesh& mesh) {
  return write_mesh<4>(path, mesh, mesh.edge_nodes);
}
Result<void> write_vtu(const std::string& path, const mesh::TriMesh& mesh) {
  return write_mesh<3>(path, mesh, {});
}
Result<void> write_vtu(const std::string& path, const mesh::HexMesh& mesh) {
  return write_mesh<8>(path, mesh, {});
}

Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 4>> tets, std::span<const VtuField> point_fields,
                       std::span<const VtuField> cell_fields, bool single_points,
                       std::span<const std::array<int32_t, 6>> edge_nodes) {
  return write_cells<4>(path, points, tets, edge_nodes, point_fields, cell_fields, single_points);
}

Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 3>> triangles,
                       std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields,
                       bool single_points) {
  return write_cells<3>(path, points, triangles, {}, point_fields, cell_fields, single_points);
}

}  // namespace sinew::io
