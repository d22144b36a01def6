#include "measure/points.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/parallel.h"
#include "energy/mean_volume.h"
#include "measure/stored_contacts.h"
#include "mesh/tet_shape.h"

namespace sinew::measure {

namespace {

Mat3d edges(std::span<const Vec3d> x, const model::Tet& tet) {
  return Mat3d::columns(x[tet[1]] - x[tet[0]], x[tet[2]] - x[tet[0]], x[tet[3]] - x[tet[0]]);
}

// F of a tet of second order at a point, and the rest volume that the point stands for.
std::pair<Mat3d, double> gradient_at(const model::Model& model, std::span<const Vec3d> x, int32_t tet,
                                     const mesh::Barycentric& L) {
  const auto nodes = model.elements.nodes<10>(tet);
  std::array<Vec3d, 10> X;
  for (int a = 0; a < 10; ++a) X[a] = model.X[nodes[a]];
  const auto shape = mesh::shape_gradients<10>(X, L);
  Mat3d F = Mat3d::zero();
  for (int a = 1; a < 10; ++a) F += outer(x[nodes[a]] - x[nodes[0]], shape.g[a]);
  return {F, shape.weight};
}

using Pack = math::PackD;
constexpr int lanes = math::lanes_of<Pack>;

// psi, P and the Cauchy stress of up to `lanes` tets of a set, from its place `first` on: their means over each tet.
struct LanePoints {
  double psi[lanes], P[9][lanes], cauchy[9][lanes];

  // `mean`: U is taken at the mean over a patch (energy/mean_volume.h).
  struct Mean {
    std::vector<double> J, pressure;  // of each tet of the set
  };

  LanePoints(const Snapshot& snapshot, size_t set, size_t first, size_t count, const Mean* mean) {
    const model::Model& model = snapshot.model();
    const material::Law& law = *model.sets[set].law;
    const auto& fields = snapshot.params().material[set];
    std::vector<double> field(fields.size()), converted(law.param_count);
    std::vector<Pack> params(law.param_count);
    TetPoints points[lanes];
    for (int l = 0; l < lanes; ++l) {
      const size_t place = first + std::min<size_t>(l, count - 1);
      for (size_t f = 0; f < fields.size(); ++f) field[f] = fields[f].at(place);
      law.convert(field.data(), converted.data());
      for (int k = 0; k < law.param_count; ++k) params[k].set(l, converted[k]);
      points[l] = TetPoints(model, snapshot.state().x(), model.sets[set].elements[place]);
    }
    Pack psi_mean(0);
    math::Mat3<Pack> P_mean = math::Mat3<Pack>::zero(), cauchy_mean = P_mean;
    for (int q = 0; q < points[0].count; ++q) {
      Pack F[9], share, psi_lanes, P_lanes[9];
      for (int l = 0; l < lanes; ++l) {
        for (int k = 0; k < 9; ++k) F[k].set(l, points[l].F[q].c[k / 3].v[k % 3]);
        share.set(l, points[l].weight[q] / points[l].rest_volume());
      }
      law.d.evaluate(1, params.data(), 0, F, {}, &psi_lanes, P_lanes);
      math::Mat3<Pack> F_q, P_q;
      for (int k = 0; k < 9; ++k) {
        F_q.c[k / 3].v[k % 3] = F[k];
        P_q.c[k / 3].v[k % 3] = P_lanes[k];
      }
      if (mean) {
        Pack J = det(F_q), J_mean, p, U, dU, ddU, U_mean;
        for (int l = 0; l < lanes; ++l) {
          const size_t place = first + std::min<size_t>(l, count - 1);
          J_mean.set(l, mean->J[place]);
          p.set(l, mean->pressure[place]);
        }
        law.d.volume(1, params.data(), 0, &J_mean, &U_mean, &dU, &ddU);
        law.d.volume(1, params.data(), 0, &J, &U, &dU, &ddU);
        psi_lanes += U_mean - U;
        P_q += cofactor(F_q) * (p - dU);
      }
      psi_mean += share * psi_lanes;
      P_mean += P_q * share;
      cauchy_mean += (P_q * transpose(F_q)) * (share / det(F_q));
    }
    psi_mean.store(psi);
    for (int k = 0; k < 9; ++k) {
      P_mean.c[k / 3].v[k % 3].store(P[k]);
      cauchy_mean.c[k / 3].v[k % 3].store(cauchy[k]);
    }
  }
};

}  // namespace

Mat3d deformation_gradient(const model::Model& model, std::span<const Vec3d> x, int32_t tet) {
  if (model.elements[tet].size() == 10) return gradient_at(model, x, tet, mesh::tet_centre).first;
  const model::Tet nodes = model.elements.nodes<4>(tet);
  return edges(x, nodes) * inverse(edges(model.X, nodes));
}

TetPoints::TetPoints(const model::Model& model, std::span<const Vec3d> x, int32_t tet) {
  if (model.elements[tet].size() != 10) {
    F[0] = deformation_gradient(model, x, tet);
    weight[0] = model.rest_volume(tet);
    count = 1;
    return;
  }
  for (const auto& L : mesh::tet_points<10>) {
    std::tie(F[count], weight[count]) = gradient_at(model, x, tet, L);
    ++count;
  }
}

double TetPoints::rest_volume() const { return std::accumulate(weight, weight + count, 0.0); }

double TetPoints::volume() const {
  double sum = 0;
  for (int q = 0; q < count; ++q) sum += weight[q] * det(F[q]);
  return sum;
}

double TetPoints::least_det_F() const {
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
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const model::ElasticSet& set = model.sets[s];
    if (set.body != body) continue;
    std::optional<LanePoints::Mean> mean;
    if (model.bodies[body].kind->mean_dilatation && set.law->d.volume) {
      energy::MeanVolume term(model, static_cast<int32_t>(s));
      term.bind(snapshot.params());
      mean = {term.mean_J(snapshot.state().x()), term.pressures(snapshot.state().x())};
    }
    for_each_block(static_cast<int64_t>(set.elements.size()), 64 * lanes, [&](int64_t begin, int64_t end) {
      for (int64_t first = begin; first < end; first += lanes) {
        const int64_t count = std::min<int64_t>(lanes, end - first);
        const LanePoints points(snapshot, s, first, count, mean ? &*mean : nullptr);
        for (int64_t l = 0; l < count; ++l) {
          const int32_t t = set.elements[first + l] - tets.begin;
          values.psi[t] += points.psi[l];
          for (int k = 0; k < 9; ++k) {
            values.P[t].c[k / 3].v[k % 3] += points.P[k][l];
            values.cauchy[t].c[k / 3].v[k % 3] += points.cauchy[k][l];
          }
        }
      }
    });
  }
  return values;
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
