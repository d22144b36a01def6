#pragma once
// The second derivatives of the point pairs of a System (springs, ties, contacts by penalty), apart from the node matrix and in
// double precision: d K d for each, d = sum_k G_k q_k over rows of the matrix. Beside stiffness of 1e8 N/m in single precision
// what a soft body does to the same node would be lost.
#include <span>
#include <vector>

#include "solve/held_rows.h"
#include "solve/system.h"

namespace sinew::solve {

class PointPairs {
 public:
  void take(const System& system, std::span<const Vec3d> x, Hessian hessian);

  struct Entry {
    int32_t row;
    Mat3d G;
  };
  size_t count() const { return stiffness_.size(); }
  std::span<const Entry> entries(size_t pair) const {
    return std::span(entry_).subspan(begin_[pair], begin_[pair + 1] - begin_[pair]);
  }
  const Mat3d& stiffness(size_t pair) const { return stiffness_[pair]; }

  // out += K q, returning q.K q.
  double add_product(std::span<const Vec3d> q, std::span<Vec3d> out) const;
  int64_t bytes() const;

 private:
  std::vector<Mat3d> stiffness_;
  std::vector<int64_t> begin_{0};
  std::vector<Entry> entry_;
  mutable std::vector<Vec3d> force_;  // of each pair
  // The rows that have entries, and those of each: entry_[at_[k]] of pair of_pair_[k].
  std::vector<int32_t> row_, at_, of_pair_;
  std::vector<int64_t> at_begin_;
};

}  // namespace sinew::solve
