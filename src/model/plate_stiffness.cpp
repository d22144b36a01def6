#include "model/plate_stiffness.h"

#include <algorithm>

#include "math/pack.h"
#include "model/flat_triangle.h"

namespace sinew::model {

using material::upper;
using math::Mat3d;
using math::PackD;

namespace {

// The tangent of a law at rest in (11, 22, 2 12), from the second derivatives C of its energy in the six numbers of F by
// columns: 0 and 4 stretch, 1 and 3 shear.
Mat3d plane_tangent(const PackD* C, int lane) {
  const auto c = [&](int i, int j) { return C[upper<6>(i, j)][lane]; };
  const double first = 0.5 * (c(0, 1) + c(0, 3)), second = 0.5 * (c(1, 4) + c(3, 4));
  const double shear = 0.25 * (c(1, 1) + 2 * c(1, 3) + c(3, 3));
  return {{{c(0, 0), c(0, 4), first}, {c(0, 4), c(4, 4), second}, {first, second, shear}}};
}

// visit(place in the set, tangent), or one visit where all elements have the same constants.
template <class Visit>
void for_each_tangent(const material::Law& law, const std::vector<ParamField>& fields, bool fixed_thickness,
                      const Visit& visit) {
  constexpr int lanes = math::lanes_of<PackD>;
  size_t count = 1;
  for (const ParamField& field : fields) count = std::max(count, field.values.size());
  std::vector<double> in(fields.size()), out(law.param_count);
  std::vector<PackD> constants(law.param_count);
  const PackD F[6] = {1, 0, 0, 0, 1, 0};
  PackD C[material::membrane_upper_count];
  for (size_t first = 0; first < count; first += lanes) {
    for (int l = 0; l < lanes; ++l) {
      for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(std::min(first + l, count - 1));
      law.convert(in.data(), out.data());
      for (int p = 0; p < law.param_count; ++p) constants[p].set(l, out[p]);
    }
    law.membrane_d.linearise(1, constants.data(), 0, F,
                             {.hessian = material::Hessian::exact, .fixed_thickness = fixed_thickness}, C);
    for (size_t i = first; i < std::min(first + lanes, count); ++i)
      visit(i, plane_tangent(C, static_cast<int>(i - first)));
  }
}

}  // namespace

std::vector<Mat3d> plate_stiffness(const Model& model, const Params& params, int32_t b) {
  const Body& body = model.bodies[b];
  std::vector<Mat3d> D(body.elements.size(), Mat3d::zero());
  const double inertia = body.thickness * body.thickness * body.thickness / 12;
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const ElasticSet& set = model.sets[s];
    if (set.body != b || !set.law->for_membranes()) continue;
    std::vector<Mat3d> tangents;
    for_each_tangent(*set.law, params.material[s], body.fixed_thickness,
                     [&](size_t, const Mat3d& tangent) { tangents.push_back(tangent); });
    for (size_t i = 0; i < set.elements.size(); ++i)
      D[set.elements[i] - body.elements.begin] += tangents[tangents.size() == 1 ? 0 : i] * inertia;
  }
  if (params.rigidity.empty()) return D;
  for (size_t t = 0; t < D.size(); ++t) {
    const double rigidity = params.rigidity[b].at(t);
    if (rigidity > 0 && D[t](0, 0) > 0) D[t] *= rigidity / D[t](0, 0);
  }
  return D;
}

namespace {

Vec3d unit_curvature(const math::Vec<double, 2>& along) {
  return {along[0] * along[0], along[1] * along[1], 2 * along[0] * along[1]};
}

}  // namespace

double cylinder_stiffness(const Mat3d& D, const math::Vec<double, 2>& along) {
  const Vec3d k = unit_curvature(along);
  return dot(k, D * k);
}

std::array<HingeShare, 2> hinge_shares(const Model& model, const Body& body, const Hinge& hinge) {
  std::array<HingeShare, 2> shares;
  double area = 0;
  const int sides = hinge.triangles[1] < 0 ? 1 : 2;
  for (int side = 0; side < sides; ++side) {
    const int32_t triangle = hinge.triangles[side] - body.elements.begin;
    const std::span<const int32_t> nodes = model.elements[hinge.triangles[side]];
    const auto corner = std::find(nodes.begin(), nodes.end(), hinge.nodes[2 + side]) - nodes.begin();
    const FlatTriangle flat(body.flat[triangle]);
    shares[side] = {triangle, unit_curvature(flat.outward[corner]), 0};
    area += flat.area;
  }
  // Half the energy of twice the angle between the triangle and its mirror image.
  if (sides == 1) {
    shares[0].factor = body.weighted_hinges ? hinge.length * hinge.length / area : 2;
    shares[1] = {shares[0].triangle, {0, 0, 0}, 0};
    return shares;
  }
  for (HingeShare& share : shares)
    share.factor = body.weighted_hinges ? 0.5 * hinge.length * hinge.length / area : 0.5;
  return shares;
}

std::vector<double> hinge_stiffness(const Model& model, const Params& params, int32_t b,
                                    std::span<const Hinge> hinges) {
  const Body& body = model.bodies[b];
  const std::vector<Mat3d> D = plate_stiffness(model, params, b);
  std::vector<double> stiffness;
  for (const Hinge& hinge : hinges) {
    double sum = 0;
    for (const HingeShare& share : hinge_shares(model, body, hinge))
      sum += share.factor * dot(share.k, D[share.triangle] * share.k);
    stiffness.push_back(sum);
  }
  return stiffness;
}

std::vector<double> hinge_stiffness(const Model& model, const Params& params, int32_t b) {
  const Range range = model.bodies[b].hinges;
  return hinge_stiffness(model, params, b,
                         std::span(model.hinges).subspan(range.begin, static_cast<size_t>(range.size())));
}

}  // namespace sinew::model
