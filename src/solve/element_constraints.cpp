#include "solve/element_constraints.h"

#include <algorithm>

#include "base/parallel.h"
#include "math/gather.h"
#include "mesh/chunks.h"
#include "mesh/tet_shape.h"

namespace sinew::solve {

using math::Mat3;
using math::PackD;
using math::Vec3;

namespace {

// G g_a of the four corners.
void corner_gradients(const Mat3<PackD>& G, const PackD* g, Vec3<PackD> (&y)[4]) {
  for (int a = 0; a < 3; ++a) y[a + 1] = G * Vec3<PackD>{g[3 * a], g[3 * a + 1], g[3 * a + 2]};
  y[0] = -(y[1] + y[2] + y[3]);
}

}  // namespace

ElementConstraints::ElementConstraints(const System& system, int32_t set, bool hard)
    : dofs_(&system.dofs()),
      elastic_(&system.model().sets[set]),
      set_(set),
      hard_(hard),
      law_(*elastic_->law) {
  const model::Model& model = system.model();
  const model::ElasticSet& elastic = *elastic_;
  const auto block = dofs_->block_of_node();
  std::vector<model::Tet> tets;
  std::vector<int32_t> place;  // in the set
  for (size_t k = 0; k < elastic.elements.size(); ++k) {
    const model::Tet& tet = model.elements.nodes<4>(elastic.elements[k]);
    if (std::all_of(tet.begin(), tet.end(), [&](int32_t node) { return block[node] < 0; })) continue;
    tets.push_back(tet);
    place.push_back(static_cast<int32_t>(k));
  }
  const auto chunks =
      mesh::colour_chunks<4>(std::span<const model::Tet>(tets), static_cast<int64_t>(model.X.size()), 1);

  first_pack_.push_back(0);
  for (const auto& colour : chunks.colours) {
    const size_t padded = (colour.size() + lanes - 1) / lanes * lanes;
    for (size_t e = 0; e < padded; ++e) {
      const int32_t t = colour[std::min(e, colour.size() - 1)];
      if (e % lanes == 0) used_.push_back(static_cast<int8_t>(std::min<size_t>(lanes, colour.size() - e)));
      place_.push_back(place[t]);
      add_rest_shape(model, tets[t], static_cast<int>(e % lanes));
    }
    first_pack_.push_back(static_cast<int64_t>(used_.size()));
  }
  mark_guided(model.X.size());
  multiplier_.resize(2 * used_.size());
  bind(system);
}

void ElementConstraints::bind(const System& system) {
  if (place_.empty()) return;
  law_.bind(system.params().material[set_], place_);
  met_ = 2e-13 * system.model().scales(system.params(), elastic_->body).modulus;
  choose_constraints();
}

void ElementConstraints::add_rest_shape(const model::Model& model, const model::Tet& tet, int lane) {
  if (lane == 0) {
    rest_.resize(rest_.size() + 9);
    node_.resize(node_.size() + 4 * lanes);
  }
  std::array<Vec3d, 4> X;
  for (int a = 0; a < 4; ++a) X[a] = model.X[tet[a]];
  const auto shape = mesh::shape_gradients<4>(X, mesh::tet_points<4>[0]);
  Pack* g = rest_.data() + rest_.size() - 9;
  for (int k = 0; k < 9; ++k) g[k].set(lane, shape.g[k / 3 + 1][k % 3]);
  int32_t* node = node_.data() + node_.size() - 4 * lanes;
  for (int a = 0; a < 4; ++a) node[a * lanes + lane] = tet[a];
}

void ElementConstraints::mark_guided(size_t node_count) {
  std::vector<uint8_t> guided(node_count, 0);
  for (const auto& partial : dofs_->partials()) guided[partial.node] = 1;
  guided_.resize(used_.size(), 0);
  for (size_t k = 0; k < node_.size(); ++k) guided_[k / (4 * lanes)] |= guided[node_[k]];
}

// A law's own two, unless they are to be met exactly and cannot be: |F| = 0 is no rest state.
void ElementConstraints::choose_constraints() {
  const auto& kernels = law_.kernels();
  if (kernels.shape_constraint) {
    const Mat3<Pack> identity = Mat3<Pack>::identity();
    Pack F[9], G[9], C;
    for (int m = 0; m < 9; ++m) F[m] = identity.c[m / 3].v[m % 3];
    kernels.shape_constraint(law_.params(0), F, &C, G);
    if (!hard_ || all(C * C < Pack(met_))) {
      constraint_[0] = kernels.shape_constraint;
      constraint_[1] = kernels.volume_constraint;
      constraint_count_ = 2;
      return;
    }
  }
  constraint_[0] = kernels.energy_constraint;
  constraint_count_ = 1;
}

std::vector<int32_t> ElementConstraints::tets_of(int colour) const {
  std::vector<int32_t> tets;
  for (int64_t k = first_pack_[colour]; k < first_pack_[colour + 1]; ++k)
    for (int l = 0; l < used_[k]; ++l) tets.push_back(elastic_->elements[place_[k * lanes + l]]);
  return tets;
}

void ElementConstraints::start() { std::fill(multiplier_.begin(), multiplier_.end(), Pack(0)); }

void ElementConstraints::sweep(std::span<MobileNode> nodes) {
  for (int colour = 0; colour < colour_count(); ++colour) {
    const int64_t first = first_pack_[colour];
    for_each_block(first_pack_[colour + 1] - first, block_packs, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) relax(first + k, nodes);
    });
  }
}

// Nodes on planes and lines move along their free directions only.
void ElementConstraints::project_guided(int64_t pack, Vector (&y)[4]) const {
  for (int a = 0; a < 4; ++a)
    for (int l = 0; l < lanes; ++l) {
      const Vec3d free =
          dofs_->free_part(node_[(4 * pack + a) * lanes + l], {y[a][0][l], y[a][1][l], y[a][2][l]});
      for (int i = 0; i < 3; ++i) y[a][i].set(l, free[i]);
    }
}

void ElementConstraints::relax(int64_t pack, std::span<MobileNode> nodes) {
  double* numbers = nodes.data()->x.v;
  const int32_t* id = &node_[4 * lanes * pack];
  Vector x[4];
  Pack mobility[4];
  for (int a = 0; a < 4; ++a) {
    const math::Vec<Pack, 4> corner = math::gather4<Pack>(numbers, id + a * lanes);
    x[a] = {corner[0], corner[1], corner[2]};
    mobility[a] = corner[3];
  }
  const Pack* g = &rest_[9 * pack];
  const Gradient rest = {{{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}}};
  const Pack compliance = hard_ ? Pack(0) : Pack(6) * abs(det(rest));  // det g = 1/(6 V)
  for (int c = 0; c < constraint_count_; ++c) {
    Pack F[9], G[9], C;
    for (int j = 0; j < 3; ++j) {
      const Vector column = (x[1] - x[0]) * g[j] + (x[2] - x[0]) * g[3 + j] + (x[3] - x[0]) * g[6 + j];
      for (int i = 0; i < 3; ++i) F[3 * j + i] = column[i];
    }
    constraint_[c](law_.params(pack), F, &C, G);
    if (c == 0) {  // a root: it has no gradient at 0, and is not a number where rounding leaves less than 0
      const auto met = !(C * C >= Pack(met_));
      C = select(met, Pack(0), C);
      for (Pack& entry : G) entry = select(met, Pack(0), entry);
    }
    Vector y[4];
    corner_gradients(Gradient{{{G[0], G[1], G[2]}, {G[3], G[4], G[5]}, {G[6], G[7], G[8]}}}, g, y);
    if (guided_[pack]) project_guided(pack, y);
    Pack resistance = compliance;
    for (int a = 0; a < 4; ++a) resistance += mobility[a] * norm2(y[a]);
    Pack& multiplier = multiplier_[2 * pack + c];
    const auto moves = resistance > Pack(0);
    const Pack change =
        select(moves, -(C + compliance * multiplier) / select(moves, resistance, Pack(1)), Pack(0));
    multiplier += change;
    for (int a = 0; a < 4; ++a) x[a] += y[a] * (mobility[a] * change);
  }
  for (int a = 0; a < 4; ++a)
    math::scatter4({x[a][0], x[a][1], x[a][2], mobility[a]}, numbers, id + a * lanes, used_[pack]);
}

}  // namespace sinew::solve
