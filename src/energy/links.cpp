// Links between sites: springs, soft pins, stitches. See model::Link for the energy.
#include <algorithm>
#include <cmath>

#include "energy/term.h"

namespace sinew::energy {

namespace {

using model::Link;
using model::Site;

class Links final : public Term {
 public:
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
      const Vec3d d = difference(link, view);
      Vec3d force;
      if (link.rest_length == 0) {
        force = stiffness(i, link) * d;
        info.value += 0.5 * dot(d, force);
      } else {
        const double length = norm(d), stretch = length - link.rest_length;
        force = length > 0 ? d * (normal_[i] * stretch / length) : Vec3d{0, 0, 0};
        info.value += 0.5 * normal_[i] * stretch * stretch;
      }
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

}  // namespace

const TermKind& term_links() {
  static const TermKind kind = {"links", "Springs, soft pins and stitches between sites.",
                                [](const model::Model& model, Terms& terms) {
                                  if (!model.links.empty()) terms.push_back(std::make_unique<Links>(model));
                                }};
  return kind;
}

}  // namespace sinew::energy
