#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <zlib.h>

#include "io/base64.h"
#include "io/file.h"
#include "io/vtu.h"

namespace sinew::io {
namespace {

constexpr size_t block_size = size_t{1} << 16;  // [bytes] before compression
constexpr int compression_level = 1;            // an eighth of the time of level 6 for a tenth more bytes

std::string xml_escaped(std::string_view text) {
  std::string s;
  for (char c : text) {
    switch (c) {
      case '&':
        s += "&amp;";
        break;
      case '<':
        s += "&lt;";
        break;
      case '>':
        s += "&gt;";
        break;
      case '"':
        s += "&quot;";
        break;
      default:
        s += static_cast<unsigned char>(c) < 32 ? '?' : c;
    }
  }
  return s;
}

class Writer {
 public:
  std::string text;

  template <class T>
  void array(const char* type, std::string_view name, int width, std::span<const T> values) {
    fmt::format_to(std::back_inserter(text),
                   "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", type,
                   xml_escaped(name), width);
    bytes({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    text += "\n</DataArray>\n";
  }

  void reals(std::string_view name, int width, std::span<const double> values, bool single) {
    if (!single) return array<double>("Float64", name, width, values);
    const std::vector<float> narrow(values.begin(), values.end());
    array<float>("Float32", name, width, narrow);
  }

  void group(const std::string& name, const std::vector<int32_t>& ids, size_t count) {
    std::vector<uint8_t> member(count, 0);
    for (int32_t id : ids) member[id] = 1;
    array<uint8_t>("UInt8", "group:" + name, 1, member);
  }

 private:
  // [blocks, block size, size of a shorter last block or 0, compressed sizes...], then the blocks.
  void bytes(std::string_view data) {
    std::vector<uint64_t> header{(data.size() + block_size - 1) / block_size, block_size,
                                 data.size() % block_size};
    std::string blocks;
    for (size_t at = 0; at < data.size(); at += block_size) {
      const std::string_view piece = data.substr(at, block_size);
      uLongf length = compressBound(piece.size());
      const size_t used = blocks.size();
      blocks.resize(used + length);
      // With room enough it can only lack memory.
      if (compress2(reinterpret_cast<Bytef*>(blocks.data() + used), &length,
                    reinterpret_cast<const Bytef*>(piece.data()), piece.size(), compression_level) != Z_OK)
        throw std::bad_alloc();
      blocks.resize(used + length);
      header.push_back(length);
    }
    append_base64(text, {reinterpret_cast<const char*>(header.data()), header.size() * sizeof(uint64_t)});
    append_base64(text, blocks);
  }
};

void open_piece(Writer& w, size_t points, size_t cells) {
  fmt::format_to(std::back_inserter(w.text),
                 "<?xml version=\"1.0\"?>\n"
                 "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                 "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
                 "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                 points, cells);
}

void points_and_fields(Writer& w, std::span<const math::Vec3d> points, bool single,
                       std::span<const VtuField> point_fields) {
  static_assert(sizeof(math::Vec3d) == 3 * sizeof(double));
  w.text += "<Points>\n";
  w.reals("Points", 3, {points.empty() ? nullptr : points.data()->v, points.size() * 3}, single);
  w.text += "</Points>\n<PointData>\n";
  for (const VtuField& field : point_fields) w.reals(field.name, field.width, field.values, field.single);
}

template <int corners>
void cells_array(Writer& w, std::span<const std::array<int32_t, corners>> cells) {
  constexpr uint8_t vtk_type = corners == 4 ? 10 : 5;
  w.text += "<Cells>\n";
  w.array<int32_t>("Int32", "connectivity", 1,
                   {cells.empty() ? nullptr : cells.data()->data(), cells.size() * corners});
  std::vector<int64_t> offsets(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) offsets[i] = static_cast<int64_t>(corners * (i + 1));
  w.array<int64_t>("Int64", "offsets", 1, offsets);
  w.array<uint8_t>("UInt8", "types", 1, std::vector<uint8_t>(cells.size(), vtk_type));
  w.text += "</Cells>\n<CellData>\n";
}

void close_piece(Writer& w) { w.text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"; }

template <int corners>
std::string format_mesh(const mesh::Mesh<corners>& mesh) {
  Writer w;
  open_piece(w, mesh.vertices.size(), mesh.elements.size());
  points_and_fields(w, mesh.vertices, false, {});
  for (const auto& [name, data] : mesh.vertex_data) w.reals(name, data.width, data.values, false);
  for (const auto& [name, ids] : mesh.vertex_groups) w.group(name, ids, mesh.vertices.size());
  w.text += "</PointData>\n";
  cells_array<corners>(w, mesh.elements);
  for (const auto& [name, data] : mesh.element_data) w.reals(name, data.width, data.values, false);
  for (const auto& [name, ids] : mesh.element_groups) w.group(name, ids, mesh.elements.size());
  close_piece(w);
  return std::move(w.text);
}

template <int corners>
Result<void> write_cells(const std::string& path, std::span<const math::Vec3d> points,
                         std::span<const std::array<int32_t, corners>> cells,
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
  Writer w;
  open_piece(w, points.size(), cells.size());
  points_and_fields(w, points, single_points, point_fields);
  w.text += "</PointData>\n";
  cells_array<corners>(w, cells);
  for (const VtuField& field : cell_fields) w.reals(field.name, field.width, field.values, field.single);
  close_piece(w);
  return write_atomically(path, w.text);
}

}  // namespace

std::string format_vtu(const mesh::TetMesh& mesh) { return format_mesh<4>(mesh); }
std::string format_vtu(const mesh::TriMesh& mesh) { return format_mesh<3>(mesh); }

Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 4>> tets, std::span<const VtuField> point_fields,
                       std::span<const VtuField> cell_fields, bool single_points) {
  return write_cells<4>(path, points, tets, point_fields, cell_fields, single_points);
}

Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 3>> triangles,
                       std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields,
                       bool single_points) {
  return write_cells<3>(path, points, triangles, point_fields, cell_fields, single_points);
}

}  // namespace sinew::io
