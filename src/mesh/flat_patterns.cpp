#include "mesh/flat_patterns.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "mesh/disjoint_sets.h"
#include "mesh/faces.h"
#include "mesh/place_text.h"
#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

constexpr double same_place = 1e-6;  // of the extent of the texture: files hold few digits
constexpr double no_area = 1e-10;    // of the square of the longest edge
constexpr double far_from_metres = 2;
constexpr int64_t small_fold = 10;  // times as many triangles are around it

double det(const Vec2d& a, const Vec2d& b) { return a[0] * b[1] - a[1] * b[0]; }

double extent(const Attribute& texture) {
  double low[2], high[2];
  for (int k = 0; k < 2; ++k) low[k] = high[k] = texture.values[k];
  for (size_t i = 0; i < texture.values.size(); ++i) {
    low[i % 2] = std::min(low[i % 2], texture.values[i]);
    high[i % 2] = std::max(high[i % 2], texture.values[i]);
  }
  return std::max(high[0] - low[0], high[1] - low[1]);
}

// Neighbours that hang together on the cloth: joined where they turn the same way, folded over where not.
struct Pieces {
  DisjointSets<> joined;
  std::vector<std::array<int32_t, 2>> folded;  // pairs of triangles
};

bool turns_left(const FlatEdges& flat) { return det(flat[0], flat[1]) > 0; }

Pieces find_pieces(const TriMesh& mesh, const Attribute& texture, const std::vector<FlatEdges>& flat) {
  const double distance = same_place * extent(texture);
  const auto partner = face_partners<3>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  Pieces pieces{.joined = DisjointSets<>(static_cast<int64_t>(mesh.elements.size())), .folded = {}};
  const auto corner = [&](int32_t triangle, int32_t vertex) {
    int k = 0;
    while (mesh.elements[triangle][k] != vertex) ++k;
    return texture_corners(texture, triangle)[k];
  };
  for (size_t edge = 0; edge < partner.size(); ++edge) {
    if (partner[edge] < static_cast<int64_t>(edge)) continue;
    const auto t = static_cast<int32_t>(edge / 3), other = static_cast<int32_t>(partner[edge] / 3);
    bool agree = true;
    for (const int32_t v : face_of<3>(mesh.elements[t], static_cast<int>(edge % 3)))
      agree = agree && norm(corner(t, v) - corner(other, v)) <= distance;
    if (!agree) continue;
    if (turns_left(flat[t]) == turns_left(flat[other]))
      pieces.joined.join(t, other);
    else
      pieces.folded.push_back({t, other});
  }
  return pieces;
}

void number_patterns(Pieces& pieces, FlatPatterns& out) {
  std::vector<int32_t> number(out.flat.size(), -1);
  for (size_t t = 0; t < out.flat.size(); ++t) {
    int32_t& n = number[pieces.joined.find(static_cast<int32_t>(t))];
    if (n < 0) n = out.count++;
    out.pattern.push_back(n);
  }
}

Result<void> refuse_without_area(const TriMesh& mesh, const FlatPatterns& patterns, const std::string& name) {
  std::vector<int32_t> bad;
  for (size_t t = 0; t < patterns.flat.size(); ++t) {
    const auto& [a, b] = patterns.flat[t];
    const double longest = std::max({norm2(a), norm2(b), norm2(b - a)});
    if (!(std::abs(det(a, b)) > no_area * longest) || !std::isfinite(longest))
      bad.push_back(static_cast<int32_t>(t));
  }
  if (bad.empty()) return {};
  return input_error(name,
                     fmt::format("{} of {} triangles have no texture coordinates or no area in them: {}; "
                                 "expected the shape of each triangle on the cloth",
                                 bad.size(), mesh.elements.size(), first_triangles(mesh, bad)));
}

// A mirrored half is about as large as the other one; a fold by mistake is a few triangles.
Result<void> refuse_folds(const TriMesh& mesh, const Pieces& pieces, const FlatPatterns& patterns,
                          const std::string& name) {
  std::vector<int64_t> size(patterns.count, 0),
      largest(patterns.count, 0);  // of what a pattern is folded over
  for (const int32_t p : patterns.pattern) ++size[p];
  for (const auto& [a, b] : pieces.folded) {
    const int32_t p = patterns.pattern[a], q = patterns.pattern[b];
    largest[p] = std::max(largest[p], size[q]);
    largest[q] = std::max(largest[q], size[p]);
  }
  std::vector<int32_t> folded;
  for (size_t t = 0; t < patterns.pattern.size(); ++t)
    if (const int32_t p = patterns.pattern[t]; small_fold * size[p] < largest[p])
      folded.push_back(static_cast<int32_t>(t));
  if (folded.empty()) return {};
  return input_error(
      name,
      fmt::format("{} triangles lie the other way up on the cloth than what is around them: {}; expected "
                  "patterns without folds",
                  folded.size(), first_triangles(mesh, folded)));
}

void turn_back(const TriMesh& mesh, FlatPatterns& patterns) {
  std::vector<char> mirrored(patterns.count, 0);
  int32_t example = -1;
  for (size_t t = 0; t < patterns.flat.size(); ++t) {
    if (turns_left(patterns.flat[t])) continue;
    mirrored[patterns.pattern[t]] = 1;
    if (example < 0) example = static_cast<int32_t>(t);
    for (Vec2d& edge : patterns.flat[t]) edge[1] = -edge[1];
  }
  if (example < 0) return;
  patterns.mirrored = static_cast<int32_t>(std::count(mirrored.begin(), mirrored.end(), 1));
  patterns.messages.push_back(
      fmt::format("{} of {} patterns lie mirrored on the cloth and were turned back (one with triangle {})",
                  patterns.mirrored, patterns.count, triangle_text(mesh, example)));
}

void compare_with_space(const TriMesh& mesh, double unit, FlatPatterns& patterns) {
  patterns.least_ratio = std::numeric_limits<double>::infinity();
  for (size_t t = 0; t < patterns.flat.size(); ++t) {
    const auto& [a, b] = patterns.flat[t];
    patterns.area += det(a, b) / 2;
    const auto& [i, j, k] = mesh.elements[t];
    const Vec3d u = mesh.vertices[j] - mesh.vertices[i], v = mesh.vertices[k] - mesh.vertices[i];
    for (const double ratio : {norm(a) / norm(u), norm(b) / norm(v), norm(b - a) / norm(v - u)}) {
      patterns.least_ratio = std::min(patterns.least_ratio, ratio);
      patterns.most_ratio = std::max(patterns.most_ratio, ratio);
    }
  }
  patterns.area_in_space = total_area(mesh);
  const double ratio = std::sqrt(patterns.area / patterns.area_in_space);
  if (ratio < far_from_metres && ratio > 1 / far_from_metres) return;
  patterns.messages.push_back(fmt::format(
      "lengths in texture coordinates are {:.4g} of those in space (areas {:.6g} m^2 and {:.6g} m^2): are "
      "they in metres? With a unit of {:.4g} m both have one area",
      ratio, patterns.area, patterns.area_in_space, unit / ratio));
}

}  // namespace

Result<FlatPatterns> flat_patterns(const TriMesh& mesh, const FlatOptions& options, const std::string& name) {
  if (!(options.unit > 0) || !std::isfinite(options.unit))
    return usage_error(fmt::format(
        "{}: the unit of the texture coordinates is {}, expected a positive length [m]", name, options.unit));
  const Attribute* texture = find_texture(mesh);
  if (!texture || mesh.elements.empty())
    return input_error(name,
                       "no texture coordinates; expected those of the flat patterns, vt in a file of OBJ");
  FlatPatterns patterns;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const FlatTriangle corners = texture_corners(*texture, t);
    patterns.flat.push_back(
        {(corners[1] - corners[0]) * options.unit, (corners[2] - corners[0]) * options.unit});
  }
  if (const auto sound = refuse_without_area(mesh, patterns, name); !sound) return sound.error();
  Pieces pieces = find_pieces(mesh, *texture, patterns.flat);
  number_patterns(pieces, patterns);
  if (const auto sound = refuse_folds(mesh, pieces, patterns, name); !sound) return sound.error();
  turn_back(mesh, patterns);
  compare_with_space(mesh, options.unit, patterns);
  return patterns;
}

}  // namespace sinew::mesh
