#include "solve/reduction.h"

#include <algorithm>

namespace sinew::solve {

namespace {

energy::BlockPattern pattern_of(std::vector<std::vector<int32_t>> columns) {
  energy::BlockPattern pattern;
  for (std::vector<int32_t>& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    const auto own = std::lower_bound(row.begin(), row.end(), pattern.rows());
    pattern.diagonal.push_back(pattern.blocks() + (own - row.begin()));
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.row_begin.push_back(pattern.blocks());
  }
  return pattern;
}

// Columns of the diagonal: each unknown, and both of a frame.
std::vector<std::vector<int32_t>> diagonal_columns(const model::DofMap& dofs) {
  std::vector<std::vector<int32_t>> columns(dofs.unknown_count());
  for (int32_t u = 0; u < dofs.own_count(); ++u) columns[u] = {u};
  for (int32_t u = dofs.own_count(); u < dofs.unknown_count(); u += 2)
    columns[u] = columns[u + 1] = {u, u + 1};
  return columns;
}

}  // namespace

void Reduction::linearise(const System& system, std::span<const Vec3d> x, Hessian hessian) {
  dofs_ = &system.dofs();
  x_.assign(x.begin(), x.end());
  d_.resize(x.size());
  Kd_.resize(x.size());
  curvature_ = system.curvature(x, hessian);
}

energy::BlockPattern Reduction::diagonal_pattern() const { return pattern_of(diagonal_columns(*dofs_)); }

energy::BlockPattern Reduction::pattern(const energy::BlockPattern& nodes) const {
  const model::DofMap::Rows A = dofs_->rows(x_);
  const auto node = dofs_->node_of_block();
  std::vector<std::vector<int32_t>> columns = diagonal_columns(*dofs_);
  for (int32_t i = 0; i < nodes.rows(); ++i)
    for (int64_t s = nodes.row_begin[i]; s < nodes.row_begin[i + 1]; ++s)
      for (const auto& left : A[node[i]])
        for (const auto& right : A[node[nodes.column[s]]]) columns[left.unknown].push_back(right.unknown);
  return pattern_of(std::move(columns));
}

void Reduction::assemble(const energy::BlockMatrix& K, energy::BlockMatrix& reduced) const {
  const model::DofMap::Rows A = dofs_->rows(x_);
  const auto node = dofs_->node_of_block();
  const energy::BlockPattern &nodes = K.pattern(), &pattern = reduced.pattern();
  reduced.set_zero();
  for (int32_t i = 0; i < nodes.rows(); ++i)
    for (int64_t s = nodes.row_begin[i]; s < nodes.row_begin[i + 1]; ++s)
      for (const auto& left : A[node[i]])
        for (const auto& right : A[node[nodes.column[s]]])
          if (const int64_t slot = pattern.slot(left.unknown, right.unknown); slot >= 0)
            reduced.add(slot, transpose(left.A) * K.block(s) * right.A);
  for (size_t f = 0; f < curvature_.size(); ++f) reduced.add(pattern.diagonal[rotation(f)], curvature_[f]);
  for (const auto& partial : dofs_->partials()) {
    const int64_t d = pattern.diagonal[dofs_->unknown_of_node()[partial.node]];
    reduced.add(d, (Mat3d::identity() - partial.P) * std::max(trace(reduced.block(d)), 1e-30));
  }
}

const energy::BlockMatrix& ReducedMatrix::assemble(const System& system, std::span<const Vec3d> x,
                                                   Hessian hessian) {
  if (!ready_) nodes_.reset(system.pattern(), energy::Precision::full);
  system.assemble(x, hessian, nodes_);
  if (system.dofs().carries()) {
    reduction_.linearise(system, x, hessian);
    if (!ready_)
      reduced_.reset(std::make_shared<const energy::BlockPattern>(reduction_.pattern(nodes_.pattern())),
                     energy::Precision::full);
    reduction_.assemble(nodes_, reduced_);
    reduces_ = true;
  }
  ready_ = true;
  return reduces_ ? reduced_ : nodes_;
}

}  // namespace sinew::solve
