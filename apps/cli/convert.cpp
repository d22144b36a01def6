// sinew convert: meshes from one format to another.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "io/mesh_file.h"
#include "json/words.h"
#include "mesh/properties.h"
#include "print.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string from, to;
};

Error unknown_format(const std::string& path) {
  std::string known;
  for (const io::MeshFormat* format : io::mesh_formats())
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", format->name, format->extensions);
  return usage_error(fmt::format("{}: unknown mesh format; expected the ending of one of: {}", path, known));
}

int convert(const Options& options) {
  const io::MeshFormat *from = io::find_mesh_format(options.from), *to = io::find_mesh_format(options.to);
  if (!from) return complain(unknown_format(options.from));
  if (!to) return complain(unknown_format(options.to));
  io::Notes notes;
  const auto finish = [&](const Result<void>& ok, const std::string& what) -> int {
    for (const std::string& note : notes) warn(note);
    if (!ok) return complain(ok.error());
    say(fmt::format("{}: {}", options.to, what));
    return exit_done;
  };
  const auto surface = [&](const mesh::TriMesh& mesh, const char* word) {
    return finish(
        io::write_tri_mesh(options.to, mesh, &notes),
        fmt::format("{} vertices, {} triangles{}", count_text(static_cast<int64_t>(mesh.vertices.size())),
                    count_text(static_cast<int64_t>(mesh.elements.size())), word));
  };
  std::optional<Error> no_tets;
  if (from->read_tets) {
    const Result<mesh::TetMesh> tets = io::read_tet_mesh(options.from, &notes);
    if (tets && !to->write_tets && to->write_triangles) {
      io::note_dropped({.vertex_groups = true, .vertex_data = io::keeps_all}, *tets, &notes);
      return surface(mesh::boundary_surface(*tets).mesh, ", the boundary of the tets");
    }
    if (tets)
      return finish(
          io::write_tet_mesh(options.to, *tets, &notes),
          fmt::format("{} vertices, {} tets{}", count_text(static_cast<int64_t>(tets->vertices.size())),
                      count_text(static_cast<int64_t>(tets->elements.size())),
                      tets->edge_nodes.empty() ? "" : " of second order"));
    no_tets = tets.error();
    if (no_tets->kind == ErrorKind::io || !from->read_triangles) return complain(*no_tets);
    notes.clear();
  }
  // A file without tets may be a surface.
  const Result<mesh::TriMesh> triangles = io::read_tri_mesh(options.from, &notes);
  if (!triangles) return complain(no_tets.value_or(triangles.error()));
  if (!to->write_triangles)
    return complain(
        usage_error(fmt::format("{}: holds a surface, which {} cannot store", options.from, to->name)));
  return surface(*triangles, "");
}

}  // namespace

const Command& command_convert() {
  static const Command command = {
      "convert", "Convert a mesh; the endings of the names give the formats.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->from, "FROM", "Mesh to read.");
        arguments.positional(o->to, "TO",
                             "Mesh to write. Tets become their boundary where the format has none.");
        return [o] { return convert(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
