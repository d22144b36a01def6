#include "model/dof_map.h"

#include <algorithm>

#include "base/parallel.h"
#include "model/held_part.h"

namespace sinew::model {

DofMap::DofMap(const Model& model, std::span<const int32_t> order) : model_(model) {
  const auto n = static_cast<int32_t>(model.X.size());
  std::vector<std::vector<int32_t>> holders;  // of the partially held nodes, by node
  std::vector<int32_t> rigid_by(n, -1), partial_slot(n, -1);
  for (size_t a = 0; a < model.attachments.size(); ++a) {
    const Attachment& attachment = model.attachments[a];
    for (int32_t node : attachment.nodes) {
      if (attachment.hold == Hold::rigid) {
        if (rigid_by[node] < 0) rigid_by[node] = static_cast<int32_t>(a);
      } else {
        if (partial_slot[node] < 0) {
          partial_slot[node] = static_cast<int32_t>(holders.size());
          holders.emplace_back();
        }
        holders[partial_slot[node]].push_back(static_cast<int32_t>(a));
      }
    }
  }
  // The turn of a normal is the x coordinate of a node that has no others.
  for (const Hinge& hinge : model.hinges) {
    if (hinge.turn < 0) continue;
    partial_slot[hinge.turn] = static_cast<int32_t>(holders.size());
    holders.emplace_back();
  }
  block_.assign(n, -1);
  partial_of_.assign(n, -1);
  partial_offset_.push_back(0);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t node = order.empty() ? i : order[i];
    if (rigid_by[node] >= 0) {
      rigid_.push_back({node, rigid_by[node], {}});
      continue;
    }
    block_[node] = static_cast<int32_t>(node_.size());
    node_.push_back(node);
    if (partial_slot[node] >= 0) {
      partial_of_[node] = static_cast<int32_t>(partial_.size());
      partial_.push_back({node, Mat3d::identity(), {0, 0, 0}});
      const auto& by = holders[partial_slot[node]];
      partial_attachment_.insert(partial_attachment_.end(), by.begin(), by.end());
      partial_offset_.push_back(static_cast<int64_t>(partial_attachment_.size()));
    }
  }
  unknown_ = block_;
  own_ = node_;
}

void DofMap::set_carried(const Carried& carried, std::span<const Vec3d> x) {
  bindings_ = Bindings(carried.bindings, x.size());
  frames_ = RigidFrames(carried.rigid_parts, x);
  std::vector<char> is_carried(x.size(), false);
  for (int32_t node : bindings_.nodes()) is_carried[node] = true;
  for (int32_t frame = 0; frame < frames_.count(); ++frame)
    for (int32_t node : frames_.nodes(frame)) is_carried[node] = true;
  own_.clear();
  std::fill(unknown_.begin(), unknown_.end(), -1);
  for (int32_t node : node_) {
    if (is_carried[node]) continue;
    unknown_[node] = own_count();
    own_.push_back(node);
  }
}

void DofMap::set_targets(std::span<const double> inputs) {
  std::vector<Pose> poses;
  for (const Attachment& attachment : model_.attachments) poses.push_back(pose_at(inputs, attachment.pose));
  for (Held& held : rigid_) held.target = poses[held.attachment](model_.X[held.node]);
  for (size_t k = 0; k < partial_.size(); ++k) {
    Partial& partial = partial_[k];
    if (holders(k).empty()) {
      partial.P = outer(Vec3d{1, 0, 0}, Vec3d{1, 0, 0});
      continue;
    }
    HeldPart<double> part;
    for (int32_t a : holders(k)) {
      const Attachment& attachment = model_.attachments[a];
      hold_node(attachment.hold, attachment.direction, poses[a].A, poses[a](model_.X[partial.node]), part);
    }
    close(part);
    partial.P = part.P;
    partial.target = part.target;
  }
}

// The gradient with what acts on bound nodes added to their parents.
std::span<const Vec3d> DofMap::with_bound(std::span<const Vec3d> g) const {
  if (bindings_.empty()) return g;
  with_bound_.assign(g.begin(), g.end());
  bindings_.pull(with_bound_);
  return with_bound_;
}

void DofMap::push(std::span<const Vec3d> x, std::span<const Vec3d> q, std::span<Vec3d> d) const {
  for_each_block(static_cast<int64_t>(unknown_.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) d[i] = unknown_[i] < 0 ? Vec3d{0, 0, 0} : q[unknown_[i]];
  });
  for (const Partial& partial : partial_) d[partial.node] = partial.P * q[unknown_[partial.node]];
  if (!carries()) return;
  frames_.push(x, q.subspan(own_count()), d);
  bindings_.push(d);
}

void DofMap::pull(std::span<const Vec3d> x, std::span<const Vec3d> g, std::span<Vec3d> q) const {
  const std::span<const Vec3d> nodes = with_bound(g);
  for_each_block(own_count(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) q[u] = nodes[own_[u]];
  });
  for (const Partial& partial : partial_) q[unknown_[partial.node]] = partial.P * nodes[partial.node];
  if (carries()) frames_.pull(x, nodes, q.subspan(own_count()));
}

void DofMap::advance(std::span<const Vec3d> x, std::span<const Vec3d> d, double alpha,
                     std::span<Vec3d> out) const {
  for_each_block(static_cast<int64_t>(x.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = x[i] + d[i] * alpha;
  });
  if (!carries()) return;
  frames_.advance(x, d, alpha, out);
  bindings_.push(out);
}

void DofMap::retract(std::span<Vec3d> x) const {
  for (const Held& held : rigid_) x[held.node] = held.target;
  for (const Partial& partial : partial_) x[partial.node] = partial.P * x[partial.node] + partial.target;
  if (!carries()) return;
  frames_.retract(x);
  bindings_.push(x);
}

void DofMap::part_way(std::span<const Vec3d> x0, std::span<const Vec3d> x1, std::span<double> share,
                      std::span<Vec3d> out) const {
  bindings_.limit(share);
  frames_.limit(share);
  for (size_t i = 0; i < x0.size(); ++i)
    out[i] = share[i] == 1 || block_[i] < 0 ? x1[i] : x0[i] + (x1[i] - x0[i]) * share[i];
  if (!carries()) return;
  frames_.part_way(x0, x1, share, out);
  bindings_.push(out);
}

DofMap::Rows DofMap::rows(std::span<const Vec3d> x) const {
  std::vector<std::vector<Coefficient>> row(x.size());
  for (int32_t unknown = 0; unknown < own_count(); ++unknown) {
    const Partial* partial = partial_of(own_[unknown]);
    row[own_[unknown]] = {{unknown, partial ? partial->P : math::Mat3d::identity()}};
  }
  const std::vector<Vec3d> centre = frames_.centres(x);
  for (int32_t frame = 0; frame < frames_.count(); ++frame) {
    const int32_t translation = own_count() + 2 * frame;
    for (int32_t node : frames_.nodes(frame)) {
      const Vec3d r = (x[node] - centre[frame]) * (1 / frames_.length(frame));
      row[node] = {
          {translation, math::Mat3d::identity()},
          {translation + 1, math::Mat3d::columns({0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0})}};
    }
  }
  for (size_t k = 0; k < bindings_.nodes().size(); ++k) {
    std::vector<Coefficient>& sum = row[bindings_.nodes()[k]];
    for (const WeightedNode& parent : bindings_.parents(k))
      for (const Coefficient& from : row[parent.node]) {
        auto at = std::find_if(sum.begin(), sum.end(),
                               [&](const Coefficient& entry) { return entry.unknown == from.unknown; });
        if (at == sum.end()) at = sum.insert(at, {from.unknown, math::Mat3d::zero()});
        at->A += from.A * parent.weight;
      }
  }
  Rows result;
  for (const std::vector<Coefficient>& entries : row) {
    result.entry.insert(result.entry.end(), entries.begin(), entries.end());
    result.begin.push_back(static_cast<int64_t>(result.entry.size()));
  }
  return result;
}

}  // namespace sinew::model
