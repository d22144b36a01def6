#include "energy/block_matrix.h"

#include <algorithm>

#include "base/parallel.h"
#include "energy/block_row.h"

namespace sinew::energy {

int64_t BlockPattern::slot(int32_t row, int32_t col) const {
  const auto begin = column.begin() + row_begin[row], end = column.begin() + row_begin[row + 1];
  const auto found = std::lower_bound(begin, end, col);
  return found != end && *found == col ? found - column.begin() : -1;
}

BlockPattern make_pattern(std::span<const Stencils> stencils, std::span<const int32_t> block_of_node,
                          int32_t block_count) {
  // Lists touching each block, as (stencil list, position) in compressed rows.
  std::vector<int64_t> begin(block_count + 1, 0);
  const auto each_entry = [&](auto&& visit) {
    for (size_t s = 0; s < stencils.size(); ++s) {
      const int width = stencils[s].width;
      if (width == 0) continue;
      const auto count = static_cast<int64_t>(stencils[s].nodes.size()) / width;
      for (int64_t e = 0; e < count; ++e)
        for (int a = 0; a < width; ++a) {
          const int32_t node = stencils[s].nodes[e * width + a];
          if (node >= 0 && block_of_node[node] >= 0) visit(block_of_node[node], s, e);
        }
    }
  };
  each_entry([&](int32_t block, size_t, int64_t) { ++begin[block + 1]; });
  for (int32_t b = 0; b < block_count; ++b) begin[b + 1] += begin[b];
  struct Touch {
    int32_t list, element;
  };
  std::vector<Touch> touch(begin[block_count]);
  {
    std::vector<int64_t> next(begin.begin(), begin.end() - 1);
    each_entry([&](int32_t block, size_t s, int64_t e) {
      touch[next[block]++] = {static_cast<int32_t>(s), static_cast<int32_t>(e)};
    });
  }

  BlockPattern pattern;
  pattern.row_begin.assign(block_count + 1, 0);
  pattern.diagonal.resize(block_count);
  std::vector<int32_t> row;
  for (int32_t b = 0; b < block_count; ++b) {
    row.assign(1, b);
    for (int64_t k = begin[b]; k < begin[b + 1]; ++k) {
      const Stencils& list = stencils[touch[k].list];
      for (int a = 0; a < list.width; ++a) {
        const int32_t node = list.nodes[int64_t{touch[k].element} * list.width + a];
        if (node >= 0 && block_of_node[node] >= 0) row.push_back(block_of_node[node]);
      }
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern.diagonal[b] = pattern.row_begin[b] + (std::lower_bound(row.begin(), row.end(), b) - row.begin());
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.row_begin[b + 1] = static_cast<int64_t>(pattern.column.size());
  }
  return pattern;
}

namespace {
constexpr int64_t row_block = 1024;
constexpr int64_t padding = 16;  // the product reads whole vectors past the last block
}  // namespace

void BlockMatrix::reset(std::shared_ptr<const BlockPattern> pattern, Precision precision) {
  pattern_ = std::move(pattern);
  precision_ = precision;
  const size_t size = 9 * pattern_->blocks() + padding;
  single_.resize(precision == Precision::single ? size : 0);
  full_.resize(precision == Precision::full ? size : 0);
  set_zero();
}

void BlockMatrix::set_zero() {
  std::fill(single_.begin(), single_.end(), 0.0f);
  std::fill(full_.begin(), full_.end(), 0.0);
}

int64_t BlockMatrix::bytes() const {
  return static_cast<int64_t>(single_.size() * sizeof(float) + full_.size() * sizeof(double) +
                              pattern_->column.size() * sizeof(int32_t) +
                              pattern_->row_begin.size() * 2 * sizeof(int64_t));
}

Mat3d BlockMatrix::block(int64_t slot) const {
  const auto read = [&](const auto& values) {
    Mat3d m;
    for (int k = 0; k < 9; ++k) m.c[k / 3].v[k % 3] = values[9 * slot + k];
    return m;
  };
  return precision_ == Precision::single ? read(single_) : read(full_);
}

void BlockMatrix::set(int64_t slot, const Mat3d& m) {
  const auto write = [&]<class T>(std::vector<T>& values) {
    for (int k = 0; k < 9; ++k) values[9 * slot + k] = static_cast<T>(m.c[k / 3].v[k % 3]);
  };
  precision_ == Precision::single ? write(single_) : write(full_);
}

void BlockMatrix::add(int64_t slot, const Mat3d& m) {
  const auto add = [&]<class T>(std::vector<T>& values) {
    for (int k = 0; k < 9; ++k) {
      T& value = values[9 * slot + k];
      value = static_cast<T>(value + m.c[k / 3].v[k % 3]);
    }
  };
  precision_ == Precision::single ? add(single_) : add(full_);
}

namespace {

template <class T>
double multiply_rows(const BlockPattern& pattern, const T* values, std::span<const Vec3d> x,
                     std::span<Vec3d> y, int64_t begin, int64_t end) {
  double product = 0;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = pattern.row_begin[i];
    y[i] = row_product(values + 9 * first, pattern.column.data() + first, pattern.row_begin[i + 1] - first,
                       x.data());
    product += dot(x[i], y[i]);
  }
  return product;
}

}  // namespace

double BlockMatrix::multiply_dot(std::span<const Vec3d> x, std::span<Vec3d> y) const {
  return sum_blocks(rows(), row_block, [&](int64_t begin, int64_t end) {
    return precision_ == Precision::single ? multiply_rows(*pattern_, single_.data(), x, y, begin, end)
                                           : multiply_rows(*pattern_, full_.data(), x, y, begin, end);
  });
}

void BlockMatrix::multiply(std::span<const Vec3d> x, std::span<Vec3d> y) const { multiply_dot(x, y); }

}  // namespace sinew::energy
