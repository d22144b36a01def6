#include "model/unbalanced_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew::model {
namespace {

constexpr double negligible = 1e-9;  // of the sizes of all loads on a group

// The sum of the loads on each part, and of their sizes.
struct Sums {
  std::vector<Vec3d> force;  // [N]
  std::vector<double> size;  // [N]

  explicit Sums(size_t parts) : force(parts, Vec3d{0, 0, 0}), size(parts, 0.0) {}
  void add(int32_t part, const Vec3d& f) {
    force[part] += f;
    size[part] += norm(f);
  }
};

// The directions that constraints take from a shift of each group: sums of d d^T over what they forbid.
std::vector<Mat3d> held_directions(const Model& model, const Parts& parts,
                                   const std::vector<int32_t>& group_of_part, size_t groups) {
  std::vector<Mat3d> held(groups, Mat3d::zero());
  const auto add = [&](int32_t node, const Mat3d& forbidden) {
    held[group_of_part[parts.of_node[node]]] += forbidden;
  };
  for (const Attachment& attachment : model.attachments) {
    const Mat3d along = outer(attachment.direction, attachment.direction);
    const Mat3d forbidden = attachment.hold == Hold::rigid   ? Mat3d::identity()
                            : attachment.hold == Hold::plane ? along
                                                             : Mat3d::identity() - along;
    for (const int32_t node : attachment.nodes) add(node, forbidden);
  }
  for (size_t l = 0; l < model.links.size(); ++l) {
    const Link& link = model.links[l];
    const Site& site = link.a.count > 0 ? link.a : link.b;
    if (site.count == 0 || (link.a.count > 0 && link.b.count > 0)) continue;
    const Mat3d along = outer(link.normal, link.normal);
    // A spring with a length holds, once it has turned, against every force.
    const bool normal = model.params.link_normal[l] > 0, tangent = model.params.link_tangent[l] > 0;
    if (normal && link.rest_length > 0) add(site.node[0], Mat3d::identity());
    if (normal && link.rest_length == 0) add(site.node[0], along);
    if (tangent && link.rest_length == 0) add(site.node[0], Mat3d::identity() - along);
  }
  return held;
}

// What is left of f across the range of a positive semi-definite matrix.
Vec3d free_part(Mat3d held, Vec3d f) {
  const double bound = negligible * std::max(1.0, trace(held));
  for (int rank = 0; rank < 3; ++rank) {
    int longest = 0;
    for (int j = 1; j < 3; ++j)
      if (norm2(held.c[j]) > norm2(held.c[longest])) longest = j;
    if (norm(held.c[longest]) <= bound) break;
    const Vec3d q = normalized(held.c[longest]);
    f -= q * dot(q, f);
    held -= outer(q, transpose(held) * q);
  }
  return f;
}

// Loads are linear between the keys of their factors, so that their largest sums are at keys.
std::set<double> key_times(const InputCurve& inputs, double end) {
  std::set<double> times = {0, end};
  for (const InputCurve::Block& block : inputs.blocks())
    for (const NumberKey& key : block.numbers)
      if (key.time > 0 && key.time < end) times.insert(key.time);
  return times;
}

class Loads {
 public:
  Loads(const Model& model, const Parts& parts) : model_(model), parts_(parts), inputs_(model.inputs.size()) {
    const std::vector<double> node_mass =
        model.gravity < 0 ? std::vector<double>() : model.load_mass(model.params);
    mass_.assign(parts.list.size(), 0.0);
    for (size_t i = 0; i < node_mass.size(); ++i) mass_[parts.of_node[i]] += node_mass[i];
  }

  Sums at(double time) {
    model_.inputs.evaluate(time, inputs_);
    Sums sums(parts_.list.size());
    if (model_.gravity >= 0) {
      const double* g = inputs_.data() + model_.gravity;
      for (size_t p = 0; p < mass_.size(); ++p)
        sums.add(static_cast<int32_t>(p), Vec3d{g[0], g[1], g[2]} * mass_[p]);
    }
    for (const NodalLoad& load : model_.nodal_loads)
      for (size_t k = 0; k < load.nodes.size(); ++k)
        sums.add(parts_.of_node[load.nodes[k]], load.forces[k] * inputs_[load.factor]);
    for (const PressureLoad& load : model_.pressure_loads) {
      for (const Triangle& face : load.faces) add_pressure(load, face, sums);
      for (const auto& face : load.curved) add_pressure(load, {face[0], face[1], face[2]}, sums);
    }
    return sums;
  }

 private:
  void add_pressure(const PressureLoad& load, const Triangle& face, Sums& sums) const {
    const Vec3d area = cross(model_.X[face[1]] - model_.X[face[0]], model_.X[face[2]] - model_.X[face[0]]);
    sums.add(parts_.of_node[face[0]], area * (-0.5 * load.pressure * inputs_[load.factor]));
  }

  const Model& model_;
  const Parts& parts_;
  std::vector<double> mass_;  // of the parts [kg]
  std::vector<double> inputs_;
};

}  // namespace

std::vector<UnbalancedPart> unbalanced_parts(const Model& model, const Parts& parts, double end) {
  const std::vector<std::vector<int32_t>> groups = linked_parts(model, parts);
  std::vector<int32_t> group_of_part(parts.list.size());
  std::vector<UnbalancedPart> all;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const int32_t p : groups[g]) group_of_part[p] = static_cast<int32_t>(g);
    all.push_back({groups[g]});
    std::stable_sort(all[g].parts.begin(), all[g].parts.end(),
                     [&](int32_t a, int32_t b) { return parts.list[a].elements > parts.list[b].elements; });
  }
  const std::vector<Mat3d> held = held_directions(model, parts, group_of_part, groups.size());
  Loads loads(model, parts);
  for (const double time : key_times(model.inputs, end)) {
    const Sums sums = loads.at(time);
    for (size_t g = 0; g < groups.size(); ++g) {
      Vec3d force = {0, 0, 0};
      double size = 0;
      for (const int32_t p : groups[g]) {
        force += sums.force[p];
        size += sums.size[p];
      }
      force = free_part(held[g], force);
      if (norm(force) <= std::max(negligible * size, norm(all[g].force))) continue;
      all[g].force = force;
      all[g].time = time;
    }
  }
  std::erase_if(all, [](const UnbalancedPart& part) { return norm2(part.force) == 0; });
  return all;
}

}  // namespace sinew::model
