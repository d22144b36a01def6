#include "verify/sheets.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sinew::verify {

mesh::TriMesh strip(const SheetMesh& mesh, double length, double width, int32_t cells) {
  mesh::GridSheet grid;
  grid.size = {length, width};
  grid.cells = {cells, std::max(1, static_cast<int32_t>(std::lround(cells * width / length)))};
  grid.pattern = mesh.pattern;
  grid.jitter = {mesh.jitter, 1};
  return *mesh::make_grid_sheet(grid);
}

Specimen clamped_strip(const SheetMesh& mesh, double length, double width, int32_t cells, double thickness,
                       const Solid& solid, model::Bending bending) {
  Specimen sheet(strip(mesh, length, width, cells), thickness, solid, bending);
  sheet.clamp(sheet.group("xmin"), sheet.still());
  return sheet;
}

void pull_edge(Specimen& sheet, const std::string& group, const Vec3d& force) {
  const std::vector<int32_t>& nodes = sheet.group(group);
  std::vector<double> length(nodes.size(), 0.0);
  const auto place = [&](int32_t node) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    return at != nodes.end() && *at == node ? at - nodes.begin() : -1;
  };
  double whole = 0;
  for (const auto& triangle : sheet.model().elements.rows<3>())
    for (int k = 0; k < 3; ++k) {
      const int32_t a = triangle[k], b = triangle[(k + 1) % 3];
      if (place(a) < 0 || place(b) < 0) continue;
      const double edge = norm(sheet.model().X[a] - sheet.model().X[b]);
      length[place(a)] += edge / 2;
      length[place(b)] += edge / 2;
      whole += edge;
    }
  std::vector<Vec3d> forces;
  for (double share : length) forces.push_back(force * (share / whole));
  sheet.add_load(nodes, std::move(forces), Specimen::Load::growing);
}

Vec3d displacement_at(const Specimen& sheet, const Solution& solution, const Vec3d& X) {
  const int32_t node = node_at(sheet.model(), X);
  return solution.state.x()[node] - sheet.model().X[node];
}

const Solution* solution_at(std::span<const Solution> path, double time) {
  for (const Solution& solution : path)
    if (std::abs(solution.state.time() - time) < 1e-9) return &solution;
  return nullptr;
}

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Vec3d mean_at(const Specimen& sheet, std::span<const Solution> path, double time, const std::string& group) {
  const Solution* at = solution_at(path, time);
  if (!at) return {none, none, none};
  Vec3d sum = {0, 0, 0};
  for (int32_t node : sheet.group(group)) sum += at->state.x()[node];
  return sum * (1.0 / static_cast<double>(sheet.group(group).size()));
}

Vec3d moved_at(const Specimen& sheet, std::span<const Solution> path, double time, const Vec3d& X) {
  const Solution* at = solution_at(path, time);
  return at ? displacement_at(sheet, *at, X) : Vec3d{none, none, none};
}

std::span<const double> tenths() {
  static constexpr double times[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
  return times;
}

void check_sheets(Checks& checks, const Control& control, std::span<const SheetMesh> meshes,
                  std::span<const int32_t> sizes, std::span<const SheetRow> rows, const FindOnSheet& found) {
  for (const SheetMesh& mesh : meshes)
    for (const model::Bending bending : {model::Bending::shell, model::Bending::hinge}) {
      const std::string_view word = bending == model::Bending::shell ? "shell" : "hinge";
      std::vector<double> h;
      std::vector<std::vector<double>> values(rows.size());
      for (int32_t size : sizes) {
        if (control.cancelled()) return;
        const std::vector<double> at = found(mesh, bending, size);
        h.push_back(1.0 / size);
        for (size_t r = 0; r < rows.size(); ++r) values[r].push_back(at[r]);
      }
      for (size_t r = 0; r < rows.size(); ++r) {
        const SheetRow& row = rows[r];
        checks.relative(fmt::format("{}.{}.{}", word, mesh.name, row.id), row.what, values[r].back(),
                        row.reference, bending == model::Bending::shell ? row.tolerance : row.hinge);
        checks.series(fmt::format("{}, {}, {}", word, mesh.name, row.id), "1/cells", h, values[r],
                      row.reference, 0);
      }
    }
}

}  // namespace sinew::verify
