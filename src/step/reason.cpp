#include "step/reason.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

#include "mesh/poor_tets.h"
#include "model/element_nodes.h"
#include "model/rigid_modes.h"
#include "model/unbalanced_parts.h"
#include "solve/conjugate_gradients.h"
#include "solve/system.h"
#include "solve/vectors.h"

namespace sinew::step {

using math::Mat3d;
using math::Vec3d;

namespace {

constexpr double rigid_share = 0.5;  // of a part's force out of balance that moves it as a whole
constexpr int curvature_iterations = 300;
constexpr double curvature_tolerance = 1e-3;
constexpr double curvature_rounding = 1e-10;  // of |p| |Kp|

bool finite(const Vec3d& v) { return std::isfinite(norm2(v)); }

// The least det F at the quadrature points of an element.
double min_det_F(const model::Model& model, std::span<const Vec3d> x, int32_t e) {
  if (model.bodies[model.body_of_element(e)].kind->is_triangle())
    return std::numeric_limits<double>::infinity();  // they have two sides
  return model::with_shape_of(model, e, [&](auto shape) {
    using Shape = decltype(shape);
    const auto ids = model::element_nodes<Shape>(model, e);
    double least = std::numeric_limits<double>::infinity();
    for (const element::Barycentric& L : Shape::quadrature) {
      const auto d = Shape::reference_gradients(L);
      const auto volume = [&](std::span<const Vec3d> at) {
        return det(element::shape_jacobian<Shape>(element::positions(at, ids), d));
      };
      least = std::min(least, volume(x) / volume(model.X));
    }
    return least;
  });
}

// A hidden node is the turn of an edge: the first node of the edge stands for it.
int32_t visible_node(const model::Model& model, int32_t node) {
  const model::Body& body = model.bodies[model.body_of_node(node)];
  const int32_t turn = node - body.visible().end;
  return turn < 0 ? node : model.hinges[body.hinges.begin + turn].nodes[0];
}

Reason at_node(const model::Model& model, int32_t node) {
  const model::Body& body = model.bodies[model.body_of_node(node)];
  Reason reason;
  reason.body = body.name;
  reason.place = model.X[node];
  reason.node = node - body.nodes.begin;
  return reason;
}

std::string count_text(int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

class Search {
 public:
  explicit Search(const StepEnd& end)
      : end_(end),
        system_(end.system),
        model_(end.system.model()),
        still_(end.system.inertia_weight().empty()),
        gradient_(end.gradient.begin(), end.gradient.end()),
        at_(end.at && !gradient_.empty() ? *end.at : evaluate()) {}

  Reason operator()() const {
    if (!std::all_of(end_.x.begin(), end_.x.end(), finite) || !std::isfinite(at_.residual))
      return not_finite(model_, end_.x, gradient_);
    const bool balanced = at_.relative <= end_.tolerance, rounded = at_.rounding > end_.tolerance;
    if (end_.pair && (end_.crossing || balanced)) return contact(*end_.pair);
    if (balanced && rounded) return rounding();
    if (at_.inverted > 0) return inverted();
    if (still_ && !end_.budgeted) {
      if (auto reason = free_part()) return *reason;
      if (auto reason = buckling()) return *reason;
    }
    return rounded ? rounding() : unbalanced();
  }

 private:
  solve::Evaluation evaluate() {
    gradient_.resize(model_.X.size());
    return system_.evaluate(end_.x, gradient_);
  }

  Vec3d force(int32_t node) const { return system_.dofs().free_part(node, gradient_[node]); }
  const char* smaller_steps() const { return still_ ? "more frames or substeps" : "more substeps"; }

  // The node whose force out of balance is largest, measured by the stiffness of its body.
  int32_t most_unbalanced() const {
    int32_t found = 0;
    double largest = -1;
    for (size_t b = 0; b < model_.bodies.size(); ++b) {
      const double unit = model_.bodies.size() == 1 ? 1 : stiffness_of_node(static_cast<int32_t>(b));
      const model::Range nodes = model_.bodies[b].nodes;
      for (int32_t i = nodes.begin; i < nodes.end; ++i)
        if (const double size = norm(force(i)) / unit; size > largest) {
          largest = size;
          found = i;
        }
    }
    return visible_node(model_, found);
  }

  double stiffness_of_node(int32_t body) const {  // [N/m]
    const model::Model::Scales scales = model_.scales(system_.params(), body);
    return scales.stiffness * scales.edge;
  }

  std::string name(int32_t body_or_collider) const {
    const auto bodies = static_cast<int32_t>(model_.bodies.size());
    return body_or_collider < bodies ? model_.bodies[body_or_collider].name
                                     : model_.colliders[body_or_collider - bodies].name;
  }

  Reason contact(const contact::Pair& pair) const {
    Reason reason = at_node(model_, model::main_carrier(model_, pair.node[0]));
    reason.other = name(pair.body[1]);
    if (end_.crossing) {
      reason.cause = "the surfaces would pass through each other";
      reason.advice = fmt::format("leave room between what is held, or take {}", smaller_steps());
    } else {
      reason.cause =
          fmt::format("contacts did not settle in {}", count_text(model_.contact.rounds, "round", "rounds"));
      reason.advice =
          "raise \"rounds\" of the contact, lower its stiffness or friction, or take more frames or substeps";
    }
    return reason;
  }

  Reason rounding() const {
    const model::Range nodes = model_.bodies[at_.rounded_body].visible();
    int32_t furthest = nodes.begin;
    for (int32_t i = nodes.begin; i < nodes.end; ++i)
      if (norm2(end_.x[i]) > norm2(end_.x[furthest])) furthest = i;
    Reason reason = at_node(model_, furthest);
    reason.cause = system_.rounding_text(at_.rounded_body, at_.rounding, end_.x);
    reason.advice = "move the scene to the origin, and hold or remove parts that drift away";
    return reason;
  }

  // The first attachment that holds a node of the element; null: none does.
  const model::Attachment* grip_of(int32_t element) const {
    const auto nodes = model_.elements[element];
    for (const model::Attachment& attachment : model_.attachments)
      for (const int32_t node : attachment.nodes)
        if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return &attachment;
    return nullptr;
  }

  Reason inverted() const {
    int32_t worst = 0;
    double least = std::numeric_limits<double>::infinity();
    for (size_t e = 0; e < model_.elements.size(); ++e)
      if (const double J = min_det_F(model_, end_.x, static_cast<int32_t>(e)); J < least) {
        least = J;
        worst = static_cast<int32_t>(e);
      }
    const model::Body& body = model_.bodies[model_.body_of_element(worst)];
    std::vector<Vec3d> X;
    for (int k = 0; k < body.kind->corners; ++k) X.push_back(model_.X[model_.elements[worst][k]]);
    Reason reason;
    reason.body = body.name;
    reason.element = worst - body.elements.begin;
    for (const Vec3d& corner : X) reason.place += corner * (1.0 / static_cast<double>(X.size()));
    reason.cause =
        fmt::format("{}, the worst with det F = {:.2g}",
                    count_text(at_.inverted, "element is inverted", "elements are inverted"), least);
    const double ratio = body.kind->quality(X.data());
    if (ratio < mesh::PoorTets::bounds[0]) {
      reason.cause += fmt::format(", {} at rest with the radius ratio {:.2g}",
                                  ratio < mesh::PoorTets::bounds[1] ? "a sliver" : "badly shaped", ratio);
      reason.advice = "improve the mesh by `sinew convert --improve`";
    }
    const model::Attachment* grip = grip_of(worst);
    if (grip) {
      reason.cause += fmt::format(", crushed beside the attachment \"{}\"", grip->name);
      reason.advice += reason.advice.empty() ? "" : "; ";
      reason.advice += fmt::format("hold a larger region, or a soft one (\"hold\": \"soft\"), or take {}",
                                   smaller_steps());
    }
    if (reason.advice.empty())
      reason.advice = fmt::format("take {}, or a mesh that is finer there", smaller_steps());
    return reason;
  }

  // The sums over each part that tell how much of its force out of balance moves it as a whole.
  struct PartSums {
    Vec3d force = {0, 0, 0}, moment = {0, 0, 0};
    double force2 = 0, arm2 = 0;
    int32_t nodes = 0, node = -1;  // how many, and where the force is largest

    bool rigid() const {
      return norm2(force) / nodes + norm2(moment) / arm2 > rigid_share * rigid_share * force2;
    }
  };
  std::vector<PartSums> sum_parts(const model::Parts& parts) const {
    std::vector<PartSums> sums(parts.list.size());
    for (const model::Body& body : model_.bodies)
      for (int32_t node = body.nodes.begin; node < body.visible().end; ++node) {
        const int32_t p = parts.of_node[node];
        const Vec3d f = -force(node), arm = model_.X[node] - parts.list[p].centre;
        PartSums& s = sums[p];
        s.force += f;
        s.moment += cross(arm, f);
        s.force2 += norm2(f);
        s.arm2 += norm2(arm);
        ++s.nodes;
        if (s.node < 0 || norm2(f) > norm2(force(s.node))) s.node = node;
      }
    return sums;
  }

  // A part that a rigid motion, which nothing holds, takes away: its loads have a sum along it or, where contacts may hold
  // it, that motion has most of its force out of balance.
  std::optional<Reason> free_part() const {
    const model::Parts parts = model::find_parts(model_);
    std::vector<PartSums> sums = sum_parts(parts);
    const bool touches = model_.has_contacts();
    std::vector<char> driven(parts.list.size(), 0);
    if (!touches)
      for (const model::UnbalancedPart& group : model::unbalanced_parts(model_, parts, system_.inputs())) {
        driven[group.parts[0]] = 1;
        sums[group.parts[0]].force = group.force;
      }
    int64_t unchecked = 0;
    for (const model::FreePart& free : model::free_rigid_modes(model_, parts, unchecked)) {
      const PartSums& s = sums[free.part];
      const double moment = touches ? 0 : model::turning_pressure(model_, parts, free, system_.inputs());
      if (!driven[free.part] && !s.rigid() && moment == 0) continue;
      Reason reason = at_node(model_, s.node);
      reason.cause =
          fmt::format("{} free to move ({}), and ",
                      touches ? "this part is held by contact alone," : "this part is", free.modes);
      if (moment > 0 && !driven[free.part])
        reason.cause += fmt::format("pressure turns with it, with a moment of {:.3g} N m about that", moment);
      else
        reason.cause += fmt::format("a force of ({:.3g}, {:.3g}, {:.3g}) N drives it", s.force[0], s.force[1],
                                    s.force[2]);
      reason.advice =
          "hold it by an attachment, if only a soft one (\"hold\": \"soft\"), leave it out "
          "(\"parts\": \"largest\"), or take the mode \"dynamic\"";
      return reason;
    }
    return std::nullopt;
  }

  // A direction in which the exact energy curves downwards, met by conjugate gradients, over the nodes; empty: none was.
  std::vector<Vec3d> falling_direction() const {
    const model::DofMap& dofs = system_.dofs();
    std::vector<Vec3d> d(end_.x.size()), Kd(end_.x.size()), falling;
    if (dofs.carries()) return falling;
    const auto unknowns = static_cast<size_t>(dofs.unknown_count());
    std::vector<Vec3d> b(unknowns), q(unknowns);
    dofs.pull(gradient_, b);
    system_.linearise(end_.x, solve::Hessian::exact);
    std::vector<Mat3d> blocks(end_.x.size());
    system_.diagonal(blocks);
    std::vector<solve::Mat3f> inverse(unknowns);
    for (size_t u = 0; u < unknowns; ++u)
      inverse[u] = solve::safe_inverse(blocks[dofs.node_of_unknown(static_cast<int32_t>(u))]);
    const solve::Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
      dofs.push(p, d);
      system_.apply(d, Kd);
      dofs.pull(Kd, out);
      const double curvature = solve::dot_of(p, out);
      if (curvature < -curvature_rounding * std::sqrt(solve::dot_of(p, p) * solve::dot_of(out, out)))
        falling = d;
      return curvature;
    };
    solve::ConjugateGradients().solve(product, inverse, b, q, curvature_tolerance, curvature_iterations);
    return falling;
  }

  std::optional<Reason> buckling() const {
    const std::vector<Vec3d> falling = falling_direction();
    if (falling.empty()) return std::nullopt;
    int32_t largest = 0;
    for (const model::Body& body : model_.bodies)
      for (int32_t i = body.nodes.begin; i < body.visible().end; ++i)
        if (norm2(falling[i]) > norm2(falling[largest])) largest = i;
    Reason reason = at_node(model_, largest);
    reason.cause = fmt::format(
        "it buckles or snaps through at the load factor {:.3g} of the step: the energy curves downwards, "
        "most "
        "of all here",
        end_.done);
    reason.advice = "take the mode \"dynamic\", or more frames";
    return reason;
  }

  // The poorest of the elements at a node that are slivers at rest; -1: none is.
  int32_t sliver_at(int32_t node, double& ratio) const {
    int32_t found = -1;
    ratio = mesh::PoorTets::bounds[1];
    for (int32_t e = 0; e < static_cast<int32_t>(model_.elements.size()); ++e) {
      const auto nodes = model_.elements[e];
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) continue;
      const element::Kind& kind = *model_.bodies[model_.body_of_element(e)].kind;
      std::vector<Vec3d> X;
      for (int k = 0; k < kind.corners; ++k) X.push_back(model_.X[nodes[k]]);
      if (const double quality = kind.quality(X.data()); quality < ratio) {
        ratio = quality;
        found = e;
      }
    }
    return found;
  }

  Reason unbalanced() const {
    const int32_t node = most_unbalanced();
    Reason reason = at_node(model_, node);
    reason.cause = fmt::format(
        "the relative residual stayed at {:.2g}, above the tolerance {:.2g}; the force out of balance is "
        "largest here",
        at_.relative, end_.tolerance);
    reason.advice = end_.budgeted
                        ? fmt::format("take more iterations, {}, or the method \"newton\"", smaller_steps())
                        : fmt::format("take {}, more iterations, or the method \"hybrid\"", smaller_steps());
    double ratio;
    if (const int32_t sliver = sliver_at(node, ratio); sliver >= 0) {
      const model::Body& body = model_.bodies[model_.body_of_element(sliver)];
      reason.cause += fmt::format(", beside the {} {}, a sliver at rest with the radius ratio {:.2g}",
                                  body.kind->noun, sliver - body.elements.begin, ratio);
      const bool bends = body.bending == model::Bending::shell;
      reason.advice =
          fmt::format("{}, or {}",
                      !body.kind->is_triangle() ? "improve the mesh by `sinew convert --improve`"
                      : bends ? "mesh the surface anew, or bend it by hinges (\"model\": \"hinge\"), "
                                "in which slivers do less harm"
                              : "mesh the surface anew",
                      reason.advice);
    }
    return reason;
  }

  const StepEnd& end_;
  const solve::System& system_;
  const model::Model& model_;
  const bool still_;  // without inertia
  std::vector<Vec3d> gradient_;
  const solve::Evaluation at_;
};

}  // namespace

std::string Reason::text() const {
  std::string where = fmt::format("the body \"{}\"", body);
  if (!other.empty()) where += fmt::format(" against \"{}\"", other);
  where += fmt::format(" at ({:.4g}, {:.4g}, {:.4g}) m", place[0], place[1], place[2]);
  if (node >= 0) where += fmt::format(", node {}", node);
  if (element >= 0) where += fmt::format(", element {}", element);
  return fmt::format("{}: {}; {}", where, cause, advice);
}

Reason find_reason(const StepEnd& end) { return Search(end)(); }

Reason not_finite(const model::Model& model, std::span<const Vec3d> x, std::span<const Vec3d> v) {
  size_t first = std::find_if_not(x.begin(), x.end(), finite) - x.begin();
  if (first == x.size()) first = std::find_if_not(v.begin(), v.end(), finite) - v.begin();
  Reason reason = at_node(model, first < x.size() ? visible_node(model, static_cast<int32_t>(first)) : 0);
  reason.cause = "forces or positions grew beyond all numbers";
  reason.advice = "take more frames or substeps, or look for loads, velocities and materials in wrong units";
  return reason;
}

}  // namespace sinew::step
