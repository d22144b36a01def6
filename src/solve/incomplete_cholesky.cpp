#include "solve/incomplete_cholesky.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "energy/block_row.h"

namespace sinew::solve {

using energy::BlockMatrix;
using energy::BlockPattern;
using math::Mat3d;
using math::Vec3d;

namespace {

constexpr int32_t domain_rows = 4096;
constexpr double first_shift = 1e-2;
constexpr double smallest_pivot = 1e-3;  // of the diagonal, before a shift is tried

// The inverse of the Cholesky factor of a 3x3 block; false: a pivot is below smallest_pivot of its diagonal entry.
bool invert_cholesky(const Mat3d& A, const Mat3d& original, Mat3d& inverse) {
  Mat3d L = Mat3d::zero();
  for (int j = 0; j < 3; ++j) {
    double d = A(j, j);
    for (int k = 0; k < j; ++k) d -= L(j, k) * L(j, k);
    if (!(d > smallest_pivot * original(j, j))) return false;
    L(j, j) = std::sqrt(d);
    for (int i = j + 1; i < 3; ++i) {
      double s = A(i, j);
      for (int k = 0; k < j; ++k) s -= L(i, k) * L(j, k);
      L(i, j) = s / L(j, j);
    }
  }
  inverse = math::inverse(L);
  return true;
}

Mat3d block_at(const float* v) { return {{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}}; }

}  // namespace

void IncompleteCholesky::factor(const BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  const int32_t n = pattern.rows();
  if (pivot_.size() != static_cast<size_t>(n)) {
    domains_.clear();
    begin_.assign(1, 0);
    column_.clear();
    slot_.clear();
    for (int32_t begin = 0; begin < n; begin += domain_rows) {
      domains_.push_back({begin, std::min(begin + domain_rows, n)});
      for (int32_t i = begin; i < domains_.back().end; ++i) {
        for (int64_t s = pattern.row_begin[i]; s < pattern.diagonal[i]; ++s)
          if (pattern.column[s] >= begin) {
            column_.push_back(pattern.column[s]);
            slot_.push_back(s);
          }
        begin_.push_back(static_cast<int64_t>(column_.size()));
      }
    }
    value_.assign(9 * column_.size() + 8, 0.0f);
    pivot_.resize(n);
  }
  for_each_index(static_cast<int64_t>(domains_.size()), [&](int64_t k) {
    for (double shift = 0; !factor_domain(matrix, domains_[k], shift);
         shift = shift == 0 ? first_shift : 2 * shift) {
    }
  });
}

// With a large enough shift every pivot is accepted, so the retries end; a zero diagonal gets the identity.
bool IncompleteCholesky::factor_domain(const BlockMatrix& matrix, const Domain& domain, double shift) {
  const BlockPattern& pattern = matrix.pattern();
  for (int32_t i = domain.begin; i < domain.end; ++i) {
    const Mat3d original = matrix.block(pattern.diagonal[i]);
    Mat3d diagonal = original;
    for (int k = 0; k < 3; ++k) diagonal(k, k) *= 1 + shift;
    for (int64_t s = begin_[i]; s < begin_[i + 1]; ++s) {
      const int32_t j = column_[s];
      // L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T over the columns k that rows i and j share.
      Mat3d L = matrix.block(slot_[s]);
      int64_t a = begin_[i], b = begin_[j];
      while (a < s && b < begin_[j + 1]) {
        if (column_[a] < column_[b]) {
          ++a;
        } else if (column_[b] < column_[a]) {
          ++b;
        } else {
          L -= block_at(&value_[9 * a++]) * transpose(block_at(&value_[9 * b++]));
        }
      }
      L = L * transpose(pivot_[j]);
      for (int k = 0; k < 9; ++k) value_[9 * s + k] = static_cast<float>(L.c[k / 3].v[k % 3]);
      diagonal -= L * transpose(L);
    }
    if (trace(original) == 0) {
      pivot_[i] = Mat3d::identity();
    } else if (!invert_cholesky(diagonal, original, pivot_[i])) {
      if (shift < 1e3) return false;
      pivot_[i] = Mat3d::identity() * (1 / std::sqrt(std::abs(trace(original)) * shift));
    }
  }
  return true;
}

void IncompleteCholesky::solve(std::span<const Vec3d> r, std::span<Vec3d> z) const {
  for_each_index(static_cast<int64_t>(domains_.size()), [&](int64_t k) {
    const auto [begin, end] = domains_[k];
    for (int32_t i = begin; i < end; ++i)
      z[i] = pivot_[i] * (r[i] - energy::row_product(&value_[9 * begin_[i]], &column_[begin_[i]],
                                                     begin_[i + 1] - begin_[i], z.data()));
    for (int32_t i = end - 1; i >= begin; --i) {
      const Vec3d y = transpose(pivot_[i]) * z[i];
      z[i] = y;
      for (int64_t s = begin_[i]; s < begin_[i + 1]; ++s) {
        const float* v = &value_[9 * s];
        Vec3d& t = z[column_[s]];
        for (int c = 0; c < 3; ++c) t[c] -= v[3 * c] * y[0] + v[3 * c + 1] * y[1] + v[3 * c + 2] * y[2];
      }
    }
  });
}

int64_t IncompleteCholesky::bytes() const {
  return static_cast<int64_t>(value_.size() * sizeof(float) +
                              column_.size() * (sizeof(int32_t) + sizeof(int64_t)) +
                              pivot_.size() * (sizeof(Mat3d) + sizeof(int64_t)));
}

}  // namespace sinew::solve
