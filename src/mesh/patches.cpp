#include "mesh/patches.h"

#include <algorithm>

#include "mesh/faces.h"

namespace sinew::mesh {

namespace {

struct Star {
  double length2;
  int32_t a, b;
  int64_t begin, end;  // in the list of incidences
};

struct Incidence {
  int32_t a, b, tet;
  bool operator<(const Incidence& o) const { return a != o.a ? a < o.a : b != o.b ? b < o.b : tet < o.tet; }
};

void add_nodes(std::vector<int32_t>& nodes, const std::array<int32_t, 4>& tet) {
  for (int32_t node : tet)
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

}  // namespace

std::vector<int32_t> tet_patches(std::span<const std::array<int32_t, 4>> tets,
                                 std::span<const Vec3d> vertices) {
  std::vector<Incidence> incidences;
  incidences.reserve(tets.size() * 6);
  for (size_t t = 0; t < tets.size(); ++t)
    for (const auto& edge : tet_edges) {
      const auto [a, b] = std::minmax(tets[t][edge[0]], tets[t][edge[1]]);
      incidences.push_back({a, b, static_cast<int32_t>(t)});
    }
  std::sort(incidences.begin(), incidences.end());
  std::vector<Star> stars;
  for (size_t k = 0; k < incidences.size(); ++k) {
    const Incidence& i = incidences[k];
    if (stars.empty() || stars.back().a != i.a || stars.back().b != i.b)
      stars.push_back({norm2(vertices[i.a] - vertices[i.b]), i.a, i.b, static_cast<int64_t>(k), 0});
    stars.back().end = static_cast<int64_t>(k) + 1;
  }
  std::stable_sort(stars.begin(), stars.end(),
                   [](const Star& p, const Star& q) { return p.length2 > q.length2; });

  std::vector<int32_t> patch(tets.size(), -1);
  std::vector<std::vector<int32_t>> nodes;
  for (const Star& star : stars) {
    if (star.end - star.begin < 3 || star.end - star.begin > max_patch_nodes - 2) continue;
    const auto tet_of = [&](int64_t k) { return incidences[k].tet; };
    bool free = true;
    for (int64_t k = star.begin; k < star.end; ++k) free &= patch[tet_of(k)] < 0;
    if (!free) continue;
    nodes.emplace_back();
    for (int64_t k = star.begin; k < star.end; ++k) {
      patch[tet_of(k)] = static_cast<int32_t>(nodes.size()) - 1;
      add_nodes(nodes.back(), tets[tet_of(k)]);
    }
  }

  // A tet that is left over joins the neighbour across a face whose patch has the fewest nodes; where there is room in none, it
  // starts a patch, which others may join.
  const auto partner = face_partners<4>(tets, static_cast<int64_t>(vertices.size()));
  for (size_t t = 0; t < tets.size(); ++t) {
    if (patch[t] >= 0) continue;
    int32_t best = -1;
    std::vector<int32_t> best_nodes;
    for (int f = 0; f < 4; ++f) {
      const int64_t other = partner[4 * t + f];
      const int32_t candidate = other < 0 ? -1 : patch[other / 4];
      if (candidate < 0) continue;
      std::vector<int32_t> together = nodes[candidate];
      add_nodes(together, tets[t]);
      if (together.size() <= max_patch_nodes && (best < 0 || together.size() < best_nodes.size())) {
        best = candidate;
        best_nodes = std::move(together);
      }
    }
    if (best < 0) {
      best = static_cast<int32_t>(nodes.size());
      nodes.emplace_back();
      add_nodes(best_nodes, tets[t]);
    }
    patch[t] = best;
    nodes[best] = std::move(best_nodes);
  }
  return patch;
}

}  // namespace sinew::mesh
