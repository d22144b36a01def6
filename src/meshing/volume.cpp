#include "meshing/volume.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>

#include "base/memory.h"
#include "mesh/properties.h"
#include "mesh/units.h"
#include "meshing/carried.h"
#include "meshing/coarsen.h"
#include "meshing/coverage.h"
#include "meshing/layer_gaps.h"
#include "meshing/surface_parts.h"
#include "meshing/thin_parts.h"
#include "meshing/topology.h"
#include "meshing/winding.h"

namespace sinew::meshing {
namespace {

constexpr int max_levels = 8;
constexpr int max_meshings = 6;
constexpr double count_tolerance = 0.1;
constexpr int64_t default_tets = 20000;
constexpr int max_default_levels = 4;      // of coarsening
constexpr int64_t max_crossings = 100000;  // that are listed
constexpr double max_along_axis = 0x1p20;  // cells
// Two balls of 1 to 3 million cells took 155 bytes a cell at most as hexahedra and 555 as tets, with all that was held.
constexpr double bytes_per_cell = 200, bytes_per_hex = 100, bytes_per_tet_cell = 500;

Error refusal(const std::string& name, std::string what) { return input_error(name, std::move(what)); }

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (bytes /= 1000; bytes >= 999.5 && unit < 5; ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

// The cell at which f, which falls with the cell, comes down to `most`.
template <class F>
double cell_where(double most, double low, double high, const F& f) {
  for (int k = 0; k < 100 && high / low > 1 + 1e-9; ++k) {
    const double middle = std::sqrt(low * high);
    (f(middle) > most ? low : high) = middle;
  }
  return high;
}

// A number that is not below x, with three digits.
double rounded_up(double x) {
  const double step = std::pow(10, std::floor(std::log10(x)) - 2);
  return std::ceil(x / step) * step;
}

class VolumeMaker {
 public:
  VolumeMaker(const mesh::TriMesh& given, const VolumeOptions& options, const std::string& name,
              const Control& control)
      : given_(given), options_(options), name_(name), control_(control) {}

  Result<Volume> make() {
    if (auto ok = check_options(); !ok) return ok.error();
    if (auto ok = check_given(); !ok) return ok.error();
    const bool counted = options_.cells + options_.tets > 0;
    if (auto ok = options_.cell > 0 ? mesh_at(options_.cell)
                  : counted         ? mesh_until()
                                    : mesh_by_default();
        !ok)
      return ok.error();
    return finish();
  }

 private:
  Result<void> check_options() const {
    const int given = (options_.cell != 0) + (options_.cells != 0) + (options_.tets != 0);
    if (given > 1)
      return usage_error(
          fmt::format("found {} of cell, cells and tets, expected one of them or none", given));
    if (options_.cell != 0 && !(options_.cell > 0 && std::isfinite(options_.cell)))
      return usage_error(fmt::format("found a cell of {} m, expected a positive length", options_.cell));
    if (options_.cells < 0 || options_.tets < 0)
      return usage_error(fmt::format("found {} {}, expected at least one",
                                     options_.cells < 0 ? options_.cells : options_.tets,
                                     options_.cells < 0 ? "cells" : "tets"));
    if (options_.tets > 0 && options_.hexes)
      return usage_error("found a number of tets, but hexahedra are asked for; expected a number of cells");
    if (options_.coarsen < 0 || options_.coarsen > max_levels)
      return usage_error(
          fmt::format("found {} levels of coarsening, expected 0 to {}", options_.coarsen, max_levels));
    return {};
  }

  // The surface, put right where that may be done, and what of it crosses.
  Result<void> check_given() {
    progress(0, "checking the surface");
    SurfaceReport& report = volume_.report.surface;
    if (options_.winding) {
      if (auto ok = take_as_it_is(); !ok) return ok;
    } else {
      Result<CheckedSurface> checked = check_surface(given_, options_.repairs, name_);
      if (!checked) checked = take_winding(checked.error());
      if (!checked) return checked.error();
      volume_.surface = std::move(checked->mesh);
      volume_.point_of = std::move(checked->point_of);
      report = std::move(checked->report);
    }
    const mesh::Bounds box = mesh::bounding_box(volume_.surface.vertices);
    const math::Vec3d extents = box.high - box.low;
    extent_ = std::max({extents[0], extents[1], extents[2]});
    area_ = report.area;
    inside_ = options_.winding ? extents[0] * extents[1] * extents[2] : std::max(report.volume, 0.0);
    progress(0.1, "looking for self-intersections");
    volume_.report.crossings = self_intersections(volume_.surface, max_crossings);
    return stopped();
  }

  // An open surface has no check to pass; what cannot be computed with is refused all the same.
  Result<void> take_as_it_is() {
    SurfaceReport& report = volume_.report.surface;
    if (auto ok = check_numbers(given_, name_); !ok) return ok;
    volume_.surface = given_;
    volume_.point_of.resize(given_.vertices.size());
    std::iota(volume_.point_of.begin(), volume_.point_of.end(), 0);
    report.points = static_cast<int64_t>(given_.vertices.size());
    report.triangles = static_cast<int64_t>(given_.elements.size());
    report.components = mesh::connected_components(given_).count;
    report.area = mesh::total_area(given_);
    report.volume = mesh::enclosed_volume(given_);
    return {};
  }

  // What cannot be closed may still wind around most of a volume.
  Result<CheckedSurface> take_winding(const Error& open) {
    if (!options_.repairs.fill_holes || !options_.repairs.orient || open.kind != ErrorKind::input)
      return open;
    Result<CheckedSurface> faced = face_by_sight(given_, name_);
    if (!faced) return open;
    options_.winding = true;
    open_ = open;
    faced->report.messages.push_back(
        open.what +
        ". Instead the inside is where the surface winds around a point by more than one half: layers that "
        "overlap are one, parts closer than a cell are joined");
    return faced;
  }

  void progress(double done, const char* next) const {
    if (options_.on_progress) options_.on_progress(done, next);
  }

  Result<void> stopped() const {
    if (control_.cancelled()) return input_error(name_, "meshing was stopped");
    return {};
  }

  Result<void> check_cell(double cell) const {
    if (cell > extent_ && extent_ > 0)
      return refusal(name_,
                     fmt::format("found a cell of {:.6g} m, which is larger than the body; expected less "
                                 "than its largest extent, {:.6g} m",
                                 cell, extent_) +
                         question());
    const double fine = std::ldexp(cell, -options_.coarsen);
    const auto bytes = [&](double h) { return estimated_bytes(inside_, area_, options_, h); };
    const auto too_many = [&](double h) {
      return extent_ / std::ldexp(h, -options_.coarsen) > max_along_axis ||
             1.2 * estimated_cells(inside_, area_, std::ldexp(h, -options_.coarsen)) >
                 std::numeric_limits<int32_t>::max();
    };
    const double available = options_.max_bytes > 0 ? static_cast<double>(options_.max_bytes)
                                                    : std::numeric_limits<double>::infinity();
    if (!too_many(cell) && bytes(cell) <= available) return {};
    const double smallest = cell_where(
        0.5, cell, extent_, [&](double h) { return too_many(h) || bytes(h) > available ? 1.0 : 0.0; });
    const std::string found =
        fmt::format("found a cell of {:.6g} m{}: about {:.3g} cells", cell,
                    options_.coarsen > 0 ? fmt::format(", meshed at {:.6g} m", fine) : "",
                    estimated_cells(inside_, area_, fine));
    const std::string why =
        too_many(cell)
            ? fmt::format(
                  "{}, more than 32-bit ids can name or 2^20 along an axis; the smallest cell that "
                  "fits is about {:.3g} m",
                  found, rounded_up(smallest))
            : fmt::format(
                  "{} and {} of memory, where {} are available; the smallest cell that fits is "
                  "about {:.3g} m",
                  found, bytes_text(bytes(cell)), bytes_text(available), rounded_up(smallest));
    return refusal(name_, why + question());
  }

  // For sizes that are refused: they may be meant in another unit.
  std::string question() const {
    const std::string text = mesh::unit_question(extent_);
    return text.empty() ? text : "; " + text;
  }

  Result<void> mesh_at(double cell) {
    volume_.grid = {};
    if (auto ok = check_cell(cell); !ok) return ok;
    progress(0.2, "meshing");
    const GridOptions grid{std::ldexp(cell, -options_.coarsen), options_.offset,
                           options_.max_bytes > 0 ? options_.max_bytes : GridOptions{}.max_bytes};
    volume_.report.cell = cell;
    if (options_.winding) {
      Result<GridMesh<3>> made = winding_grid(volume_.surface, grid);
      if (!made && open_)
        return refusal(name_, open_->what +
                                  "; nor does it wind around a volume. Close it, or give a sheet a "
                                  "thickness, where it is modelled");
      if (!made) return named(made.error());
      volume_.grid = std::move(*made);
    } else {
      if (auto ok = mesh_layers(grid); !ok) return ok;
    }
    for (int level = 0; level < options_.coarsen; ++level) {
      if (auto ok = stopped(); !ok) return ok;
      progress(0.6, "coarsening");
      volume_.grid = coarsen<3>(volume_.grid);
    }
    if (auto ok = join_parts(volume_.grid, volume_.surface, options_.joined); !ok) return named(ok.error());
    if (auto ok = stopped(); !ok) return ok;
    const bool joined = options_.joined.all || !options_.joined.pairs.empty();
    if (!options_.winding && !joined) match_volume(volume_.grid, volume_.report.surface.volume);
    progress(0.7, options_.hexes ? "counting" : "making tets");
    tets_ = {};
    if (!options_.hexes) tets_ = bcc_tets(volume_.grid);
    return {};
  }

  // Splinters without a lattice node inside are left out.
  Result<void> mesh_layers(const GridOptions& grid) {
    if (!volume_.report.thin_parts.empty()) volume_.surface = whole_;
    volume_.report.thin_parts.clear();
    for (;;) {
      const SurfaceView<3> view = view_surface<3>(volume_.surface.vertices, volume_.surface.elements);
      Result<Gridded<3>> made = mesh_grid<3>(view, grid, control_);
      if (!made) return named(made.error());
      volume_.grid = std::move(made->mesh);
      volume_.report.grid = std::move(made->report);
      const std::vector<ThinPart>& thin = volume_.report.grid.thin_parts;
      if (thin.empty()) return {};
      if (whole_.elements.empty()) whole_ = volume_.surface;
      std::vector<int32_t> points;
      for (const ThinPart& part : thin) points.push_back(part.point);
      leave_out_parts(volume_.surface, points);
      volume_.report.thin_parts.insert(volume_.report.thin_parts.end(), thin.begin(), thin.end());
    }
  }

  // A size of two digits. Where all of the body is thinner than that, its layers are found on smaller cells.
  Result<void> mesh_by_default() {
    const double cell = cell_where(default_tets, extent_ * 1e-7, extent_,
                                   [&](double h) { return estimated_tets(inside_, area_, h); });
    const double step = std::pow(10, std::floor(std::log10(cell)) - 1);
    const double rounded = std::min(std::ceil(cell / step) * step, extent_);
    const auto whole = [&] {
      return std::none_of(volume_.report.thin_parts.begin(), volume_.report.thin_parts.end(),
                          [&](const ThinPart& part) { return part.size > extent_ / 4; });
    };
    Result<void> made = mesh_at(rounded);
    const int given = options_.coarsen;
    while (!(made && whole()) && (made || volume_.grid.elements.empty()) && !options_.winding &&
           !control_.cancelled() && options_.coarsen < max_default_levels) {
      ++options_.coarsen;
      if (Result<void> finer = mesh_at(rounded); finer) made = finer;
    }
    if (made && volume_.grid.elements.empty()) {  // no memory for cells as small as that
      options_.coarsen = given;
      made = mesh_at(rounded);
    }
    if (made)
      volume_.report.surface.messages.push_back(fmt::format(
          "no size was given: cells of {:.6g} m were taken, for about {} tets", rounded, default_tets));
    return made;
  }

  Error named(Error error) const {
    if (error.where.empty()) error.where = name_;
    if (error.kind == ErrorKind::usage) error.kind = ErrorKind::input;
    return error;
  }

  // A number of cells or tets: the estimate is corrected by what the last mesh had.
  Result<void> mesh_until() {
    const bool by_tets = options_.tets > 0;
    const auto target = static_cast<double>(by_tets ? options_.tets : options_.cells);
    const auto estimate = [&](double h) {
      return by_tets ? estimated_tets(inside_, area_, h) : estimated_cells(inside_, area_, h);
    };
    double ratio = 1, nearest = 0, nearest_cell = 0;
    for (int k = 1; k <= max_meshings; ++k) {
      const double cell =
          cell_where(target, extent_ * 1e-7, extent_, [&](double h) { return ratio * estimate(h); });
      if (auto ok = mesh_at(cell); !ok) return ok;
      volume_.report.meshings = k;
      const auto count =
          static_cast<double>(by_tets ? tets_.mesh.elements.size() : volume_.grid.elements.size());
      if (std::abs(count - target) <= count_tolerance * target) return {};
      if (nearest == 0 || std::abs(std::log(count / target)) < std::abs(std::log(nearest / target))) {
        nearest = count;
        nearest_cell = cell;
      }
      ratio = count / estimate(cell);
    }
    return refusal(name_,
                   fmt::format("found no cell size with {} {} within 10 %; the nearest has {}, with cells of "
                               "{:.6g} m: give that size instead",
                               target, by_tets ? "tets" : "cells", nearest, nearest_cell));
  }

  Result<Volume> finish() {
    VolumeReport& report = volume_.report;
    const GridMesh<3>& grid = volume_.grid;
    progress(0.85, "carrying the surface");
    if (!report.thin_parts.empty()) report.crossings = self_intersections(volume_.surface, max_crossings);
    const double cell_volume = std::pow(grid.lattice.spacing(), 3);
    for (const float share : grid.coverage) report.covered_volume += share * cell_volume;
    report.cells = static_cast<int64_t>(grid.elements.size());
    const Topology joined = topology<3>(grid);
    report.components = joined.components;
    if (joined.components > 1) report.parts = part_names(grid, volume_.surface);
    report.overlapping_cells = joined.overlapping_cells;
    report.crowded_faces = joined.crowded_faces;
    report.thin_cells = count_thin_elements(grid, volume_.surface);
    const mesh::Groups groups = carried_groups(grid, volume_.surface);
    if (options_.hexes) {
      volume_.hexes = hexes(grid);
      volume_.hexes.element_groups = groups;
      volume_.hexes.vertex_groups = touched_vertices(grid, volume_.surface, nullptr);
      volume_.in_hexes = carried_by_hexes(grid, volume_.surface.vertices);
      report.vertices = static_cast<int64_t>(volume_.hexes.vertices.size());
      report.mesh_volume = cell_volume * static_cast<double>(report.cells);
    } else {
      volume_.in_tets = carried_by_tets(tets_, grid, volume_.surface.vertices);
      report.gap_places = open_gaps(grid, tets_);
      if (report.gap_places > 0) carry_again();
      if (report.overlapping_cells > 0) report.shared = shared_places(tets_.mesh.vertices);
      mesh::Groups touched = touched_vertices(grid, volume_.surface, &tets_);
      volume_.tets = std::move(tets_.mesh);
      volume_.tets.element_groups = groups_of_tets(tets_, groups);
      volume_.tets.vertex_groups = std::move(touched);
      report.tets = static_cast<int64_t>(volume_.tets.elements.size());
      report.vertices = static_cast<int64_t>(volume_.tets.vertices.size());
      report.mesh_volume = mesh::total_volume(volume_.tets);
    }
    progress(1, "done");
    return std::move(volume_);
  }

  // Weights in tets whose corners have moved: the surface stays where it is.
  void carry_again() {
    const std::vector<math::Vec3d>& x = tets_.mesh.vertices;
    for (size_t i = 0; i < volume_.in_tets.size(); ++i) {
      Carried<4>& point = volume_.in_tets[i];
      if (point.element < 0) continue;
      math::Vec3d off = volume_.surface.vertices[i];
      for (int k = 0; k < 4; ++k) off -= x[point.vertices[k]] * point.weights[k];
      if (norm(off) > 1e-9 * volume_.report.cell)
        point.weights = weights_in(x, point.vertices, volume_.surface.vertices[i]);
    }
  }

  const mesh::TriMesh& given_;
  VolumeOptions options_;
  const std::string& name_;
  const Control& control_;
  double extent_ = 0, area_ = 0, inside_ = 0;
  mesh::TriMesh whole_;        // with the splinters, where there are any
  std::optional<Error> open_;  // why the winding number is taken, unless it was asked for
  GridTets tets_;
  Volume volume_;
};

}  // namespace

// A surface element of area dA with normal n passes through (|nx| + |ny| + |nz|) dA / h^2 cells, 3/2 on average; half of
// each lies outside.
double estimated_cells(double volume, double area, double cell) {
  return volume / (cell * cell * cell) + 0.75 * area / (cell * cell);
}

// 12 for a cell, and two more for each boundary face.
double estimated_tets(double volume, double area, double cell) {
  return 12 * estimated_cells(volume, area, cell) + 2 * 1.5 * area / (cell * cell);
}

double estimated_bytes(double volume, double area, const VolumeOptions& options, double cell) {
  return bytes_per_cell * estimated_cells(volume, area, std::ldexp(cell, -options.coarsen)) +
         (options.hexes ? bytes_per_hex : bytes_per_tet_cell) * estimated_cells(volume, area, cell) +
         options.bytes_per_tet * estimated_tets(volume, area, cell);
}

Result<Volume> volume_of(const mesh::TriMesh& surface, const VolumeOptions& options, const std::string& name,
                         const Control& control) {
  return unless_out_of_memory(
      name, [&]() -> Result<Volume> { return VolumeMaker(surface, options, name, control).make(); });
}

}  // namespace sinew::meshing
