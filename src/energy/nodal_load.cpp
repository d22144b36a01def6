// Dead forces on nodes (point loads and tractions after lumping): -s sum f_i.x_i with the factor s from the inputs.
#include "energy/term_interfaces.h"

namespace sinew::energy {

namespace {

class NodalLoads final : public Term, public InputDependent {
 public:
  explicit NodalLoads(const model::Model& model) : Term({.external = true}), model_(model) {}

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    EvalInfo info;
    for (const model::NodalLoad& load : model_.nodal_loads) {
      const double factor = view.inputs[load.factor];
      for (size_t k = 0; k < load.nodes.size(); ++k) {
        info.value -= factor * dot(load.forces[k], view.x[load.nodes[k]]);
        if (!gradient.empty()) gradient[load.nodes[k]] -= load.forces[k] * factor;
      }
    }
    return info;
  }

  void input_change(const View&, std::span<const double> change, std::span<Vec3d> out) const override {
    for (const model::NodalLoad& load : model_.nodal_loads)
      for (size_t k = 0; k < load.nodes.size(); ++k)
        out[load.nodes[k]] -= load.forces[k] * change[load.factor];
  }

  void input_gradient(const View&, std::span<const Vec3d> direction, std::span<double> out) const override {
    for (const model::NodalLoad& load : model_.nodal_loads)
      for (size_t k = 0; k < load.nodes.size(); ++k)
        out[load.factor] -= dot(load.forces[k], direction[load.nodes[k]]);
  }

 private:
  const model::Model& model_;
};

}  // namespace

const TermKind& term_nodal_load() {
  static const TermKind kind = {"nodal_load", "Dead forces on nodes.",
                                [](const model::Model& model, Terms& terms) {
                                  if (!model.nodal_loads.empty())
                                    terms.push_back(std::make_unique<NodalLoads>(model));
                                }};
  return kind;
}

}  // namespace sinew::energy
