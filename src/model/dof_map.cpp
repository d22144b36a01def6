#include "model/dof_map.h"

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
}

void DofMap::set_targets(std::span<const double> inputs) {
  std::vector<Pose> poses;
  for (const Attachment& attachment : model_.attachments) poses.push_back(pose_at(inputs, attachment.pose));
  for (Held& held : rigid_) held.target = poses[held.attachment](model_.X[held.node]);
  for (size_t k = 0; k < partial_.size(); ++k) {
    Partial& partial = partial_[k];
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

void DofMap::retract(std::span<Vec3d> x) const {
  for (const Held& held : rigid_) x[held.node] = held.target;
  for (const Partial& partial : partial_) x[partial.node] = partial.P * x[partial.node] + partial.target;
}

void DofMap::pull(std::span<const Vec3d> nodes, std::span<Vec3d> q) const {
  for_each_block(block_count(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) q[b] = nodes[node_[b]];
  });
  for (const Partial& partial : partial_) q[block_[partial.node]] = partial.P * nodes[partial.node];
}

void DofMap::push(std::span<const Vec3d> q, std::span<Vec3d> nodes) const {
  for_each_block(static_cast<int64_t>(block_.size()), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) nodes[i] = block_[i] < 0 ? Vec3d{0, 0, 0} : q[block_[i]];
  });
  for (const Partial& partial : partial_) nodes[partial.node] = partial.P * q[block_[partial.node]];
}

}  // namespace sinew::model
