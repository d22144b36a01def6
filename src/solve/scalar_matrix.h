#pragma once
// The assembled second derivatives over the unknowns by scalar rows, which is what sparse direct solvers factor: the upper
// triangle by rows, or the lower triangle by columns, as the matrix is symmetric.
//
// A turn of mid-edge bending has one row, not three. There are three turns for each node of a sheet, and with the directions
// in which they are held the factor would be several times as large.
#include <span>
#include <vector>

#include "solve/reduction.h"

namespace sinew::solve {

class ScalarMatrix {
 public:
  // The pattern is made in the first call and stays.
  void assemble(const System& system, std::span<const Vec3d> x, Hessian hessian);

  int rows() const { return static_cast<int>(row_begin_.size()) - 1; }
  const std::vector<int>& row_begin() const { return row_begin_; }  // rows() + 1
  const std::vector<int>& column() const { return column_; }        // ascending, so the diagonal comes first
  const std::vector<double>& value() const { return value_; }

  // Between vectors over blocks of three unknowns and over the rows. What has no row is zero.
  void gather(std::span<const Vec3d> q, std::span<double> rows) const;
  void scatter(std::span<const double> rows, std::span<Vec3d> q) const;

  int64_t bytes() const;

 private:
  void make_pattern(const model::DofMap& dofs, const energy::BlockPattern& blocks);
  // entry(row, column, block, a, b) for component (a, b) of each stored block, row by row.
  template <class Entry>
  void for_each(const energy::BlockPattern& blocks, Entry&& entry) const;

  ReducedMatrix blocks_;
  std::vector<int> first_;       // row of the first component of each block of unknowns
  std::vector<int> components_;  // 3, or 1
  std::vector<int> row_begin_, column_;
  std::vector<double> value_;
};

}  // namespace sinew::solve
