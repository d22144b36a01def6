#pragma once
// Sheets for the problems of cloth and shells: the meshes that each is solved on, both bendings, and strips that are clamped at
// one end. Hinges do not become the plate of the theory under refinement; their rows say how far off they are, and their tolerance is
// what they were found to keep.
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "mesh/sheet_shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

struct SheetMesh {
  std::string_view name;
  mesh::Pattern pattern;
  double jitter;  // share of the shortest edge of a vertex
};
inline constexpr SheetMesh one_way = {"one_way", mesh::Pattern::one_way, 0},
                           jittered = {"jittered", mesh::Pattern::one_way, 0.25},
                           alternating = {"alternating", mesh::Pattern::alternating, 0},
                           rings = {"rings", mesh::Pattern::one_way, 0};  // of round sheets

// [0, length] x [0, width] in z = 0, with as many cells along the length.
mesh::TriMesh strip(const SheetMesh& mesh, double length, double width, int32_t cells);

// A strip clamped at x = 0. Loads and weight grow with time, so that they are full at time 1.
Specimen clamped_strip(const SheetMesh& mesh, double length, double width, int32_t cells, double thickness,
                       const Solid& solid, model::Bending bending);
// A dead force on a group of nodes, in shares of what they have of the length of its edges [N].
void pull_edge(Specimen& sheet, const std::string& group, const Vec3d& force);

// The displacement of the node at a rest position (the nearest).
Vec3d displacement_at(const Specimen& sheet, const Solution& solution, const Vec3d& X);
// The solution at one of the times of a path, or null where it was not found. What is read off it then is not a number.
const Solution* solution_at(std::span<const Solution> path, double time);
Vec3d mean_at(const Specimen& sheet, std::span<const Solution> path, double time, const std::string& group);
Vec3d moved_at(const Specimen& sheet, std::span<const Solution> path, double time, const Vec3d& X);
// 0.1, 0.2, ..., 1
std::span<const double> tenths();

// What a problem is compared with.
struct SheetRow {
  std::string id, what;  // with the unit
  double reference;
  double tolerance;  // relative, of `shell`
  double hinge = 0;  // relative, what hinges were found to keep
};
// Solves on each mesh at each size, coarse to fine, with one bending or the other: found() gives a value for each row. The finest
// is compared; the errors of all sizes are a series.
using FindOnSheet =
    std::function<std::vector<double>(const SheetMesh& mesh, model::Bending bending, int32_t size)>;
void check_sheets(Checks& checks, const Control& control, std::span<const SheetMesh> meshes,
                  std::span<const int32_t> sizes, std::span<const SheetRow> rows, const FindOnSheet& found);

}  // namespace sinew::verify
