#include "io/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "io/file.h"
#include "io/gmsh.h"
#include "io/medit.h"
#include "io/obj.h"
#include "io/scanner.h"
#include "io/tetgen.h"
#include "io/vtu.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

// A MeshFormat with what does the work; null where it cannot. TetGen is apart: it has two files.
struct Format {
  MeshFormat shown;
  Result<TetMesh> (*parse_tets)(std::string_view, const std::string&, Notes*) = nullptr;
  std::string (*format_tets)(const TetMesh&) = nullptr;
  Result<TriMesh> (*parse_triangles)(std::string_view, const std::string&, Notes*) = nullptr;
  std::string (*format_triangles)(const TriMesh&) = nullptr;
};

const Format formats[] = {
    {{"Medit", "mesh", true, true}, parse_medit_tets, format_medit, parse_medit_triangles, format_medit},
    {{"Gmsh 4.1", "msh", true, true}, parse_gmsh_tets, format_gmsh, parse_gmsh_triangles, format_gmsh},
    {{"TetGen", "node ele", true, false}},
    {{"VTK XML", "vtu", true, true}, parse_vtu_tets, format_vtu, parse_vtu_triangles, format_vtu},
    {{"Wavefront OBJ", "obj", false, true}, nullptr, nullptr, parse_obj, format_obj},
};

std::string extension_of(const std::string& path) {
  const size_t dot = path.rfind('.'), slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string extension = path.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool lists(std::string_view extensions, std::string_view extension) {
  while (!extensions.empty()) {
    const size_t space = std::min(extensions.find(' '), extensions.size());
    if (extensions.substr(0, space) == extension) return true;
    extensions.remove_prefix(std::min(space + 1, extensions.size()));
  }
  return false;
}

// The format of a path that can hold this kind of mesh.
Result<const Format*> find_format(const std::string& path, bool tets) {
  const std::string extension = extension_of(path);
  std::string known;
  for (const Format& format : formats) {
    if (!(tets ? format.shown.tets : format.shown.triangles)) continue;
    if (lists(format.shown.extensions, extension)) return &format;
    for (char c : " " + std::string(format.shown.extensions))
      known += c == ' ' ? std::string(" .") : std::string(1, c);
  }
  return Error{ErrorKind::usage,
               path,
               {},
               fmt::format("extension {} is not one of the {} mesh formats:{}", in_quotes("." + extension),
                           tets ? "tet" : "triangle", known)};
}

struct TetgenPaths {
  std::string node, ele;
  explicit TetgenPaths(const std::string& path) : node(path.substr(0, path.rfind('.'))), ele(node + ".ele") {
    node += ".node";
  }
};

Result<TetMesh> read_tetgen(const std::string& path, Notes* notes) {
  const TetgenPaths paths(path);
  auto nodes = read_text(paths.node), tets = read_text(paths.ele);
  if (!nodes) return nodes.error();
  if (!tets) return tets.error();
  return parse_tetgen(*nodes, paths.node, *tets, paths.ele, notes);
}

}  // namespace

std::span<const MeshFormat> mesh_formats() {
  static const auto shown = [] {
    std::array<MeshFormat, std::size(formats)> list;
    std::transform(std::begin(formats), std::end(formats), list.begin(),
                   [](const Format& f) { return f.shown; });
    return list;
  }();
  return shown;
}

Result<TetMesh> read_tet_mesh(const std::string& path, Notes* notes) {
  const auto format = find_format(path, true);
  if (!format) return format.error();
  if (!(*format)->parse_tets) return read_tetgen(path, notes);
  const auto text = read_text(path);
  if (!text) return text.error();
  return (*format)->parse_tets(*text, path, notes);
}

Result<TriMesh> read_tri_mesh(const std::string& path, Notes* notes) {
  const auto format = find_format(path, false);
  if (!format) return format.error();
  const auto text = read_text(path);
  if (!text) return text.error();
  return (*format)->parse_triangles(*text, path, notes);
}

Result<void> write_tet_mesh(const std::string& path, const TetMesh& mesh) {
  const auto format = find_format(path, true);
  if (!format) return format.error();
  if ((*format)->format_tets) return write_atomically(path, (*format)->format_tets(mesh));
  const TetgenPaths paths(path);
  if (auto ok = write_atomically(paths.node, format_tetgen_node(mesh)); !ok) return ok;
  return write_atomically(paths.ele, format_tetgen_ele(mesh));
}

Result<void> write_tri_mesh(const std::string& path, const TriMesh& mesh) {
  const auto format = find_format(path, false);
  if (!format) return format.error();
  return write_atomically(path, (*format)->format_triangles(mesh));
}

}  // namespace sinew::io
