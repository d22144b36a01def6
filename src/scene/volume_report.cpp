#include "scene/volume_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "mesh/properties.h"
#include "mesh/units.h"

namespace sinew::scene {
namespace {

using meshing::Volume;
using meshing::VolumeReport;

constexpr size_t max_mismatches = 20, max_parts = 8;  // that are listed

// "3 cells", "1 cell".
std::string counted(int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string place_text(const math::Vec3d& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]);
}

Json box_json(const mesh::Bounds& box) {
  Json json = Json::list();
  json.add(Json::numbers(box.low.v));
  json.add(Json::numbers(box.high.v));
  return json;
}

mesh::Bounds crossing_box(const VolumeReport& report) {
  std::vector<math::Vec3d> ends;
  for (const auto& [a, b] : report.crossings.segments) {
    ends.push_back(a);
    ends.push_back(b);
  }
  return mesh::bounding_box(ends);
}

Json texts(const std::vector<std::string>& sentences) {
  Json list = Json::list();
  for (const std::string& text : sentences) list.add(text);
  return list;
}

Json surface_json(const meshing::SurfaceReport& surface) {
  Json json = Json::object();
  json.set("points", surface.points);
  json.set("triangles", surface.triangles);
  json.set("components", surface.components);
  json.set("cavities", surface.cavities);
  json.set("volume", surface.volume);
  json.set("area", surface.area);
  json.set("points_joined", surface.duplicate_points);
  json.set("triangles_without_area", surface.degenerate);
  json.set("triangles_given_twice", surface.duplicate);
  json.set("triangles_turned", surface.turned);
  json.set("holes_closed", surface.holes_closed);
  json.set("sheets_left_out", surface.sheets);
  json.set("repairs", texts(surface.messages));
  return json;
}

Json mismatches_json(const Volume& volume) {
  Json list = Json::list();
  meshing::Lattice<3> fine = volume.grid.lattice;
  fine.level = 0;
  for (const auto& mismatch : volume.report.grid.mismatches) {
    if (list.size() == max_mismatches) break;
    Json entry = Json::object();
    entry.set("at", Json::numbers(fine.position(mismatch.node).v));
    entry.set("winding", mismatch.winding);
    entry.set("layers", mismatch.layers);
    list.add(std::move(entry));
  }
  return list;
}

}  // namespace

Json volume_json(const Volume& volume) {
  const VolumeReport& report = volume.report;
  Json crossings = Json::object(), mesh = Json::object(), regions = Json::object(), cost = Json::object();
  crossings.set("pairs", report.crossings.pairs);
  crossings.set("touching", report.crossings.touching);
  if (!report.crossings.segments.empty()) crossings.set("box", box_json(crossing_box(report)));

  mesh.set("kind", volume.tets.elements.empty() ? "hexahedra" : "tets");
  mesh.set("cell", report.cell);
  mesh.set("coarsened", volume.grid.lattice.level);
  mesh.set("cells", report.cells);
  mesh.set("tets", report.tets);
  mesh.set("vertices", report.vertices);
  mesh.set("components", report.components);
  mesh.set("parts", texts(report.parts));
  mesh.set("overlapping_cells", report.overlapping_cells);
  mesh.set("crowded_faces", report.crowded_faces);
  mesh.set("thin_cells", report.thin_cells);
  mesh.set("gap_places", report.gap_places);
  mesh.set("shared_places", report.shared.count);
  if (report.shared.count > 0) mesh.set("shared_place", Json::numbers(report.shared.first.v));
  mesh.set("volume", report.mesh_volume);
  mesh.set("covered_volume", report.covered_volume);

  Json copies = Json::list();
  for (const int32_t count : report.grid.copies) copies.add(count);
  regions.set("count", report.grid.regions);
  regions.set("copies", std::move(copies));
  regions.set("folded", report.grid.folded);
  regions.set("ambiguous", report.grid.ambiguous);
  regions.set("nested", report.grid.nested);
  regions.set("wrong_side", report.grid.wrong_side);
  regions.set("thin_components", report.thin_parts.size());
  regions.set("mismatches", mismatches_json(volume));

  cost.set("meshings", report.meshings);
  cost.set("shell_cells", report.grid.shell_elements);
  cost.set("predicate_calls", report.grid.predicate_calls);
  cost.set("exact_calls", report.grid.exact_calls);

  Json json = Json::object();
  json.set("surface", surface_json(report.surface));
  json.set("self_intersections", std::move(crossings));
  json.set("mesh", std::move(mesh));
  json.set("regions", std::move(regions));
  json.set("cost", std::move(cost));
  json.set("messages", texts(volume_sentences(volume)));
  return json;
}

std::vector<std::string> volume_sentences(const Volume& volume) {
  const VolumeReport& report = volume.report;
  std::vector<std::string> out = report.surface.messages;
  const mesh::Bounds box = mesh::bounding_box(volume.surface.vertices);
  const math::Vec3d size = box.high - box.low;
  if (std::string question = mesh::unit_question(std::max({size[0], size[1], size[2]})); !question.empty())
    out.push_back(std::move(question));
  if (report.crossings.pairs > 0) {
    const mesh::Bounds box = crossing_box(report);
    out.push_back(
        fmt::format("the surface passes through itself: {}, between {} and {}",
                    counted(report.crossings.pairs, "pair of triangles crosses", "pairs of triangles cross"),
                    place_text(box.low), place_text(box.high)));
  }
  if (report.crossings.touching > 0)
    out.push_back(counted(report.crossings.touching, "pair of triangles touches or lies in one plane",
                          "pairs of triangles touch or lie in one plane") +
                  ": whether their sides are joined depends on the grid");
  if (report.overlapping_cells > 0)
    out.push_back(counted(report.overlapping_cells, "cell holds", "cells hold") +
                  " several layers of material that are not joined");
  if (report.shared.count > 0)
    out.push_back(fmt::format(
        "{}, the first at {}: layers that are not joined overlap in their cells and touch where they are at "
        "rest. Smaller cells part those that the surface keeps apart",
        counted(report.shared.count, "place has several vertices", "places have several vertices"),
        place_text(report.shared.first)));
  if (report.parts.size() > 1) {
    std::string names;
    for (size_t i = 0; i < std::min(report.parts.size(), max_parts); ++i)
      names += (i > 0 ? ", " : "") + report.parts[i];
    if (report.parts.size() > max_parts)
      names += fmt::format(" and {} more", report.parts.size() - max_parts);
    out.push_back(fmt::format(
        "the mesh falls into {} parts, which come loose from each other: {}. \"joined\": \"all\" in "
        "a scene, --joined all on the command line, joins those that meet",
        report.parts.size(), names));
  }
  if (report.thin_cells > 0)
    out.push_back(
        fmt::format("{} passed through more than once: parts are thinner than the grid there; smaller "
                    "cells tell their sides apart",
                    counted(report.thin_cells, "cell is", "cells are")));
  if (!report.thin_parts.empty()) {
    const auto largest = std::max_element(report.thin_parts.begin(), report.thin_parts.end(),
                                          [](const auto& a, const auto& b) { return a.size < b.size; });
    out.push_back(
        fmt::format("{} left out, thinner than the cells of {:.6g} m; the longest is {:.6g} m, at {}. "
                    "Smaller cells keep it",
                    counted(static_cast<int64_t>(report.thin_parts.size()), "part of the surface was",
                            "parts of the surface were"),
                    report.cell, largest->size, place_text(volume.surface.vertices[largest->point])));
  }
  if (report.gap_places > 0)
    out.push_back(
        fmt::format("{} of layers that are not joined were moved apart, by 0.15 cells from face to face",
                    counted(report.gap_places, "vertex", "vertices")));
  meshing::Lattice<3> fine = volume.grid.lattice;
  fine.level = 0;
  for (size_t i = 0; i < std::min<size_t>(report.grid.mismatches.size(), 3); ++i) {
    const auto& mismatch = report.grid.mismatches[i];
    out.push_back(fmt::format(
        "at {} the surface winds around {} but the mesh has {}: {}", place_text(fine.position(mismatch.node)),
        counted(mismatch.winding, "time", "times"), counted(mismatch.layers, "layer", "layers"),
        mismatch.layers < mismatch.winding
            ? "a fold that turns inside out, or layers too close to be told apart; try smaller cells"
            : "parts too thin for the cells; try smaller ones"));
  }
  if (report.grid.ambiguous > 0)
    out.push_back(counted(report.grid.ambiguous, "choice between layers was ambiguous",
                          "choices between layers were ambiguous") +
                  ": the surface folds in a way that layers cannot follow, or the grid is too coarse for it; "
                  "look at the "
                  "mesh there before using it");
  // If layers part inside a coarsened cell, its faces may well have more than two.
  if (report.crowded_faces > 0 && volume.grid.lattice.level == 0)
    out.push_back(
        counted(report.crowded_faces, "face has more than two cells", "faces have more than two cells") +
        ": tips of the body share a cell there, and their tets overlap; smaller cells part them");
  return out;
}

}  // namespace sinew::scene
