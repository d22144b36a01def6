#include "mesh/check_sheet.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "base/memory.h"
#include "mesh/borders.h"
#include "mesh/coincident.h"
#include "mesh/disjoint_sets.h"
#include "mesh/faces.h"
#include "mesh/place_text.h"
#include "mesh/properties.h"
#include "mesh/subset.h"
#include "mesh/texture.h"

namespace sinew::mesh {
namespace {

// Without area to the digits of its positions: as high as this share of the diagonal of the bounding box, or of this quality.
constexpr double no_height = 1e-14, no_quality = 1e-10;
constexpr double slender_quality = 0.05;  // a right triangle with sides 1 and 35

std::vector<int64_t> edge_partners(const TriMesh& mesh) {
  return face_partners<3>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
}

std::vector<int32_t> counted(size_t count) {
  std::vector<int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// A sheet while it is put right, with the given numbers of what is left.
struct RoughSheet {
  const TriMesh& given;
  TriMesh mesh;
  std::vector<int32_t> given_vertex, given_triangle;
  std::vector<int32_t> joined_to;  // of each given vertex: the one that it became
  std::vector<char> turned;
  SheetReport report;

  std::string triangles(std::vector<int32_t> ids) const {
    for (int32_t& id : ids) id = given_triangle[id];
    return first_triangles(given, ids);
  }
  std::string vertices(std::vector<int32_t> ids) const {
    for (int32_t& id : ids) id = given_vertex[id];
    return first_vertices(given, ids);
  }
  std::string edges(const std::vector<int32_t>& ids) const {
    return first_places(ids, [&](int32_t edge) {
      const auto [a, b] = face_of<3>(mesh.elements[edge / 3], edge % 3);
      return edge_text(given, given_vertex[a], given_vertex[b]);
    });
  }
};

// What stays of the given numbers after some items were left out; `number` is -1 for these.
void follow(std::vector<int32_t>& given, const std::vector<int32_t>& number) {
  for (size_t i = 0; i < number.size(); ++i)
    if (number[i] >= 0) given[number[i]] = given[i];
  given.resize(given.size() - std::count(number.begin(), number.end(), -1));
}

Result<void> check_numbers(const TriMesh& mesh, const SheetOptions& options, const std::string& name) {
  const auto points = static_cast<int64_t>(mesh.vertices.size());
  constexpr size_t most = std::numeric_limits<int32_t>::max() / 3;
  if (mesh.elements.empty())
    return input_error(name, fmt::format("no triangles among {} vertices; expected a surface", points));
  if (mesh.elements.size() > most || mesh.vertices.size() > most)
    return input_error(name, fmt::format("{} vertices and {} triangles; expected at most {}", points,
                                         mesh.elements.size(), most));
  for (int64_t v = 0; v < points; ++v)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(mesh.vertices[v][k]))
        return input_error(name, fmt::format("coordinate {} of vertex {} is {}; expected a number", "xyz"[k],
                                             v, mesh.vertices[v][k]));
  if (auto sound = check_references(mesh, name); !sound) return sound;
  if (!(options.thickness > 0) || !std::isfinite(options.thickness))
    return usage_error(
        fmt::format("{}: the thickness is {}, expected a positive length [m]", name, options.thickness));
  return {};
}

// The first of the triangles of the same corners stays.
void leave_out_repeated(RoughSheet& sheet) {
  const auto sorted = [&](int32_t t) {
    TriMesh::Element corners = sheet.mesh.elements[t];
    std::sort(corners.begin(), corners.end());
    return std::pair(corners, t);
  };
  std::vector<int32_t> order = counted(sheet.mesh.elements.size()), repeated;
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return sorted(a) < sorted(b); });
  std::vector<char> keep(order.size(), 1);
  for (size_t i = 1; i < order.size(); ++i)
    if (sorted(order[i]).first == sorted(order[i - 1]).first) keep[order[i]] = 0;
  for (size_t t = 0; t < keep.size(); ++t)
    if (!keep[t]) repeated.push_back(static_cast<int32_t>(t));
  sheet.report.repeated = static_cast<int64_t>(repeated.size());
  if (!repeated.empty())
    sheet.report.messages.push_back(fmt::format("{} triangles given twice were left out: {}", repeated.size(),
                                                sheet.triangles(repeated)));
  follow(sheet.given_triangle, keep_elements(sheet.mesh, keep));
}

// Vertices that are at a border and at the place of another one there, with that one.
std::vector<int32_t> first_at_border(const TriMesh& mesh) {
  const std::vector<char> at_border = border_vertices(mesh);
  std::vector<Vec3d> places;
  std::vector<int32_t> ids, first = counted(mesh.vertices.size());
  for (size_t v = 0; v < first.size(); ++v) {
    if (!at_border[v]) continue;
    ids.push_back(static_cast<int32_t>(v));
    places.push_back(mesh.vertices[v]);
  }
  const std::vector<int32_t> same = first_at_place(places);
  for (size_t i = 0; i < ids.size(); ++i) first[ids[i]] = ids[same[i]];
  return first;
}

void join_at_borders(RoughSheet& sheet) {
  const std::vector<int32_t> first = first_at_border(sheet.mesh);
  std::vector<int32_t> joined;
  for (size_t v = 0; v < first.size(); ++v)
    if (first[v] != static_cast<int32_t>(v)) joined.push_back(static_cast<int32_t>(v));
  if (joined.empty()) return;
  sheet.report.joined = static_cast<int64_t>(joined.size());
  sheet.report.messages.push_back(fmt::format("{} vertices were joined to others at their places: {}",
                                              joined.size(), sheet.vertices(joined)));
  for (auto& triangle : sheet.mesh.elements)
    for (int32_t& v : triangle) v = first[v];
  for (auto& [name, ids] : sheet.mesh.vertex_groups) {
    for (int32_t& id : ids) id = first[id];
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  sheet.joined_to = first;
}

void leave_out_unused(RoughSheet& sheet) {
  std::vector<int32_t> unused;
  std::vector<char> used(sheet.mesh.vertices.size(), 0);
  for (const auto& triangle : sheet.mesh.elements)
    for (const int32_t v : triangle) used[v] = 1;
  for (size_t v = 0; v < used.size(); ++v)
    if (!used[v] && sheet.joined_to[v] == static_cast<int32_t>(v)) unused.push_back(static_cast<int32_t>(v));
  sheet.report.unused = static_cast<int64_t>(unused.size());
  if (!unused.empty())
    sheet.report.messages.push_back(
        fmt::format("{} vertices of no triangle were left out: {}", unused.size(), sheet.vertices(unused)));
  follow(sheet.given_vertex, keep_used_vertices(sheet.mesh));
}

Result<void> refuse_without_area(RoughSheet& sheet, const std::string& name) {
  const TriMesh& mesh = sheet.mesh;
  const Bounds box = bounding_box(mesh.vertices);
  const double least_height = no_height * norm(box.high - box.low);
  std::vector<int32_t> flat, slender;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& [i, j, k] = mesh.elements[t];
    const Vec3d &a = mesh.vertices[i], &b = mesh.vertices[j], &c = mesh.vertices[k];
    const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
    const double quality = triangle_quality(a, b, c);
    sheet.report.worst_quality = std::min(sheet.report.worst_quality, quality);
    if (!(quality > no_quality && norm(cross(b - a, c - a)) > least_height * longest))
      flat.push_back(static_cast<int32_t>(t));
    else if (quality < slender_quality)
      slender.push_back(static_cast<int32_t>(t));
  }
  if (!flat.empty())
    return input_error(
        name, fmt::format("{} of {} triangles have no area: {}; expected triangles with an area", flat.size(),
                          mesh.elements.size(), sheet.triangles(flat)));
  sheet.report.slender = static_cast<int64_t>(slender.size());
  if (!slender.empty())
    sheet.report.messages.push_back(fmt::format("{} of {} triangles are slender, which makes them stiff: {}",
                                                slender.size(), mesh.elements.size(),
                                                sheet.triangles(slender)));
  return {};
}

Result<void> refuse_crowded_edges(const RoughSheet& sheet, const std::vector<int64_t>& partner,
                                  const std::string& name) {
  const TriMesh& mesh = sheet.mesh;
  std::vector<std::array<int32_t, 3>> crowded;  // corners of the edge, its place
  for (size_t edge = 0; edge < partner.size(); ++edge) {
    if (partner[edge] != many_partners) continue;
    const auto [a, b] = face_of<3>(mesh.elements[edge / 3], static_cast<int>(edge % 3));
    crowded.push_back({std::min(a, b), std::max(a, b), static_cast<int32_t>(edge)});
  }
  std::sort(crowded.begin(), crowded.end());
  std::vector<int32_t> edges;
  for (size_t i = 0; i < crowded.size(); ++i)
    if (i == 0 || crowded[i][0] != crowded[i - 1][0] || crowded[i][1] != crowded[i - 1][1])
      edges.push_back(crowded[i][2]);
  if (edges.empty()) return {};
  std::sort(edges.begin(), edges.end());
  return input_error(name, fmt::format("{} edges have more than two triangles: {}; expected one or two at "
                                       "each edge of a sheet",
                                       edges.size(), sheet.edges(edges)));
}

// All neighbours agree; most triangles of a patch stay as they are.
Result<void> orient(RoughSheet& sheet, const std::vector<int64_t>& partner, bool allowed,
                    const std::string& name) {
  TriMesh& mesh = sheet.mesh;
  const auto start = [&](int64_t edge) { return mesh.elements[edge / 3][edge % 3]; };
  constexpr char unseen = 2;
  std::vector<char> turn(mesh.elements.size(), unseen);
  std::vector<int32_t> patch, twisted, disagreeing, turned;
  for (size_t seed = 0; seed < turn.size(); ++seed) {
    if (turn[seed] != unseen) continue;
    patch.assign(1, static_cast<int32_t>(seed));
    turn[seed] = 0;
    size_t flagged = 0;
    for (size_t i = 0; i < patch.size(); ++i)
      for (int32_t edge = 3 * patch[i]; edge < 3 * patch[i] + 3; ++edge) {
        if (partner[edge] < 0) continue;
        const auto other = static_cast<int32_t>(partner[edge] / 3);
        const bool disagree = start(edge) == start(partner[edge]);
        if (disagree && edge < partner[edge]) disagreeing.push_back(edge);
        const auto wanted = static_cast<char>(turn[patch[i]] ^ static_cast<char>(disagree));
        if (turn[other] == unseen) {
          turn[other] = wanted;
          flagged += wanted;
          patch.push_back(other);
        } else if (turn[other] != wanted && edge < partner[edge]) {
          twisted.push_back(edge);
        }
      }
    const bool others = 2 * flagged > patch.size();
    for (const int32_t t : patch)
      if ((turn[t] == 1) != others) turned.push_back(t);
  }
  if (!twisted.empty())
    return input_error(
        name, fmt::format("a part is one-sided, as a Moebius band is, and no turning of triangles makes "
                          "neighbours agree at {} edges: {}; expected a sheet with two sides",
                          twisted.size(), sheet.edges(twisted)));
  sheet.turned.assign(mesh.elements.size(), 0);
  if (turned.empty()) return {};
  if (!allowed)
    return input_error(name, fmt::format("neighbours face opposite sides at {} edges: {}; expected triangles "
                                         "that run along each edge in opposite directions",
                                         disagreeing.size(), sheet.edges(disagreeing)));
  std::sort(turned.begin(), turned.end());
  for (const int32_t t : turned) {
    turn_triangle(mesh, t);
    sheet.turned[t] = 1;
  }
  sheet.report.turned = static_cast<int64_t>(turned.size());
  sheet.report.messages.push_back(
      fmt::format("{} triangles that faced against their neighbours were turned: {}", turned.size(),
                  sheet.triangles(turned)));
  return {};
}

void find_coincident(RoughSheet& sheet) {
  const std::vector<int32_t> first = first_at_place(sheet.mesh.vertices);
  std::vector<int32_t> at_others;
  for (size_t v = 0; v < first.size(); ++v)
    if (first[v] != static_cast<int32_t>(v)) at_others.push_back(static_cast<int32_t>(v));
  sheet.report.coincident = static_cast<int64_t>(at_others.size());
  if (!at_others.empty())
    sheet.report.messages.push_back(
        fmt::format("{} vertices are at the place of others and not joined to them: {}", at_others.size(),
                    sheet.vertices(at_others)));
}

// The triangles around a vertex, joined across their edges there, are fans.
void find_touching(RoughSheet& sheet, const std::vector<int64_t>& partner) {
  const TriMesh& mesh = sheet.mesh;
  // The sets of corners 3 t + k that are one place of one fan.
  DisjointSets<> fans(static_cast<int64_t>(partner.size()));
  const auto corner = [&](int64_t triangle, int32_t vertex) {
    int32_t k = 0;
    while (mesh.elements[triangle][k] != vertex) ++k;
    return static_cast<int32_t>(3 * triangle) + k;
  };
  for (size_t edge = 0; edge < partner.size(); ++edge)
    if (partner[edge] > static_cast<int64_t>(edge))
      for (const int32_t v : face_of<3>(mesh.elements[edge / 3], static_cast<int>(edge % 3)))
        fans.join(corner(static_cast<int64_t>(edge) / 3, v), corner(partner[edge] / 3, v));
  std::vector<int32_t> count(mesh.vertices.size(), 0), touching;
  for (int32_t c = 0; c < static_cast<int32_t>(partner.size()); ++c)
    if (fans.find(c) == c) ++count[mesh.elements[c / 3][c % 3]];
  for (size_t v = 0; v < count.size(); ++v)
    if (count[v] > 1) touching.push_back(static_cast<int32_t>(v));
  sheet.report.touching = static_cast<int64_t>(touching.size());
  if (!touching.empty())
    sheet.report.messages.push_back(
        fmt::format("at {} vertices triangles meet that have no edge there in common: {}", touching.size(),
                    sheet.vertices(touching)));
}

void measure(RoughSheet& sheet, const std::vector<int64_t>& partner, double thickness) {
  const TriMesh& mesh = sheet.mesh;
  SheetReport& report = sheet.report;
  std::vector<int32_t> thick;  // edges
  int64_t edges = 0;
  int32_t shortest = -1;
  for (int32_t edge = 0; edge < static_cast<int32_t>(partner.size()); ++edge) {
    if (partner[edge] > edge) continue;  // counted at the other triangle
    ++edges;
    const auto [a, b] = face_of<3>(mesh.elements[edge / 3], edge % 3);
    const double length = norm(mesh.vertices[a] - mesh.vertices[b]);
    if (length < thickness) thick.push_back(edge);
    if (length >= report.shortest_edge) continue;
    report.shortest_edge = length;
    shortest = edge;
  }
  report.components = connected_components(mesh).count;
  report.borders = static_cast<int32_t>(border_loops(mesh).size());
  report.euler =
      static_cast<int64_t>(mesh.vertices.size()) - edges + static_cast<int64_t>(mesh.elements.size());
  report.area = total_area(mesh);
  if (!thick.empty())
    report.messages.push_back(fmt::format(
        "the thickness of {:.6g} m is above {} of {} edges, the shortest of {:.6g} m is {}: what is as "
        "thick as its triangles is no sheet",
        thickness, thick.size(), edges, report.shortest_edge, sheet.edges({shortest})));
}

Result<CheckedSheet> check(const TriMesh& given, const SheetOptions& options, const std::string& name) {
  if (const auto sound = check_numbers(given, options, name); !sound) return sound.error();
  RoughSheet sheet{.given = given,
                   .mesh = given,
                   .given_vertex = counted(given.vertices.size()),
                   .given_triangle = counted(given.elements.size()),
                   .joined_to = counted(given.vertices.size()),
                   .turned = {},
                   .report = {}};
  if (const auto sound = refuse_without_area(sheet, name); !sound) return sound.error();
  if (options.join) join_at_borders(sheet);
  leave_out_repeated(sheet);
  leave_out_unused(sheet);
  std::vector<int64_t> partner = edge_partners(sheet.mesh);
  if (const auto sound = refuse_crowded_edges(sheet, partner, name); !sound) return sound.error();
  if (const auto sound = orient(sheet, partner, options.orient, name); !sound) return sound.error();
  partner = edge_partners(sheet.mesh);
  find_coincident(sheet);
  find_touching(sheet, partner);
  measure(sheet, partner, options.thickness);

  CheckedSheet checked{.mesh = std::move(sheet.mesh),
                       .vertex_of = std::vector<int32_t>(given.vertices.size(), -1),
                       .triangle_of = std::vector<int32_t>(given.elements.size(), -1),
                       .turned = std::move(sheet.turned),
                       .report = std::move(sheet.report)};
  for (size_t v = 0; v < sheet.given_vertex.size(); ++v)
    checked.vertex_of[sheet.given_vertex[v]] = static_cast<int32_t>(v);
  for (size_t v = 0; v < sheet.joined_to.size(); ++v)
    checked.vertex_of[v] = checked.vertex_of[sheet.joined_to[v]];
  for (size_t t = 0; t < sheet.given_triangle.size(); ++t)
    checked.triangle_of[sheet.given_triangle[t]] = static_cast<int32_t>(t);
  return checked;
}

Result<void> check_attached(const char* what, const Attributes& data, const Groups& groups, size_t count,
                            const std::string& name) {
  for (const auto& [key, attribute] : data)
    if (attribute.width < 1 || attribute.values.size() != count * static_cast<size_t>(attribute.width))
      return input_error(name, fmt::format("the {} data \"{}\" have {} numbers; expected {} for each of {}",
                                           what, key, attribute.values.size(), attribute.width, count));
  for (const auto& [key, ids] : groups)
    for (const int32_t id : ids)
      if (id < 0 || static_cast<size_t>(id) >= count)
        return input_error(name, fmt::format("the {} group \"{}\" names {}; expected 0 to {}", what, key, id,
                                             static_cast<int64_t>(count) - 1));
  return {};
}

}  // namespace

Result<void> check_references(const TriMesh& mesh, const std::string& name) {
  const auto points = static_cast<int64_t>(mesh.vertices.size());
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (const int32_t v : mesh.elements[t])
      if (v < 0 || v >= points)
        return input_error(name,
                           fmt::format("triangle {} has the corner {}; expected 0 to {}", t, v, points - 1));
  if (auto sound = check_attached("vertex", mesh.vertex_data, mesh.vertex_groups, mesh.vertices.size(), name);
      !sound)
    return sound;
  return check_attached("element", mesh.element_data, mesh.element_groups, mesh.elements.size(), name);
}

double triangle_quality(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double squares = norm2(b - a) + norm2(c - b) + norm2(a - c);
  return squares > 0 ? 2 * std::sqrt(3.0) * norm(cross(b - a, c - a)) / squares : 0;
}

Result<CheckedSheet> check_sheet(const TriMesh& mesh, const SheetOptions& options, const std::string& name) {
  return unless_out_of_memory(name, [&] { return check(mesh, options, name); });
}

}  // namespace sinew::mesh
