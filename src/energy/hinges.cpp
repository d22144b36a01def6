// Cloth bends at its edges:
//
//     E = K delta^2 / 2,   delta = theta - theta_0, theta the angle between the two triangles (energy/dihedral.h),
//
// with K of model::hinge_stiffness: Grinspun, Hirani, Desbrun, Schroeder: Discrete Shells, 2003, weighted so that a cylinder
// bends as a plate does, or the energy of each edge alike (Chen, Han, Chen, Teran: Position-Based Nonlinear Gauss-Seidel
// for Quasistatic Hyperelasticity, 2023). It is no plate, on any mesh: twist and free borders find other stiffnesses, which depend
// on the directions of the edges. Where that counts bodies bend as shells (energy/mid_edge_bending.cpp).
//
// delta is taken in (-pi, pi]: the energy has no jump, wherever theta is. A hinge bent by more than half a turn from rest, its
// triangles through each other, goes on to rest the other way round.
//
// A border that is held (energy/held_borders.h) is a hinge too, of the sheet to what lies beyond it: as if the sheet went on as its
// mirror image (model/plate_stiffness.h).
//
// The modified Hessian, and the block of a node, leave theta'' out: K theta' theta'^T.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "energy/dihedral.h"
#include "energy/held_borders.h"
#include "energy/lane_points.h"
#include "energy/node_local.h"
#include "energy/plate_bending.h"
#include "energy/term_interfaces.h"
#include "math/gather.h"
#include "mesh/colouring.h"
#include "mesh/ordering.h"
#include "model/add_hinges.h"
#include "model/plate_stiffness.h"

namespace sinew::energy {

namespace {

using math::Mat3;
using math::PackD;
using math::PackF;
using Nodes = std::array<int32_t, 4>;
using Points = Vec3<PackD>[4];

constexpr int chunk_packs = 16;

template <class T>
struct HingeRest {
  T stiffness, cosine, sine;  // of the rest angle
  T held;                     // 1 where the corner on the right moves with the second end of the edge
};

class Hinges final : public Term, public NodeLocal, public InputDependent, public PlateBending {
 public:
  Hinges(const model::Model& model, int32_t body) : Term({.body = body}), model_(model), body_(body) {
    const model::Range range = model.bodies[body].hinges;
    hinges_.assign(model.hinges.begin() + range.begin, model.hinges.begin() + range.end);
    std::vector<int32_t> number(hinges_.size(), -1);  // of each, in beyond_
    find_held(number);
    std::vector<Nodes> nodes;
    for (const model::Hinge& hinge : hinges_) {
      nodes.push_back(hinge.nodes);
      if (nodes.back()[3] < 0) nodes.back()[3] = nodes.back()[1];
    }
    const auto node_count = static_cast<int64_t>(model.X.size());
    const auto place = mesh::inverse_order(mesh::reverse_cuthill_mckee(mesh::node_nodes(nodes, node_count)));
    order_ = mesh::element_order<4>(nodes, place);
    for (int32_t h : order_) ids_.push_back(nodes[h]);
    chunks_ = mesh::colour_chunks<4>(ids_, node_count, chunk_packs * pack_lanes);
    count_ = static_cast<int64_t>(ids_.size());
    while (ids_.size() % pack_lanes != 0) ids_.push_back(ids_.back());
    rest_.resize(ids_.size() / pack_lanes);
    for (size_t k = 0; k < ids_.size(); ++k) {
      const model::Hinge& hinge = hinges_[this->hinge(k)];
      nodes_.push_back(hinge.nodes);
      held_.push_back(number[this->hinge(k)]);
      HingeRest<PackD>& rest = rest_[k / pack_lanes];
      const int lane = static_cast<int>(k % pack_lanes);
      rest.cosine.set(lane, std::cos(hinge.rest_angle));
      rest.sine.set(lane, std::sin(hinge.rest_angle));
      rest.held.set(lane, held_[k] >= 0 ? 1 : 0);
    }
    for (size_t k = 0; k < rest_.size(); ++k)
      holds_.push_back(*std::max_element(&held_[k * pack_lanes], &held_[k * pack_lanes] + pack_lanes) >= 0);
  }

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    partial_.assign(chunks_.count(), 0.0);
    for_each_chunk([&](int32_t chunk, int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const Dihedral<PackD> at = dihedral(view.x, beyond, k);
        const PackD delta = at.beyond(rest_[k].cosine, rest_[k].sine), moment = rest_[k].stiffness * delta;
        partial_[chunk] += sum(PackD(0.5) * moment * delta);
        if (gradient.empty()) continue;
        Points force;
        for (int a = 0; a < 4; ++a) force[a] = at.gradient(a) * moment;
        scatter(k, force, gradient);
      }
    });
    EvalInfo info;
    for (const double value : partial_) info.value += value;
    return info;
  }

  Stencils stencils() const override {
    return {4, std::span(nodes_.data()->data(), static_cast<size_t>(count_) * 4)};
  }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        for_each_block_of(view, beyond, hessian, k, [&](int a, int b, const Mat3<PackD>& block) {
          for (int l = 0; l < used(k); ++l)
            if (const int32_t slot = slots(k * pack_lanes + l, 4)[4 * a + b]; slot >= 0)
              matrix.add(slot, lane_of(block, l) * scale);
        });
    });
  }

  std::unique_ptr<Linearisation> linearisation() const override {
    return std::make_unique<ViewLinearisation<Hinges>>(*this);
  }

  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        Points move, force;
        gather_points(d, ids(k), move);
        follow(k, {}, move);
        apply(view, beyond, hessian, k, move, force);
        scatter(k, force, out);
      }
    });
  }

  void diagonal(const View& view, Hessian hessian, std::span<Mat3d> blocks) const {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        for_each_block_of(view, beyond, hessian, k, [&](int a, int b, const Mat3<PackD>& block) {
          for (int l = 0; l < used(k) && a == b; ++l) blocks[ids(k)[l][a]] += lane_of(block, l);
        });
    });
  }

  void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs), moved = directions(beyond_, change);
    for (int64_t k = 0; k < packs(); ++k) {
      if (!holds_[k]) continue;
      Points move, force;
      for (auto& m : move) m = Vec3<PackD>::zero();
      follow(k, moved, move);
      apply(view, beyond, Hessian::exact, k, move, force);
      scatter(k, force, out);
    }
  }
  void input_gradient(const View& view, std::span<const Vec3d> direction,
                      std::span<double> out) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for (int64_t k = 0; k < packs(); ++k) {
      if (!holds_[k]) continue;
      Points move, force;
      gather_points(direction, ids(k), move);
      follow(k, {}, move);
      apply(view, beyond, Hessian::exact, k, move, force);
      for_each_held(k, [&](int lane, int32_t number) {
        const auto& f = force[3];
        add_input_gradient(beyond_[number], {f[0][lane], f[1][lane], f[2][lane]}, out);
      });
    }
  }

  int32_t sheet() const override { return body_; }
  void add_gradient_with(const View& view, std::span<const Mat3d> D, std::span<Vec3d> out) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for (int64_t k = 0; k < packs(); ++k) {
      const Dihedral<PackD> at = dihedral(view.x, beyond, k);
      PackD stiffness = PackD(0);
      for (int l = 0; l < used(k); ++l) {
        double sum = 0;
        for (const model::HingeShare& share : shares(k, l))
          sum += share.factor * dot(share.k, D[share.triangle] * share.k);
        stiffness.set(l, sum);
      }
      const PackD moment = stiffness * at.beyond(rest_[k].cosine, rest_[k].sine);
      Points force;
      for (int a = 0; a < 4; ++a) force[a] = at.gradient(a) * moment;
      scatter(k, force, out);
    }
  }
  void add_stiffness_gradient(const View& view, std::span<const Vec3d> direction,
                              std::span<Mat3d> out) const override {
    const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
    for (int64_t k = 0; k < packs(); ++k) {
      const Dihedral<PackD> at = dihedral(view.x, beyond, k);
      Points move;
      gather_points(direction, ids(k), move);
      follow(k, {}, move);
      PackD turned = PackD(0);
      for (int a = 0; a < 4; ++a) turned += dot(at.gradient(a), move[a]);
      const PackD rate = turned * at.beyond(rest_[k].cosine, rest_[k].sine);
      for (int l = 0; l < used(k); ++l)
        for (const model::HingeShare& share : shares(k, l))
          out[share.triangle] += outer(share.k, share.k) * (share.factor * rate[l]);
    }
  }

  NodeVisitorPointer<PackD> visitor(const NodeBlocks& blocks, bool, PackD) const override;
  NodeVisitorPointer<PackF> visitor(const NodeBlocks& blocks, bool, PackF) const override;
  // Near the line of the edge the angle turns as fast as one likes.
  bool majorant() const override { return false; }

 private:
  template <class T>
  class Visitor;

  bool take(const model::Params& params) override {
    const std::vector<double> stiffness = model::hinge_stiffness(model_, params, body_, hinges_);
    if (stiffness == stiffness_) return false;
    stiffness_ = stiffness;
    for (size_t k = 0; k < ids_.size(); ++k)
      rest_[k / pack_lanes].stiffness.set(k % pack_lanes,
                                          static_cast<int64_t>(k) < count_ ? stiffness_[hinge(k)] : 0.0);
    return true;
  }

  // The borders that are held are hinges after those of the body.
  void find_held(std::vector<int32_t>& number) {
    std::vector<model::Hinge> hinges = model::border_hinges(model_, model_.bodies[body_]);
    std::vector<Border> borders;
    for (const model::Hinge& h : hinges) borders.push_back({h.nodes[0], h.nodes[1], h.nodes[2]});
    const std::vector<Beyond> list = beyond_borders(model_, borders);
    for (size_t n = 0; n < list.size(); ++n) {
      if (list[n].pose < 0) continue;
      hinges[n].rest_angle = rest_angle(model_, borders[n], list[n]);
      hinges_.push_back(hinges[n]);
      number.push_back(static_cast<int32_t>(beyond_.size()));
      beyond_.push_back(list[n]);
    }
  }

  // In hinges_, of a lane; padding repeats the last one.
  int32_t hinge(size_t lane) const { return order_[std::min(lane, order_.size() - 1)]; }
  std::array<model::HingeShare, 2> shares(int64_t pack, int lane) const {
    return model::hinge_shares(model_, model_.bodies[body_], hinges_[hinge(pack * pack_lanes + lane)]);
  }
  int64_t packs() const { return static_cast<int64_t>(rest_.size()); }
  const Nodes* ids(int64_t pack) const { return &ids_[pack * pack_lanes]; }
  int used(int64_t pack) const {
    return static_cast<int>(std::min<int64_t>(count_ - pack * pack_lanes, pack_lanes));
  }

  template <class F>
  void for_each_chunk(F&& f) const {
    for (const auto& colour : chunks_.colours)
      for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
        const auto [begin, end] = chunks_.range(colour[i]);
        f(colour[i], begin / pack_lanes, (end + pack_lanes - 1) / pack_lanes);
      });
  }

  // visit(lane, number in beyond_) for the held borders of a pack.
  template <class F>
  void for_each_held(int64_t pack, F&& visit) const {
    if (!holds_[pack]) return;
    for (int l = 0; l < pack_lanes; ++l)
      if (const int32_t number = held_[pack * pack_lanes + l]; number >= 0) visit(l, number);
  }

  // Corners beyond held borders: the second end of the edge, and `beyond`.
  void follow(int64_t pack, std::span<const Vec3d> beyond, Points& y) const {
    for_each_held(pack, [&](int lane, int32_t number) {
      for (int i = 0; i < 3; ++i) y[3][i].set(lane, y[1][i][lane] + (beyond.empty() ? 0 : beyond[number][i]));
    });
  }
  // What acts on them acts on that end.
  static void fold(const HingeRest<PackD>& rest, Points& force) {
    force[1] += force[3] * rest.held;
    force[3] -= force[3] * rest.held;
  }
  void scatter(int64_t pack, Points& force, std::span<Vec3d> out) const {
    if (holds_[pack]) fold(rest_[pack], force);
    scatter_points(force, ids(pack), used(pack), out);
  }

  Dihedral<PackD> dihedral(std::span<const Vec3d> x, std::span<const Vec3d> beyond, int64_t pack) const {
    Points y;
    gather_points(x, ids(pack), y);
    follow(pack, beyond, y);
    return {y[0], y[1], y[2], y[3]};
  }

  // force = K move
  void apply(const View& view, std::span<const Vec3d> beyond, Hessian hessian, int64_t pack,
             const Points& move, Points& force) const {
    PairForm<PackD> forms[4];
    second(view, beyond, hessian, pack, forms);
    for (auto& f : force) f = Vec3<PackD>::zero();
    for (const PairForm<PackD>& form : forms) {
      PackD u = PackD(0), v = PackD(0);
      for (int a = 0; a < 4; ++a) u += dot(form.u[a], move[a]), v += dot(form.v[a], move[a]);
      const PackD along_u = form.uu * u + form.uv * v, along_v = form.uv * u + form.vv * v;
      for (int a = 0; a < 4; ++a) force[a] += form.u[a] * along_u + form.v[a] * along_v;
    }
  }

  void second(const View& view, std::span<const Vec3d> beyond, Hessian hessian, int64_t pack,
              PairForm<PackD> (&forms)[4]) const {
    const Dihedral<PackD> at = dihedral(view.x, beyond, pack);
    const PackD K = rest_[pack].stiffness;
    const PackD moment =
        hessian == Hessian::modified ? PackD(0) : K * at.beyond(rest_[pack].cosine, rest_[pack].sine);
    at.second(K, moment, hessian == Hessian::projected, forms);
  }

  // visit(a, b, block) for all pairs of points of a pack of hinges.
  template <class F>
  void for_each_block_of(const View& view, std::span<const Vec3d> beyond, Hessian hessian, int64_t pack,
                         F&& visit) const {
    PairForm<PackD> forms[4];
    second(view, beyond, hessian, pack, forms);
    if (holds_[pack])
      for (PairForm<PackD>& form : forms) {
        fold(rest_[pack], form.u);
        fold(rest_[pack], form.v);
      }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        Mat3<PackD> block = Mat3<PackD>::zero();
        for (const PairForm<PackD>& form : forms)
          block += outer(form.u[a], form.u[b] * form.uu + form.v[b] * form.uv) +
                   outer(form.v[a], form.u[b] * form.uv + form.v[b] * form.vv);
        visit(a, b, block);
      }
  }

  const model::Model& model_;
  int32_t body_;
  std::vector<model::Hinge> hinges_;  // those of the body, and held borders
  std::vector<Beyond> beyond_;
  std::vector<int32_t> order_;          // of the hinges
  std::vector<Nodes> nodes_;            // in this order, filled up to whole packs; -1: none
  std::vector<Nodes> ids_;              // the same for reading, with the second end in place of none
  std::vector<int32_t> held_;           // of each, in beyond_; -1: it lies between two triangles
  std::vector<uint8_t> holds_;          // of each pack: one is held
  std::vector<HingeRest<PackD>> rest_;  // of each pack
  std::vector<double> stiffness_;       // of the hinges, as bound [N m]
  int64_t count_ = 0;
  mesh::Chunks chunks_;
  mutable std::vector<double> partial_;  // energy of each chunk, summed in order
};

// The hinges of the nodes of each block.
template <class T>
class Hinges::Visitor final : public NodeVisitor<T> {
 public:
  Visitor(const Hinges& term, const NodeBlocks& blocks) : term_(term) {
    begin_.push_back(0);
    std::vector<int32_t> around[lanes];
    for (int64_t block = 0; block < blocks.count(); ++block) {
      size_t most = 0;
      for (int l = 0; l < lanes; ++l) {
        around[l].clear();
        if (const int32_t node = blocks.of(block)[l]; node >= 0)
          blocks.stencils->append(term.stencils(), node, around[l]);
        most = std::max(most, around[l].size());
      }
      for (size_t k = 0; k < most; ++k) {
        Entry& entry = entries_.emplace_back();
        entry.first_held = static_cast<int32_t>(held_.size());
        for (int l = 0; l < lanes; ++l) {
          const bool some = k < around[l].size();
          const int32_t place = some ? around[l][k] : 0;
          const Nodes &nodes = term.nodes_[place], &ids = term.ids_[place];
          const HingeRest<PackD>& rest = term.rest_[place / pack_lanes];
          const int lane = place % pack_lanes;
          for (int a = 0; a < 4; ++a) {
            entry.id[a][l] = ids[a];
            entry.own[a].set(l, some && nodes[a] == blocks.of(block)[l] ? 1 : 0);
          }
          entry.rest.stiffness.set(l, some ? static_cast<Scalar>(rest.stiffness[lane]) : 0);
          entry.rest.cosine.set(l, static_cast<Scalar>(rest.cosine[lane]));
          entry.rest.sine.set(l, static_cast<Scalar>(rest.sine[lane]));
          entry.rest.held.set(l, static_cast<Scalar>(rest.held[lane]));
          if (const int32_t number = term.held_[place]; some && number >= 0) held_.push_back({l, number});
        }
        entry.last_held = static_cast<int32_t>(held_.size());
      }
      begin_.push_back(static_cast<int64_t>(entries_.size()));
    }
  }

  void add(const NodeView<T>& view, int64_t block, const Vec3<T>& x0,
           material::NodeSums<T>& sums) const override {
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const Entry& entry = entries_[k];
      const Dihedral<T> at = dihedral(view, entry, x0);
      Vec3<T> g = Vec3<T>::zero();
      for (int a = 0; a < 3; ++a) g += at.gradient(a) * entry.own[a];
      g += at.gradient(3) * (entry.own[3] + entry.own[1] * entry.rest.held);
      const Vec3<T> Kg = g * entry.rest.stiffness;
      sums.gradient += Kg * at.beyond(entry.rest.cosine, entry.rest.sine);
      for (int i = 0, m = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++m) sums.block[m] += g[i] * Kg[j];
    }
  }

  T energy(const NodeView<T>& view, int64_t block, const Vec3<T>& x0) const override {
    T sum = T(0);
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const HingeRest<T>& rest = entries_[k].rest;
      const T delta = dihedral(view, entries_[k], x0).beyond(rest.cosine, rest.sine);
      sum += T(0.5) * rest.stiffness * delta * delta;
    }
    return sum;
  }

  int64_t bytes() const override { return static_cast<int64_t>(entries_.size() * sizeof(Entry)); }

 private:
  using Scalar = math::ScalarOf<T>;
  static constexpr int lanes = math::lanes_of<T>;
  struct Entry {
    int32_t id[4][lanes];
    T own[4];  // 1 where the point is the node of the lane
    HingeRest<T> rest;
    int32_t first_held, last_held;  // in held_
  };
  struct Held {
    int32_t lane, number;
  };

  // Were the node of each lane at x0.
  Dihedral<T> dihedral(const NodeView<T>& view, const Entry& entry, const Vec3<T>& x0) const {
    Vec3<T> y[4];
    for (int a = 0; a < 4; ++a) {
      const Vec3<T> there = math::gather3<T>(view.x, entry.id[a]);
      const auto own = entry.own[a] > T(0);
      for (int i = 0; i < 3; ++i) y[a][i] = select(own, x0[i], there[i]);
    }
    for (int32_t h = entry.first_held; h < entry.last_held; ++h) {
      const auto [lane, number] = held_[h];
      const Beyond& beyond = term_.beyond_[number];
      const Vec3d out = model::pose_at(view.inputs, beyond.pose).A * beyond.direction;
      for (int i = 0; i < 3; ++i) y[3][i].set(lane, static_cast<Scalar>(y[1][i][lane] + out[i]));
    }
    return {y[0], y[1], y[2], y[3]};
  }

  const Hinges& term_;
  std::vector<int64_t> begin_;  // of the entries of each block, and the end
  std::vector<Entry> entries_;
  std::vector<Held> held_;
};

NodeVisitorPointer<PackD> Hinges::visitor(const NodeBlocks& blocks, bool, PackD) const {
  return std::make_unique<Visitor<PackD>>(*this, blocks);
}
NodeVisitorPointer<PackF> Hinges::visitor(const NodeBlocks& blocks, bool, PackF) const {
  return std::make_unique<Visitor<PackF>>(*this, blocks);
}

}  // namespace

const TermKind& term_hinges() {
  static const TermKind kind = {
      "hinges", "Bending of cloth, at the edges between its triangles.",
      [](const model::Model& model, Terms& terms) {
        for (size_t b = 0; b < model.bodies.size(); ++b)
          if (model.bodies[b].bending == model::Bending::hinge && model.bodies[b].hinges.size() > 0)
            terms.push_back(std::make_unique<Hinges>(model, static_cast<int32_t>(b)));
      }};
  return kind;
}

}  // namespace sinew::energy
