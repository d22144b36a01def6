#include "meshing/surface_check.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/memory.h"
#include "base/parallel.h"
#include "mesh/properties.h"
#include "mesh/texture.h"
#include "meshing/rough_surface.h"
#include "meshing/winding.h"

namespace sinew::meshing {

namespace {

// Products of three coordinates must neither overflow nor underflow (math/predicates.h).
constexpr double largest = 1e70, smallest = 1e-70;

struct Part {
  double volume = 0;   // times six
  int32_t point = -1;  // one of its points
  int64_t triangles = 0;
};

std::vector<Part> measure(const RoughSurface& surface, const Parts& parts) {
  std::vector<Part> measured(parts.count);
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    Part& part = measured[parts.of_triangle[t]];
    if (part.point < 0) part.point = surface.triangles[t][0];
    const auto [a, b, c] = surface.corners(surface.triangles[t]);
    const Vec3d& o = surface.points[part.point];
    part.volume += dot(cross(a - o, b - o), c - o);
    ++part.triangles;
  }
  return measured;
}

// The first and last points of a part along each axis; of several the one that is so along the next axes too.
using Tips = std::array<int32_t, 6>;

bool before(const Vec3d& a, const Vec3d& b, int axis) {
  for (int k = axis; k < axis + 3; ++k)
    if (a[k % 3] != b[k % 3]) return a[k % 3] < b[k % 3];
  return false;
}

std::vector<Tips> find_tips(const RoughSurface& surface, const Parts& parts,
                            const std::vector<Part>& measured) {
  std::vector<Tips> tips(parts.count);
  for (int32_t p = 0; p < parts.count; ++p) tips[p].fill(measured[p].point);
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t) || measured[parts.of_triangle[t]].volume >= 0) continue;
    Tips& tip = tips[parts.of_triangle[t]];
    for (const int32_t v : surface.triangles[t])
      for (int axis = 0; axis < 3; ++axis) {
        if (before(surface.points[v], surface.points[tip[axis]], axis)) tip[axis] = v;
        if (before(surface.points[tip[axis + 3]], surface.points[v], axis)) tip[axis + 3] = v;
      }
  }
  return tips;
}

// Whether the other parts wind around all tips of a part that faces inwards. The part itself adds between minus one half and 0 at a
// tip: all of it lies on one side.
bool in_others(const RoughSurface& surface, const WindingTree& tree, const Tips& tips) {
  return std::all_of(tips.begin(), tips.end(),
                     [&](int32_t tip) { return std::lround(tree.at(surface.points[tip]) + 0.25) > 0; });
}

// Parts face outwards, cavities into the hollow.
Result<void> face_outwards(RoughSurface& surface, bool allowed, SurfaceReport& report) {
  const Parts parts = parts_of(surface);
  std::vector<Part> measured = measure(surface, parts);
  report.components = parts.count;
  double total = 0;
  for (const Part& part : measured) total += part.volume;
  std::vector<char> turned(parts.count, total < 0);  // of each part
  if (total < 0)
    for (Part& part : measured) part.volume = -part.volume;
  int64_t inward =
      std::count_if(measured.begin(), measured.end(), [](const Part& p) { return p.volume < 0; });
  if (inward > 0) {
    std::vector<RoughSurface::Triangle> triangles;
    for (int64_t t = 0; t < surface.count(); ++t)
      if (!surface.left_out(t)) triangles.push_back(surface.triangles[t]);
    if (total < 0)
      for (auto& triangle : triangles) std::swap(triangle[1], triangle[2]);
    const WindingTree tree(surface.points, triangles);
    const std::vector<Tips> tips = find_tips(surface, parts, measured);
    for (int32_t p = 0; p < parts.count; ++p) {
      if (measured[p].volume >= 0) continue;
      if (in_others(surface, tree, tips[p]))
        ++report.cavities;
      else
        turned[p] ^= 1;
    }
  }
  int64_t parts_turned = 0, triangles_turned = 0, example = -1;
  for (int32_t p = 0; p < parts.count; ++p) {
    if (!turned[p]) continue;
    ++parts_turned;
    triangles_turned += measured[p].triangles;
    if (example < 0) example = measured[p].point;
  }
  if (parts_turned == 0) return {};
  const Vec3d& at = surface.points[example];
  const std::string which =
      parts_turned == parts.count
          ? "the whole surface faces inwards"
          : fmt::format(
                "{} of {} components face inwards and lie in no other (one at ({:.6g}, {:.6g}, {:.6g}))",
                parts_turned, parts.count, at[0], at[1], at[2]);
  if (!allowed)
    return input_error(surface.name, which + "; expected triangles that turn left seen from outside");
  report.messages.push_back(fmt::format("{}: its {} triangles were turned", which, triangles_turned));
  std::vector<char> flags(surface.count(), 0);
  for (int64_t t = 0; t < surface.count(); ++t)
    if (parts.of_triangle[t] >= 0) flags[t] = turned[parts.of_triangle[t]];
  turn(surface, flags);
  return {};
}

void select(mesh::Attribute& to, const mesh::Attribute& from, const std::vector<int32_t>& source) {
  to.width = from.width;
  to.values.resize(source.size() * from.width);
  for (size_t i = 0; i < source.size(); ++i)
    for (int k = 0; k < from.width; ++k)
      to.values[i * from.width + k] = from.values[static_cast<size_t>(source[i]) * from.width + k];
}

void carry(const mesh::Attributes& data, const mesh::Groups& groups, int64_t count,
           const std::vector<int32_t>& source, mesh::Attributes& data_out, mesh::Groups& groups_out) {
  for (const auto& [key, attribute] : data)
    if (static_cast<int64_t>(attribute.values.size()) == count * attribute.width)
      select(data_out[key], attribute, source);
  for (const auto& [key, ids] : groups) {
    std::vector<char> member(count, 0);
    for (const int32_t id : ids)
      if (id >= 0 && id < count) member[id] = 1;
    auto& kept = groups_out[key];
    for (size_t i = 0; i < source.size(); ++i)
      if (member[source[i]]) kept.push_back(static_cast<int32_t>(i));
  }
}

// The points and triangles that are left, numbered from 0. `joined` and `original` say which given vertex each came from.
CheckedSurface finish(const mesh::TriMesh& given, RoughSurface& surface, const std::vector<int32_t>& joined,
                      const std::vector<int32_t>& original) {
  CheckedSurface checked;
  std::vector<int32_t> number(surface.points.size(), -1), vertex_source, triangle_source;
  for (const auto& triangle : surface.triangles)
    for (const int32_t v : triangle)
      if (v >= 0) number[v] = 0;
  const auto given_points = static_cast<int64_t>(given.vertices.size());
  for (size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int32_t>(checked.mesh.vertices.size());
    checked.mesh.vertices.push_back(surface.points[v]);
    vertex_source.push_back(static_cast<int64_t>(v) < given_points ? static_cast<int32_t>(v)
                                                                   : original[v - given_points]);
  }
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    const auto [a, b, c] = surface.triangles[t];
    checked.mesh.elements.push_back({number[a], number[b], number[c]});
    triangle_source.push_back(surface.source[t]);
  }
  checked.point_of.resize(given_points);
  for (int64_t v = 0; v < given_points; ++v) checked.point_of[v] = number[joined.empty() ? v : joined[v]];
  carry(given.vertex_data, given.vertex_groups, given_points, vertex_source, checked.mesh.vertex_data,
        checked.mesh.vertex_groups);
  carry(given.element_data, given.element_groups, static_cast<int64_t>(given.elements.size()),
        triangle_source, checked.mesh.element_data, checked.mesh.element_groups);
  // Corners were turned and cut; a volume has no use for them.
  checked.mesh.element_data.erase(mesh::texture_data);
  return checked;
}

void note(SurfaceReport& report, int64_t count, const char* one, const char* many) {
  if (count == 1) report.messages.emplace_back(std::string("1 ") + one);
  if (count > 1) report.messages.push_back(fmt::format("{} {}", count, many));
}

std::string place_text(const Vec3d& at) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", at[0], at[1], at[2]);
}

RoughSurface rough(const mesh::TriMesh& given, const std::string& name) {
  RoughSurface surface;
  surface.name = name;
  surface.points = given.vertices;
  surface.triangles = given.elements;
  surface.turned.assign(given.elements.size(), 0);
  surface.source.resize(given.elements.size());
  for (size_t t = 0; t < given.elements.size(); ++t) surface.source[t] = static_cast<int32_t>(t);
  return surface;
}

// Points joined where edges are open.
void join_points(RoughSurface& surface, std::vector<int32_t>& joined, SurfaceReport& report) {
  report.degenerate = leave_out_collapsed(surface);
  if (join_edges(surface).open > 0) report.duplicate_points = join_open_points(surface, joined);
}

// Edges joined, neighbours that agree about the outside, triangles cut at flat ones. True where edges were crowded or triangles cut:
// two folds may then hold together at both ends of an edge.
Result<bool> agree(RoughSurface& surface, bool allowed, SurfaceReport& report) {
  EdgeCounts edges = join_edges(surface);
  if (edges.crowded > 0 || edges.twins > 0) {
    const Repeated repeated = leave_out_repeated(surface);
    report.duplicate += repeated.twice;
    report.degenerate += repeated.back_to_back;
    if (repeated.twice + repeated.back_to_back > 0) edges = join_edges(surface);
  }
  if (const auto done = orient(surface, allowed); !done) return done.error();
  const int64_t cuts = cut_at_flat_triangles(surface);
  report.degenerate += cuts;
  return edges.crowded > 0 || cuts > 0;
}

// As agree(), and no edge is crowded: by angles, and where these do not tell by what is seen from each side.
Result<bool> agree_in_pairs(RoughSurface& surface, bool allowed, SurfaceReport& report) {
  const Result<bool> agreed = agree(surface, allowed, report);
  if (!agreed) return agreed;
  const Result<void> paired = pair_crowded_edges(surface);
  if (paired) return agreed;
  if (!allowed) return paired.error();
  const Sighted sighted = sort_by_sight(surface, true);
  if (sighted.left_out + sighted.turned == 0) return paired.error();
  if (const Result<bool> again = agree(surface, allowed, report); !again) return again;
  if (!pair_crowded_edges(surface)) return paired.error();
  if (sighted.left_out > 0)
    report.messages.push_back(
        fmt::format("{} triangles of walls inside the body and of fins on it were left out, from {} on",
                    sighted.left_out, place_text(sighted.at)));
  return true;
}

Result<void> refuse_flat(const RoughSurface& surface, const SurfaceReport& report) {
  std::vector<int32_t> flat;
  int64_t left = 0;
  for (int32_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    ++left;
    if (surface.flat(surface.triangles[t])) flat.push_back(3 * t);
  }
  if (left == 0)
    return input_error(surface.name,
                       fmt::format("none of {} triangles is left without those of no area and those back to "
                                   "back; expected a surface that encloses a volume",
                                   report.triangles));
  if (!flat.empty())
    return input_error(surface.name,
                       fmt::format("{} triangles without area cannot be left out, they have edges at {}; "
                                   "expected triangles with an area",
                                   flat.size(), name_edges(surface, flat)));
  return {};
}

void tell(const RoughSurface& surface, const Lids& lids, SurfaceReport& report) {
  int64_t against = 0;
  for (const char turned : surface.turned) against += turned;
  note(report, report.duplicate_points, "point was joined to another at its place",
       "points were joined to others at their places");
  note(report, report.degenerate, "triangle without area was left out",
       "triangles without area were left out");
  note(report, report.duplicate, "triangle given twice was left out", "triangles given twice were left out");
  note(report, against, "triangle that faced against its neighbours was turned",
       "triangles that faced against their neighbours were turned");
  if (lids.sheets > 0)
    report.messages.push_back(
        fmt::format("{} {} left out: {} no volume, and no lid would give any (one at {})", lids.sheets,
                    lids.sheets == 1 ? "sheet was" : "sheets were",
                    lids.sheets == 1 ? "it encloses" : "they enclose", place_text(lids.at)));
  if (report.holes_closed > 0)
    report.messages.push_back(fmt::format("{} {} closed by {} triangles", report.holes_closed,
                                          report.holes_closed == 1 ? "hole was" : "holes were",
                                          report.fan_triangles));
  note(report, report.split_points, "point was added where parts only touch",
       "points were added where parts only touch");
}

Result<CheckedSurface> check(const mesh::TriMesh& given, const SurfaceRepairs& repairs,
                             const std::string& name) {
  if (const auto sound = check_numbers(given, name); !sound) return sound.error();
  if (repairs.hole_edges < 0 || repairs.hole_edges > max_hole_edges)
    return usage_error(fmt::format("{}: holes of at most {} edges are to be closed; expected 0 to {}", name,
                                   repairs.hole_edges, max_hole_edges));
  SurfaceReport report;
  report.points = static_cast<int64_t>(given.vertices.size());
  report.triangles = static_cast<int64_t>(given.elements.size());
  RoughSurface surface = rough(given, name);
  std::vector<int32_t> joined, original;  // no entries: none was joined
  join_points(surface, joined, report);
  const Result<bool> folded = agree_in_pairs(surface, repairs.orient, report);
  if (!folded) return folded.error();
  const auto lids = close_holes(surface, repairs.fill_holes ? repairs.hole_edges : 0);
  if (!lids) return lids.error();
  report.holes_closed = lids->holes;
  report.fan_triangles = lids->triangles;
  report.sheets = lids->sheets;
  if (lids->triangles > 0) cut_at_flat_triangles(surface);
  report.degenerate += leave_out_backs(surface);
  if (const auto done = refuse_flat(surface, report); !done) return done.error();
  split_fans(surface, original);
  if (*folded || lids->holes > 0) {
    part_folds(surface, original);
    if (const auto done = expect_closed(surface); !done) return done.error();
  }
  report.split_points = static_cast<int64_t>(original.size());
  tell(surface, *lids, report);
  if (const auto done = face_outwards(surface, repairs.orient, report); !done) return done.error();
  for (size_t t = 0; t < given.elements.size(); ++t)
    report.turned += !surface.left_out(t) && surface.turned[t];

  CheckedSurface checked = finish(given, surface, joined, original);
  report.volume = mesh::enclosed_volume(checked.mesh);
  report.area = mesh::total_area(checked.mesh);
  checked.report = std::move(report);
  return checked;
}

}  // namespace

Result<void> check_numbers(const mesh::TriMesh& surface, const std::string& name) {
  const auto points = static_cast<int64_t>(surface.vertices.size());
  const auto triangles = static_cast<int64_t>(surface.elements.size());
  constexpr int64_t most = std::numeric_limits<int32_t>::max() / 3;
  if (triangles == 0)
    return input_error(name, fmt::format("no triangles among {} points; expected a closed surface", points));
  if (triangles > most || points > most)
    return input_error(
        name, fmt::format("{} points and {} triangles; expected at most {}", points, triangles, most));
  for (int64_t v = 0; v < points; ++v)
    for (int a = 0; a < 3; ++a) {
      const double x = surface.vertices[v][a];
      if (!std::isfinite(x))
        return input_error(name,
                           fmt::format("coordinate {} of point {} is {}; expected a number", "xyz"[a], v, x));
      if (std::abs(x) > largest || (x != 0 && std::abs(x) < smallest))
        return input_error(
            name, fmt::format("coordinate {} of point {} is {}; expected 0 or a size within {} and {}",
                              "xyz"[a], v, x, smallest, largest));
    }
  for (int64_t t = 0; t < triangles; ++t)
    for (const int32_t v : surface.elements[t])
      if (v < 0 || v >= points)
        return input_error(name,
                           fmt::format("triangle {} has the corner {}; expected 0 to {}", t, v, points - 1));
  return {};
}

Result<CheckedSurface> face_by_sight(const mesh::TriMesh& given, const std::string& name) {
  return unless_out_of_memory(name, [&]() -> Result<CheckedSurface> {
    if (const auto sound = check_numbers(given, name); !sound) return sound.error();
    SurfaceReport report;
    report.points = static_cast<int64_t>(given.vertices.size());
    report.triangles = static_cast<int64_t>(given.elements.size());
    RoughSurface surface = rough(given, name);
    std::vector<int32_t> joined;
    join_points(surface, joined, report);
    join_edges(surface);
    // Where neighbours cannot agree, as on a one-sided part, each triangle is seen alone.
    if (!orient(surface, true)) std::fill(surface.across.begin(), surface.across.end(), RoughSurface::open);
    report.turned = sort_by_sight(surface, false).turned;
    CheckedSurface checked = finish(given, surface, joined, {});
    report.components = parts_of(surface).count;
    report.volume = mesh::enclosed_volume(checked.mesh);
    report.area = mesh::total_area(checked.mesh);
    checked.report = std::move(report);
    return checked;
  });
}

Result<CheckedSurface> check_surface(const mesh::TriMesh& surface, const SurfaceRepairs& repairs,
                                     const std::string& name) {
  return unless_out_of_memory(name, [&] { return check(surface, repairs, name); });
}

}  // namespace sinew::meshing
