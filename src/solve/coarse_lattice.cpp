#include "solve/coarse_lattice.h"

#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "mesh/disjoint_sets.h"

namespace sinew::solve {

namespace {

using Cell = std::array<int32_t, 3>;
constexpr int32_t chunk_groups = 16;

Cell cell_of(const Vec3d& place) {
  Cell cell;
  for (int k = 0; k < 3; ++k) cell[k] = static_cast<int32_t>(std::floor(place[k]));
  return cell;
}

std::array<float, 8> weights(const Vec3d& place, const Cell& cell) {
  std::array<float, 8> w;
  for (int c = 0; c < 8; ++c) {
    double product = 1;
    for (int k = 0; k < 3; ++k) {
      const double t = place[k] - cell[k];
      product *= (c >> k & 1) ? t : 1 - t;
    }
    w[c] = static_cast<float>(product);
  }
  return w;
}

// f(a, b) for all pairs of different nodes of an element.
template <class F>
void for_each_pair(const element::Connectivity& elements, F&& f) {
  for (size_t e = 0; e < elements.size(); ++e) {
    const auto nodes = elements[e];
    for (size_t i = 0; i < nodes.size(); ++i)
      for (size_t j = i + 1; j < nodes.size(); ++j)
        if (nodes[i] != nodes[j]) f(nodes[i], nodes[j]);
  }
}

// Makes two groups in different cells share the corners that these have in common.
void share_corners(int32_t a, const Cell& cell_a, int32_t b, const Cell& cell_b, mesh::DisjointSets<>& same) {
  Cell step;
  for (int k = 0; k < 3; ++k) {
    step[k] = cell_b[k] - cell_a[k];
    if (std::abs(step[k]) > 1) return;
  }
  for (int c = 0; c < 8; ++c) {
    int other = 0;
    for (int k = 0; k < 3; ++k) {
      const int at = (c >> k & 1) - step[k];
      if (at < 0 || at > 1) other = 8;
      other |= at << k;
    }
    if (other >= 0 && other < 8) same.join(8 * a + c, 8 * b + other);
  }
}

}  // namespace

CoarseLattice make_coarse_lattice(std::span<const Vec3d> places, const element::Connectivity& elements,
                                  std::span<const int32_t> rows) {
  CoarseLattice lattice;
  std::vector<Cell> cell(places.size());
  for_each_block(static_cast<int64_t>(places.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) cell[i] = cell_of(places[i]);
  });

  // Groups, numbered in the order of their first rows, so that a banded matrix has a banded coarse one.
  mesh::DisjointSets<> hang_together(static_cast<int64_t>(places.size()));
  std::vector<bool> in_element(places.size());
  for (int32_t node : elements.flat()) in_element[node] = true;
  for_each_pair(elements, [&](int32_t a, int32_t b) {
    if (cell[a] == cell[b]) hang_together.join(a, b);
  });
  int32_t row_count = 0;
  for (int32_t row : rows) row_count = std::max(row_count, row + 1);
  std::vector<int32_t> node_of_row(row_count, -1), group_of_set(places.size(), -1);
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i] >= 0) node_of_row[rows[i]] = static_cast<int32_t>(i);
  lattice.group.assign(row_count, -1);
  std::vector<Cell> cell_of_group;
  for (int32_t r = 0; r < row_count; ++r) {
    const int32_t node = node_of_row[r];
    if (node < 0 || !in_element[node]) continue;
    int32_t& group = group_of_set[hang_together.find(node)];
    if (group < 0) {
      group = static_cast<int32_t>(cell_of_group.size());
      cell_of_group.push_back(cell[node]);
    }
    lattice.group[r] = group;
  }
  const auto groups = static_cast<int32_t>(cell_of_group.size());

  mesh::DisjointSets<> same(int64_t{8} * groups);
  std::array<int32_t, 2> last = {-1, -1};
  for_each_pair(elements, [&](int32_t a, int32_t b) {
    if (rows[a] < 0 || rows[b] < 0) return;
    const std::array<int32_t, 2> pair = {lattice.group[rows[a]], lattice.group[rows[b]]};
    if (pair[0] == pair[1] || pair == last) return;
    last = pair;
    share_corners(pair[0], cell[a], pair[1], cell[b], same);
  });

  // Coarse nodes are the corners that a row has a weight at, in the order in which rows need them.
  lattice.weight.resize(row_count);
  lattice.corners.resize(groups);
  std::vector<int32_t> node_of_corner(same.size(), -1);
  for (int32_t r = 0; r < row_count; ++r) {
    const int32_t group = lattice.group[r];
    if (group < 0) continue;
    lattice.weight[r] = weights(places[node_of_row[r]], cell_of_group[group]);
    for (int c = 0; c < 8; ++c) {
      if (lattice.weight[r][c] == 0) continue;
      int32_t& node = node_of_corner[same.find(8 * group + c)];
      if (node >= 0) continue;
      node = static_cast<int32_t>(lattice.place.size());
      Cell place = cell_of_group[group];
      for (int k = 0; k < 3; ++k) place[k] += c >> k & 1;
      lattice.place.push_back(place);
    }
  }
  for (int32_t g = 0; g < groups; ++g) {
    int32_t some = -1;
    for (int c = 0; c < 8; ++c) {
      lattice.corners[g][c] = node_of_corner[same.find(8 * g + c)];
      some = std::max(some, lattice.corners[g][c]);
    }
    for (int32_t& corner : lattice.corners[g])
      if (corner < 0) corner = some;
  }

  lattice.begin.assign(groups + 1, 0);
  for (int32_t g : lattice.group)
    if (g >= 0) ++lattice.begin[g + 1];
  std::partial_sum(lattice.begin.begin(), lattice.begin.end(), lattice.begin.begin());
  lattice.row.resize(lattice.begin.back());
  std::vector<int64_t> next(lattice.begin.begin(), lattice.begin.end() - 1);
  for (int32_t r = 0; r < row_count; ++r)
    if (lattice.group[r] >= 0) lattice.row[next[lattice.group[r]]++] = r;

  lattice.at_begin.assign(lattice.nodes() + 1, 0);
  for (const auto& corners : lattice.corners)
    for (int32_t corner : corners) ++lattice.at_begin[corner + 1];
  std::partial_sum(lattice.at_begin.begin(), lattice.at_begin.end(), lattice.at_begin.begin());
  lattice.at.resize(lattice.at_begin.back());
  next.assign(lattice.at_begin.begin(), lattice.at_begin.end() - 1);
  for (int32_t g = 0; g < groups; ++g)
    for (int c = 0; c < 8; ++c) lattice.at[next[lattice.corners[g][c]]++] = 8 * g + c;

  lattice.chunks = mesh::colour_chunks<8>(lattice.corners, lattice.nodes(), chunk_groups);
  return lattice;
}

CoarseLattice coarsen(const CoarseLattice& lattice) {
  std::vector<Vec3d> places(lattice.nodes());
  for (int32_t i = 0; i < lattice.nodes(); ++i)
    for (int k = 0; k < 3; ++k) places[i][k] = 0.5 * lattice.place[i][k];
  std::vector<int32_t> rows(lattice.nodes());
  std::iota(rows.begin(), rows.end(), 0);
  return make_coarse_lattice(places, element::Connectivity(lattice.corners), rows);
}

namespace {

template <class T>
void restrict_vectors(const CoarseLattice& lattice, std::span<const math::Vec3<T>> fine,
                      std::span<math::Vec3<T>> coarse, std::vector<math::Vec3<T>>& sums) {
  sums.resize(8 * lattice.corners.size());
  for_each_block(static_cast<int64_t>(lattice.corners.size()), 64, [&](int64_t first, int64_t end) {
    for (int64_t g = first; g < end; ++g) {
      T sum[3][8];
      for (auto& of_axis : sum)
        for (T& s : of_axis) s = T(0);
      for (int64_t k = lattice.begin[g]; k < lattice.begin[g + 1]; ++k) {
        const math::Vec3<T>& r = fine[lattice.row[k]];
        const auto& w = lattice.weight[lattice.row[k]];
        for (int i = 0; i < 3; ++i)
          for (int c = 0; c < 8; ++c) sum[i][c] += T(w[c]) * r[i];
      }
      for (int c = 0; c < 8; ++c) sums[8 * g + c] = {sum[0][c], sum[1][c], sum[2][c]};
    }
  });
  for_each_block(lattice.nodes(), 1024, [&](int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) {
      auto sum = math::Vec3<T>::zero();
      for (int64_t k = lattice.at_begin[i]; k < lattice.at_begin[i + 1]; ++k) sum += sums[lattice.at[k]];
      coarse[i] = sum;
    }
  });
}

template <class T>
void prolong_vectors(const CoarseLattice& lattice, std::span<const math::Vec3<T>> coarse,
                     std::span<math::Vec3<T>> fine) {
  for_each_block(lattice.rows(), 2048, [&](int64_t first, int64_t end) {
    for (int64_t r = first; r < end; ++r) {
      auto sum = math::Vec3<T>::zero();
      if (const int32_t g = lattice.group[r]; g >= 0)
        for (int c = 0; c < 8; ++c) sum += coarse[lattice.corners[g][c]] * T(lattice.weight[r][c]);
      fine[r] = sum;
    }
  });
}

}  // namespace

void CoarseLattice::restrict_to(std::span<const Vec3d> fine, std::span<Vec3d> coarse,
                                std::vector<Vec3d>& sums) const {
  restrict_vectors(*this, fine, coarse, sums);
}
void CoarseLattice::restrict_to(std::span<const LaneVec3> fine, std::span<LaneVec3> coarse,
                                std::vector<LaneVec3>& sums) const {
  restrict_vectors(*this, fine, coarse, sums);
}

void CoarseLattice::prolong(std::span<const Vec3d> coarse, std::span<Vec3d> fine) const {
  prolong_vectors(*this, coarse, fine);
}
void CoarseLattice::prolong(std::span<const LaneVec3> coarse, std::span<LaneVec3> fine) const {
  prolong_vectors(*this, coarse, fine);
}

int64_t CoarseLattice::bytes() const {
  return static_cast<int64_t>(group.size() * (sizeof(group[0]) + sizeof(weight[0]) + sizeof(row[0])) +
                              corners.size() * (sizeof(corners[0]) + sizeof(begin[0]) + 8 * sizeof(at[0])) +
                              place.size() * (sizeof(place[0]) + sizeof(at_begin[0])));
}

}  // namespace sinew::solve
