#include "solve/lane_system.h"

#include <algorithm>
#include <cmath>

#include "element/deformation.h"
#include "element/stiffness.h"
#include "model/element_nodes.h"

namespace sinew::solve {

namespace {

using material::upper_count;

using element::Tet4;

constexpr int tet_pairs[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                  {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};

// All terms but those of the elements.
energy::Terms other_terms(const model::Model& model) {
  energy::Terms terms;
  for (const energy::TermKind* kind : energy::term_kinds())
    if (!kind->elements) kind->make(model, terms);
  for (auto& term : terms) term->bind(model.params);
  return terms;
}

std::vector<energy::Stencils> stencils_of(const energy::Terms& terms) {
  std::vector<energy::Stencils> list;
  for (const auto& term : terms)
    if (!term->stencils().nodes.empty()) list.push_back(term->stencils());
  return list;
}

energy::BlockPattern whole_pattern(const model::Model& model, const model::DofMap& dofs) {
  const energy::Terms others = other_terms(model);
  std::vector<energy::Stencils> stencils = stencils_of(others);
  stencils.push_back({4, model.elements.flat()});
  return energy::make_pattern(stencils, dofs.block_of_node(), dofs.block_count());
}

bool uniform(const std::vector<model::ParamField>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const auto& field) { return field.values.size() == 1; });
}

bool same_site(const model::Site& a, const model::Site& b) { return a.count == b.count && a.node == b.node; }

}  // namespace

std::vector<std::string> LaneSystem::lacks(const model::Model& model) {
  std::vector<std::string> list;
  for (const model::Body& body : model.bodies)
    if (!body.kind->lanes)
      list.push_back(std::string(body.kind->plural) + ", as the body " + body.name + " has");
  if (model.has_contacts()) list.push_back("contacts");
  if (!model.winds.empty()) list.emplace_back("wind");
  return list;
}

bool LaneSystem::same_shape(const model::Model& a, const model::Model& b) {
  const auto all = [](const auto& p, const auto& q, const auto& same) {
    return p.size() == q.size() && std::equal(p.begin(), p.end(), q.begin(), same);
  };
  using namespace model;
  return &a == &b ||
         (all(a.X, b.X, [](const Vec3d& p, const Vec3d& q) { return std::equal(p.v, p.v + 3, q.v); }) &&
          a.elements == b.elements && a.coverage == b.coverage &&
          all(a.bodies, b.bodies,
              [](const Body& p, const Body& q) {
                return p.nodes.end == q.nodes.end && p.elements.end == q.elements.end && p.kind == q.kind;
              }) &&
          all(a.sets, b.sets,
              [](const ElasticSet& p, const ElasticSet& q) {
                return p.law == q.law && p.body == q.body && p.elements == q.elements;
              }) &&
          all(a.params.material, b.params.material,
              [](const auto& p, const auto& q) { return uniform(p) == uniform(q); }) &&
          all(a.attachments, b.attachments,
              [](const Attachment& p, const Attachment& q) {
                return p.hold == q.hold && p.nodes == q.nodes && p.pose == q.pose &&
                       std::equal(p.direction.v, p.direction.v + 3, q.direction.v);
              }) &&
          all(a.links, b.links,
              [](const Link& p, const Link& q) { return same_site(p.a, q.a) && same_site(p.b, q.b); }) &&
          all(a.pressure_loads, b.pressure_loads, [](const PressureLoad& p, const PressureLoad& q) {
            return p.faces == q.faces && p.curved == q.curved;
          }));
}

int64_t LaneSystem::products(const model::Model& model, int64_t most) {
  return LaneCholesky::count_products(whole_pattern(model, model::DofMap(model)), most);
}

LaneSystem::LaneSystem(const model::Model& model)
    : model_(model),
      dofs_(lanes, model::DofMap(model)),
      pattern_(whole_pattern(model, dofs_[0])),
      matrix_(pattern_) {
  const auto block = dofs_[0].block_of_node();
  for (const model::ElasticSet& elastic : model.sets) {
    Set set{elastic.law, {}, 0, {}};
    for (int32_t t : elastic.elements) {
      Tet tet{model::element_nodes<Tet4>(model, t), {}, 0, {}, false};
      for (int32_t node : tet.node) tet.beside_held |= block[node] < 0 || dofs_[0].partial_of(node);
      const auto shape =
          element::shape_gradients<Tet4>(element::positions(model.X, tet.node), Tet4::quadrature[0]);
      for (int k = 0; k < 9; ++k) tet.g[k] = shape.g[k / 3 + 1][k % 3];
      tet.volume = shape.weight * model.covered(t);
      for (int p = 0; p < 10; ++p) {
        const int32_t row = block[tet.node[tet_pairs[p][0]]], column = block[tet.node[tet_pairs[p][1]]];
        tet.place[p] = row < 0 || column < 0 ? LaneCholesky::Place{-1, false} : matrix_.place(row, column);
      }
      set.tets.push_back(tet);
    }
    const bool one = uniform(model.params.material[sets_.size()]);
    set.stride = one ? 0 : set.law->param_count;
    set.params.assign(set.law->param_count * (one ? 1 : set.tets.size()), Pack(0));
    sets_.push_back(std::move(set));
  }
  const energy::Terms others = other_terms(model);
  if (const auto stencils = stencils_of(others); !stencils.empty()) {
    others_ = std::make_shared<const energy::BlockPattern>(
        energy::make_pattern(stencils, block, dofs_[0].block_count()));
    for (int32_t row = 0; row < others_->rows(); ++row)
      for (int64_t s = others_->row_begin[row]; s < others_->row_begin[row + 1]; ++s)
        if (const auto place = matrix_.place(row, others_->column[s]); !place.transposed)
          others_place_.push_back({s, place});
  }
  external_.resize(model.X.size());
  stiffness_.assign(model.X.size(), Pack(0));
  targets_.resize(model.X.size());
  for (int32_t i = 0; i < nodes(); ++i)
    if (block[i] < 0) held_.push_back({i, Vector::zero()});
  partial_of_.assign(model.X.size(), -1);
  for (const auto& partial : dofs_[0].partials()) {
    partial_of_[partial.node] = static_cast<int32_t>(partial_.size());
    partial_.push_back({partial.node, Block::zero(), Vector::zero()});
  }
}

void LaneSystem::set(int l, const model::Model& model, std::span<const double> inputs) {
  for (size_t s = 0; s < sets_.size(); ++s) {
    Set& set = sets_[s];
    const auto& fields = model.params.material[s];
    std::vector<double> in(fields.size()), out(set.law->param_count);
    for (size_t e = 0; e < set.params.size() / out.size(); ++e) {
      for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(e);
      set.law->convert(in.data(), out.data());
      for (size_t k = 0; k < out.size(); ++k) set.params[e * out.size() + k].set(l, out[k]);
    }
  }
  Lane& lane = lane_[l];
  lane.terms = other_terms(model);
  if (others_) {
    for (auto& term : lane.terms) term->map(*others_, dofs_[l].block_of_node());
    lane.matrix.reset(others_, energy::Precision::full);
  }
  for (auto* v : {&lane.x, &lane.internal, &lane.external, &lane.moved, &lane.product})
    v->resize(model.X.size());
  lane.inputs.assign(inputs.begin(), inputs.end());
  lane.floors = make_floors(model, model.params);
  const std::vector<double> links = link_stiffness(model, model.params);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (int32_t i = model.bodies[b].nodes.begin; i < model.bodies[b].nodes.end; ++i)
      stiffness_[i].set(l, lane.floors.body[b].stiffness + (links.empty() ? 0.0 : links[i]));
  dofs_[l].set_targets(inputs);
  dofs_[l].retract(targets_);
  for (Held& held : held_)
    for (int k = 0; k < 3; ++k) held.target[k].set(l, targets_[held.node][k]);
  for (size_t p = 0; p < partial_.size(); ++p) {
    const auto& from = dofs_[l].partials()[p];
    for (int k = 0; k < 9; ++k) partial_[p].P.c[k / 3][k % 3].set(l, from.P.c[k / 3][k % 3]);
    for (int k = 0; k < 3; ++k) partial_[p].target[k].set(l, from.target[k]);
  }
}

void LaneSystem::retract(const Mask& which, std::span<Vector> x) const {
  for (const Held& held : held_)
    for (int k = 0; k < 3; ++k) x[held.node][k] = select(which, held.target[k], x[held.node][k]);
  for (const Partial& partial : partial_) {
    const Vector at = partial.P * x[partial.node] + partial.target;
    for (int k = 0; k < 3; ++k) x[partial.node][k] = select(which, at[k], x[partial.node][k]);
  }
}

void LaneSystem::pull(std::span<const Vector> nodes, std::span<Vector> q) const {
  const auto node = dofs_[0].node_of_block();
  for (size_t b = 0; b < q.size(); ++b) q[b] = nodes[node[b]];
  for (const Partial& partial : partial_)
    q[dofs_[0].block_of_node()[partial.node]] = partial.P * nodes[partial.node];
}

void LaneSystem::push(std::span<const Vector> q, std::span<Vector> nodes) const {
  const auto block = dofs_[0].block_of_node();
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = block[i] < 0 ? Vector::zero() : q[block[i]];
  for (const Partial& partial : partial_) nodes[partial.node] = partial.P * q[block[partial.node]];
}

LaneSystem::Block LaneSystem::deformation(const Tet& tet, std::span<const Vector> x) const {
  const Vector& x0 = x[tet.node[0]];
  const Vector d[3] = {x[tet.node[1]] - x0, x[tet.node[2]] - x0, x[tet.node[3]] - x0};
  return element::deformation(d, tet.g.data());
}

void LaneSystem::evaluate_elements(std::span<const Vector> x, std::span<Vector> gradient,
                                   LaneEvaluation& results) const {
  Pack energy(0), inverted(0), least(std::numeric_limits<double>::infinity());
  const material::PointOptions options = energy::View{}.point(Hessian::exact);
  for (const Set& set : sets_) {
    const bool inverts = set.law->traits.objective;  // small-strain laws know no inversion
    for (size_t begin = 0; begin < set.tets.size(); begin += chunk) {
      const size_t count = std::min<size_t>(chunk, set.tets.size() - begin);
      Pack F[9 * chunk], P[9 * chunk], psi[chunk];
      for (size_t k = 0; k < count; ++k) {
        const Block f = deformation(set.tets[begin + k], x);
        element::store_matrix(f, F + 9 * k);
        const Pack J = det(f);
        least = min(least, J);
        if (inverts) inverted += select(J <= Pack(0), Pack(1), Pack(0));
      }
      set.law->d.evaluate(static_cast<int>(count), set.params.data() + begin * set.stride, set.stride, F,
                          options, psi, P);
      for (size_t k = 0; k < count; ++k) {
        const Tet& tet = set.tets[begin + k];
        energy += psi[k] * Pack(tet.volume);
        Vector sum = Vector::zero();
        for (int a = 0; a < 3; ++a) {
          Vector G;
          for (int i = 0; i < 3; ++i)
            G[i] = P[9 * k + i] * Pack(tet.volume * tet.g[3 * a]) +
                   P[9 * k + 3 + i] * Pack(tet.volume * tet.g[3 * a + 1]) +
                   P[9 * k + 6 + i] * Pack(tet.volume * tet.g[3 * a + 2]);
          gradient[tet.node[a + 1]] += G;
          sum += G;
        }
        gradient[tet.node[0]] -= sum;
      }
    }
  }
  for (int l = 0; l < lanes; ++l) {
    results[l].energy = energy[l];
    results[l].inverted = static_cast<int64_t>(inverted[l]);
    results[l].min_det_F = least[l];
  }
}

void LaneSystem::evaluate_others(int l, std::span<const Vector> x, std::span<Vector> gradient,
                                 Evaluation& result) {
  Lane& lane = lane_[l];
  if (lane.terms.empty()) return;
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) lane.x[i][k] = x[i][k][l];
  std::fill(lane.internal.begin(), lane.internal.end(), Vec3d{0, 0, 0});
  std::fill(lane.external.begin(), lane.external.end(), Vec3d{0, 0, 0});
  for (const auto& term : lane.terms) {
    const energy::EvalInfo info = term->evaluate(
        lane.view(), term->acts_on_bodies() ? std::span(lane.external) : std::span(lane.internal));
    result.energy += info.value;
    result.energy_valid &= info.energy_valid;
  }
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      gradient[i][k].set(l, gradient[i][k][l] + lane.internal[i][k]);
      external_[i][k].set(l, lane.external[i][k]);
    }
}

LaneEvaluation LaneSystem::evaluate(const Mask& which, std::span<const Vector> x,
                                    std::span<Vector> gradient) {
  LaneEvaluation results;
  std::fill(gradient.begin(), gradient.end(), Vector::zero());
  std::fill(external_.begin(), external_.end(), Vector::zero());
  evaluate_elements(x, gradient, results);
  for (int l = 0; l < lanes; ++l)
    if (which[l]) evaluate_others(l, x, gradient, results[l]);
  std::array<double, lanes> total{};
  const auto block = dofs_[0].block_of_node();
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Range range = model_.bodies[b].nodes;
    Pack internal(0), external(0), stiffness(0), rounding(0), free(0);
    for (int32_t i = range.begin; i < range.end; ++i) {
      internal += norm2(gradient[i]);
      external += norm2(external_[i]);
      gradient[i] += external_[i];
      stiffness += stiffness_[i] * stiffness_[i];
      rounding += stiffness_[i] * stiffness_[i] * norm2(x[i]);
      if (block[i] < 0) continue;
      free += norm2(partial_of_[i] < 0 ? gradient[i] : partial_[partial_of_[i]].P * gradient[i]);
    }
    for (int l = 0; l < lanes; ++l) {
      if (!which[l]) continue;
      total[l] += free[l];
      const BodyForces forces{free[l], stiffness[l], rounding[l],
                              std::sqrt(internal[l]) + std::sqrt(external[l])};
      results[l].note(static_cast<int32_t>(b), forces, lane_[l].floors.body[b]);
    }
  }
  for (int l = 0; l < lanes; ++l) {
    if (!which[l]) continue;
    results[l].residual = std::sqrt(total[l]);
    if (!std::isfinite(total[l])) results[l].relative = std::numeric_limits<double>::infinity();
    results[l].energy_noise = energy_noise(results[l].energy, lane_[l].floors);
  }
  return results;
}

void LaneSystem::linearise(const Set& set, size_t tet, const Block& F, const Mask& exact, Pack* C) const {
  Pack f[9];
  element::store_matrix(F, f);
  const Pack* params = set.params.data() + tet * set.stride;
  if (any(exact)) set.law->d.linearise(1, params, 0, f, energy::View{}.point(Hessian::exact), C);
  if (all(exact)) return;
  Pack projected[upper_count];
  set.law->d.linearise(1, params, 0, f, energy::View{}.point(Hessian::projected), projected);
  for (int m = 0; m < upper_count; ++m) C[m] = any(exact) ? select(exact, C[m], projected[m]) : projected[m];
}

void LaneSystem::assemble(const Mask& which, std::span<const Vector> x, const Mask& exact,
                          std::span<const Vector> moved, std::span<Vector> product) {
  matrix_.set_zero();
  // Lanes that nobody asks for follow the others, so that one kernel is enough.
  bool any_projected = false;
  for (int l = 0; l < lanes; ++l) any_projected |= which[l] && !exact[l];
  const Mask wanted = any_projected ? exact & which : Mask(true);
  for (const Set& set : sets_)
    for (size_t t = 0; t < set.tets.size(); ++t) {
      const Tet& tet = set.tets[t];
      Pack C[upper_count];
      linearise(set, t, deformation(tet, x), wanted, C);
      element::ElementStiffness<3> stiffness;
      stiffness.add(C, tet.g.data(), tet.volume);
      Block K[4][4];  // upper blocks
      stiffness.for_each_block([&](int a, int b, const Block& block) {
        if (a <= b) K[a][b] = block;
      });
      for (int p = 0; p < 10; ++p)
        if (tet.place[p].slot >= 0) matrix_.add(tet.place[p], K[tet_pairs[p][0]][tet_pairs[p][1]]);
      if (moved.empty() || !tet.beside_held) continue;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          product[tet.node[a]] += (a <= b ? K[a][b] : transpose(K[b][a])) * moved[tet.node[b]];
    }
  for (int l = 0; l < lanes && others_; ++l)
    if (which[l]) {
      for (size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k < 3; ++k) lane_[l].x[i][k] = x[i][k][l];
      assemble_others(l, exact[l], moved, product);
    }
  project_partials();
}

void LaneSystem::assemble_others(int l, bool exact, std::span<const Vector> moved,
                                 std::span<Vector> product) {
  Lane& lane = lane_[l];
  const Hessian hessian = exact ? Hessian::exact : Hessian::projected;
  lane.matrix.set_zero();
  for (const auto& term : lane.terms) term->assemble(lane.view(), hessian, 1.0, lane.matrix);
  for (const auto& [slot, place] : others_place_) {
    const Mat3d K = lane.matrix.block(slot);
    Block& to = matrix_.at(place.slot);
    for (int k = 0; k < 9; ++k) to.c[k / 3].v[k % 3].set(l, to.c[k / 3].v[k % 3][l] + K.c[k / 3][k % 3]);
  }
  if (moved.empty()) return;
  std::fill(lane.product.begin(), lane.product.end(), Vec3d{0, 0, 0});
  for (size_t i = 0; i < moved.size(); ++i)
    for (int k = 0; k < 3; ++k) lane.moved[i][k] = moved[i][k][l];
  for (const auto& term : lane.terms) term->product(lane.view(), hessian, lane.moved, lane.product);
  for (size_t i = 0; i < moved.size(); ++i)
    for (int k = 0; k < 3; ++k) product[i][k].set(l, product[i][k][l] + lane.product[i][k]);
}

// P K P on the rows and columns of partly held nodes, and a diagonal of the matrix's own size in the held directions.
void LaneSystem::project_partials() {
  for (const Partial& partial : partial_) {
    const int32_t row = dofs_[0].block_of_node()[partial.node];
    for (int64_t s = pattern_.row_begin[row]; s < pattern_.row_begin[row + 1]; ++s) {
      const int32_t column = pattern_.column[s];
      const LaneCholesky::Place place = matrix_.place(row, column);
      Block& block = matrix_.at(place.slot);
      if (column == row) {
        const Pack size = max(trace(block), Pack(1e-30));
        block = partial.P * block * partial.P + (Block::identity() - partial.P) * size;
      } else {
        block = place.transposed ? block * partial.P : partial.P * block;
      }
    }
  }
}

}  // namespace sinew::solve
