// sinew mesh: a volume mesh for a surface, which may cross itself.
#include <cmath>
#include <fmt/format.h>

#include "command.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/skin_file.h"
#include "lists.h"
#include "meshing/self_intersections.h"
#include "meshing/volume.h"
#include "print.h"
#include "progress_bar.h"
#include "scene/building.h"
#include "scene/volume_report.h"
#include "signals.h"
#include "unit_option.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string surface, to, report, crossings, embedding, unit = "m", joined;
  double cell = 0, cells = 0, tets = 0, coarsen = 0;
  bool hex = false, tet = false, winding = false, no_repair = false, quiet = false;
};

// Before anything is read: what cannot be written is not computed.
Result<void> check_targets(const Options& options) {
  const io::MeshFormat* to = io::find_mesh_format(options.to);
  if (!to || !(options.hex ? to->write_hexes != nullptr : to->write_tets != nullptr)) {
    std::string known;
    for (const io::MeshFormat* format : io::mesh_formats())
      if (options.hex ? format->write_hexes != nullptr : format->write_tets != nullptr)
        known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", format->name, format->extensions);
    return usage_error(
        fmt::format("{}: found a name that is not of a format for {}; expected the ending of one of: {}",
                    options.to, options.hex ? "hexahedra" : "tets", known));
  }
  if (!options.crossings.empty()) {
    const io::MeshFormat* format = io::find_mesh_format(options.crossings);
    if (!format || !format->write_triangles)
      return usage_error(options.crossings +
                         ": found a name that is not of a format for surfaces, expected .obj, "
                         ".ply or another one");
  }
  return {};
}

// "all", or "eye_l+head,eye_r+head".
Result<meshing::JoinedParts> joined_parts(const std::string& text) {
  meshing::JoinedParts joined{.all = text == "all", .pairs = {}};
  if (joined.all) return joined;
  for (const std::string& pair : split_words(text)) {
    const size_t plus = pair.find('+');
    if (plus == 0 || plus == pair.npos || plus + 1 == pair.size())
      return usage_error(fmt::format(
          "--joined: found \"{}\", expected all, or pairs of groups: eye_l+head,eye_r+head", pair));
    joined.pairs.push_back({pair.substr(0, plus), pair.substr(plus + 1)});
  }
  return joined;
}

Result<meshing::VolumeOptions> volume_options(const Options& options) {
  const int given = (options.cell != 0) + (options.cells != 0) + (options.tets != 0);
  if (given > 1)
    return usage_error(
        "found several of --cell, --cells and --tets, expected one of them or none: --cell 0.01 for cells "
        "of a centimetre, --cells 100000 for about as many cells");
  if (!std::isfinite(options.cell + options.cells + options.tets))
    return usage_error("--cell, --cells, --tets: found what is no number, expected a positive one");
  if (options.hex && options.tet) return usage_error("found both --hex and --tet, expected one of them");
  if (options.hex && options.tets != 0) return usage_error("found --tets with --hex, expected --cells");
  meshing::VolumeOptions out;
  out.cell = options.cell;
  out.cells = static_cast<int64_t>(options.cells);
  out.tets = static_cast<int64_t>(options.tets);
  out.coarsen = static_cast<int>(options.coarsen);
  out.hexes = options.hex;
  out.winding = options.winding;
  if (auto joined = joined_parts(options.joined); joined)
    out.joined = std::move(*joined);
  else
    return joined.error();
  if (options.no_repair) out.repairs = {.fill_holes = false, .orient = false};
  out.max_bytes = scene::system_available_bytes() / 4 * 3;
  return out;
}

Result<void> write_embedding(const std::string& path, const mesh::TriMesh& given,
                             const meshing::Volume& volume) {
  if (volume.in_hexes.empty()) return io::write_skin(path, meshing::skin_of(given, volume));
  std::vector<int32_t> elements;
  std::vector<double> weights;
  for (const meshing::Carried<8>& carried : meshing::given_in_hexes(given, volume)) {
    elements.push_back(carried.element);
    weights.insert(weights.end(), carried.weights.begin(), carried.weights.end());
  }
  return io::write_embedding(path, given.elements, elements, weights, 8);
}

Result<void> write_all(const Options& options, const mesh::TriMesh& given, const meshing::Volume& volume) {
  io::Notes notes;
  const Result<void> written = volume.tets.elements.empty()
                                   ? io::write_hex_mesh(options.to, volume.hexes, &notes)
                                   : io::write_tet_mesh(options.to, volume.tets, &notes);
  for (const std::string& note : notes) warn(note);
  if (!written) return written;
  if (!options.crossings.empty() && volume.report.crossings.pairs > 0)
    if (auto ok = io::write_tri_mesh(options.crossings,
                                     meshing::crossing_triangles(volume.surface, volume.report.crossings));
        !ok)
      return ok;
  if (!options.embedding.empty())
    if (auto ok = write_embedding(options.embedding, given, volume); !ok) return ok;
  if (!options.report.empty() && options.report != "-")
    return io::write_atomically(options.report, scene::volume_json(volume).pretty());
  return {};
}

void row(const char* name, const std::string& text) { fmt::print("{:<20} {}\n", name, text); }

void summarize(const Options& options, const meshing::Volume& volume) {
  const meshing::VolumeReport& report = volume.report;
  const meshing::SurfaceReport& surface = report.surface;
  row("surface",
      fmt::format("{} points, {} triangles, {} {}{}", count_text(surface.points),
                  count_text(surface.triangles), surface.components,
                  surface.components == 1 ? "component" : "components",
                  surface.cavities > 0 ? fmt::format(", {} of them cavities", surface.cavities) : ""));
  row("holes closed", count_text(surface.holes_closed));
  row("self-intersections", fmt::format("{} pairs of triangles", count_text(report.crossings.pairs)));
  const int32_t most = report.grid.copies.empty() ? 1 : report.grid.copies.front();
  row("regions", fmt::format("{}, up to {} {} before equal ones were folded", count_text(report.grid.regions),
                             most, most == 1 ? "copy" : "copies"));
  row("cells", fmt::format("{} of {:.6g} m{}", count_text(report.cells), report.cell,
                           volume.grid.lattice.level > 0
                               ? fmt::format(", found on cells of {:.6g} m", volume.grid.lattice.cell)
                               : ""));
  if (report.tets > 0) row("tets", count_text(report.tets));
  row("vertices", count_text(report.vertices));
  row("components", count_text(report.components));
  row("several layers", fmt::format("in {} cells", count_text(report.overlapping_cells)));
  row("thinner than cells", fmt::format("in {} cells", count_text(report.thin_cells)));
  row("volume", fmt::format("{:.6g} m^3 of the surface, {:.6g} m^3 by coverage, {:.6g} m^3 of whole cells",
                            surface.volume, report.covered_volume, report.mesh_volume));
  row("mesh", options.to);
  if (!options.embedding.empty()) row("embedding", options.embedding);
  if (!options.crossings.empty())
    row("crossings", report.crossings.pairs > 0 ? options.crossings : "none, no file is written");
  if (!options.report.empty()) row("report", options.report);
}

int make(const Options& options) {
  Result<meshing::VolumeOptions> wanted = volume_options(options);
  if (!wanted) return complain(wanted.error());
  if (auto ok = check_targets(options); !ok) return complain(ok.error());
  io::Notes notes;
  const Result<double> unit = unit_of(options.unit);
  if (!unit) return complain(unit.error());
  Result<mesh::TriMesh> surface = io::read_tri_mesh(options.surface, &notes);
  for (const std::string& note : notes) warn(note);
  if (!surface) return complain(surface.error());
  for (math::Vec3d& x : surface->vertices) x = x * *unit;
  const Cancel& cancel = cancel_on_signals("\nstopping; once more to stop at once\n");
  ProgressBar bar(options.quiet);
  wanted->on_progress = [&](double done, const char* next) { bar.show(done, next); };
  const Result<meshing::Volume> volume =
      meshing::volume_of(*surface, *wanted, options.surface, Control{&cancel, {}});
  bar.end();
  if (cancel.requested()) return exit_interrupted;
  if (!volume) return complain(volume.error());
  for (const std::string& sentence : scene::volume_sentences(*volume)) warn(sentence);
  if (auto ok = write_all(options, *surface, *volume); !ok) return complain(ok.error());
  if (options.report == "-")
    fmt::print("{}\n", scene::volume_json(*volume).compact());
  else if (!options.quiet)
    summarize(options, *volume);
  return exit_done;
}

}  // namespace

const Command& command_mesh() {
  static const Command command = {
      "mesh", "Make a volume mesh for a closed surface, which may cross itself.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->surface, "SURFACE", "Triangles: .obj, .ply, .stl, .off or another format.");
        arguments.option(o->to, "-o,--output", "FILE",
                         "Mesh to write; body.vtu by default. The ending gives the format.");
        arguments.option(o->cell, "--cell", "SIZE",
                         "Edge of the cells [m]; without a size about 20,000 tets.", 1e-12, 1e9);
        arguments.option(o->cells, "--cells", "N", "Instead: about as many cells, within 10 %.", 1, 2e9);
        arguments.option(o->tets, "--tets", "N", "Instead: about as many tets, within 10 %.", 1, 2e9);
        arguments.option(
            o->coarsen, "--coarsen", "K",
            "Find what is joined on cells 2^K times smaller, then make them larger; 0 by default.", 0, 8);
        arguments.flag(o->hex, "--hex", "Write hexahedra.");
        arguments.flag(o->tet, "--tet", "Write tets, as without it.");
        arguments.flag(
            o->winding, "--winding",
            "For open surfaces: inside is where the surface winds around a point by more than one half. "
            "Parts that overlap are then one.");
        arguments.flag(o->no_repair, "--no-repair", "Close no holes and turn no triangles: refuse instead.");
        arguments.option(o->joined, "--joined", "PARTS",
                         "Parts stuck into each other that shall hold together: pairs of groups, "
                         "eye_l+head,eye_r+head, or all.");
        unit_option(arguments, o->unit);
        arguments.option(
            o->embedding, "--embedding", "FILE.npz",
            "How the mesh carries the surface, for \"skin\" in a scene: triangles, element, weights.");
        arguments.option(o->report, "--report", "FILE", "What was found, as JSON; - for standard output.");
        arguments.option(o->crossings, "--crossings", "FILE", "The triangles that cross others, to look at.");
        arguments.flag(o->quiet, "--quiet", "Print warnings and errors alone.");
        arguments.threads();
        arguments.footer("sinew mesh skin.obj -o body.vtu\nsinew mesh skin.obj -o body.vtu --cell 0.008\n");
        o->to = "body.vtu";
        return [o] { return make(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
