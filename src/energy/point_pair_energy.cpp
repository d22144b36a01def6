#include "energy/point_pair_energy.h"

#include <algorithm>

namespace sinew::energy {

void PointPairEnergy::reset(int width) {
  width_ = width;
  nodes_.clear();
  weights_.clear();
  points_.clear();
}

void PointPairEnergy::add(const Point& point) {
  points_.push_back(point);
  nodes_.resize(points_.size() * width_, -1);
  weights_.resize(points_.size() * width_, 0.0);
}

void PointPairEnergy::add_node(int32_t node, double weight) {
  size_t place = (points_.size() - 1) * width_;
  while (nodes_[place] >= 0 && nodes_[place] != node) ++place;
  nodes_[place] = node;
  weights_[place] += weight;
}

template <class At>
Vec3d PointPairEnergy::difference(size_t i, std::span<const double> inputs, At&& at) const {
  Vec3d d = {0, 0, 0};
  const size_t first = i * width_;
  for (size_t k = first; k < first + width_ && nodes_[k] >= 0; ++k) d += at(nodes_[k]) * weights_[k];
  const Point& point = points_[i];
  if (point.sign != 0)
    d -= (point.pose < 0 ? point.rest : model::pose_at(inputs, point.pose)(point.rest)) * point.sign;
  return d;
}

EvalInfo PointPairEnergy::evaluate(const View& view, std::span<Vec3d> gradient) const {
  EvalInfo info;
  for (size_t i = 0; i < count(); ++i) {
    Vec3d force;
    Mat3d bound;
    info.value +=
        pull(i, difference(i, view.inputs, [&](int32_t node) { return view.x[node]; }), force, bound);
    if (gradient.empty()) continue;
    for (size_t k = i * width_; k < (i + 1) * width_ && nodes_[k] >= 0; ++k)
      gradient[nodes_[k]] += force * weights_[k];
  }
  return info;
}

PointPairEnergy::Stiffness PointPairEnergy::stiffness(size_t i, const View& view, Hessian hessian) const {
  const Vec3d d = difference(i, view.inputs, [&](int32_t node) { return view.x[node]; });
  const size_t first = i * width_;
  size_t nodes = 0;
  while (nodes < static_cast<size_t>(width_) && nodes_[first + nodes] >= 0) ++nodes;
  return {std::span(nodes_).subspan(first, nodes), std::span(weights_).subspan(first, nodes),
          second(i, d, material::definite(hessian))};
}

template <class F>
void PointPairEnergy::for_each_block(const View& view, Hessian hessian, F&& visit) const {
  for (size_t i = 0; i < count(); ++i) {
    const Stiffness pair = stiffness(i, view, hessian);
    const size_t first = i * width_;
    for (size_t a = 0; a < pair.nodes.size(); ++a)
      for (size_t b = 0; b < pair.nodes.size(); ++b)
        visit(first + a, first + b, pair.K * (pair.weights[a] * pair.weights[b]));
  }
}

void PointPairEnergy::assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const {
  for_each_block(view, hessian, [&](size_t a, size_t b, const Mat3d& K) {
    const int32_t slot = slots(a / width_, width_)[a % width_ * width_ + b % width_];
    if (slot >= 0) matrix.add(slot, K * scale);
  });
}

std::unique_ptr<Linearisation> PointPairEnergy::linearisation() const {
  return std::make_unique<ViewLinearisation<PointPairEnergy>>(*this);
}

void PointPairEnergy::product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                              std::span<Vec3d> out) const {
  for_each_block(view, hessian,
                 [&](size_t a, size_t b, const Mat3d& K) { out[nodes_[a]] += K * d[nodes_[b]]; });
}

void PointPairEnergy::diagonal(const View& view, Hessian hessian, std::span<Mat3d> blocks) const {
  for_each_block(view, hessian, [&](size_t a, size_t b, const Mat3d& K) {
    if (a == b) blocks[nodes_[a]] += K;
  });
}

template <class F>
void PointPairEnergy::for_each_moved(const View& view, F&& visit) const {
  for (size_t i = 0; i < count(); ++i) {
    if (points_[i].sign == 0 || points_[i].pose < 0) continue;
    const Vec3d d = difference(i, view.inputs, [&](int32_t node) { return view.x[node]; });
    visit(i, points_[i], second(i, d, false));
  }
}

void PointPairEnergy::input_change(const View& view, std::span<const double> change,
                                   std::span<Vec3d> out) const {
  for_each_moved(view, [&](size_t i, const Point& point, const Mat3d& K) {
    const Vec3d force = K * model::pose_at(change, point.pose)(point.rest) * -point.sign;
    for (size_t k = i * width_; k < (i + 1) * width_ && nodes_[k] >= 0; ++k)
      out[nodes_[k]] += force * weights_[k];
  });
}

void PointPairEnergy::input_gradient(const View& view, std::span<const Vec3d> direction,
                                     std::span<double> out) const {
  for_each_moved(view, [&](size_t i, const Point& point, const Mat3d& K) {
    Vec3d d = {0, 0, 0};
    for (size_t k = i * width_; k < (i + 1) * width_ && nodes_[k] >= 0; ++k)
      d += direction[nodes_[k]] * weights_[k];
    model::add_pose_gradient(K * d * -point.sign, point.rest, point.pose, out);
  });
}

// The differences of the nodes of each block.
template <class T>
class PointPairEnergy::Visitor final : public NodeVisitor<T> {
 public:
  Visitor(const PointPairEnergy& term, const NodeBlocks& blocks) : term_(term) {
    int32_t most = -1;
    for (int32_t node : term.nodes_) most = std::max(most, node);
    std::vector<int32_t> next(
        most + 2, 0);  // of each node up to the last that has any: where its places begin, then end
    for (int32_t node : term.nodes_)
      if (node >= 0) ++next[node + 1];
    for (int32_t i = 0; i <= most; ++i) next[i + 1] += next[i];
    const std::vector<int32_t> first = next;
    std::vector<int32_t> places(next[most + 1]);
    for (size_t k = 0; k < term.nodes_.size(); ++k)
      if (const int32_t node = term.nodes_[k]; node >= 0) places[next[node]++] = static_cast<int32_t>(k);
    begin_.assign(blocks.count() + 1, 0);
    for (int64_t b = 0; b < blocks.count(); ++b) {
      for (int l = 0; l < blocks.used[b]; ++l) {
        const int32_t node = blocks.of(b)[l];
        if (node < 0 || node > most) continue;
        for (int32_t k = first[node]; k < first[node + 1]; ++k) entries_.push_back({places[k], l});
      }
      begin_[b + 1] = static_cast<int64_t>(entries_.size());
    }
  }

  void add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
           material::NodeSums<T>& sums) const override {
    for (int64_t e = begin_[block]; e < begin_[block + 1]; ++e) {
      const auto [place, lane] = entries_[e];
      const double weight = term_.weights_[place];
      Vec3d force;
      Mat3d K;
      term_.pull(place / term_.width_, difference(view, entries_[e], x0), force, K);
      for (int i = 0, m = 0; i < 3; ++i) {
        sums.gradient[i].set(lane, static_cast<Scalar>(sums.gradient[i][lane] + weight * force[i]));
        for (int j = i; j < 3; ++j, ++m)
          sums.block[m].set(lane, static_cast<Scalar>(sums.block[m][lane] + weight * weight * K(i, j)));
      }
    }
  }

  T energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const override {
    T sum = T(0);
    for (int64_t e = begin_[block]; e < begin_[block + 1]; ++e) {
      const auto [place, lane] = entries_[e];
      Vec3d force;
      Mat3d K;
      const double energy = term_.pull(place / term_.width_, difference(view, entries_[e], x0), force, K);
      sum.set(lane, static_cast<Scalar>(sum[lane] + energy));
    }
    return sum;
  }

  int64_t bytes() const override {
    return static_cast<int64_t>(entries_.size() * (sizeof(Entry) + sizeof(Point) + 12 * term_.width_));
  }

 private:
  using Scalar = math::ScalarOf<T>;
  struct Entry {
    int64_t place;
    int32_t lane;
  };
  // Were the node of the entry at x0.
  Vec3d difference(const NodeView<T>& view, const Entry& entry, const math::Vec3<T>& x0) const {
    const int32_t own = term_.nodes_[entry.place];
    return term_.difference(entry.place / term_.width_, view.inputs, [&](int32_t node) -> Vec3d {
      if (node == own) return {x0[0][entry.lane], x0[1][entry.lane], x0[2][entry.lane]};
      const Scalar* x = view.x + 4 * static_cast<int64_t>(node);
      return {x[0], x[1], x[2]};
    });
  }

  const PointPairEnergy& term_;
  std::vector<int64_t> begin_;  // of the entries of each block, and the end
  std::vector<Entry> entries_;
};

NodeVisitorPointer<math::PackD> PointPairEnergy::visitor(const NodeBlocks& blocks, bool, math::PackD) const {
  return std::make_unique<Visitor<math::PackD>>(*this, blocks);
}
NodeVisitorPointer<math::PackF> PointPairEnergy::visitor(const NodeBlocks& blocks, bool, math::PackF) const {
  return std::make_unique<Visitor<math::PackF>>(*this, blocks);
}

}  // namespace sinew::energy
