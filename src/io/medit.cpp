#include "io/medit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "io/mesh_file.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

template <int corners>
struct Block {
  std::vector<std::array<int32_t, corners>> elements;  // counted from 0
  std::vector<int64_t> refs, line;
};

struct Contents {
  std::vector<math::Vec3d> vertices;
  std::vector<int64_t> vertex_refs;
  Block<4> tets;
  Block<3> triangles;
  int64_t quads = 0;
  bool ended = false;
};

struct Skipped {
  std::string_view keyword;
  int numbers;  // on each line
};
constexpr Skipped skipped[] = {
    {"Edges", 3},          {"Corners", 1},           {"Ridges", 1},         {"RequiredVertices", 1},
    {"RequiredEdges", 1},  {"RequiredTriangles", 1}, {"Normals", 3},        {"NormalAtVertices", 2},
    {"Tangents", 3},       {"TangentAtVertices", 2}, {"TangentAtEdges", 3}, {"NormalAtTriangleVertices", 3},
    {"Quadrilaterals", 5},
};

bool read_vertices(Scanner& in, Contents& mesh) {
  int64_t count, ref;
  if (!in.count(count, 8, "vertex count")) return false;
  if (!mesh.vertices.empty()) return in.fail("a second list of Vertices");
  mesh.vertices.reserve(count);
  mesh.vertex_refs.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    math::Vec3d x;
    if (!in.real(x[0]) || !in.real(x[1]) || !in.real(x[2])) return false;
    if (!in.integer(ref, INT32_MIN, INT32_MAX, "vertex reference")) return false;
    mesh.vertices.push_back(x);
    mesh.vertex_refs.push_back(ref);
  }
  return true;
}

template <int corners>
bool read_block(Scanner& in, Block<corners>& block) {
  int64_t count, value;
  if (!in.count(count, 2 * (corners + 1), "element count")) return false;
  block.elements.reserve(block.elements.size() + count);
  for (int64_t i = 0; i < count; ++i) {
    std::array<int32_t, corners> element;
    for (int32_t& corner : element) {
      if (!in.integer(value, 1, INT32_MAX, "vertex index")) return false;
      corner = static_cast<int32_t>(value - 1);
    }
    block.line.push_back(in.line());
    if (!in.integer(value, INT32_MIN, INT32_MAX, "element reference")) return false;
    block.elements.push_back(element);
    block.refs.push_back(value);
  }
  return true;
}

template <int corners>
bool check_indices(Scanner& in, const Block<corners>& block, size_t vertices) {
  if (!vertices && !block.line.empty())
    return in.fail_at(block.line[0], "the file has elements, but no Vertices");
  for (size_t i = 0; i < block.elements.size(); ++i)
    for (int32_t corner : block.elements[i])
      if (static_cast<size_t>(corner) >= vertices)
        return in.fail_at(block.line[i],
                          fmt::format("vertex index {} is not in 1..{}", int64_t{corner} + 1, vertices));
  return true;
}

bool skip_block(Scanner& in, const Skipped& what, Contents& mesh) {
  int64_t count;
  if (!in.count(count, 2 * what.numbers, "element count")) return false;
  double ignored;
  for (int64_t i = 0; i < count * what.numbers; ++i)
    if (!in.real(ignored)) return false;
  if (what.keyword == "Quadrilaterals") mesh.quads += count;
  return true;
}

bool read_contents(Scanner& in, Contents& mesh) {
  int64_t value = 0;
  std::string_view keyword;
  if (!in.expect("MeshVersionFormatted") || !in.integer(value, 1, 4, "version")) return false;
  bool dimension = false;
  while (!in.at_end() && !mesh.ended) {
    in.word(keyword);
    bool read = false;
    if (keyword == "End") {
      read = mesh.ended = true;
    } else if (keyword == "Dimension") {
      read = dimension = in.integer(value, 3, 3, "dimension");
    } else if (keyword == "Vertices") {
      if (!dimension) return in.fail("found Vertices, expected the line 'Dimension 3' first");
      read = read_vertices(in, mesh);
    } else if (keyword == "Tetrahedra") {
      read = read_block(in, mesh.tets);
    } else if (keyword == "Triangles") {
      read = read_block(in, mesh.triangles);
    } else if (keyword == "Hexahedra" || keyword == "Prisms" || keyword == "Pyramids") {
      return in.fail(fmt::format("{} are not read, only Tetrahedra and Triangles", keyword));
    } else {
      const auto* known = std::find_if(std::begin(skipped), std::end(skipped),
                                       [&](const Skipped& s) { return s.keyword == keyword; });
      if (known == std::end(skipped))
        return in.fail(
            fmt::format("found {}, expected a keyword such as Vertices, Tetrahedra, Triangles or End",
                        in_quotes(keyword)));
      read = skip_block(in, *known, mesh);
    }
    if (!read) return false;
  }
  return check_indices(in, mesh.tets, mesh.vertices.size()) &&
         check_indices(in, mesh.triangles, mesh.vertices.size());
}

void add_triangle_groups(const Block<3>& triangles, mesh::Groups& groups, Notes* notes) {
  mesh::Attributes ignored;
  mesh::Groups by_ref;
  add_refs(triangles.refs, ignored, by_ref, notes);
  for (const auto& [name, ids] : by_ref) {
    auto& nodes = groups["triangle_" + name];
    for (int32_t t : ids)
      nodes.insert(nodes.end(), triangles.elements[t].begin(), triangles.elements[t].end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
}

bool is_ref(std::string_view name, const mesh::Attribute& data) {
  const auto fits = [](double v) { return v == std::floor(v) && v >= INT32_MIN && v <= INT32_MAX; };
  return name == "ref" && data.width == 1 && std::all_of(data.values.begin(), data.values.end(), fits);
}

template <int corners>
std::string format_mesh(const mesh::Mesh<corners>& mesh, std::string_view keyword) {
  std::string text = "MeshVersionFormatted 2\nDimension 3\n";
  const auto out = std::back_inserter(text);
  const mesh::Attribute* refs = find_kept(mesh.vertex_data, "ref", is_ref);
  const auto ref_of = [&](size_t i) { return refs ? static_cast<int32_t>(refs->values[i]) : 0; };
  fmt::format_to(out, "Vertices\n{}\n", mesh.vertices.size());
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const auto& x = mesh.vertices[i];
    fmt::format_to(out, "{} {} {} {}\n", x[0], x[1], x[2], ref_of(i));
  }
  refs = find_kept(mesh.element_data, "ref", is_ref);
  fmt::format_to(out, "{}\n{}\n", keyword, mesh.elements.size());
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int32_t node : mesh.elements[e]) fmt::format_to(out, "{} ", node + 1);
    fmt::format_to(out, "{}\n", ref_of(e));
  }
  return text + "End\n";
}

}  // namespace

Result<TetMesh> parse_medit_tets(std::string_view text, const std::string& name, Notes* notes) {
  Scanner in(text, name);
  Contents contents;
  if (!read_contents(in, contents)) return in.error();
  if (!contents.ended) note(notes, "the file ends without End: something may be missing");
  TetMesh mesh;
  mesh.vertices = std::move(contents.vertices);
  mesh.elements = std::move(contents.tets.elements);
  add_refs(contents.vertex_refs, mesh.vertex_data, mesh.vertex_groups, notes);
  add_refs(contents.tets.refs, mesh.element_data, mesh.element_groups, notes);
  add_triangle_groups(contents.triangles, mesh.vertex_groups, notes);
  if (auto ok = check_tets(mesh, name, contents.tets.line, notes); !ok) return ok.error();
  return mesh;
}

Result<TriMesh> parse_medit_triangles(std::string_view text, const std::string& name, Notes* notes) {
  Scanner in(text, name);
  Contents contents;
  if (!read_contents(in, contents)) return in.error();
  if (!contents.ended) note(notes, "the file ends without End: something may be missing");
  if (contents.quads) note(notes, fmt::format("left out {} quadrilaterals", contents.quads));
  if (!contents.tets.elements.empty())
    note(notes, fmt::format("left out {} tetrahedra", contents.tets.elements.size()));
  TriMesh mesh;
  mesh.vertices = std::move(contents.vertices);
  mesh.elements = std::move(contents.triangles.elements);
  add_refs(contents.vertex_refs, mesh.vertex_data, mesh.vertex_groups, notes);
  add_refs(contents.triangles.refs, mesh.element_data, mesh.element_groups, notes);
  if (auto ok = check_triangles(mesh, name, notes); !ok) return ok.error();
  return mesh;
}

std::string format_medit(const TetMesh& mesh) { return format_mesh(mesh, "Tetrahedra"); }
std::string format_medit(const TriMesh& mesh) { return format_mesh(mesh, "Triangles"); }
std::string format_medit(const mesh::HexMesh& mesh) { return format_mesh(mesh, "Hexahedra"); }

const MeshFormat& mesh_format_medit() {
  static const MeshFormat format = {
      .name = "Medit",
      .extensions = "mesh",
      .read_tets = read_and_parse<parse_medit_tets>,
      .read_triangles = read_and_parse<parse_medit_triangles>,
      .write_tets = [](const std::string& path,
                       const TetMesh& mesh) { return write_atomically(path, format_medit(mesh)); },
      .write_triangles = [](const std::string& path,
                            const TriMesh& mesh) { return write_atomically(path, format_medit(mesh)); },
      .write_hexes = [](const std::string& path,
                        const mesh::HexMesh& mesh) { return write_atomically(path, format_medit(mesh)); },
      .holds = {.ref_groups = true, .vertex_data = is_ref, .element_data = is_ref},
  };
  return format;
}

}  // namespace sinew::io
