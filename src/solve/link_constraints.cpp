#include "solve/link_constraints.h"

#include <algorithm>

#include "math/frame.h"

namespace sinew::solve {

using model::Site;

LinkConstraints::LinkConstraints(const System& system, bool hard) : system_(&system), hard_(hard) {
  for (size_t i = 0; i < system.model().links.size(); ++i) {
    const model::Link& link = system.model().links[i];
    const size_t first = ends_.size();
    const auto add = [&](const Site& site, double sign) {
      for (int k = 0; k < site.count; ++k) {
        const auto same = std::find_if(ends_.begin() + static_cast<std::ptrdiff_t>(first), ends_.end(),
                                       [&](const End& end) { return end.node == site.node[k]; });
        if (same == ends_.end())
          ends_.push_back({site.node[k], sign * site.weight[k]});
        else
          same->weight += sign * site.weight[k];
      }
    };
    add(link.a, 1);
    add(link.b, -1);
    Rows rows{.first = first,
              .last = ends_.size(),
              .direction = {link.normal, {}, {}},
              .stiffness = {},
              .rest_length = link.rest_length,
              .multiplier = {},
              .offset = {0, 0, 0}};
    if (link.rest_length == 0) math::complete_frame(link.normal, rows.direction[1], rows.direction[2]);
    rows_.push_back(rows);
  }
}

void LinkConstraints::start() {
  const model::Params& params = system_->params();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const model::Link& link = system_->model().links[i];
    const double tangent = link.rest_length == 0 ? params.link_tangent[i] : 0;
    rows_[i].stiffness = {params.link_normal[i], tangent, tangent};
    rows_[i].multiplier = {};
    rows_[i].offset = {0, 0, 0};
    if (link.a.count == 0) rows_[i].offset += position(link.a, {}, system_->inputs());
    if (link.b.count == 0) rows_[i].offset -= position(link.b, {}, system_->inputs());
  }
}

Vec3d LinkConstraints::difference(const Rows& rows, std::span<const MobileNode> nodes) const {
  Vec3d d = rows.offset;
  for (size_t e = rows.first; e < rows.last; ++e) d += nodes[ends_[e].node].x * ends_[e].weight;
  return d;
}

void LinkConstraints::relax(Rows& rows, int k, double C, const Vec3d& direction,
                            std::span<MobileNode> nodes) const {
  const double compliance = hard_ ? 0 : 1 / rows.stiffness[k];
  double resistance = compliance;
  const auto gradient = [&](const End& end) {
    return system_->dofs().free_part(end.node, direction * end.weight);
  };
  for (size_t e = rows.first; e < rows.last; ++e)
    resistance += nodes[ends_[e].node].mobility * norm2(gradient(ends_[e]));
  if (resistance == 0) return;
  const double change = -(C + compliance * rows.multiplier[k]) / resistance;
  rows.multiplier[k] += change;
  for (size_t e = rows.first; e < rows.last; ++e) {
    MobileNode& node = nodes[ends_[e].node];
    node.x += gradient(ends_[e]) * (node.mobility * change);
  }
}

void LinkConstraints::sweep(std::span<MobileNode> nodes) {
  for (Rows& rows : rows_) {
    if (rows.rest_length > 0) {
      const Vec3d d = difference(rows, nodes);
      const double length = norm(d);
      if (length > 0 && rows.stiffness[0] > 0)
        relax(rows, 0, length - rows.rest_length, d * (1 / length), nodes);
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (rows.stiffness[k] > 0)
        relax(rows, k, dot(rows.direction[k], difference(rows, nodes)), rows.direction[k], nodes);
  }
}

}  // namespace sinew::solve
