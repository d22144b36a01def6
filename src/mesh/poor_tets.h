#pragma once
// Tets that condition a system badly: how many are below which radius ratio, and where the worst are.
//
//     PoorTets poor = poor_tets(mesh);  poor.below[0], poor.worst[0].tet
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

class PoorTets {
 public:
  static constexpr std::array<double, 3> bounds = {0.1, 0.01, 1e-4};  // poor, sliver, flat
  static constexpr size_t listed = 5;

  struct Tet {
    int32_t tet = 0;
    double radius_ratio = 0;
    Vec3d centre = {0, 0, 0};
  };

  // Tets come in ascending order; of equal ones the first is listed first.
  void add(const Tet& tet);

  std::array<int64_t, 3> below = {};  // tets below each of the bounds
  std::vector<Tet> worst;             // of those below the first, at most `listed`, worst first
};

PoorTets poor_tets(const TetMesh& mesh);
// "12 below 0.1, 3 below 0.01 (slivers), 1 below 0.0001 (flat); the worst: tet 7 at (0, 0, 1) with 2e-05"; empty: none is.
std::string text_of(const PoorTets& poor, std::string_view noun = "tet");

}  // namespace sinew::mesh
