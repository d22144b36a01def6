#include "solve/lane_cholesky.h"

#include <algorithm>

namespace sinew::solve {

namespace {

// Columns of the factor in the order of elimination, each the rows below its diagonal, in the numbering of the pattern.
struct Elimination {
  std::vector<int32_t> order;
  std::vector<std::vector<int32_t>> below;
  int64_t products = 0;
};

// Minimum degree on the graph itself: rows of one column become neighbours of each other. Ties go to the lowest number.
// Stops where more than `most` products are counted.
Elimination eliminate(const energy::BlockPattern& pattern, int64_t most) {
  const int32_t n = pattern.rows();
  std::vector<std::vector<int32_t>> near(n);
  for (int32_t i = 0; i < n; ++i)
    for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s)
      if (pattern.column[s] != i) near[i].push_back(pattern.column[s]);
  Elimination result;
  std::vector<char> gone(n, 0);
  std::vector<int32_t> merged;
  for (int32_t k = 0; k < n && result.products <= most; ++k) {
    int32_t next = -1;
    for (int32_t i = 0; i < n; ++i)
      if (!gone[i] && (next < 0 || near[i].size() < near[next].size())) next = i;
    gone[next] = 1;
    const std::vector<int32_t>& clique = near[next];
    const auto size = static_cast<int64_t>(clique.size());
    result.products += size * (size + 1) / 2;
    for (int32_t i : clique) {
      merged.clear();
      std::set_union(near[i].begin(), near[i].end(), clique.begin(), clique.end(),
                     std::back_inserter(merged));
      std::erase_if(merged, [&](int32_t j) { return j == i || j == next; });
      near[i] = merged;
    }
    result.order.push_back(next);
    result.below.push_back(clique);
  }
  return result;
}

}  // namespace

int64_t LaneCholesky::count_products(const energy::BlockPattern& pattern, int64_t most) {
  return eliminate(pattern, most).products;
}

LaneCholesky::LaneCholesky(const energy::BlockPattern& pattern) {
  Elimination elimination = eliminate(pattern, std::numeric_limits<int64_t>::max());
  const int32_t n = pattern.rows();
  row_of_ = elimination.order;
  position_.resize(n);
  for (int32_t k = 0; k < n; ++k) position_[row_of_[k]] = k;
  column_begin_.push_back(0);
  for (int32_t k = 0; k < n; ++k) {
    std::vector<int32_t>& below = elimination.below[k];
    for (int32_t& row : below) row = position_[row];
    std::sort(below.begin(), below.end());
    row_.push_back(k);
    row_.insert(row_.end(), below.begin(), below.end());
    column_begin_.push_back(static_cast<int64_t>(row_.size()));
  }
  values_.resize(row_.size());
  inverse_.resize(n);
  work_.resize(n);
  // Every pair of rows of a column is a product for the block that the two rows make; by block, in the order of columns.
  std::vector<std::pair<int32_t, Product>> all;
  for (int32_t k = 0; k < n; ++k)
    for (int64_t b = column_begin_[k] + 1; b < column_begin_[k + 1]; ++b)
      for (int64_t a = b; a < column_begin_[k + 1]; ++a)
        all.push_back({place(row_of_[row_[a]], row_of_[row_[b]]).slot,
                       {static_cast<int32_t>(a), static_cast<int32_t>(b)}});
  std::stable_sort(all.begin(), all.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  product_begin_.assign(row_.size() + 1, 0);
  for (const auto& [slot, product] : all) {
    ++product_begin_[slot + 1];
    products_.push_back(product);
  }
  for (size_t s = 0; s < row_.size(); ++s) product_begin_[s + 1] += product_begin_[s];
}

LaneCholesky::Place LaneCholesky::place(int32_t row, int32_t column) const {
  const int32_t r = position_[row], c = position_[column];
  const int32_t first = std::min(r, c), last = std::max(r, c);
  const auto begin = row_.begin() + column_begin_[first], end = row_.begin() + column_begin_[first + 1];
  return {static_cast<int32_t>(std::lower_bound(begin, end, last) - row_.begin()), r < c};
}

void LaneCholesky::set_zero() { std::fill(values_.begin(), values_.end(), Block::zero()); }

LaneCholesky::Mask LaneCholesky::factor() {
  Mask definite(true);
  const auto n = static_cast<int32_t>(position_.size());
  for (int32_t j = 0; j < n; ++j) {
    const Block* L = nullptr;
    for (int64_t s = column_begin_[j]; s < column_begin_[j + 1]; ++s) {
      Block C = values_[s];
      for (int64_t p = product_begin_[s]; p < product_begin_[s + 1]; ++p) {
        const Block& A = values_[products_[p].a];
        const Block& B = values_[products_[p].b];
        for (int m = 0; m < 3; ++m)
          for (int c = 0; c < 3; ++c) {
            const Pack factor = B.c[m].v[c];
            for (int r = 0; r < 3; ++r) C.c[c].v[r] -= A.c[m].v[r] * factor;
          }
      }
      if (L) {
        const Vector& inverse = inverse_[j];
        C.c[0] *= inverse[0];
        C.c[1] = (C.c[1] - C.c[0] * (*L)(1, 0)) * inverse[1];
        C.c[2] = (C.c[2] - C.c[0] * (*L)(2, 0) - C.c[1] * (*L)(2, 1)) * inverse[2];
        values_[s] = C;
        continue;
      }
      const auto root = [&](const Pack& pivot, int k) {
        definite = definite & (pivot > Pack(0));
        const Pack r = sqrt(select(pivot > Pack(0), pivot, Pack(1)));
        inverse_[j][k] = Pack(1) / r;
        return r;
      };
      C(0, 0) = root(C(0, 0), 0);
      C(1, 0) *= inverse_[j][0];
      C(2, 0) *= inverse_[j][0];
      C(1, 1) = root(C(1, 1) - C(1, 0) * C(1, 0), 1);
      C(2, 1) = (C(2, 1) - C(2, 0) * C(1, 0)) * inverse_[j][1];
      C(2, 2) = root(C(2, 2) - C(2, 0) * C(2, 0) - C(2, 1) * C(2, 1), 2);
      values_[s] = C;
      L = &values_[s];
    }
    if (!any(definite)) break;
  }
  return definite;
}

void LaneCholesky::solve(std::span<Vector> q) {
  const auto n = static_cast<int32_t>(position_.size());
  for (int32_t k = 0; k < n; ++k) work_[k] = q[row_of_[k]];
  for (int32_t j = 0; j < n; ++j) {
    const Block& L = values_[column_begin_[j]];
    const Vector& inverse = inverse_[j];
    Vector& y = work_[j];
    y[0] *= inverse[0];
    y[1] = (y[1] - L(1, 0) * y[0]) * inverse[1];
    y[2] = (y[2] - L(2, 0) * y[0] - L(2, 1) * y[1]) * inverse[2];
    for (int64_t s = column_begin_[j] + 1; s < column_begin_[j + 1]; ++s) work_[row_[s]] -= values_[s] * y;
  }
  for (int32_t j = n - 1; j >= 0; --j) {
    Vector y = work_[j];
    for (int64_t s = column_begin_[j] + 1; s < column_begin_[j + 1]; ++s)
      for (int c = 0; c < 3; ++c) y[c] -= dot(values_[s].c[c], work_[row_[s]]);
    const Block& L = values_[column_begin_[j]];
    const Vector& inverse = inverse_[j];
    y[2] *= inverse[2];
    y[1] = (y[1] - L(2, 1) * y[2]) * inverse[1];
    y[0] = (y[0] - L(1, 0) * y[1] - L(2, 0) * y[2]) * inverse[0];
    work_[j] = y;
  }
  for (int32_t k = 0; k < n; ++k) q[row_of_[k]] = work_[k];
}

}  // namespace sinew::solve
