// sinew convert: meshes from one format to another.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "io/mesh_file.h"
#include "json/words.h"
#include "mesh/clean.h"
#include "mesh/improve.h"
#include "mesh/properties.h"
#include "print.h"
#include "unit_option.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string from, to, unit = "m";
  bool clean = false, improve = false;
};

// What --clean and --improve ask for, told line by line.
Result<void> tidy(mesh::TetMesh& mesh, const Options& options) {
  if (options.clean) {
    const std::vector<std::string> changes = mesh::clean(mesh).sentences();
    for (const std::string& change : changes) say("clean: " + change);
    if (changes.empty()) say("clean: nothing to change");
    if (mesh.elements.empty()) return input_error(options.from, "no tet is left that has a volume");
  }
  if (!options.improve) return {};
  if (!mesh.edge_nodes.empty())
    return input_error(options.from, "found tets of second order, expected first order for --improve");
  const mesh::ImproveReport report = mesh::improve(mesh);
  say(fmt::format(
      "improve: {} flips; {} of {} vertices inside were moved, by {:.3g} m at most; least radius ratio "
      "{:.3g}, it was "
      "{:.3g}",
      report.flips, report.moved, report.movable, report.farthest, report.least_after, report.least_before));
  for (size_t k = 0; k < report.before.below.size(); ++k)
    say(fmt::format("improve: {} tets below {:g}, there were {}", report.after.below[k],
                    mesh::PoorTets::bounds[k], report.before.below[k]));
  return {};
}

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
  const Result<double> unit = unit_of(options.unit);
  if (!unit) return complain(unit.error());
  io::Notes notes;
  notes.keep_degenerate = options.clean;
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
    Result<mesh::TetMesh> tets = io::read_tet_mesh(options.from, &notes);
    if (tets) {
      if (const Result<void> ok = tidy(*tets, options); !ok) return complain(ok.error());
      for (math::Vec3d& x : tets->vertices) x = x * *unit;
    }
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
  if (options.clean || options.improve)
    return complain(
        no_tets.value_or(usage_error(fmt::format("{}: found a surface, expected tets for {}", options.from,
                                                 options.clean ? "--clean" : "--improve"))));
  // A file without tets may be a surface.
  Result<mesh::TriMesh> triangles = io::read_tri_mesh(options.from, &notes);
  if (!triangles) return complain(no_tets.value_or(triangles.error()));
  for (math::Vec3d& x : triangles->vertices) x = x * *unit;
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
        arguments.flag(
            o->clean, "--clean",
            "Merge vertices at one place, remove tets without volume, turn inverted ones over, leave out "
            "unused vertices.");
        arguments.flag(o->improve, "--improve",
                       "Replace tets by others of better shape and move vertices inside; the surface stays.");
        unit_option(arguments, o->unit);
        return [o] { return convert(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
