#pragma once
// VTK XML unstructured grids, .vtu (Kitware, "VTK file formats"). Written: inline base64 with zlib blocks
// and 64-bit headers. Read: one piece; inline ascii or base64, appended base64 or raw, with or without zlib,
// 32- or 64-bit headers, either byte order. Linear tets and triangles, tets of second order. Point and cell
// data become attributes; a UInt8 array named "group:NAME" is the group NAME. Cells of lower dimension than
// the mesh are left out with a note; their groups become vertex groups. Files are read and written in pieces:
// beside the mesh, reading takes less than a megabyte, writing the packed form of one array.
//
//     VtuField stress{"stress", 6, values};
//     write_vtu(path, mesh.vertices, mesh.elements, {}, {&stress, 1});
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "io/checks.h"
#include "io/source.h"
#include "mesh/mesh.h"

namespace sinew::io {

struct VtuField {
  std::string name;
  int width = 1;  // numbers per point or cell
  std::span<const double> values;
  bool single = false;  // stored as Float32
};

Result<mesh::TetMesh> parse_vtu_tets(const Source& source, const std::string& name, Notes* notes = nullptr);
Result<mesh::TriMesh> parse_vtu_triangles(const Source& source, const std::string& name,
                                          Notes* notes = nullptr);

// A mesh with its attributes and groups.
Result<void> write_vtu(const std::string& path, const mesh::TetMesh& mesh);
Result<void> write_vtu(const std::string& path, const mesh::TriMesh& mesh);
Result<void> write_vtu(const std::string& path, const mesh::HexMesh& mesh);

// Positions, cells and fields from wherever they are; an error where a field has the wrong length. With edge nodes the
// tets are of second order.
Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 4>> tets, std::span<const VtuField> point_fields,
                       std::span<const VtuField> cell_fields, bool single_points = false,
                       std::span<const std::array<int32_t, 6>> edge_nodes = {});
Result<void> write_vtu(const std::string& path, std::span<const math::Vec3d> points,
                       std::span<const std::array<int32_t, 3>> triangles,
                       std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields,
                       bool single_points = false);

}  // namespace sinew::io
