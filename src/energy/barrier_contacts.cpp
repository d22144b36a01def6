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

constexpr int corner_count = 4;

class BarrierContacts final : public Term, public BarrierDriven, public InputDependent {
 public:
  void set_barrier(const contact::BarrierPairs* pairs) override {
    pairs_ = pairs;
    active_.clear();
    known_.clear();
    nodes_.clear();
    carriers_.clear();
    first_carrier_.assign(1, 0);
    width_ = corner_count * (pairs ? model::max_carriers(pairs->model()) : 1);
  }

  bool activate(const View& view) override {
    if (!pairs_) return false;
    const size_t before = active_.size();
    for (const BarrierPair& pair : pairs_->list()) {
      if (!(pairs_->separation(pair, view.x, view.inputs).distance < pair.thickness)) continue;
      if (!known_.insert(key(pair)).second) continue;
      active_.push_back(pair);
      add_carriers(pair);
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
      const double fade = faded(pair) ? contact::fading(area(pair, view).squared / pair.parallel).value : 1;
      info.value += fade * b.value;
      if (gradient.empty()) continue;
      for (int k = 0; k < corner_count && pair.node[k] >= 0; ++k)
        add(pair.node[k], at.normal * (fade * b.first * at.weight[k]), gradient);
      if (fade < 1) {
        const contact::SpannedArea spanned = area(pair, view);
        const double first = contact::fading(spanned.squared / pair.parallel).first / pair.parallel;
        for (int k = 0; k < pair.count(); ++k)
          add(pair.node[k], spanned.first[k] * (first * b.value), gradient);
      }
    }
    return info;
  }

  Stencils stencils() const override { return {width_, nodes_}; }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    CornerBlocks K;
    for (size_t i = 0; i < active_.size(); ++i) {
      second(view, active_[i], hessian, K);
      for (const Carrier& a : carriers(i))
        for (const Carrier& b : carriers(i))
          if (const int32_t slot = slots(i, width_)[a.place * width_ + b.place]; slot >= 0)
            matrix.add(slot, K[a.corner][b.corner] * (a.weight * b.weight * scale));
    }
  }

  // A collider that is displaced by w at the points that press on it acts on them as the points displaced by -w; where it turns, so
  // do the forces.
  void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const override {
    for_each_at_collider(view, [&](const AtCollider& at) {
      const model::Pose moved = model::pose_at(change, at.pose);
      for (int i = 0; i < at.count; ++i) {
        const Vec3d turned = moved.A * at.direction_at_rest[i];
        Vec3d sum = turned * at.force[i] - at.K[i][0] * moved(at.at_rest[0]);
        for (int j = 1; j < at.count; ++j) sum -= at.K[i][j] * moved(at.at_rest[j]);
        add(at.point[i], sum, out);
      }
    });
  }
  void input_gradient(const View& view, std::span<const Vec3d> direction,
                      std::span<double> out) const override {
    for_each_at_collider(view, [&](const AtCollider& at) {
      for (int i = 0; i < at.count; ++i) {
        const Vec3d d = model::contact_point(pairs_->model(), at.point[i], direction);
        for (int j = 0; j < at.count; ++j)
          model::add_pose_gradient(-(at.K[j][i] * d), at.at_rest[j], at.pose, out);
        model::add_pose_gradient(d * at.force[i], at.direction_at_rest[i], at.pose, out);
        model::add_pose_gradient(-(d * at.force[i]), {0, 0, 0}, at.pose, out);
      }
    });
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
  // A node that carries a corner of a pair, and its place in the stencil.
  struct Carrier {
    int32_t node, corner, place;
    double weight;
  };
  std::span<const Carrier> carriers(size_t pair) const {
    return std::span(carriers_).subspan(first_carrier_[pair],
                                        first_carrier_[pair + 1] - first_carrier_[pair]);
  }
  void add_carriers(const BarrierPair& pair) {
    const size_t first = nodes_.size();
    nodes_.resize(first + width_, -1);
    for (int32_t k = 0; k < corner_count && pair.node[k] >= 0; ++k)
      model::for_each_carrier(pairs_->model(), pair.node[k], [&](int32_t node, double weight) {
        int32_t place = 0;
        while (nodes_[first + place] >= 0 && nodes_[first + place] != node) ++place;
        nodes_[first + place] = node;
        carriers_.push_back({node, k, place, weight});
      });
    first_carrier_.push_back(carriers_.size());
  }
  void add(int32_t point, const Vec3d& force, std::span<Vec3d> gradient) const {
    model::for_each_carrier(pairs_->model(), point,
                            [&](int32_t node, double weight) { gradient[node] += force * weight; });
  }

  // A vertex, a triangle or an edge that presses on a collider.
  struct AtCollider {
    int count;  // of points
    std::array<int32_t, 4> point;
    int pose;  // of the collider, in the inputs
    // The points and the directions of the forces on them, in the frame of the collider at rest.
    std::array<Vec3d, 4> at_rest, direction_at_rest;
    std::array<double, 4> force;  // derivatives of the energy along these [N]
    CornerBlocks K;               // second derivatives
  };
  template <class F>
  void for_each_at_collider(const View& view, F&& visit) const {
    if (!pairs_) return;
    for (const BarrierPair& pair : pairs_->list()) {
      if (pair.collider < 0) continue;
      const Separation at = pairs_->separation(pair, view.x, view.inputs);
      if (!(at.distance < pair.thickness)) continue;
      AtCollider found{.count = pair.count(),
                       .point = pair.node,
                       .pose = pairs_->model().colliders[pair.collider].pose,
                       .at_rest = {},
                       .direction_at_rest = {},
                       .force = {},
                       .K = {}};
      second(view, pair, Hessian::exact, found.K);
      const model::Pose now = model::pose_at(view.inputs, found.pose);
      const Mat3d back = math::inverse(now.A);
      const BarrierValue b = value(pair, at);
      const contact::SpannedArea spanned = faded(pair) ? area(pair, view) : contact::SpannedArea{};
      const BarrierValue fade =
          faded(pair) ? contact::fading(spanned.squared / pair.parallel) : BarrierValue{1, 0, 0};
      for (int k = 0; k < found.count; ++k) {
        const Vec3d x = model::contact_point(pairs_->model(), pair.node[k], view.x);
        found.at_rest[k] = back * (x - now.b);
        found.direction_at_rest[k] = back * at.normal;
        found.force[k] = b.first * at.weight[k];
        if (fade.value == 1) continue;
        found.direction_at_rest[k] = back * (at.normal * (fade.value * found.force[k]) +
                                             spanned.first[k] * (fade.first / pair.parallel * b.value));
        found.force[k] = 1;
      }
      visit(found);
    }
  }

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
  static bool faded(const BarrierPair& pair) { return pair.edges; }
  contact::SpannedArea area(const BarrierPair& pair, const View& view) const {
    return contact::spanned_area(pairs_->corners(pair, view.x, view.inputs));
  }

  // The blocks of the corners of a pair within its thickness. Made definite, the stiffness along the normal alone is kept.
  void second(const View& view, const BarrierPair& pair, Hessian hessian, CornerBlocks& K) const {
    const Separation at = pairs_->separation(pair, view.x, view.inputs);
    const BarrierValue b = at.distance < pair.thickness ? value(pair, at) : BarrierValue{};
    const int count = pair.count();
    const bool exact = !material::definite(hessian);
    const Mat3d N = outer(at.normal, at.normal);
    if (exact && count > 1 && at.apart != 0)
      contact::second_derivatives(at, K);
    else
      for (auto& row : K) row.fill(Mat3d::zero());
    if (exact && count == 1) K[0][0] = at.curvature;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        K[i][j] = K[i][j] * b.first + N * (b.second * at.weight[i] * at.weight[j]);
    if (!faded(pair)) return;
    const contact::SpannedArea spanned = area(pair, view);
    const BarrierValue fade = contact::fading(spanned.squared / pair.parallel);
    if (fade.value == 1) return;
    CornerBlocks A;
    if (exact) contact::second_derivatives_of_area(pairs_->corners(pair, view.x, view.inputs), A);
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
  }

  class Linearised final : public Linearisation {
   public:
    explicit Linearised(const BarrierContacts& term) : term_(term) {}

    void set(const View& view, Hessian hessian) override {
      blocks_.resize(term_.active_.size());
      for (size_t i = 0; i < blocks_.size(); ++i) term_.second(view, term_.active_[i], hessian, blocks_[i]);
    }
    void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override {
      for (size_t i = 0; i < blocks_.size(); ++i) {
        Corners moved, force;
        moved.fill(Vec3d::zero());
        force.fill(Vec3d::zero());
        for (const Carrier& each : term_.carriers(i)) moved[each.corner] += d[each.node] * each.weight;
        const int count = term_.active_[i].count();
        for (int a = 0; a < count; ++a)
          for (int b = 0; b < count; ++b) force[a] += blocks_[i][a][b] * moved[b];
        for (const Carrier& each : term_.carriers(i)) out[each.node] += force[each.corner] * each.weight;
      }
    }
    void diagonal(std::span<Mat3d> blocks) const override {
      for (size_t i = 0; i < blocks_.size(); ++i)
        for (const Carrier& a : term_.carriers(i))
          for (const Carrier& b : term_.carriers(i))
            if (a.node == b.node) blocks[a.node] += blocks_[i][a.corner][b.corner] * (a.weight * b.weight);
    }
    int64_t bytes() const override { return static_cast<int64_t>(blocks_.size() * sizeof(CornerBlocks)); }

   private:
    const BarrierContacts& term_;
    std::vector<CornerBlocks> blocks_;
  };

  const contact::BarrierPairs* pairs_ = nullptr;
  std::vector<BarrierPair>
      active_;           // that were within their thickness where activate() was called since set_barrier()
  std::set<Key> known_;  // these
  int width_ = corner_count;
  std::vector<int32_t> nodes_;         // that carry them, `width` each
  std::vector<Carrier> carriers_;      // pair after pair
  std::vector<size_t> first_carrier_;  // of each pair, and the end
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
