#include "solve/scalar_matrix.h"

#include <utility>

namespace sinew::solve {

template <class Entry>
void ScalarMatrix::for_each(const energy::BlockPattern& blocks, Entry&& entry) const {
  for (int32_t i = 0; i < blocks.rows(); ++i)
    for (int a = 0; a < components_[i]; ++a)
      for (int64_t s = blocks.diagonal[i]; s < blocks.row_begin[i + 1]; ++s) {
        const int32_t j = blocks.column[s];
        for (int b = j == i ? a : 0; b < components_[j]; ++b) entry(first_[i] + a, first_[j] + b, s, a, b);
      }
}

void ScalarMatrix::make_pattern(const model::DofMap& dofs, const energy::BlockPattern& blocks) {
  components_.assign(blocks.rows(), 3);
  for (size_t k = 0; k < dofs.partials().size(); ++k) {
    const int32_t unknown = dofs.unknown_of_node()[dofs.partials()[k].node];
    if (unknown >= 0 && dofs.holders(k).empty()) components_[unknown] = 1;  // a turn: no attachment holds it
  }
  int rows = 0;
  first_.reserve(blocks.rows());
  for (const int components : components_) first_.push_back(std::exchange(rows, rows + components));
  row_begin_.assign(rows + 1, 0);
  for_each(blocks, [&](int row, int column, int64_t, int, int) {
    column_.push_back(column);
    row_begin_[row + 1] = static_cast<int>(column_.size());
  });
  value_.resize(column_.size());
}

void ScalarMatrix::assemble(const System& system, std::span<const Vec3d> x, Hessian hessian) {
  const energy::BlockMatrix& blocks = blocks_.assemble(system, x, hessian);
  if (row_begin_.empty()) make_pattern(system.dofs(), blocks.pattern());
  double* value = value_.data();
  const double* K = blocks.full();
  for_each(blocks.pattern(), [&](int, int, int64_t s, int a, int b) { *value++ = K[9 * s + 3 * b + a]; });
}

void ScalarMatrix::gather(std::span<const Vec3d> q, std::span<double> rows) const {
  for (size_t i = 0; i < q.size(); ++i)
    for (int a = 0; a < components_[i]; ++a) rows[first_[i] + a] = q[i][a];
}

void ScalarMatrix::scatter(std::span<const double> rows, std::span<Vec3d> q) const {
  for (size_t i = 0; i < q.size(); ++i)
    for (int a = 0; a < 3; ++a) q[i][a] = a < components_[i] ? rows[first_[i] + a] : 0;
}

int64_t ScalarMatrix::bytes() const {
  const size_t ints = first_.size() + components_.size() + row_begin_.size() + column_.size();
  return blocks_.bytes() + static_cast<int64_t>(ints * sizeof(int) + value_.size() * sizeof(double));
}

}  // namespace sinew::solve
