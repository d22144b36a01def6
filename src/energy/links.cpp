// Links between sites: springs, soft pins, stitches. See model::Link for the energy.
#include <algorithm>
#include <cmath>

#include "energy/node_blocks.h"

namespace sinew::energy {

namespace {

using model::Link;
using model::Site;

class Links final : public Term {
 public:
  // The links of the nodes of each block.
  template <class T>
  class Visitor final : public NodeVisitor<T> {
   public:
    Visitor(const Links& links, const NodeBlocks& blocks);
    void add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
             material::NodeSums<T>& sums) const override;
    T energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const override;
    int64_t bytes() const override {
      return static_cast<int64_t>(entries_.size() * (sizeof(Entry) + sizeof(Link)));
    }

   private:
    struct Entry {
      int32_t link, lane, node;
      double weight;  // of the node in the difference of the two sites
    };
    // Between the two sites of an entry's link, were the nodes of the block at x0.
    Vec3d difference(const NodeView<T>& view, const Entry& entry, const math::Vec3<T>& x0) const;

    const Links& links_;
    std::vector<int64_t> begin_;  // of the entries of each block, and the end
    std::vector<Entry> entries_;
  };

  explicit Links(const model::Model& model) : model_(model) {
    for (const Link& link : model.links) half_ = std::max({half_, link.a.count, link.b.count});
    width_ = 2 * half_;
    for (const Link& link : model.links)
      for (const Site* site : {&link.a, &link.b})
        for (int k = 0; k < half_; ++k) nodes_.push_back(k < site->count ? site->node[k] : -1);
  }

  void bind(const model::Params& params) override {
    normal_ = params.link_normal;
    tangent_ = params.link_tangent;
  }

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    EvalInfo info;
    for (size_t i = 0; i < model_.links.size(); ++i) {
      const Link& link = model_.links[i];
      Vec3d force;
      Mat3d K;
      info.value += pull(i, difference(link, view), force, K);
      if (gradient.empty()) continue;
      add(link.a, force, 1, gradient);
      add(link.b, force, -1, gradient);
    }
    return info;
  }

  Stencils stencils() const override { return {width_, nodes_}; }

  void map(const BlockPattern& pattern, std::span<const int32_t> block_of_node) override {
    slots_.assign(model_.links.size() * width_ * width_, -1);
    for (size_t i = 0; i < model_.links.size(); ++i)
      for (int a = 0; a < width_; ++a)
        for (int b = 0; b < width_; ++b) {
          const int32_t na = nodes_[i * width_ + a], nb = nodes_[i * width_ + b];
          if (na < 0 || nb < 0 || block_of_node[na] < 0 || block_of_node[nb] < 0) continue;
          slots_[(i * width_ + a) * width_ + b] = pattern.slot(block_of_node[na], block_of_node[nb]);
        }
  }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    for_each_pair(view, hessian, [&](size_t i, int a, int b, const Mat3d& K) {
      if (const int64_t slot = slots_[(i * width_ + a) * width_ + b]; slot >= 0) matrix.add(slot, K * scale);
    });
  }

  void apply(const Scratch& scratch, std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    for_each_pair(scratch.view, scratch.hessian, [&](size_t i, int a, int b, const Mat3d& K) {
      out[nodes_[i * width_ + a]] += K * d[nodes_[i * width_ + b]];
    });
  }

  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool, math::PackD) const override {
    return std::make_unique<Visitor<math::PackD>>(*this, blocks);
  }
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool, math::PackF) const override {
    return std::make_unique<Visitor<math::PackF>>(*this, blocks);
  }

  void diagonal(const Scratch& scratch, std::span<Mat3d> blocks) const override {
    for_each_pair(scratch.view, scratch.hessian, [&](size_t i, int a, int b, const Mat3d& K) {
      if (nodes_[i * width_ + a] == nodes_[i * width_ + b]) blocks[nodes_[i * width_ + a]] += K;
    });
  }

 private:
  static Vec3d difference(const Link& link, const View& view) {
    return position(link.a, view.x, view.inputs) - position(link.b, view.x, view.inputs);
  }
  static void add(const Site& site, const Vec3d& force, double sign, std::span<Vec3d> gradient) {
    for (int k = 0; k < site.count; ++k) gradient[site.node[k]] += force * (sign * site.weight[k]);
  }
  Mat3d stiffness(size_t i, const Link& link) const {
    return Mat3d::identity() * tangent_[i] + outer(link.normal, link.normal) * (normal_[i] - tangent_[i]);
  }

  // The energy at the difference d of the sites, its derivative, and a semi-definite block that bounds it from above.
  double pull(size_t i, const Vec3d& d, Vec3d& force, Mat3d& K) const {
    const Link& link = model_.links[i];
    if (link.rest_length == 0) {
      K = stiffness(i, link);
      force = K * d;
      return 0.5 * dot(d, force);
    }
    const double length = norm(d), stretch = length - link.rest_length;
    force = length > 0 ? d * (normal_[i] * stretch / length) : Vec3d{0, 0, 0};
    K = Mat3d::identity() * normal_[i];
    return 0.5 * normal_[i] * stretch * stretch;
  }

  // visit(link, a, b, K) for every pair of its nodes, K the block of second derivatives.
  template <class F>
  void for_each_pair(const View& view, Hessian hessian, F&& visit) const {
    for (size_t i = 0; i < model_.links.size(); ++i) {
      const Link& link = model_.links[i];
      Mat3d K;
      if (link.rest_length == 0) {
        K = stiffness(i, link);
      } else {
        const Vec3d d = difference(link, view);
        const double length = norm(d);
        if (length == 0) continue;
        const Vec3d n = d * (1 / length);
        double across = normal_[i] * (1 - link.rest_length / length);
        if (material::definite(hessian)) across = std::max(across, 0.0);
        K = Mat3d::identity() * across + outer(n, n) * (normal_[i] - across);
      }
      double weight[2 * Site::most];
      for (int k = 0; k < half_; ++k) {
        weight[k] = k < link.a.count ? link.a.weight[k] : 0;
        weight[half_ + k] = k < link.b.count ? -link.b.weight[k] : 0;
      }
      for (int a = 0; a < width_; ++a)
        for (int b = 0; b < width_; ++b)
          if (nodes_[i * width_ + a] >= 0 && nodes_[i * width_ + b] >= 0)
            visit(i, a, b, K * (weight[a] * weight[b]));
    }
  }

  const model::Model& model_;
  int32_t half_ = 1, width_ = 2;  // nodes of the largest site, and of a link
  std::vector<int32_t> nodes_;
  std::vector<double> normal_, tangent_;
  std::vector<int64_t> slots_;
};

template <class T>
Links::Visitor<T>::Visitor(const Links& links, const NodeBlocks& blocks) : links_(links) {
  const model::Model& model = links.model_;
  std::vector<std::vector<Entry>> of_node(model.X.size());
  for (size_t i = 0; i < model.links.size(); ++i) {
    const auto put = [&](const Site& site, double sign) {
      for (int k = 0; k < site.count; ++k) {
        auto& list = of_node[site.node[k]];
        if (list.empty() || list.back().link != static_cast<int32_t>(i))
          list.push_back({static_cast<int32_t>(i), 0, site.node[k], 0.0});
        list.back().weight += sign * site.weight[k];
      }
    };
    put(model.links[i].a, 1);
    put(model.links[i].b, -1);
  }
  begin_.push_back(0);
  for (int64_t b = 0; b < blocks.count(); ++b) {
    for (int l = 0; l < blocks.used[b]; ++l)
      for (Entry entry : of_node[blocks.of(b)[l]]) {
        entry.lane = l;
        entries_.push_back(entry);
      }
    begin_.push_back(static_cast<int64_t>(entries_.size()));
  }
}

template <class T>
Vec3d Links::Visitor<T>::difference(const NodeView<T>& view, const Entry& entry,
                                    const math::Vec3<T>& x0) const {
  const auto at = [&](int32_t node) -> Vec3d {
    if (node == entry.node) return {x0[0][entry.lane], x0[1][entry.lane], x0[2][entry.lane]};
    const math::ScalarOf<T>* x = view.x + 4 * static_cast<int64_t>(node);
    return {x[0], x[1], x[2]};
  };
  const auto place = [&](const Site& site) {
    if (site.count == 0) return model::position(site, {}, view.inputs);
    Vec3d sum = {0, 0, 0};
    for (int k = 0; k < site.count; ++k) sum += at(site.node[k]) * site.weight[k];
    return sum;
  };
  const Link& link = links_.model_.links[entry.link];
  return place(link.a) - place(link.b);
}

template <class T>
void Links::Visitor<T>::add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
                            material::NodeSums<T>& sums) const {
  using Scalar = math::ScalarOf<T>;
  for (int64_t e = begin_[block]; e < begin_[block + 1]; ++e) {
    const Entry& entry = entries_[e];
    Vec3d force;
    Mat3d K;
    links_.pull(entry.link, difference(view, entry, x0), force, K);
    for (int i = 0, m = 0; i < 3; ++i) {
      sums.gradient[i].set(entry.lane,
                           static_cast<Scalar>(sums.gradient[i][entry.lane] + entry.weight * force[i]));
      for (int j = i; j < 3; ++j, ++m)
        sums.block[m].set(entry.lane, static_cast<Scalar>(sums.block[m][entry.lane] +
                                                          entry.weight * entry.weight * K(i, j)));
    }
  }
}

template <class T>
T Links::Visitor<T>::energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const {
  T sum = T(0);
  for (int64_t e = begin_[block]; e < begin_[block + 1]; ++e) {
    const Entry& entry = entries_[e];
    Vec3d force;
    Mat3d K;
    const double energy = links_.pull(entry.link, difference(view, entry, x0), force, K);
    sum.set(entry.lane, static_cast<math::ScalarOf<T>>(sum[entry.lane] + energy));
  }
  return sum;
}

}  // namespace

const TermKind& term_links() {
  static const TermKind kind = {"links", "Springs, soft pins and stitches between sites.",
                                [](const model::Model& model, Terms& terms) {
                                  if (!model.links.empty()) terms.push_back(std::make_unique<Links>(model));
                                }};
  return kind;
}

}  // namespace sinew::energy
