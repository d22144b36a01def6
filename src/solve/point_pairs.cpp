#include "solve/point_pairs.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "energy/point_pair_energy.h"

namespace sinew::solve {

namespace {

bool is_zero(const Mat3d& K) {
  return std::all_of(K.c, K.c + 3, [](const Vec3d& c) { return c[0] == 0 && c[1] == 0 && c[2] == 0; });
}

}  // namespace

void PointPairs::take(const System& system, std::span<const Vec3d> x, Hessian hessian) {
  stiffness_.clear();
  begin_.assign(1, 0);
  entry_.clear();
  const model::DofMap& dofs = system.dofs();
  for (const energy::PointPairEnergy* term : system.point_pairs())
    for (size_t i = 0; i < term->count(); ++i) {
      const auto pair = term->stiffness(i, system.view(x), hessian);
      if (is_zero(pair.K)) continue;
      for (size_t k = 0; k < pair.nodes.size(); ++k) {
        const int32_t row = dofs.block_of_node()[pair.nodes[k]];
        if (row < 0 || pair.weights[k] == 0) continue;
        const auto* partial = dofs.partial_of(pair.nodes[k]);
        entry_.push_back({row, (partial ? partial->P : Mat3d::identity()) * pair.weights[k]});
      }
      if (static_cast<int64_t>(entry_.size()) == begin_.back()) continue;
      begin_.push_back(static_cast<int64_t>(entry_.size()));
      stiffness_.push_back(pair.K);
    }
  force_.resize(count());

  at_.resize(entry_.size());
  std::iota(at_.begin(), at_.end(), 0);
  std::stable_sort(at_.begin(), at_.end(),
                   [&](int32_t a, int32_t b) { return entry_[a].row < entry_[b].row; });
  std::vector<int32_t> pair_of_entry(entry_.size());
  for (size_t i = 0; i < count(); ++i)
    std::fill(pair_of_entry.begin() + begin_[i], pair_of_entry.begin() + begin_[i + 1],
              static_cast<int32_t>(i));
  of_pair_.clear();
  row_.clear();
  at_begin_.clear();
  for (size_t k = 0; k < at_.size(); ++k) {
    of_pair_.push_back(pair_of_entry[at_[k]]);
    if (!row_.empty() && row_.back() == entry_[at_[k]].row) continue;
    row_.push_back(entry_[at_[k]].row);
    at_begin_.push_back(static_cast<int64_t>(k));
  }
  at_begin_.push_back(static_cast<int64_t>(at_.size()));
}

double PointPairs::add_product(std::span<const Vec3d> q, std::span<Vec3d> out) const {
  const double product = sum_blocks(static_cast<int64_t>(count()), 512, [&](int64_t first, int64_t last) {
    double sum = 0;
    for (int64_t i = first; i < last; ++i) {
      Vec3d d = {0, 0, 0};
      for (const Entry& entry : entries(i)) d += entry.G * q[entry.row];
      force_[i] = stiffness_[i] * d;
      sum += dot(d, force_[i]);
    }
    return sum;
  });
  for_each_block(static_cast<int64_t>(row_.size()), 512, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r)
      for (int64_t k = at_begin_[r]; k < at_begin_[r + 1]; ++k)
        out[row_[r]] += transpose(entry_[at_[k]].G) * force_[of_pair_[k]];
  });
  return product;
}

int64_t PointPairs::bytes() const {
  return static_cast<int64_t>(stiffness_.size() * (sizeof(Mat3d) + sizeof(Vec3d) + sizeof(int64_t)) +
                              entry_.size() * (sizeof(Entry) + 2 * sizeof(int32_t)));
}

}  // namespace sinew::solve
