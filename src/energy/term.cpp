#include "energy/term.h"

#include "base/parallel.h"
#include "energy/term_interfaces.h"

namespace sinew::energy {

void Term::map(const BlockPattern& pattern, std::span<const int32_t> block_of_node) {
  const Stencils list = stencils();
  slots_.resize(list.nodes.size() * list.width);
  const auto block_of = [&](int32_t node) { return node < 0 ? -1 : block_of_node[node]; };
  for_each_block(static_cast<int64_t>(list.nodes.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t a = begin; a < end; ++a)
      for (int b = 0; b < list.width; ++b) {
        const int32_t row = block_of(list.nodes[a]),
                      column = block_of(list.nodes[a / list.width * list.width + b]);
        slots_[a * list.width + b] =
            row < 0 || column < 0 ? -1 : static_cast<int32_t>(pattern.slot(row, column));
      }
  });
}

void Term::product(const View& view, Hessian hessian, std::span<const Vec3d> d, std::span<Vec3d> out) const {
  const std::unique_ptr<Linearisation> at = linearisation();
  if (!at) return;
  at->set(view, hessian);
  at->apply(d, out);
}

Terms make_terms(const model::Model& model) {
  Terms terms;
  for (const TermKind* kind : term_kinds()) kind->make(model, terms);
  for (auto& term : terms) term->bind(model.params);
  return terms;
}

std::vector<Stencils> lasting_stencils(const Terms& terms) {
  std::vector<Stencils> list;
  for (const auto& term : terms)
    if (const Stencils own = term->stencils(); !own.nodes.empty() &&
                                               !dynamic_cast<const ContactDriven*>(term.get()) &&
                                               !dynamic_cast<const BarrierDriven*>(term.get()))
      list.push_back(own);
  return list;
}

}  // namespace sinew::energy
