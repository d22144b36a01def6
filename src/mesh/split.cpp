#include "mesh/split.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

#include "mesh/faces.h"

namespace sinew::mesh {
namespace {

using Hex = HexMesh::Element;
using LocalTet = std::array<int, 4>;

constexpr std::string_view names[] = {"five", "six", "crossed", "bcc"};

constexpr int unit_corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

// The corners of a tet of the unit cube, swapped if needed so that its volume is positive.
constexpr LocalTet positive(LocalTet t) {
  int e[3][3] = {};
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) e[k][d] = unit_corner[t[k + 1]][d] - unit_corner[t[0]][d];
  const int det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                  e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                  e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  return det > 0 ? t : LocalTet{t[0], t[1], t[3], t[2]};
}

constexpr LocalTet five_tets[2][5] = {{positive({0, 2, 5, 7}), positive({1, 0, 2, 5}), positive({3, 0, 2, 7}),
                                       positive({4, 0, 5, 7}), positive({6, 2, 5, 7})},
                                      {positive({1, 3, 4, 6}), positive({0, 1, 3, 4}), positive({2, 1, 3, 6}),
                                       positive({5, 1, 4, 6}), positive({7, 3, 4, 6})}};

constexpr LocalTet kuhn_tets[6] = {positive({0, 1, 2, 6}), positive({0, 1, 5, 6}), positive({0, 3, 2, 6}),
                                   positive({0, 3, 7, 6}), positive({0, 4, 5, 6}), positive({0, 4, 7, 6})};

// The diagonal that the Kuhn tets draw on each face, as places in FaceCorners<8>.
constexpr int kuhn_diagonal[6][2] = {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {1, 3}, {1, 3}};

constexpr int hex_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

void append(TetMesh& tets, const Hex& hex, const LocalTet& local) {
  tets.elements.push_back({hex[local[0]], hex[local[1]], hex[local[2]], hex[local[3]]});
}

// Colours 0 and 1 so that every edge joins both; empty where there is no such colouring.
std::vector<int8_t> two_colours(const HexMesh& hexes) {
  std::vector<int64_t> offset(hexes.vertices.size() + 1, 0);
  for (const Hex& hex : hexes.elements)
    for (const auto& edge : hex_edges)
      for (int end : edge) ++offset[hex[end] + 1];
  for (size_t i = 1; i < offset.size(); ++i) offset[i] += offset[i - 1];
  std::vector<int32_t> neighbour(offset.back());
  std::vector<int64_t> next(offset.begin(), offset.end() - 1);
  for (const Hex& hex : hexes.elements)
    for (const auto& edge : hex_edges) {
      neighbour[next[hex[edge[0]]]++] = hex[edge[1]];
      neighbour[next[hex[edge[1]]]++] = hex[edge[0]];
    }

  std::vector<int8_t> colour(hexes.vertices.size(), -1);
  std::vector<int32_t> queue;
  for (size_t seed = 0; seed < colour.size(); ++seed) {
    if (colour[seed] >= 0) continue;
    colour[seed] = 0;
    queue.assign(1, static_cast<int32_t>(seed));
    while (!queue.empty()) {
      const int32_t i = queue.back();
      queue.pop_back();
      for (int64_t k = offset[i]; k < offset[i + 1]; ++k) {
        int8_t& other = colour[neighbour[k]];
        if (other == colour[i]) return {};
        if (other < 0) {
          other = static_cast<int8_t>(1 - colour[i]);
          queue.push_back(neighbour[k]);
        }
      }
    }
  }
  return colour;
}

Result<void> split_in_five(const HexMesh& hexes, TetMesh& tets) {
  const std::vector<int8_t> colour = two_colours(hexes);
  if (colour.empty())
    return usage_error(
        "split five needs vertices that can be coloured in two colours along the edges (an even number of "
        "cells around every ring); use six or crossed");
  tets.elements.reserve(hexes.elements.size() * 5);
  for (const Hex& hex : hexes.elements)
    for (const LocalTet& local : five_tets[colour[hex[0]]]) append(tets, hex, local);
  return {};
}

Result<void> split_in_six(const HexMesh& hexes, TetMesh& tets) {
  const auto partner = face_partners<8>(hexes.elements, static_cast<int64_t>(hexes.vertices.size()));
  const auto diagonal = [&](int64_t number) {
    const int f = static_cast<int>(number % 6);
    const auto face = face_of<8>(hexes.elements[number / 6], f);
    return std::minmax({face[kuhn_diagonal[f][0]], face[kuhn_diagonal[f][1]]});
  };
  for (size_t i = 0; i < partner.size(); ++i)
    if (partner[i] > static_cast<int64_t>(i) && diagonal(partner[i]) != diagonal(static_cast<int64_t>(i)))
      return usage_error(fmt::format(
          "split six: hexes {} and {} disagree on the diagonal of the face they share; use crossed", i / 6,
          partner[i] / 6));
  tets.elements.reserve(hexes.elements.size() * 6);
  for (const Hex& hex : hexes.elements)
    for (const LocalTet& local : kuhn_tets) append(tets, hex, local);
  return {};
}

template <size_t n>
Vec3d mean(const std::vector<Vec3d>& x, const std::array<int32_t, n>& corners) {
  Vec3d sum = Vec3d::zero();
  for (int32_t i : corners) sum += x[i];
  return sum * (1.0 / n);
}

// New boundary nodes join every group that holds all four corners of their face.
void extend_groups(TetMesh& tets, const std::vector<std::pair<int32_t, Face<8>>>& centres) {
  std::vector<char> member(tets.vertices.size());
  for (auto& [name, ids] : tets.vertex_groups) {
    std::fill(member.begin(), member.end(), 0);
    for (int32_t id : ids) member[id] = 1;
    for (const auto& [node, face] : centres)
      if (std::all_of(face.begin(), face.end(), [&](int32_t i) { return member[i]; })) ids.push_back(node);
  }
}

Result<void> split_from_centres(const HexMesh& hexes, bool face_centres_inside, TetMesh& tets) {
  const auto partner = face_partners<8>(hexes.elements, static_cast<int64_t>(hexes.vertices.size()));
  const auto first_centre = static_cast<int32_t>(hexes.vertices.size());
  for (const Hex& hex : hexes.elements) tets.vertices.push_back(mean(hexes.vertices, hex));

  std::vector<int32_t> centre_of_face(face_centres_inside ? partner.size() : 0, -1);
  std::vector<std::pair<int32_t, Face<8>>> on_boundary;
  for (size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] == many_partners)
      return usage_error(fmt::format("three or more hexes share a face of hex {}", i / 6));
    const bool outside = partner[i] == no_partner, first = partner[i] > static_cast<int64_t>(i);
    const Face<8> face = face_of<8>(hexes.elements[i / 6], static_cast<int>(i % 6));
    const auto own = static_cast<int32_t>(first_centre + i / 6);
    int32_t apex = -1;  // the fourth corner of the tets on this face
    if (outside || (face_centres_inside && first)) {
      apex = static_cast<int32_t>(tets.vertices.size());
      tets.vertices.push_back(mean(hexes.vertices, face));
      if (outside) on_boundary.emplace_back(apex, face);
      if (face_centres_inside) centre_of_face[i] = apex;
    } else if (face_centres_inside) {
      apex = centre_of_face[partner[i]];
    } else if (first) {
      apex = static_cast<int32_t>(first_centre + partner[i] / 6);
    } else {
      continue;  // made from the other side
    }
    for (int k = 0; k < 4; ++k) tets.elements.push_back({own, face[k], face[(k + 1) % 4], apex});
  }
  extend_groups(tets, on_boundary);
  return {};
}

}  // namespace

std::span<const std::string_view> split_names() { return names; }

std::optional<Split> split_named(std::string_view name) {
  for (size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return static_cast<Split>(i);
  return std::nullopt;
}

Result<TetMesh> tets_from_hexes(const HexMesh& hexes, Split split) {
  const auto count = static_cast<int32_t>(hexes.vertices.size());
  for (size_t h = 0; h < hexes.elements.size(); ++h)
    for (int32_t i : hexes.elements[h])
      if (i < 0 || i >= count)
        return usage_error(fmt::format("hex {}: vertex {} is not in 0..{}", h, i, count - 1));
  TetMesh tets;
  tets.vertices = hexes.vertices;
  tets.vertex_groups = hexes.vertex_groups;
  Result<void> done;
  switch (split) {
    case Split::five:
      done = split_in_five(hexes, tets);
      break;
    case Split::six:
      done = split_in_six(hexes, tets);
      break;
    case Split::crossed:
      done = split_from_centres(hexes, true, tets);
      break;
    case Split::bcc:
      done = split_from_centres(hexes, false, tets);
      break;
  }
  if (!done) return done.error();
  return tets;
}

SplitSize split_size(double hexes, double vertices, double boundary, Split split) {
  SplitSize size;
  const double inner_faces = (6 * hexes - boundary) / 2;
  const double face_table = 6 * hexes * 20;  // partners, buckets and face centres
  double scratch = 0;
  switch (split) {
    case Split::five:
      size = {vertices, 5 * hexes, 0};
      scratch = 24 * hexes * 4 + vertices * 17;
      break;
    case Split::six:
      size = {vertices, 6 * hexes, 0};
      scratch = face_table;
      break;
    case Split::crossed:
      size = {vertices + hexes + inner_faces + boundary, 24 * hexes, 0};
      scratch = face_table + boundary * 20;
      break;
    case Split::bcc:
      size = {vertices + hexes + boundary, 4 * inner_faces + 4 * boundary, 0};
      scratch = face_table + boundary * 20;
      break;
  }
  // Positions twice and vectors that grow by doubling.
  size.bytes = hexes * 32 + vertices * 24 + size.nodes * 48 + size.tets * 32 + scratch;
  return size;
}

}  // namespace sinew::mesh
