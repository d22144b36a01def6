// Links between sites: springs, soft pins, stitches. See model::Link for the energy.
#include <algorithm>
#include <cmath>

#include "energy/point_pair_energy.h"

namespace sinew::energy {

namespace {

using model::Link;
using model::Site;

class Links final : public PointPairEnergy {
 public:
  explicit Links(const model::Model& model) : PointPairEnergy({.link = true}), links_(model.links) {
    int32_t most = 1;
    for (const Link& link : links_) most = std::max(most, link.a.count + link.b.count);
    reset(most);
    for (const Link& link : links_) {
      const bool a = link.a.count == 0, b = link.b.count == 0;
      PointPairEnergy::add({a ? link.a.pose : link.b.pose, a ? link.a.point : link.b.point,
                            a   ? -1.0
                            : b ? 1.0
                                : 0.0});
      for (int k = 0; k < link.a.count; ++k) add_node(link.a.node[k], link.a.weight[k]);
      for (int k = 0; k < link.b.count; ++k) add_node(link.b.node[k], -link.b.weight[k]);
    }
  }

 private:
  bool take(const model::Params& params) override {
    if (normal_ == params.link_normal && tangent_ == params.link_tangent) return false;
    normal_ = params.link_normal;
    tangent_ = params.link_tangent;
    return true;
  }

  Mat3d stiffness(size_t i) const {
    return Mat3d::identity() * tangent_[i] +
           outer(links_[i].normal, links_[i].normal) * (normal_[i] - tangent_[i]);
  }

  double pull(size_t i, const Vec3d& d, Vec3d& force, Mat3d& bound) const override {
    if (links_[i].rest_length == 0) {
      bound = stiffness(i);
      force = bound * d;
      return 0.5 * dot(d, force);
    }
    const double length = norm(d), stretch = length - links_[i].rest_length;
    force = length > 0 ? d * (normal_[i] * stretch / length) : Vec3d{0, 0, 0};
    bound = Mat3d::identity() * normal_[i];
    return 0.5 * normal_[i] * stretch * stretch;
  }

  Mat3d second(size_t i, const Vec3d& d, bool definite) const override {
    if (links_[i].rest_length == 0) return stiffness(i);
    const double length = norm(d);
    if (length == 0) return Mat3d::zero();
    const Vec3d n = d * (1 / length);
    double across = normal_[i] * (1 - links_[i].rest_length / length);
    if (definite) across = std::max(across, 0.0);
    return Mat3d::identity() * across + outer(n, n) * (normal_[i] - across);
  }

  const std::vector<Link>& links_;
  std::vector<double> normal_, tangent_;
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
