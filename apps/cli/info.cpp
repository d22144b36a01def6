// sinew info: what a file or a folder holds.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/npz.h"
#include "mesh/poor_tets.h"
#include "mesh/properties.h"
#include "mesh/units.h"
#include "model/size.h"
#include "print.h"
#include "run/checkpoint.h"
#include "run/run_folder.h"
#include "unit_option.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using json::Json;

struct Options {
  std::string file, unit = "m";
  bool json = false;
};

Json vector_json(const math::Vec3d& v) {
  const double values[] = {v[0], v[1], v[2]};
  return Json::numbers(values);
}

template <class Named>
Json keys_of(const Named& map) {
  Json list = Json::list();
  for (const auto& [name, value] : map) list.add(name);
  return list;
}

template <class Mesh>
void describe_mesh(const Mesh& mesh, Json& out, io::Notes& notes) {
  const mesh::Bounds bounds = mesh::bounding_box(mesh.vertices);
  const math::Vec3d size = bounds.high - bounds.low;
  if (std::string question = mesh::unit_question(std::max({size[0], size[1], size[2]})); !question.empty())
    notes.push_back(std::move(question));
  out.set("vertices", mesh.vertices.size());
  out.set(std::is_same_v<Mesh, mesh::TetMesh> ? "tets" : "triangles", mesh.elements.size());
  out.set("components", mesh::connected_components(mesh).count);
  out.set("low", vector_json(bounds.low));
  out.set("high", vector_json(bounds.high));
  out.set("vertex_groups", keys_of(mesh.vertex_groups));
  out.set("element_groups", keys_of(mesh.element_groups));
  out.set("vertex_data", keys_of(mesh.vertex_data));
  out.set("element_data", keys_of(mesh.element_data));
}

void describe_poor_tets(const mesh::PoorTets& poor, Json& out) {
  Json counts = Json::object(), worst = Json::list();
  for (size_t k = 0; k < poor.below.size(); ++k)
    counts.set(fmt::format("below_{:g}", mesh::PoorTets::bounds[k]), poor.below[k]);
  for (const auto& [tet, ratio, centre] : poor.worst) {
    Json one = Json::object();
    one.set("tet", tet);
    one.set("radius_ratio", ratio);
    one.set("centre", vector_json(centre));
    worst.add(std::move(one));
  }
  out.set("radius_ratios", std::move(counts));
  out.set("worst_tets", std::move(worst));
}

// Why a file is no mesh: what the reader found that its format has, or both where it may hold tets and triangles.
Error neither(const std::string& path, const Error& tets, const Error& triangles) {
  const io::MeshFormat* format = io::find_mesh_format(path);
  if (format && !format->read_tets) return triangles;
  if (!format || !format->read_triangles || tets.text() == triangles.text()) return tets;
  return input_error({}, fmt::format("as tets: {}; as triangles: {}", tets.text(), triangles.text()));
}

Result<Json> mesh_info(const std::string& path, double unit) {
  Json out = Json::object();
  io::Notes notes;
  notes.keep_degenerate = true;
  Result<mesh::TetMesh> tets = io::read_tet_mesh(path, &notes);
  if (tets) {
    for (math::Vec3d& x : tets->vertices) x = x * unit;
    out.set("kind", tets->edge_nodes.empty() ? "tet mesh" : "tet mesh, second order");
    describe_mesh(*tets, out, notes);
    const mesh::Quality quality = mesh::quality(*tets);
    out.set("volume", mesh::total_volume(*tets));
    if (!mesh::coverage(*tets).empty()) out.set("covered_volume", mesh::covered_volume(*tets));
    out.set("boundary_triangles", mesh::boundary(*tets).triangles.size());
    out.set("min_mean_ratio", quality.min_mean_ratio);
    out.set("average_mean_ratio", quality.average_mean_ratio);
    out.set("min_dihedral_degrees", quality.min_dihedral_degrees);
    out.set("min_radius_ratio", quality.min_radius_ratio);
    describe_poor_tets(mesh::poor_tets(*tets), out);
  } else {
    if (tets.error().kind == ErrorKind::io) return tets.error();
    notes.clear();
    Result<mesh::TriMesh> triangles = io::read_tri_mesh(path, &notes);
    if (!triangles) return neither(path, tets.error(), triangles.error());
    for (math::Vec3d& x : triangles->vertices) x = x * unit;
    out.set("kind", "triangle mesh");
    describe_mesh(*triangles, out, notes);
    out.set("area", mesh::total_area(*triangles));
    out.set("enclosed_volume", mesh::enclosed_volume(*triangles));
  }
  Json list = Json::list();
  for (const std::string& note : notes) list.add(note);
  out.set("notes", std::move(list));
  return out;
}

Result<Json> checkpoint_info(const std::string& path) {
  const Result<run::Checkpoint> read = run::read_checkpoint(path);
  if (!read) return read.error();
  Json out = Json::object(), columns = Json::list();
  out.set("kind", "checkpoint");
  out.set("frame", read->frame);
  for (const model::Column& column : read->state.columns()) {
    if (column.spec.name == "time" && column.f64.size() == 1) out.set("time", column.f64[0]);
    columns.add(fmt::format("{} ({} numbers)", column.spec.name, column.bytes() / 8));
  }
  out.set("state_hash", fmt::format("{:016x}", read->state.hash()));
  out.set("scene_hash", read->scene_hash);
  out.set("binary_id", read->binary_id);
  out.set("columns", std::move(columns));
  return out;
}

Result<Json> run_info(const std::string& folder) {
  const Result<Json> run = run::read_run(folder);
  if (!run) return run.error();
  Json out = Json::object();
  out.set("kind", "run");
  for (const char* key : {"status", "scene_file", "sinew", "method", "frame", "frames", "time", "threads",
                          "not_converged", "reasons", "state_hash", "error", "timings", "warnings"})
    if (run->has(key)) out.set(key, (*run)[key]);
  int64_t met = 0;
  const auto expect = (*run)["expect"].items();
  for (const Json& result : expect) met += result["ok"].boolean();
  if (!expect.empty()) out.set("expectations_met", fmt::format("{} of {}", met, expect.size()));
  return out;
}

Result<Json> array_info(const std::string& path) {
  const Result<io::Npz> arrays = io::read_npz(path);
  if (!arrays) return arrays.error();
  Json out = Json::object();
  out.set("kind", "arrays");
  for (const auto& [name, array] : *arrays) {
    Json shape = Json::list();
    for (int64_t n : array.shape) shape.add(n);
    out.set(name, std::move(shape));
  }
  return out;
}

std::optional<Json> scene_info(const std::string& path, int& code) {
  const auto scene = load(path, {}, code);
  if (!scene) return std::nullopt;
  const auto built = build(*scene, code);
  if (!built) return std::nullopt;
  Json out = Json::object(), bodies = Json::object(), held = Json::object();
  out.set("kind", "scene");
  if (scene->resolved.has("title")) out.set("title", scene->resolved["title"]);
  for (size_t b = 0; b < built->model.bodies.size(); ++b) {
    const model::Body& body = built->model.bodies[b];
    const auto [mesh, material] = built->model.volumes(static_cast<int32_t>(b));
    bodies.set(body.name, fmt::format("{}, {:.6g} m^3{}", size_text(model::size_of(body)), material,
                                      mesh == material ? "" : fmt::format(" in a mesh of {:.6g} m^3", mesh)));
  }
  for (const model::Attachment& attachment : built->model.attachments)
    held.set(attachment.name, count_text(static_cast<int64_t>(attachment.nodes.size()), "node"));
  out.set("bodies", std::move(bodies));
  out.set("attachments", std::move(held));
  out.set("mode", scene->resolved["solve"]["mode"]);
  out.set("method", built->method->name);
  out.set("frames", built->time.frames);
  out.set("substeps", built->time.substeps);
  out.set("fps", built->time.fps);
  out.set("expectations", built->expect.size());
  return out;
}

// Keys and values by line; what is empty is left out.
void print_rows(const Json& json, int indent) {
  for (size_t i = 0; i < json.size(); ++i) {
    const Json& value = json.item(i);
    const bool nested = value.is(Json::Kind::list) || value.is(Json::Kind::object);
    if (nested && value.size() == 0) continue;
    const std::string name = fmt::format("{:{}}{}", "", indent, json.key(i));
    if (value.is(Json::Kind::object)) {
      fmt::print("{}\n", name);
      print_rows(value, indent + 2);
    } else if (value.is(Json::Kind::list) && !value.item(0).is(Json::Kind::number)) {
      for (size_t k = 0; k < value.size(); ++k)
        fmt::print("{:<22} {}\n", k == 0 ? name : "",
                   value.item(k).is(Json::Kind::text) ? value.item(k).text() : value.item(k).compact());
    } else {
      fmt::print("{:<22} {}\n", name, value.is(Json::Kind::text) ? value.text() : value.compact());
    }
  }
}

int show(const Options& options) {
  std::error_code error;
  const fs::path path = options.file;
  Result<Json> found = usage_error(options.file + ": nothing is known about files of this kind");
  if (!fs::exists(path, error))
    return complain(io_error(options.file, "cannot open: no such file or folder"));
  if (fs::is_directory(path, error)) {
    if (!fs::exists(path / "run.json", error))
      return complain(usage_error(options.file + ": the folder holds no run (there is no run.json)"));
    found = run_info(options.file);
  } else if (path.extension() == ".json") {
    int code = exit_done;
    const std::optional<Json> scene = scene_info(options.file, code);
    if (!scene) return code;
    found = *scene;
  } else if (path.extension() == ".npz") {
    found = array_info(options.file);
  } else if (path.extension() == ".bin") {
    found = checkpoint_info(options.file);
  } else {
    const Result<double> unit = unit_of(options.unit);
    found = unit ? mesh_info(options.file, *unit) : unit.error();
  }
  if (!found) return complain(found.error());
  if (options.json)
    fmt::print("{}\n", found->compact());
  else
    print_rows(*found, 0);
  return exit_done;
}

}  // namespace

const Command& command_info() {
  static const Command command = {
      "info", "Tell what a mesh, a scene, the folder of a run, a checkpoint or an .npz file holds.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->file, "FILE", "File or folder.");
        arguments.flag(o->json, "--json", "Print it as one JSON object.");
        unit_option(arguments, o->unit);
        return [o] { return show(*o); };
      }};
  return command;
}

}  // namespace sinew::cli
