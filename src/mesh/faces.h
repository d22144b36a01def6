#pragma once
// Faces of tets and hexes and edges of triangles, and which two elements share one. Face f of element e has the number
// e * faces + f; its corners are listed counter-clockwise seen from outside the element. Edge k of a triangle runs from corner k to
// the next one.
//
//     std::vector<int64_t> partner = face_partners<4>(mesh.elements, node_count);
//     if (partner[e * 4 + f] == no_partner) ...  // a boundary face
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::mesh {

template <int corners>
struct FaceCorners;

template <>
struct FaceCorners<3> {
  static constexpr int faces = 3, size = 2;
  static constexpr int corner[3][2] = {{0, 1}, {1, 2}, {2, 0}};
};

template <>
struct FaceCorners<4> {
  static constexpr int faces = 4, size = 3;
  static constexpr int corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
};

template <>
struct FaceCorners<8> {
  static constexpr int faces = 6, size = 4;
  static constexpr int corner[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                       {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
};

template <int corners>
using Face = std::array<int32_t, FaceCorners<corners>::size>;

template <int corners>
Face<corners> face_of(const std::array<int32_t, corners>& element, int f) {
  Face<corners> face;
  for (int k = 0; k < FaceCorners<corners>::size; ++k) face[k] = element[FaceCorners<corners>::corner[f][k]];
  return face;
}

constexpr int64_t no_partner = -1;
constexpr int64_t many_partners = -2;  // three or more elements meet in the face

// The number of the face on the other side, for every face of every element.
template <int corners>
std::vector<int64_t> face_partners(std::span<const std::array<int32_t, corners>> elements,
                                   int64_t node_count) {
  constexpr int faces = FaceCorners<corners>::faces;
  const int64_t count = static_cast<int64_t>(elements.size()) * faces;
  const auto sorted_face = [&](int64_t number) {
    Face<corners> face = face_of<corners>(elements[number / faces], static_cast<int>(number % faces));
    std::sort(face.begin(), face.end());
    return face;
  };

  // Faces gathered by their lowest node: equal faces fall into one short bucket.
  std::vector<int64_t> offset(node_count + 1, 0);
  for (int64_t i = 0; i < count; ++i) ++offset[sorted_face(i)[0] + 1];
  for (int64_t i = 0; i < node_count; ++i) offset[i + 1] += offset[i];
  std::vector<int64_t> bucketed(count), next(offset.begin(), offset.end() - 1);
  for (int64_t i = 0; i < count; ++i) bucketed[next[sorted_face(i)[0]]++] = i;

  std::vector<int64_t> partner(count, no_partner);
  std::vector<std::pair<Face<corners>, int64_t>> bucket;
  for (int64_t node = 0; node < node_count; ++node) {
    bucket.clear();
    for (int64_t k = offset[node]; k < offset[node + 1]; ++k)
      bucket.emplace_back(sorted_face(bucketed[k]), bucketed[k]);
    std::sort(bucket.begin(), bucket.end());
    for (size_t begin = 0, end; begin < bucket.size(); begin = end) {
      for (end = begin + 1; end < bucket.size() && bucket[end].first == bucket[begin].first;) ++end;
      if (end - begin == 2) {
        partner[bucket[begin].second] = bucket[begin + 1].second;
        partner[bucket[begin + 1].second] = bucket[begin].second;
      } else if (end - begin > 2) {
        for (size_t k = begin; k < end; ++k) partner[bucket[k].second] = many_partners;
      }
    }
  }
  return partner;
}

}  // namespace sinew::mesh
