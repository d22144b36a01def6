#include "model/unbalanced_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew::model {
namespace {

constexpr double negligible = 1e-9;  // of the sizes of all loads on a group

Vec3d pressure_force(const Model& model, const Triangle& face, double pressure) {
  return cross(model.X[face[1]] - model.X[face[0]], model.X[face[2]] - model.X[face[0]]) * (-0.5 * pressure);
}

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
  Loads(const Model& model, const Parts& parts) : model_(model), parts_(parts) {
    const std::vector<double> node_mass =
        model.gravity < 0 ? std::vector<double>() : model.load_mass(model.params);
    mass_.assign(parts.list.size(), 0.0);
    for (size_t i = 0; i < node_mass.size(); ++i) mass_[parts.of_node[i]] += node_mass[i];
  }

  Sums at(std::span<const double> inputs) const {
    Sums sums(parts_.list.size());
    if (model_.gravity >= 0) {
      const double* g = inputs.data() + model_.gravity;
      for (size_t p = 0; p < mass_.size(); ++p)
        sums.add(static_cast<int32_t>(p), Vec3d{g[0], g[1], g[2]} * mass_[p]);
    }
    for (const NodalLoad& load : model_.nodal_loads)
      for (size_t k = 0; k < load.nodes.size(); ++k)
        sums.add(parts_.of_node[load.nodes[k]], load.forces[k] * inputs[load.factor]);
    for (const PressureLoad& load : model_.pressure_loads) {
      const double pressure = load.pressure * inputs[load.factor];
      for (const Triangle& face : load.faces) add_pressure(pressure, face, sums);
      for (const auto& face : load.curved) add_pressure(pressure, {face[0], face[1], face[2]}, sums);
    }
    return sums;
  }

 private:
  void add_pressure(double pressure, const Triangle& face, Sums& sums) const {
    sums.add(parts_.of_node[face[0]], pressure_force(model_, face, pressure));
  }

  const Model& model_;
  const Parts& parts_;
  std::vector<double> mass_;  // of the parts [kg]
};

// Groups of linked parts, each with the largest force that nothing balances among the inputs looked at.
class Groups {
 public:
  Groups(const Model& model, const Parts& parts) : groups_(linked_parts(model, parts)), loads_(model, parts) {
    std::vector<int32_t> group_of_part(parts.list.size());
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (const int32_t p : groups_[g]) group_of_part[p] = static_cast<int32_t>(g);
      found_.push_back({groups_[g]});
      std::stable_sort(found_[g].parts.begin(), found_[g].parts.end(),
                       [&](int32_t a, int32_t b) { return parts.list[a].elements > parts.list[b].elements; });
    }
    held_ = held_directions(model, parts, group_of_part, groups_.size());
  }

  void look(std::span<const double> inputs, double time) {
    const Sums sums = loads_.at(inputs);
    for (size_t g = 0; g < groups_.size(); ++g) {
      Vec3d force = {0, 0, 0};
      double size = 0;
      for (const int32_t p : groups_[g]) {
        force += sums.force[p];
        size += sums.size[p];
      }
      force = free_part(held_[g], force);
      if (norm(force) <= std::max(negligible * size, norm(found_[g].force))) continue;
      found_[g].force = force;
      found_[g].time = time;
    }
  }

  std::vector<UnbalancedPart> take() {
    std::erase_if(found_, [](const UnbalancedPart& part) { return norm2(part.force) == 0; });
    return std::move(found_);
  }

 private:
  std::vector<std::vector<int32_t>> groups_;
  Loads loads_;
  std::vector<Mat3d> held_;
  std::vector<UnbalancedPart> found_;
};

}  // namespace

std::vector<UnbalancedPart> unbalanced_parts(const Model& model, const Parts& parts, double end) {
  Groups groups(model, parts);
  std::vector<double> inputs(model.inputs.size());
  for (const double time : key_times(model.inputs, end)) {
    model.inputs.evaluate(time, inputs);
    groups.look(inputs, time);
  }
  return groups.take();
}

std::vector<UnbalancedPart> unbalanced_parts(const Model& model, const Parts& parts,
                                             std::span<const double> inputs) {
  Groups groups(model, parts);
  groups.look(inputs, 0);
  return groups.take();
}

double turning_pressure(const Model& model, const Parts& parts, const FreePart& free,
                        std::span<const double> inputs) {
  const Part& part = parts.list[free.part];
  double largest = 0;
  for (const auto& q : free.motions) {
    const Vec3d t = {q[0], q[1], q[2]}, w = {q[3], q[4], q[5]};
    if (norm(w) < 1e-6) continue;
    double work = 0, size = 0;
    const auto add = [&](const Triangle& face, double pressure) {
      if (parts.of_node[face[0]] != free.part) return;
      const Vec3d middle = (model.X[face[0]] + model.X[face[1]] + model.X[face[2]]) * (1.0 / 3);
      const Vec3d motion = t + cross(w, (middle - part.centre) * (1 / part.radius));
      const Vec3d force = pressure_force(model, face, pressure);
      work += dot(force, motion);
      size += norm(force) * norm(motion);
    };
    for (const PressureLoad& load : model.pressure_loads) {
      const double pressure = load.pressure * inputs[load.factor];
      for (const Triangle& face : load.faces) add(face, pressure);
      for (const auto& face : load.curved) add({face[0], face[1], face[2]}, pressure);
    }
    if (std::abs(work) > negligible * size)
      largest = std::max(largest, std::abs(work) * part.radius / norm(w));
  }
  return largest;
}

}  // namespace sinew::model
