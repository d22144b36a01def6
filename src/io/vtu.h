#pragma once
// VTK XML unstructured grids, .vtu (Kitware, "VTK file formats"). Written: inline base64 with zlib blocks
// and 64-bit headers. Read: one piece; inline ascii, inline base64 or appended base64, with or without
// zlib, 32- or 64-bit headers, little endian. Point and cell data become attributes; a UInt8 array named
// "group:NAME" is the group NAME. Cells of lower dimension than the mesh are left out with a note.
//
//     VtuField stress{"stress", 6, values};
//     write_vtu(path, mesh.vertices, mesh.elements, {}, {&stress, 1});
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

struct VtuField {
  std::string name;
  int width = 1;  // numbers per point or cell
  std::span<const double> values;
  bool single = false;  // stored as Float32
};

Result<mesh::TetMesh> parse_vtu_tets(std::string_view text, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_vtu_triangles(std::string_view text, const std::string& name,
                                          Notes* notes = nullptr);

// A mesh with its attributes and groups.
std::string format_vtu(const mesh::TetMesh& mesh);
std::string format_vtu(const mesh::TriMesh& mesh);

// Positions, cells and fields from wherever they are; an error where a field has the wrong length.
Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 4>> tets, std::span<const VtuField> point_fields,
                       std::span<const VtuField> cell_fields, bool single_points = false);
Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 3>> triangles,
                       std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields,
                       bool single_points = false);

}  // namespace sinew::io
