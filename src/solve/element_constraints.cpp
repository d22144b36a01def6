#include "solve/element_constraints.h"

#include <algorithm>

#include "base/parallel.h"
#include "math/gather.h"
#include "mesh/colouring.h"
#include "model/element_nodes.h"

namespace sinew::solve {

template <class Shape>
ElementConstraints<Shape>::ElementConstraints(const System& system, int32_t set, bool hard)
    : system_(system), dofs_(&system.dofs()), set_(set), hard_(hard), law_(*elastic().law) {
  const model::Model& model = system.model();
  const auto block = dofs_->block_of_node();
  std::vector<element::NodeIds<Shape>> elements;
  std::vector<int32_t> place;  // in the set
  for (size_t k = 0; k < elastic().elements.size(); ++k) {
    const auto ids = model::element_nodes<Shape>(model, elastic().elements[k]);
    if (std::all_of(ids.begin(), ids.end(), [&](int32_t node) { return block[node] < 0; })) continue;
    elements.push_back(ids);
    place.push_back(static_cast<int32_t>(k));
  }
  const auto chunks = mesh::colour_chunks<nodes>(std::span<const element::NodeIds<Shape>>(elements),
                                                 static_cast<int64_t>(model.X.size()), 1);
  element::LaneOrder order;
  first_pack_.push_back(0);
  for (const auto& colour : chunks.colours) {
    order.add_group(colour);
    first_pack_.push_back(static_cast<int64_t>(order.used.size()));
  }
  const model::Body& body = model.bodies[elastic().body];
  if constexpr (Shape::dimension == 2) {
    thickness_ = body.thickness;
    block_ = Block::with_rest(
        order, [&](int32_t e) { return elements[e]; },
        [&](int32_t e, int) {
          return element::triangle_gradients(body.flat[elastic().elements[place[e]] - body.elements.begin]);
        });
  } else {
    block_ = {model.X, order, [&](int32_t e) { return elements[e]; }};
  }
  for (int32_t e : order.element) place_.push_back(place[e]);
  for (int64_t k = 0; k < block_.packs(); ++k)
    for (int a = 0; a < nodes; ++a)
      for (int l = 0; l < lanes; ++l) lane_ids_.push_back(block_.node_ids()[k * lanes + l][a]);
  if (!model.coverage.empty()) coverage_.resize(block_.packs());
  for (size_t e = 0; e < coverage_.size() * lanes; ++e)
    coverage_[e / lanes].set(e % lanes, model.covered(elastic().elements[place_[e]]));
  mark_guided(model.X.size());
  multiplier_.resize(2 * block_.packs());
}

template <class Shape>
void ElementConstraints<Shape>::bind() {
  bound_to_ = system_.params_version();
  if (place_.empty()) return;
  law_.bind(system_.params().material[set_], place_);
  met_ = 2e-13 * system_.model().scales(system_.params(), elastic().body).modulus;
  choose_constraints();
}

template <class Shape>
void ElementConstraints<Shape>::mark_guided(size_t node_count) {
  std::vector<uint8_t> guided(node_count, 0);
  for (const auto& partial : dofs_->partials()) guided[partial.node] = 1;
  guided_.resize(block_.packs(), 0);
  for (size_t e = 0; e < block_.node_ids().size(); ++e)
    for (int32_t node : block_.node_ids()[e]) guided_[e / lanes] |= guided[node];
}

// A law's own two, unless they are to be met exactly and cannot be: |F| = 0 is no rest state.
template <class Shape>
void ElementConstraints<Shape>::choose_constraints() {
  constraint_count_ = 1;
  if constexpr (Shape::dimension == 2) return;
  const auto& kernels = law_.kernels();
  if (kernels.shape_constraint) {
    Pack F[9], G[9], C;
    element::store_matrix(math::Mat3<Pack>::identity(), F);
    kernels.shape_constraint(law_.params(0), F, &C, G);
    if (!hard_ || all(C * C < Pack(met_))) {
      constraint_[0] = kernels.shape_constraint;
      constraint_[1] = kernels.volume_constraint;
      constraint_count_ = 2;
      return;
    }
  }
  constraint_[0] = kernels.energy_constraint;
}

template <class Shape>
void ElementConstraints<Shape>::evaluate(int c, int64_t pack, const Pack* F, Pack& C, Pack* G) const {
  if constexpr (Shape::dimension == 2)
    law_.law().membrane_d.energy_constraint(
        law_.params(pack), F, {.fixed_thickness = system_.model().bodies[elastic().body].fixed_thickness}, &C,
        G);
  else
    constraint_[c](law_.params(pack), F, &C, G);
}

template <class Shape>
std::vector<int32_t> ElementConstraints<Shape>::elements_of(int colour) const {
  std::vector<int32_t> ids;
  for (int64_t k = first_pack_[colour]; k < first_pack_[colour + 1]; ++k)
    for (int l = 0; l < block_.used_lanes(k); ++l) ids.push_back(elastic().elements[place_[k * lanes + l]]);
  return ids;
}

template <class Shape>
void ElementConstraints<Shape>::start() {
  if (bound_to_ != system_.params_version()) bind();
  std::fill(multiplier_.begin(), multiplier_.end(), Pack(0));
}

template <class Shape>
void ElementConstraints<Shape>::sweep(std::span<MobileNode> mobile) {
  for (int colour = 0; colour < colour_count(); ++colour) {
    const int64_t first = first_pack_[colour];
    for_each_block(first_pack_[colour + 1] - first, block_packs, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) relax(first + k, mobile);
    });
  }
}

template <class Shape>
void ElementConstraints<Shape>::node_gradients(int64_t pack, const Gradient& G, Vector (&y)[nodes]) const {
  const Pack* g = block_.gradients(pack, 0);
  for (int a = 0; a < edges; ++a) {
    math::Vec<Pack, Shape::dimension> ga;
    for (int j = 0; j < Shape::dimension; ++j) ga[j] = g[Shape::dimension * a + j];
    y[a + 1] = G * ga;
  }
  Vector sum = y[1];
  for (int a = 2; a < nodes; ++a) sum += y[a];
  y[0] = -sum;
  if (guided_[pack]) project_guided(pack, y);
}

// Nodes on planes and lines move along their free directions only.
template <class Shape>
void ElementConstraints<Shape>::project_guided(int64_t pack, Vector (&y)[nodes]) const {
  for (int a = 0; a < nodes; ++a)
    for (int l = 0; l < lanes; ++l) {
      const Vec3d free = dofs_->free_part(lane_ids(pack, a)[l], {y[a][0][l], y[a][1][l], y[a][2][l]});
      for (int i = 0; i < 3; ++i) y[a][i].set(l, free[i]);
    }
}

template <class Shape>
void ElementConstraints<Shape>::relax(int64_t pack, std::span<MobileNode> mobile) {
  double* numbers = mobile.data()->x.v;
  Vector x[nodes];
  Pack mobility[nodes];
  for (int a = 0; a < nodes; ++a) {
    const math::Vec<Pack, 4> node = math::gather4<Pack>(numbers, lane_ids(pack, a));
    x[a] = {node[0], node[1], node[2]};
    mobility[a] = node[3];
  }
  Pack compliance = hard_ ? Pack(0) : Shape::inverse_volume(block_.gradients(pack, 0));
  if constexpr (Shape::dimension == 2) compliance = compliance * (1 / thickness_);
  if (!coverage_.empty()) compliance = compliance / coverage_[pack];
  for (int c = 0; c < constraint_count_; ++c) {
    Vector d[edges], y[nodes];
    for (int a = 0; a < edges; ++a) d[a] = x[a + 1] - x[0];
    Pack F[Block::F_size], G[Block::F_size], C;
    if constexpr (Shape::dimension == 3)
      element::store_matrix(element::deformation(d, block_.gradients(pack, 0)), F);
    else
      element::store_matrix(block_.deformation(d, pack, 0), F);
    evaluate(c, pack, F, C, G);
    if (c == 0) {  // a root: it has no gradient at 0, and is not a number where rounding leaves less than 0
      const auto met = !(C * C >= Pack(met_));
      C = select(met, Pack(0), C);
      for (Pack& entry : G) entry = select(met, Pack(0), entry);
    }
    node_gradients(pack, element::load_matrix<Shape::dimension>(G), y);
    Pack resistance = compliance;
    for (int a = 0; a < nodes; ++a) resistance += mobility[a] * norm2(y[a]);
    Pack& multiplier = multiplier_[2 * pack + c];
    const auto moves = resistance > Pack(0);
    const Pack change =
        select(moves, -(C + compliance * multiplier) / select(moves, resistance, Pack(1)), Pack(0));
    multiplier += change;
    for (int a = 0; a < nodes; ++a) x[a] += y[a] * (mobility[a] * change);
  }
  for (int a = 0; a < nodes; ++a)
    math::scatter4({x[a][0], x[a][1], x[a][2], mobility[a]}, numbers, lane_ids(pack, a),
                   block_.used_lanes(pack));
}

template class ElementConstraints<element::Tri3>;
template class ElementConstraints<element::Tet4>;

}  // namespace sinew::solve
