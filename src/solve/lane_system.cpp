#include "solve/lane_system.h"

#include <algorithm>
#include <cmath>

#include "element/deformation.h"
#include "element/stiffness.h"
#include "model/element_nodes.h"

namespace sinew::solve {

namespace {

using element::Tet4;
using element::Tri3;
using math::Mat;
using math::PackD;
using math::Vec3;

// f(a, b) for all a <= b < nodes, by rows.
template <class F>
void for_each_pair(int nodes, F&& f) {
  for (int a = 0; a < nodes; ++a)
    for (int b = a; b < nodes; ++b) f(a, b);
}

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
  for (const model::Body& body : model.bodies)
    if (const auto count = static_cast<size_t>(body.elements.size()); count > 0) {
      const std::span<const int32_t> first = model.elements[body.elements.begin];
      stencils.push_back({body.kind->nodes, std::span(first.data(), count * first.size())});
    }
  return energy::make_pattern(stencils, dofs.block_of_node(), dofs.block_count());
}

bool uniform(const std::vector<model::ParamField>& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const auto& field) { return field.values.size() == 1; });
}

bool same_flat(const model::Body& a, const model::Body& b) {
  if (a.flat.size() != b.flat.size()) return false;
  for (size_t t = 0; t < a.flat.size(); ++t)
    for (int k = 0; k < 4; ++k)
      if (a.flat[t][k / 2][k % 2] != b.flat[t][k / 2][k % 2]) return false;
  return true;
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
                return p.nodes.end == q.nodes.end && p.elements.end == q.elements.end && p.kind == q.kind &&
                       p.thickness == q.thickness && p.fixed_thickness == q.fixed_thickness &&
                       p.bending == q.bending && p.hidden == q.hidden && same_flat(p, q);
              }) &&
          all(a.hinges, b.hinges,
              [](const Hinge& p, const Hinge& q) { return p.nodes == q.nodes && p.turn == q.turn; }) &&
          all(a.sets, b.sets,
              [](const ElasticSet& p, const ElasticSet& q) {
                return p.law == q.law && p.body == q.body && p.elements == q.elements;
              }) &&
          all(a.params.material, b.params.material,
              [](const auto& p, const auto& q) { return uniform(p) == uniform(q); }) &&
          all(a.attachments, b.attachments,
              [](const Attachment& p, const Attachment& q) {
                return p.hold == q.hold && p.nodes == q.nodes && p.clamped == q.clamped && p.pose == q.pose &&
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

template <class Shape>
void LaneSystem::add_elements(const model::ElasticSet& elastic, std::vector<Element<Shape>>& elements) const {
  const auto block = dofs_[0].block_of_node();
  for (int32_t e : elastic.elements) {
    Element<Shape> element{model::element_nodes<Shape>(model_, e), {}, 0, {}, false};
    for (int32_t node : element.node) element.beside_held |= block[node] < 0 || dofs_[0].partial_of(node);
    const auto rest = model::rest_point<Shape>(model_, model_.bodies[elastic.body], e, 0);
    for (size_t k = 0; k < element.g.size(); ++k)
      element.g[k] = rest.g[k / Shape::dimension + 1][k % Shape::dimension];
    element.volume = rest.weight;
    size_t p = 0;
    for_each_pair(Shape::nodes, [&](int a, int b) {
      const int32_t row = block[element.node[a]], column = block[element.node[b]];
      element.place[p++] =
          row < 0 || column < 0 ? LaneCholesky::Place{-1, false} : matrix_.place(row, column);
    });
    elements.push_back(element);
  }
}

LaneSystem::LaneSystem(const model::Model& model)
    : model_(model),
      dofs_(lanes, model::DofMap(model)),
      pattern_(whole_pattern(model, dofs_[0])),
      matrix_(pattern_) {
  const auto block = dofs_[0].block_of_node();
  for (const model::ElasticSet& elastic : model.sets) {
    const model::Body& body = model.bodies[elastic.body];
    Set set{elastic.law, body.fixed_thickness, {}, {}, 0, {}};
    body.kind->is_triangle() ? add_elements(elastic, set.triangles) : add_elements(elastic, set.tets);
    const bool one = uniform(model.params.material[sets_.size()]);
    set.stride = one ? 0 : set.law->param_count;
    set.params.assign(set.law->param_count * (one ? 1 : elastic.elements.size()), Pack(0));
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

namespace {

const auto& kernels(const material::Law& law, Tet4) { return law.d; }
const auto& kernels(const material::Law& law, Tri3) { return law.membrane_d; }

material::PointOptions point(Hessian hessian, bool fixed_thickness) {
  material::PointOptions options = energy::View{}.point(hessian);
  options.fixed_thickness = fixed_thickness;
  return options;
}

template <class Element>
Mat<PackD, 3, Element::dimension> deformation(const Element& element, std::span<const Vec3<PackD>> x) {
  Vec3<PackD> d[Element::edges];
  for (int a = 0; a < Element::edges; ++a) d[a] = x[element.node[a + 1]] - x[element.node[0]];
  if constexpr (Element::dimension == 3) {
    return element::deformation(d, element.g.data());
  } else {
    return {{d[0] * PackD(element.g[0]) + d[1] * PackD(element.g[2]),
             d[0] * PackD(element.g[1]) + d[1] * PackD(element.g[3])}};
  }
}

PackD volume_ratio(const Mat<PackD, 3, 3>& F) { return det(F); }
// A sheet has two sides.
PackD volume_ratio(const Mat<PackD, 3, 2>& F) { return norm(cross(F.c[0], F.c[1])); }

// The force of a stress on node a + 1.
template <class Element>
Vec3<PackD> force(const Element& element, const PackD* P, int a) {
  constexpr int dimension = Element::dimension;
  const double *g = &element.g[dimension * a], V = element.volume;
  Vec3<PackD> G;
  for (int i = 0; i < 3; ++i) {
    G[i] = P[i] * PackD(V * g[0]) + P[3 + i] * PackD(V * g[1]);
    if constexpr (dimension == 3) G[i] += P[6 + i] * PackD(V * g[2]);
  }
  return G;
}

}  // namespace

template <class Shape>
void LaneSystem::evaluate_set(const Set& set, const std::vector<Element<Shape>>& elements,
                              std::span<const Vector> x, std::span<Vector> gradient, Pack& energy,
                              Pack& inverted, Pack& least) const {
  constexpr int size = 3 * Shape::dimension;
  const material::PointOptions options = point(Hessian::exact, set.fixed_thickness);
  // Small-strain laws know no inversion.
  const bool inverts = Shape::dimension == 3 && set.law->traits.objective;
  for (size_t begin = 0; begin < elements.size(); begin += chunk) {
    const size_t count = std::min<size_t>(chunk, elements.size() - begin);
    Pack F[size * chunk], P[size * chunk], psi[chunk];
    for (size_t k = 0; k < count; ++k) {
      const auto f = deformation(elements[begin + k], x);
      element::store_matrix(f, F + size * k);
      const Pack J = volume_ratio(f);
      least = min(least, J);
      if (inverts) inverted += select(J <= Pack(0), Pack(1), Pack(0));
    }
    kernels(*set.law, Shape{})
        .evaluate(static_cast<int>(count), set.params.data() + begin * set.stride, set.stride, F, options,
                  psi, P);
    for (size_t k = 0; k < count; ++k) {
      const Element<Shape>& element = elements[begin + k];
      energy += psi[k] * Pack(element.volume);
      Vector sum = Vector::zero();
      for (int a = 0; a < Shape::nodes - 1; ++a) {
        const Vector G = force(element, P + size * k, a);
        gradient[element.node[a + 1]] += G;
        sum += G;
      }
      gradient[element.node[0]] -= sum;
    }
  }
}

void LaneSystem::evaluate_elements(std::span<const Vector> x, std::span<Vector> gradient,
                                   LaneEvaluation& results) const {
  Pack energy(0), inverted(0), least(std::numeric_limits<double>::infinity());
  for (const Set& set : sets_)
    set.with_elements(
        [&](const auto& elements) { evaluate_set(set, elements, x, gradient, energy, inverted, least); });
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

template <class Shape>
void LaneSystem::assemble_set(const Set& set, const std::vector<Element<Shape>>& elements, const Mask& exact,
                              std::span<const Vector> x, std::span<const Vector> moved,
                              std::span<Vector> product) {
  constexpr int size = 3 * Shape::dimension, count = size * (size + 1) / 2;
  const auto linearise = kernels(*set.law, Shape{}).linearise;
  for (size_t e = 0; e < elements.size(); ++e) {
    const Element<Shape>& element = elements[e];
    const Pack* params = set.params.data() + e * set.stride;
    Pack F[size], C[count], projected[count];
    element::store_matrix(deformation(element, x), F);
    if (any(exact)) linearise(1, params, 0, F, point(Hessian::exact, set.fixed_thickness), C);
    if (!all(exact)) {
      linearise(1, params, 0, F, point(Hessian::projected, set.fixed_thickness), projected);
      for (int m = 0; m < count; ++m) C[m] = any(exact) ? select(exact, C[m], projected[m]) : projected[m];
    }
    element::ElementStiffness<Shape::nodes - 1, Shape::dimension> stiffness;
    stiffness.add(C, element.g.data(), element.volume);
    Block K[Shape::nodes][Shape::nodes];  // upper blocks
    stiffness.for_each_block([&](int a, int b, const Block& block) {
      if (a <= b) K[a][b] = block;
    });
    size_t p = 0;
    for_each_pair(Shape::nodes, [&](int a, int b) {
      if (element.place[p].slot >= 0) matrix_.add(element.place[p], K[a][b]);
      ++p;
    });
    if (moved.empty() || !element.beside_held) continue;
    for (int a = 0; a < Shape::nodes; ++a)
      for (int b = 0; b < Shape::nodes; ++b)
        product[element.node[a]] += (a <= b ? K[a][b] : transpose(K[b][a])) * moved[element.node[b]];
  }
}

void LaneSystem::assemble(const Mask& which, std::span<const Vector> x, const Mask& exact,
                          std::span<const Vector> moved, std::span<Vector> product) {
  matrix_.set_zero();
  // Lanes that nobody asks for follow the others, so that one kernel is enough.
  bool any_projected = false;
  for (int l = 0; l < lanes; ++l) any_projected |= which[l] && !exact[l];
  const Mask wanted = any_projected ? exact & which : Mask(true);
  for (const Set& set : sets_)
    set.with_elements([&](const auto& elements) { assemble_set(set, elements, wanted, x, moved, product); });
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
