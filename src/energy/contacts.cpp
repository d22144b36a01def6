// Contacts by penalty: of each pair of a ContactSet k/2 max(s, 0)^2, s = thickness - n.d, and its friction
// (contact/friction.h).
#include "contact/friction.h"
#include "energy/point_pair_energy.h"

namespace sinew::energy {

namespace {

using contact::Friction;
using contact::Pair;

class Contacts final : public PointPairEnergy, public ContactDriven {
 public:
  explicit Contacts(const model::Model& model) : model_(model), width_(4 * model::max_carriers(model)) {
    reset(width_);
  }

  void set_contacts(std::span<const Pair> pairs) override {
    pairs_.clear();
    reset(width_);
    for (const Pair& pair : pairs) {
      if (pair.collider >= 0 &&
          model_.colliders[pair.collider].response != model::Collider::Response::penalty)
        continue;  // positions are moved instead (solve/node_sweeps.h)
      pairs_.push_back(pair);
      if (pair.collider >= 0)
        PointPairEnergy::add({model_.colliders[pair.collider].pose, pair.point, 1.0});
      else
        PointPairEnergy::add({});
      contact::for_each_node(model_, pair, [&](int32_t node, double weight) { add_node(node, weight); });
    }
  }

 private:
  double pull(size_t i, const Vec3d& d, Vec3d& force, Mat3d& bound) const override {
    const Pair& pair = pairs_[i];
    const Vec3d& n = pair.normal;
    const Mat3d N = outer(n, n);
    double energy = 0;
    force = {0, 0, 0};
    bound = pair.barrier ? Mat3d::zero() : N * pair.stiffness;  // above the energy on either side of the kink
    if (const double s = pair.thickness - dot(n, d); !pair.barrier && (s > 0 || pair.two_sided)) {
      energy = 0.5 * pair.stiffness * s * s;
      force = n * (-pair.stiffness * s);
    }
    if (const Friction friction(pair, d); friction.active()) {
      const double secant = friction.secant();
      energy += friction.energy();
      force += friction.slip() * secant;
      bound += (Mat3d::identity() - N) * secant;
    }
    return energy;
  }

  Mat3d second(size_t i, const Vec3d& d, bool definite) const override {
    const Pair& pair = pairs_[i];
    const Mat3d N = outer(pair.normal, pair.normal);
    Mat3d K = Mat3d::zero();
    if (!pair.barrier && (pair.two_sided || dot(pair.normal, d) < pair.thickness)) K = N * pair.stiffness;
    if (const Friction friction(pair, d); friction.active()) friction.add_second(N, definite, K);
    return K;
  }

  const model::Model& model_;
  int width_;
  std::vector<Pair> pairs_;
};

}  // namespace

const TermKind& term_contacts() {
  static const TermKind kind = {"contacts", "Penalty and friction between surfaces that touch.",
                                [](const model::Model& model, Terms& terms) {
                                  if (model.has_contacts())
                                    terms.push_back(std::make_unique<Contacts>(model));
                                }};
  return kind;
}

}  // namespace sinew::energy
