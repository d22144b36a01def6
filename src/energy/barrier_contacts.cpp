// Contacts that cannot be passed: the energies of contact::BarrierPairs. Of each pair scale * b(d / h), d the distance of its
// primitives; of two edges times what fades out where they are parallel.
#include <set>

#include "contact/barrier.h"
#include "contact/barrier_pairs.h"
#include "energy/term_interfaces.h"

namespace sinew::energy {

namespace {

using contact::BarrierPair;
using contact::BarrierValue;
using contact::CornerBlocks;
using contact::Corners;
using contact::Separation;

constexpr int width = 4;

class BarrierContacts final : public Term, public BarrierDriven {
 public:
  void set_barrier(const contact::BarrierPairs* pairs) override {
    pairs_ = pairs;
    active_.clear();
    known_.clear();
    nodes_.clear();
  }

  bool activate(const View& view) override {
    if (!pairs_) return false;
    const size_t before = active_.size();
    for (const BarrierPair& pair : pairs_->list()) {
      if (!(pairs_->separation(pair, view.x, view.inputs).distance < pair.thickness)) continue;
      if (!known_.insert(key(pair)).second) continue;
      active_.push_back(pair);
      nodes_.insert(nodes_.end(), pair.node.begin(), pair.node.end());
    }
    return active_.size() > before;
  }

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    EvalInfo info;
    if (!pairs_) return info;
    for (const BarrierPair& pair : pairs_->list()) {
      const Separation at = pairs_->separation(pair, view.x, view.inputs);
      if (!(at.distance < pair.thickness)) continue;
      const BarrierValue b = value(pair, at);
      const double fade = faded(pair) ? contact::fading(area(pair, view.x).squared / pair.parallel).value : 1;
      info.value += fade * b.value;
      if (gradient.empty()) continue;
      for (int k = 0; k < width && pair.node[k] >= 0; ++k)
        gradient[pair.node[k]] += at.normal * (fade * b.first * at.weight[k]);
      if (fade < 1) {
        const contact::SpannedArea spanned = area(pair, view.x);
        const double first = contact::fading(spanned.squared / pair.parallel).first / pair.parallel;
        for (int k = 0; k < width; ++k) gradient[pair.node[k]] += spanned.first[k] * (first * b.value);
      }
    }
    return info;
  }

  Stencils stencils() const override { return {width, nodes_}; }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    CornerBlocks K;
    for (size_t i = 0; i < active_.size(); ++i) {
      const int count = second(view, active_[i], hessian, K);
      for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b)
          if (const int32_t slot = slots(i, width)[a * width + b]; slot >= 0)
            matrix.add(slot, K[a][b] * scale);
    }
  }

  std::unique_ptr<Linearisation> linearisation() const override {
    return std::make_unique<Linearised>(*this);
  }

  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override {
    Linearised linearised(*this);
    linearised.set(view, hessian);
    linearised.apply(d, out);
  }

 private:
  using Key = std::array<int32_t, 7>;
  static Key key(const BarrierPair& pair) {
    return {pair.edges, pair.node[0], pair.node[1], pair.node[2], pair.node[3], pair.collider, pair.wall};
  }
  // Energy, force and stiffness over the distance [J, N, N/m].
  static BarrierValue value(const BarrierPair& pair, const Separation& at) {
    const double s = at.distance / pair.thickness;
    const BarrierValue b = pair.collider >= 0 ? contact::signed_barrier(s) : contact::barrier(s);
    return {pair.scale * b.value, pair.scale * b.first / pair.thickness,
            pair.scale * b.second / (pair.thickness * pair.thickness)};
  }
  static Corners corners(const BarrierPair& pair, std::span<const Vec3d> x) {
    return {x[pair.node[0]], x[pair.node[1]], x[pair.node[2]], x[pair.node[3]]};
  }
  static bool faded(const BarrierPair& pair) { return pair.edges; }
  static contact::SpannedArea area(const BarrierPair& pair, std::span<const Vec3d> x) {
    return contact::spanned_area(corners(pair, x));
  }

  // The blocks of a pair within its thickness; returns how many corners it has. Made definite, the stiffness along the normal
  // alone is kept.
  int second(const View& view, const BarrierPair& pair, Hessian hessian, CornerBlocks& K) const {
    const Separation at = pairs_->separation(pair, view.x, view.inputs);
    const BarrierValue b = at.distance < pair.thickness ? value(pair, at) : BarrierValue{};
    const int count = pair.collider >= 0 ? 1 : width;
    const bool exact = !material::definite(hessian);
    const Mat3d N = outer(at.normal, at.normal);
    if (exact && count > 1 && at.distance > 0)
      contact::second_derivatives(at, K);
    else
      for (auto& row : K) row.fill(Mat3d::zero());
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        K[i][j] = K[i][j] * b.first + N * (b.second * at.weight[i] * at.weight[j]);
    if (!faded(pair)) return count;
    const contact::SpannedArea spanned = area(pair, view.x);
    const BarrierValue fade = contact::fading(spanned.squared / pair.parallel);
    if (fade.value == 1) return count;
    CornerBlocks A;
    if (exact) contact::second_derivatives_of_area(corners(pair, view.x), A);
    const double first = fade.first / pair.parallel, curved = fade.second / (pair.parallel * pair.parallel);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        K[i][j] = K[i][j] * fade.value;
        if (!exact) continue;
        const Vec3d gi = at.normal * (b.first * at.weight[i]), gj = at.normal * (b.first * at.weight[j]);
        K[i][j] += A[i][j] * (first * b.value) +
                   outer(spanned.first[i], spanned.first[j]) * (curved * b.value) +
                   (outer(spanned.first[i], gj) + outer(gi, spanned.first[j])) * first;
      }
    return count;
  }

  class Linearised final : public Linearisation {
   public:
    explicit Linearised(const BarrierContacts& term) : term_(term) {}

    void set(const View& view, Hessian hessian) override {
      nodes_ = term_.nodes_;
      blocks_.resize(term_.active_.size());
      counts_.resize(blocks_.size());
      for (size_t i = 0; i < blocks_.size(); ++i)
        counts_[i] = term_.second(view, term_.active_[i], hessian, blocks_[i]);
    }
    void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override {
      for (size_t i = 0; i < blocks_.size(); ++i)
        for (int a = 0; a < counts_[i]; ++a)
          for (int b = 0; b < counts_[i]; ++b)
            out[nodes_[i * width + a]] += blocks_[i][a][b] * d[nodes_[i * width + b]];
    }
    void diagonal(std::span<Mat3d> blocks) const override {
      for (size_t i = 0; i < blocks_.size(); ++i)
        for (int a = 0; a < counts_[i]; ++a) blocks[nodes_[i * width + a]] += blocks_[i][a][a];
    }
    int64_t bytes() const override { return static_cast<int64_t>(blocks_.size() * sizeof(CornerBlocks)); }

   private:
    const BarrierContacts& term_;
    std::vector<int32_t> nodes_;
    std::vector<int> counts_;
    std::vector<CornerBlocks> blocks_;
  };

  const contact::BarrierPairs* pairs_ = nullptr;
  std::vector<BarrierPair>
      active_;           // that were within their thickness where activate() was called since set_barrier()
  std::set<Key> known_;  // these
  std::vector<int32_t> nodes_;  // their nodes, `width` each
};

}  // namespace

const TermKind& term_barrier_contacts() {
  static const TermKind kind = {"barrier_contacts", "Barriers between surfaces that touch.",
                                [](const model::Model& model, Terms& terms) {
                                  if (model.has_contacts())
                                    terms.push_back(std::make_unique<BarrierContacts>());
                                }};
  return kind;
}

}  // namespace sinew::energy
