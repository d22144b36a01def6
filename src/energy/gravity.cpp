// Weight: -sum m_i g.x_i, m_i the integral of density times shape function, g from the inputs.
#include "energy/term_interfaces.h"

namespace sinew::energy {

namespace {

class Gravity final : public Term, public InputDependent {
 public:
  explicit Gravity(const model::Model& model) : Term({.external = true}), model_(model) {}

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    const double* g = view.inputs.data() + model_.gravity;
    const Vec3d down = {g[0], g[1], g[2]};
    EvalInfo info;
    for (size_t i = 0; i < mass_.size(); ++i) {
      info.value -= mass_[i] * dot(down, view.x[i]);
      if (!gradient.empty()) gradient[i] -= down * mass_[i];
    }
    return info;
  }

  void input_change(const View&, std::span<const double> change, std::span<Vec3d> out) const override {
    const double* g = change.data() + model_.gravity;
    for (size_t i = 0; i < mass_.size(); ++i) out[i] -= Vec3d{g[0], g[1], g[2]} * mass_[i];
  }

  void input_gradient(const View&, std::span<const Vec3d> direction, std::span<double> out) const override {
    for (size_t i = 0; i < mass_.size(); ++i)
      for (int k = 0; k < 3; ++k) out[model_.gravity + k] -= mass_[i] * direction[i][k];
  }

 private:
  bool take(const model::Params& params) override {
    std::vector<double> mass = model_.load_mass(params);
    std::swap(mass, mass_);
    return mass != mass_;
  }

  const model::Model& model_;
  std::vector<double> mass_;
};

}  // namespace

const TermKind& term_gravity() {
  static const TermKind kind = {"gravity", "Weight.", [](const model::Model& model, Terms& terms) {
                                  if (model.gravity >= 0) terms.push_back(std::make_unique<Gravity>(model));
                                }};
  return kind;
}

}  // namespace sinew::energy
