#include "measure/points.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/parallel.h"
#include "element/block.h"
#include "energy/bound_law.h"
#include "energy/mean_dilatation.h"
#include "math/eigen_symmetric.h"
#include "measure/stored_contacts.h"
#include "model/element_nodes.h"

namespace sinew::measure {

namespace {

// F of an element at a point, and the rest volume of the material that the point stands for.
template <class Shape>
std::pair<Mat3d, double> gradient_at(const model::Model& model, std::span<const Vec3d> x, int32_t element,
                                     const element::Barycentric& L) {
  const auto ids = model::element_nodes<Shape>(model, element);
  const auto shape = element::shape_gradients<Shape>(element::positions(model.X, ids), L);
  Vec3d d[Shape::nodes - 1];
  for (int a = 1; a < Shape::nodes; ++a) d[a - 1] = x[ids[a]] - x[ids[0]];
  return {element::deformation(d, shape.edges()), shape.weight * model.covered(element)};
}

// The two columns of F of a triangle; at rest in space they are the axes of its material, where its rest shape is that in space.
math::Mat<double, 3, 2> columns_at(const model::Model& model, std::span<const Vec3d> x, int32_t triangle) {
  const model::Body& body = model.bodies[model.body_of_element(triangle)];
  const auto ids = model::element_nodes<element::Tri3>(model, triangle);
  const auto g = element::triangle_gradients(body.flat[triangle - body.elements.begin]).g;
  math::Mat<double, 3, 2> F = {{Vec3d::zero(), Vec3d::zero()}};
  for (int a = 0; a < 3; ++a)
    for (int j = 0; j < 2; ++j) F.c[j] += x[ids[a]] * g[a][j];
  return F;
}

Mat3d triangle_gradient(const model::Model& model, std::span<const Vec3d> x, int32_t triangle) {
  const auto rest = columns_at(model, model.X, triangle), F = columns_at(model, x, triangle);
  const Vec3d first = normalized(rest.c[0]), normal = normalized(cross(rest.c[0], rest.c[1]));
  const Vec3d area = cross(F.c[0], F.c[1]);
  const double ratio = norm(area);
  Mat3d whole = outer(F.c[0], first) + outer(F.c[1], cross(normal, first));
  if (ratio > 0) whole += outer(area * (1 / ratio), normal);
  return whole;
}

using Pack = math::PackD;
using math::Mat3;
constexpr int lanes = element::lanes;

bool is_triangle(const model::Model& model, int32_t element) {
  return model.elements[element].size() == element::Tri3::nodes;
}
constexpr int64_t block_packs = 64;

// U is taken at the mean over a patch (energy/mean_dilatation.h): of each tet of a set.
struct PatchVolumes {
  std::vector<double> J, pressure;
};

// What averaging adds to psi and P.
void average_volume(const energy::BoundLaw& law, int64_t pack, const Mat3<Pack>& F, const Pack& J_mean,
                    const Pack& pressure, Pack& psi, Mat3<Pack>& P) {
  const Pack J = det(F);
  Pack U, dU, ddU, U_mean;
  law.kernels().volume(1, law.params(pack), 0, &J_mean, &U_mean, &dU, &ddU);
  law.kernels().volume(1, law.params(pack), 0, &J, &U, &dU, &ddU);
  psi += U_mean - U;
  P += cofactor(F) * (pressure - dU);
}

// Adds the means over the elements of a set from place `begin` to `end`; `first`: the body's first element.
template <class Shape>
void add_point_values(const Snapshot& snapshot, size_t set, int64_t begin, int64_t end,
                      const PatchVolumes* patches, int32_t first, PointValues& values) {
  const model::Model& model = snapshot.model();
  const std::vector<int32_t>& ids = model.sets[set].elements;
  const auto order = element::LaneOrder::range(begin, end);
  const element::ElementBlock<Shape> block(
      model.X, order, [&](int32_t place) { return model::element_nodes<Shape>(model, ids[place]); });
  energy::BoundLaw law(*model.sets[set].law);
  law.bind(snapshot.params().material[set], order.element);
  for (int64_t k = 0; k < block.packs(); ++k) {
    Pack F[9 * Shape::points], psi_mean(0), volume(0);
    Mat3<Pack> P_mean = Mat3<Pack>::zero(), cauchy_mean = P_mean;
    block.deformations(snapshot.state().x(), k, k + 1, F);
    for (int q = 0; q < Shape::points; ++q) volume += block.weight(k, q);
    for (int q = 0; q < Shape::points; ++q) {
      const Mat3<Pack> F_q = element::load_matrix(F + 9 * q);
      const Pack share = block.weight(k, q) / volume;
      Pack psi, P_lanes[9];
      law.kernels().evaluate(1, law.params(k), 0, F + 9 * q, {}, &psi, P_lanes);
      Mat3<Pack> P = element::load_matrix(P_lanes);
      if (patches) {
        const auto lane = [&](const std::vector<double>& of) {
          return Pack::generate([&](int l) { return of[order.element[k * lanes + l]]; });
        };
        average_volume(law, k, F_q, lane(patches->J), lane(patches->pressure), psi, P);
      }
      psi_mean += share * psi;
      P_mean += P * share;
      cauchy_mean += (P * transpose(F_q)) * (share / det(F_q));
    }
    for (int l = 0; l < block.used_lanes(k); ++l) {
      const int32_t t = ids[order.element[k * lanes + l]] - first;
      values.psi[t] += psi_mean[l];
      for (int m = 0; m < 9; ++m) {
        values.P[t].c[m / 3].v[m % 3] += P_mean.c[m / 3].v[m % 3][l];
        values.cauchy[t].c[m / 3].v[m % 3] += cauchy_mean.c[m / 3].v[m % 3][l];
      }
    }
  }
}

void add_triangle_values(const Snapshot& snapshot, size_t set, int64_t begin, int64_t end,
                         PointValues& values) {
  const model::Model& model = snapshot.model();
  const model::ElasticSet& elastic = model.sets[set];
  const model::Body& body = model.bodies[elastic.body];
  const std::vector<int32_t>& ids = elastic.elements;
  const auto order = element::LaneOrder::range(begin, end);
  const auto block = element::ElementBlock<element::Tri3>::with_rest(
      order, [&](int32_t place) { return model::element_nodes<element::Tri3>(model, ids[place]); },
      [&](int32_t place, int q) { return model::rest_point<element::Tri3>(model, body, ids[place], q); });
  energy::BoundLaw law(*elastic.law);
  law.bind(snapshot.params().material[set], order.element);
  const auto& kernels = elastic.law->membrane_d;
  const material::PointOptions options{.fixed_thickness = body.fixed_thickness};
  for (int64_t k = 0; k < block.packs(); ++k) {
    Pack F_lanes[6], P_lanes[6], psi, stretch;
    block.deformations(snapshot.state().x(), k, k + 1, F_lanes);
    kernels.evaluate(1, law.params(k), 0, F_lanes, options, &psi, P_lanes);
    kernels.thickness(1, law.params(k), 0, F_lanes, options, &stretch);
    for (int l = 0; l < block.used_lanes(k); ++l) {
      const int32_t t = ids[order.element[k * lanes + l]] - body.elements.begin;
      math::Mat<double, 3, 2> F, P;
      for (int m = 0; m < 6; ++m) {
        F.c[m / 3][m % 3] = F_lanes[m][l];
        P.c[m / 3][m % 3] = P_lanes[m][l];
      }
      const double J = norm(cross(F.c[0], F.c[1])) * stretch[l];
      values.psi[t] += psi[l];
      values.P[t] += outer(P.c[0], Vec3d{1, 0, 0}) + outer(P.c[1], Vec3d{0, 1, 0});
      values.cauchy[t] += (outer(P.c[0], F.c[0]) + outer(P.c[1], F.c[1])) * (1 / J);
      values.thickness[t] = stretch[l];
    }
  }
}

}  // namespace

Mat3d deformation_gradient(const model::Model& model, std::span<const Vec3d> x, int32_t tet) {
  if (is_triangle(model, tet)) return triangle_gradient(model, x, tet);
  return model::with_shape_of(model, tet, [&](auto shape) {
    return gradient_at<decltype(shape)>(model, x, tet, element::tet_centre).first;
  });
}

std::array<double, 2> extreme_stretches(const model::Model& model, std::span<const Vec3d> x,
                                        int32_t element) {
  const Mat3d F = deformation_gradient(model, x, element), C = transpose(F) * F;
  if (is_triangle(model, element)) {
    // Of the eigenvalues of C one is that of the normal, 1.
    const double sum = trace(C) - 1, area = det(F);
    const double half = 0.5 * sum, apart = std::sqrt(std::max(half * half - area * area, 0.0));
    return {std::sqrt(half + apart), std::sqrt(std::max(half - apart, 0.0))};
  }
  const auto square = math::eigen_symmetric(C).lambda;
  return {std::sqrt(std::max(square[0], 0.0)), std::sqrt(std::max(square[2], 0.0))};
}

ElementPoints::ElementPoints(const model::Model& model, std::span<const Vec3d> x, int32_t tet) {
  if (is_triangle(model, tet)) {
    const model::Body& body = model.bodies[model.body_of_element(tet)];
    F[0] = triangle_gradient(model, x, tet);
    weight[0] = model.rest_area(body, tet) * body.thickness * model.covered(tet);
    count = 1;
    return;
  }
  model::with_shape_of(model, tet, [&](auto shape) {
    for (const auto& L : shape.quadrature) {
      std::tie(F[count], weight[count]) = gradient_at<decltype(shape)>(model, x, tet, L);
      ++count;
    }
  });
}

double ElementPoints::rest_volume() const { return std::accumulate(weight, weight + count, 0.0); }

double ElementPoints::volume() const {
  double sum = 0;
  for (int q = 0; q < count; ++q) sum += weight[q] * det(F[q]);
  return sum;
}

double ElementPoints::min_det_F() const {
  double least = det(F[0]);
  for (int q = 1; q < count; ++q) least = std::min(least, det(F[q]));
  return least;
}

PointValues point_values(const Snapshot& snapshot, int body) {
  const model::Model& model = snapshot.model();
  const model::Range tets = model.bodies[body].elements;
  PointValues values;
  values.psi.assign(tets.size(), 0.0);
  values.P.assign(tets.size(), Mat3d::zero());
  values.cauchy.assign(tets.size(), Mat3d::zero());
  values.thickness.assign(tets.size(), 1.0);
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const model::ElasticSet& set = model.sets[s];
    if (set.body != body) continue;
    std::optional<PatchVolumes> patches;
    if (energy::MeanDilatation::applies(model, set)) {
      energy::MeanDilatation term(model, static_cast<int32_t>(s));
      term.bind(snapshot.params());
      patches = {term.mean_J(snapshot.state().x()), term.pressures(snapshot.state().x())};
    }
    if (model.bodies[body].kind->is_triangle()) {
      for_each_block(
          static_cast<int64_t>(set.elements.size()), block_packs * lanes,
          [&](int64_t begin, int64_t end) { add_triangle_values(snapshot, s, begin, end, values); });
      continue;
    }
    model::with_shape(model, body, [&](auto shape) {
      for_each_block(static_cast<int64_t>(set.elements.size()), block_packs * lanes,
                     [&](int64_t begin, int64_t end) {
                       add_point_values<decltype(shape)>(snapshot, s, begin, end,
                                                         patches ? &*patches : nullptr, tets.begin, values);
                     });
    });
  }
  return values;
}

std::array<double, 2> rest_and_current_volume(const Snapshot& snapshot, int body) {
  const model::Body& of = snapshot.model().bodies[body];
  const bool sheet = of.kind->is_triangle();
  const std::vector<double> thickness =
      sheet ? point_values(snapshot, body).thickness : std::vector<double>();
  std::array<double, 2> sum = {0, 0};
  for (int32_t e = of.elements.begin; e < of.elements.end; ++e) {
    const ElementPoints points(snapshot.model(), snapshot.state().x(), e);
    sum[0] += points.rest_volume();
    sum[1] += sheet ? points.volume() * thickness[e - of.elements.begin] : points.volume();
  }
  return sum;
}

std::vector<Mat3d> cauchy_stress(const Snapshot& snapshot, int body) {
  return point_values(snapshot, body).cauchy;
}

namespace {

// The directions in which the attachments hold a node, with their owners; at most three independent ones.
struct HeldDirections {
  int count = 0;
  Vec3d direction[3], orthonormal[3];
  int owner[3] = {};

  void add(const Vec3d& n, int by) {
    if (count == 3) return;
    Vec3d rest = n;
    for (int k = 0; k < count; ++k) rest -= orthonormal[k] * dot(orthonormal[k], rest);
    const double length = norm(rest);
    if (length < 1e-8) return;
    direction[count] = n;
    orthonormal[count] = rest * (1 / length);
    owner[count++] = by;
  }

  // The part of g = sum a_k direction_k that belongs to one owner, by back substitution.
  Vec3d part(Vec3d g, int wanted) const {
    Vec3d taken = {0, 0, 0};
    for (int k = count - 1; k >= 0; --k) {
      const double a = dot(orthonormal[k], g) / dot(orthonormal[k], direction[k]);
      g -= direction[k] * a;
      if (owner[k] == wanted) taken += direction[k] * a;
    }
    return taken;
  }
};

void add_directions(const model::Attachment& attachment, int index, const model::Pose& pose,
                    HeldDirections& held) {
  const Vec3d d = normalized(pose.A * attachment.direction);
  if (attachment.hold == model::Hold::plane) return held.add(d, index);
  for (int k = 0; k < 3; ++k) {
    // Two of the axes, made orthogonal to the line, span what it holds.
    const Vec3d across = Vec3d::unit(k) - d * d[k];
    if (norm(across) > 0.5) held.add(normalized(across), index);
  }
}

}  // namespace

std::vector<Vec3d> reactions(const Snapshot& snapshot, int attachment) {
  const model::Model& model = snapshot.model();
  const auto internal = snapshot.internal_gradient(), external = snapshot.external_gradient();
  const std::span<const Vec3d> contact = contact_node_forces(snapshot);
  const model::Attachment& wanted = model.attachments[attachment];
  std::vector<int> rigid_by(model.X.size(), -1);
  std::vector<HeldDirections> held(wanted.nodes.size());
  std::vector<int32_t> place(model.X.size(), -1);
  for (size_t k = 0; k < wanted.nodes.size(); ++k) place[wanted.nodes[k]] = static_cast<int32_t>(k);
  for (size_t a = 0; a < model.attachments.size(); ++a) {
    const model::Attachment& other = model.attachments[a];
    const model::Pose pose = model::pose_at(snapshot.inputs(), other.pose);
    for (int32_t node : other.nodes) {
      if (place[node] < 0) continue;
      if (other.hold == model::Hold::rigid)
        rigid_by[node] = rigid_by[node] < 0 ? static_cast<int>(a) : rigid_by[node];
      else
        add_directions(other, static_cast<int>(a), pose, held[place[node]]);
    }
  }
  std::vector<Vec3d> force(wanted.nodes.size(), Vec3d::zero());
  for (size_t k = 0; k < wanted.nodes.size(); ++k) {
    const int32_t node = wanted.nodes[k];
    Vec3d g = internal[node] + external[node];
    if (!contact.empty()) g -= contact[node];
    if (rigid_by[node] == attachment)
      force[k] = g;
    else if (rigid_by[node] < 0)
      force[k] = held[k].part(g, attachment);
  }
  return force;
}

void put_symmetric(const Mat3d& m, double* out) {
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) out[k] = m(row[k], column[k]);
}

}  // namespace sinew::measure
