#include "solve/hinge_constraints.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "element/lane_order.h"
#include "energy/dihedral.h"
#include "math/gather.h"
#include "mesh/colouring.h"
#include "model/plate_stiffness.h"

namespace sinew::solve {

namespace {

constexpr int lanes = math::lanes_of<math::PackD>;
constexpr int block_packs = 32;

}  // namespace

HingeConstraints::HingeConstraints(const System& system, int32_t body, bool hard)
    : system_(&system), body_(body), hard_(hard) {
  const model::Model& model = system.model();
  const auto block = system.dofs().block_of_node();
  const model::Range range = model.bodies[body].hinges;
  std::vector<std::array<int32_t, 4>> nodes;
  std::vector<int32_t> number;  // in the body
  for (int32_t h = range.begin; h < range.end; ++h) {
    const auto& ids = model.hinges[h].nodes;
    if (std::all_of(ids.begin(), ids.end(), [&](int32_t node) { return block[node] < 0; })) continue;
    nodes.push_back(ids);
    number.push_back(h - range.begin);
  }
  const auto chunks = mesh::colour_chunks<4>(std::span<const std::array<int32_t, 4>>(nodes),
                                             static_cast<int64_t>(model.X.size()), 1);
  element::LaneOrder order;
  first_pack_.push_back(0);
  for (const auto& colour : chunks.colours) {
    order.add_group(colour);
    first_pack_.push_back(static_cast<int64_t>(order.used.size()));
  }
  used_ = order.used;
  const size_t packs = used_.size();
  for (auto* list : {&cosine_, &sine_, &stiffness_, &multiplier_}) list->resize(packs);
  for (size_t e = 0; e < order.element.size(); ++e) {
    const int32_t h = number[order.element[e]];
    hinge_.push_back(h);
    const double angle = model.hinges[range.begin + h].rest_angle;
    cosine_[e / lanes].set(static_cast<int>(e % lanes), std::cos(angle));
    sine_[e / lanes].set(static_cast<int>(e % lanes), std::sin(angle));
  }
  for (size_t k = 0; k < packs; ++k)
    for (int a = 0; a < 4; ++a)
      for (int l = 0; l < lanes; ++l) lane_ids_.push_back(nodes[order.element[k * lanes + l]][a]);
}

void HingeConstraints::start() {
  std::fill(multiplier_.begin(), multiplier_.end(), Pack(0));
  if (bound_to_ == system_->params_version()) return;
  bound_to_ = system_->params_version();
  const std::vector<double> stiffness = model::hinge_stiffness(system_->model(), system_->params(), body_);
  for (size_t e = 0; e < hinge_.size(); ++e)
    stiffness_[e / lanes].set(static_cast<int>(e % lanes), stiffness[hinge_[e]]);
}

void HingeConstraints::sweep(std::span<MobileNode> nodes) {
  for (size_t colour = 0; colour + 1 < first_pack_.size(); ++colour) {
    const int64_t first = first_pack_[colour];
    for_each_block(first_pack_[colour + 1] - first, block_packs, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) relax(first + k, nodes);
    });
  }
}

void HingeConstraints::relax(int64_t pack, std::span<MobileNode> nodes) {
  double* numbers = nodes.data()->x.v;
  const int32_t* ids = &lane_ids_[pack * 4 * lanes];
  math::Vec3<Pack> x[4], y[4];
  Pack mobility[4];
  for (int a = 0; a < 4; ++a) {
    const math::Vec<Pack, 4> node = math::gather4<Pack>(numbers, ids + a * lanes);
    x[a] = {node[0], node[1], node[2]};
    mobility[a] = node[3];
  }
  const energy::Dihedral<Pack> at(x[0], x[1], x[2], x[3]);
  const Pack C = at.beyond(cosine_[pack], sine_[pack]);
  const auto bends = stiffness_[pack] > Pack(0);
  const Pack compliance = hard_ ? Pack(0) : Pack(1) / select(bends, stiffness_[pack], Pack(1));
  Pack resistance = compliance;
  for (int a = 0; a < 4; ++a) {
    y[a] = at.gradient(a);
    for (int l = 0; l < lanes; ++l) {
      const int32_t node = ids[a * lanes + l];
      if (!system_->dofs().partial_of(node)) continue;  // on a plane or a line
      const Vec3d free = system_->dofs().free_part(node, {y[a][0][l], y[a][1][l], y[a][2][l]});
      for (int i = 0; i < 3; ++i) y[a][i].set(l, free[i]);
    }
    resistance += mobility[a] * dot(y[a], y[a]);
  }
  const auto moves = bends & (resistance > Pack(0));
  const Pack change =
      select(moves, -(C + compliance * multiplier_[pack]) / select(moves, resistance, Pack(1)), Pack(0));
  multiplier_[pack] += change;
  for (int a = 0; a < 4; ++a) {
    const math::Vec3<Pack> to = x[a] + y[a] * (mobility[a] * change);
    math::scatter4({to[0], to[1], to[2], mobility[a]}, numbers, ids + a * lanes, used_[pack]);
  }
}

}  // namespace sinew::solve
