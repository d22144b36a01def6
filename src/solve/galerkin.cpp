#include "solve/galerkin.h"

#include <algorithm>

#include "base/parallel.h"

namespace sinew::solve {

using energy::BlockMatrix;
using energy::BlockPattern;

namespace {

constexpr int64_t pair_size = 8 * 9 * 8;  // numbers of a pair of groups: corner, place in the block, corner

}  // namespace

Galerkin::Galerkin(const BlockPattern& fine, const CoarseLattice& lattice) : lattice_(lattice) {
  find_neighbours(fine);
  make_pattern();
}

void Galerkin::find_neighbours(const BlockPattern& fine) {
  const auto groups = static_cast<int32_t>(lattice_.corners.size());
  std::vector<int32_t> seen(groups, -1);
  begin_.assign(1, 0);
  for (int32_t g = 0; g < groups; ++g) {
    for (int64_t k = lattice_.begin[g]; k < lattice_.begin[g + 1]; ++k) {
      const int32_t i = lattice_.row[k];
      for (int64_t s = fine.row_begin[i]; s < fine.row_begin[i + 1]; ++s) {
        const int32_t h = lattice_.group[fine.column[s]];
        if (h < 0 || seen[h] == g) continue;
        seen[h] = g;
        neighbour_.push_back(h);
      }
    }
    std::sort(neighbour_.begin() + begin_.back(), neighbour_.end());
    begin_.push_back(static_cast<int64_t>(neighbour_.size()));
    most_neighbours_ = std::max(most_neighbours_, begin_[g + 1] - begin_[g]);
  }
}

void Galerkin::make_pattern() {
  const int32_t n = lattice_.nodes();
  std::vector<std::vector<int32_t>> rows(n);
  for_each_block(n, 256, [&](int64_t first, int64_t end) {
    std::vector<int32_t> groups;
    for (int64_t i = first; i < end; ++i) {
      groups.clear();
      for (int64_t k = lattice_.at_begin[i]; k < lattice_.at_begin[i + 1]; ++k) {
        const int32_t g = lattice_.at[k] / 8;
        groups.insert(groups.end(), neighbour_.begin() + begin_[g], neighbour_.begin() + begin_[g + 1]);
      }
      std::sort(groups.begin(), groups.end());
      groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      for (int32_t g : groups)
        rows[i].insert(rows[i].end(), lattice_.corners[g].begin(), lattice_.corners[g].end());
      std::sort(rows[i].begin(), rows[i].end());
      rows[i].erase(std::unique(rows[i].begin(), rows[i].end()), rows[i].end());
    }
  });
  auto pattern = std::make_shared<BlockPattern>();
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j : rows[i]) {
      if (j == i) pattern->diagonal.push_back(pattern->blocks());
      pattern->column.push_back(j);
    }
    pattern->row_begin.push_back(pattern->blocks());
  }
  pattern_ = std::move(pattern);
}

void Galerkin::multiply(const BlockMatrix& A, const HeldRows& held, BlockMatrix& coarse) const {
  coarse.set_zero();
  for (const auto& colour : lattice_.chunks.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t k) {
      std::vector<double> blocks(most_neighbours_ * pair_size);
      std::vector<int32_t> slot_of(coarse.rows()), place_of(lattice_.corners.size());
      const auto [begin, end] = lattice_.chunks.range(colour[k]);
      for (int64_t g = begin; g < end; ++g) {
        multiply_group(A, held, static_cast<int32_t>(g), blocks, place_of);
        scatter(static_cast<int32_t>(g), blocks, slot_of, coarse.single());
      }
    });
}

// blocks = the 8x8 blocks between the group and each of its neighbours.
void Galerkin::multiply_group(const BlockMatrix& A, const HeldRows& held, int32_t group,
                              std::span<double> blocks, std::span<int32_t> place_of) const {
  const BlockPattern& fine = A.pattern();
  const int64_t first = begin_[group], neighbours = begin_[group + 1] - first;
  std::fill_n(blocks.begin(), neighbours * pair_size, 0.0);
  for (int64_t n = 0; n < neighbours; ++n) place_of[neighbour_[first + n]] = static_cast<int32_t>(n);

  // T of the row, for each neighbour that it meets.
  std::array<int32_t, 64> met;
  alignas(64) double T[64][9][8];
  for (int64_t k = lattice_.begin[group]; k < lattice_.begin[group + 1]; ++k) {
    const int32_t i = lattice_.row[k];
    const Mat3d* Pi = held.at(i);
    int64_t s = fine.row_begin[i];
    while (s < fine.row_begin[i + 1]) {
      int count = 0;
      for (; s < fine.row_begin[i + 1]; ++s) {
        const int32_t h = lattice_.group[fine.column[s]];
        if (h < 0) continue;
        const int32_t place = place_of[h];
        int m = 0;
        while (m < count && met[m] != place) ++m;
        if (m == 64) break;  // the rest of a very long row later
        if (m == count) {
          met[count++] = place;
          std::fill_n(&T[m][0][0], 72, 0.0);
        }
        const float* a = A.single() + 9 * s;
        float projected[9];
        if (const Mat3d* Pj = held.at(fine.column[s]); Pi || Pj) {
          Mat3d block = A.block(s);
          if (Pi) block = *Pi * block;
          if (Pj) block = block * *Pj;
          for (int c = 0; c < 9; ++c) projected[c] = static_cast<float>(block.c[c / 3].v[c % 3]);
          a = projected;
        }
        const auto& w = lattice_.weight[fine.column[s]];
        for (int c = 0; c < 9; ++c)
          for (int J = 0; J < 8; ++J) T[m][c][J] += static_cast<double>(a[c]) * static_cast<double>(w[J]);
      }
      const auto& w = lattice_.weight[i];
      for (int m = 0; m < count; ++m) {
        double* out = blocks.data() + met[m] * pair_size;
        for (int I = 0; I < 8; ++I) {
          if (w[I] == 0) continue;
          const double wi = w[I];
          const double* t = &T[m][0][0];
          for (int c = 0; c < 72; ++c) out[72 * I + c] += wi * t[c];
        }
      }
    }
  }
}

void Galerkin::scatter(int32_t group, std::span<const double> blocks, std::span<int32_t> slot_of,
                       float* out) const {
  const auto& corners = lattice_.corners[group];
  for (int I = 0; I < 8; ++I) {
    const int32_t i = corners[I];
    const int64_t first = pattern_->row_begin[i];
    for (int64_t s = first; s < pattern_->row_begin[i + 1]; ++s)
      slot_of[pattern_->column[s]] = static_cast<int32_t>(s - first);
    for (int64_t n = begin_[group]; n < begin_[group + 1]; ++n) {
      const double* block = blocks.data() + (n - begin_[group]) * pair_size + 72 * I;
      const auto& columns = lattice_.corners[neighbour_[n]];
      for (int J = 0; J < 8; ++J) {
        float* to = out + 9 * (first + slot_of[columns[J]]);
        for (int c = 0; c < 9; ++c) to[c] += static_cast<float>(block[8 * c + J]);
      }
    }
  }
}

int64_t Galerkin::bytes() const {
  return static_cast<int64_t>(neighbour_.size() * sizeof(int32_t) + begin_.size() * sizeof(int64_t) +
                              pattern_->column.size() * sizeof(int32_t) +
                              pattern_->row_begin.size() * 2 * sizeof(int64_t));
}

}  // namespace sinew::solve
