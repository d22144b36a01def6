#include "energy/mid_edge_bending.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "mesh/ordering.h"
#include "model/flat_triangle.h"
#include "model/plate_stiffness.h"

namespace sinew::energy {

using math::Mat3;
using math::PackD;
using model::FlatTriangle;

MidEdgeBending::MidEdgeBending(const model::Model& model, int32_t body)
    : Term({.body = body}), model_(model), body_(body) {
  const auto [first, last] = model.bodies[body].elements;
  std::vector<std::array<int32_t, 3>> corners, hinge(last - first, {-1, -1, -1});
  for (int32_t t = first; t < last; ++t) corners.push_back(model.elements.nodes<3>(t));
  std::vector<std::array<int32_t, 3>> other(corners.size(), {-1, -1, -1});
  for (int32_t h = model.bodies[body].hinges.begin; h < model.bodies[body].hinges.end; ++h) {
    const model::Hinge& edge = model.hinges[h];
    for (int side = 0; side < 2; ++side) {
      if (edge.triangles[side] < 0) continue;
      const int32_t t = edge.triangles[side] - first;
      const auto corner = std::find(corners[t].begin(), corners[t].end(), edge.nodes[2 + side]);
      hinge[t][corner - corners[t].begin()] = h;
      other[t][corner - corners[t].begin()] = edge.nodes[3 - side];
    }
  }
  const auto node_count = static_cast<int64_t>(model.X.size());
  const auto place = mesh::inverse_order(mesh::reverse_cuthill_mckee(mesh::node_nodes(corners, node_count)));
  order_ = mesh::element_order<3>(corners, place);
  count_ = static_cast<int64_t>(order_.size());
  const size_t lanes = (order_.size() + pack_lanes - 1) / pack_lanes * pack_lanes;
  for (size_t k = 0; k < lanes; ++k) {
    const int32_t t = triangle(k);
    Nodes nodes, ids;
    for (int i = 0; i < 3; ++i) {
      nodes[i] = ids[i] = corners[t][i];
      nodes[3 + i] = other[t][i];
      ids[3 + i] = other[t][i] < 0 ? corners[t][i] : other[t][i];
      nodes[6 + i] = ids[6 + i] = model.hinges[hinge[t][i]].turn;
    }
    nodes_.push_back(nodes);
    ids_.push_back(ids);
    hinge_.push_back(hinge[t]);
  }
  chunks_ = mesh::colour_chunks<9>(std::span<const Nodes>(ids_).first(count_), node_count,
                                   chunk_packs * pack_lanes);
  find_held();
  rest_.resize(lanes / pack_lanes);
  for (size_t k = 0; k < lanes; ++k) put_shape(k);
}

void MidEdgeBending::find_held() {
  held_.assign(ids_.size(), {-1, -1, -1});
  holds_.assign(ids_.size() / pack_lanes, 0);
  std::vector<Border> borders;
  std::vector<std::pair<size_t, int>> of;  // lane and edge of each
  for (size_t k = 0; k < static_cast<size_t>(count_); ++k)
    for (int i = 0; i < 3; ++i)
      if (nodes_[k][3 + i] < 0) {
        borders.push_back(border(k, i));
        of.emplace_back(k, i);
      }
  const std::vector<Beyond> list = beyond_borders(model_, borders);
  for (size_t n = 0; n < list.size(); ++n) {
    if (list[n].pose < 0) continue;
    const auto [k, i] = of[n];
    held_[k][i] = static_cast<int32_t>(beyond_.size());
    holds_[k / pack_lanes] = 1;
    beyond_.push_back(list[n]);
  }
  std::fill(held_.begin() + count_, held_.end(), held_[count_ - 1]);
}

bool MidEdgeBending::take(const model::Params& params) {
  const std::vector<Mat3d> before = std::move(stiffness_);
  stiffness_ = model::plate_stiffness(model_, params, body_);
  const auto same = [](const Mat3d& a, const Mat3d& b) {
    return norm2(a.c[0] - b.c[0]) + norm2(a.c[1] - b.c[1]) + norm2(a.c[2] - b.c[2]) == 0;
  };
  if (std::equal(before.begin(), before.end(), stiffness_.begin(), stiffness_.end(), same)) return false;
  for (size_t k = 0; k < ids_.size(); ++k) put_stiffness(k, stiffness_[triangle(k)], rest_[k / pack_lanes]);
  return true;
}

// l_i / sqrt(A) (t_i t_i^T) of each edge, so that M_ij is the product of two with D.
std::array<Vec3d, 3> MidEdgeBending::curvatures(size_t k) const {
  const FlatTriangle flat(own_body().flat[triangle(k)]);
  std::array<Vec3d, 3> list;
  for (int i = 0; i < 3; ++i) {
    const auto& t = flat.outward[i];
    list[i] = Vec3d{t[0] * t[0], t[1] * t[1], 2 * t[0] * t[1]} * (flat.length[i] / std::sqrt(flat.area));
  }
  return list;
}

// All but the stiffness.
void MidEdgeBending::put_shape(size_t k) {
  MidEdgeRest<PackD>& rest = rest_[k / pack_lanes];
  const int lane = static_cast<int>(k % pack_lanes);
  for (int i = 0; i < 3; ++i) {
    const model::Hinge& hinge = model_.hinges[hinge_[k][i]];
    const bool open = nodes_[k][3 + i] < 0, held = held_[k][i] >= 0;
    const bool left = hinge.triangles[0] - own_body().elements.begin == triangle(k);
    double angle = hinge.rest_angle;
    if (held) angle = rest_angle(model_, border(k, i), beyond_[held_[k][i]]);
    const double weight = held ? 2 : open ? 0 : 1;
    rest.weight[i].set(lane, weight);
    rest.c0[i].set(lane, weight == 0 ? 0.0 : weight * std::tan(angle / 2));
    rest.turn[i].set(lane, held ? 0.0 : (left ? 1 : -1) / hinge.length);
  }
}

void MidEdgeBending::put_stiffness(size_t k, const Mat3d& D, MidEdgeRest<PackD>& rest) const {
  const int lane = static_cast<int>(k % pack_lanes);
  const double counts = static_cast<int64_t>(k) < count_ ? 1 : 0;
  const std::array<Vec3d, 3> curvature = curvatures(k);
  for (int i = 0, m = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++m) rest.M[m].set(lane, dot(curvature[i], D * curvature[j]) * counts);
    const double hold = held_[k][i] < 0 ? 0 : 1 / model_.hinges[hinge_[k][i]].length;
    rest.hold[i].set(lane, dot(curvature[i], D * curvature[i]) * hold * hold * counts);
  }
}

template <class F>
void MidEdgeBending::for_each_chunk(F&& f) const {
  for (const auto& colour : chunks_.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
      const auto [begin, end] = chunks_.range(colour[i]);
      f(colour[i], begin / pack_lanes, (end + pack_lanes - 1) / pack_lanes);
    });
}

template <class F>
void MidEdgeBending::for_each_held(int64_t pack, F&& visit) const {
  if (!holds_[pack]) return;
  for (int l = 0; l < used(pack); ++l)
    for (int i = 0; i < 3; ++i)
      if (const int32_t number = held_[pack * pack_lanes + l][i]; number >= 0) visit(l, i, number);
}

MidEdge<PackD> MidEdgeBending::at(const View& view, std::span<const Vec3d> beyond, int64_t pack,
                                  const MidEdgeRest<PackD>& rest) const {
  Points all;
  gather_points(view.x, &ids_[pack * pack_lanes], all);
  Vec3<PackD> y[6];
  for (int a = 0; a < 6; ++a) y[a] = all[a];
  for_each_held(pack, [&](int lane, int edge, int32_t number) {
    const Vec3<PackD>& end = y[edge_place[edge][1]];
    for (int j = 0; j < 3; ++j) y[3 + edge][j].set(lane, end[j][lane] + beyond[number][j]);
  });
  MidEdge<PackD>::any_beyond(rest, y);
  return {rest, y, {all[6][0], all[7][0], all[8][0]}};
}

void MidEdgeBending::scatter(int64_t pack, Points& force, std::span<Vec3d> out) const {
  for (int i = 0; i < 3; ++i) fold_held(rest_[pack], i, force[edge_place[i][1]], force[3 + i]);
  scatter_points(force, &ids_[pack * pack_lanes], used(pack), out);
}

void MidEdgeBending::gradient_of(const MidEdge<PackD>& at, Points& force) {
  for (auto& f : force) f = Vec3<PackD>::zero();
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < 4; ++a)
      force[edge_place[i][a]] += at.edge[i].gradient(a) * (at.moment[i] * at.slope[i]);
    force[6 + i][0] = at.moment[i] * at.rest.turn[i] + at.rest.hold[i] * at.turn[i];
  }
}

EvalInfo MidEdgeBending::evaluate(const View& view, std::span<Vec3d> gradient) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  partial_.assign(chunks_.count(), 0.0);
  for_each_chunk([&](int32_t chunk, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const MidEdge<PackD> bent = at(view, beyond, k);
      partial_[chunk] += sum(bent.energy());
      if (gradient.empty()) continue;
      Points force;
      gradient_of(bent, force);
      scatter(k, force, gradient);
    }
  });
  EvalInfo info;
  for (const double value : partial_) info.value += value;
  return info;
}

void MidEdgeBending::changes(const MidEdge<PackD>& at, const Points& move, PackD (&change)[3]) {
  for (int i = 0; i < 3; ++i) {
    change[i] = at.rest.turn[i] * move[6 + i][0];
    for (int a = 0; a < 4; ++a)
      change[i] += at.slope[i] * dot(at.edge[i].gradient(a), move[edge_place[i][a]]);
  }
}

void MidEdgeBending::apply(const MidEdge<PackD>& at, Hessian hessian, const Points& move, Points& force) {
  const MidEdgeRest<PackD>& rest = at.rest;
  PackD change[3];
  changes(at, move, change);
  for (auto& f : force) f = Vec3<PackD>::zero();
  for (int i = 0; i < 3; ++i) {
    const PackD moment = rest.m(i, 0) * change[0] + rest.m(i, 1) * change[1] + rest.m(i, 2) * change[2];
    force[6 + i][0] = moment * rest.turn[i] + rest.hold[i] * move[6 + i][0];
    for (int a = 0; a < 4; ++a) force[edge_place[i][a]] += at.edge[i].gradient(a) * (moment * at.slope[i]);
    if (hessian == Hessian::modified) continue;
    PairForm<PackD> forms[4];
    at.second(i, hessian == Hessian::projected, forms);
    for (const PairForm<PackD>& form : forms) {
      PackD u = PackD(0), v = PackD(0);
      for (int a = 0; a < 4; ++a)
        u += dot(form.u[a], move[edge_place[i][a]]), v += dot(form.v[a], move[edge_place[i][a]]);
      const PackD along_u = form.uu * u + form.uv * v, along_v = form.uv * u + form.vv * v;
      for (int a = 0; a < 4; ++a) force[edge_place[i][a]] += form.u[a] * along_u + form.v[a] * along_v;
    }
  }
}

void MidEdgeBending::follow(int64_t pack, std::span<const Vec3d> beyond, Points& move) const {
  for_each_held(pack, [&](int lane, int edge, int32_t number) {
    const Vec3<PackD>& end = move[edge_place[edge][1]];
    for (int j = 0; j < 3; ++j)
      move[3 + edge][j].set(lane, end[j][lane] + (beyond.empty() ? 0 : beyond[number][j]));
  });
}

void MidEdgeBending::product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                             std::span<Vec3d> out) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      Points move, force;
      gather_points(d, &ids_[k * pack_lanes], move);
      follow(k, {}, move);
      apply(at(view, beyond, k), hessian, move, force);
      scatter(k, force, out);
    }
  });
}

void MidEdgeBending::input_change(const View& view, std::span<const double> change,
                                  std::span<Vec3d> out) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs), moved = directions(beyond_, change);
  for (int64_t k = 0; k < static_cast<int64_t>(holds_.size()); ++k) {
    if (!holds_[k]) continue;
    Points move, force;
    for (auto& m : move) m = Vec3<PackD>::zero();
    follow(k, moved, move);
    apply(at(view, beyond, k), Hessian::exact, move, force);
    scatter(k, force, out);
  }
}

void MidEdgeBending::input_gradient(const View& view, std::span<const Vec3d> direction,
                                    std::span<double> out) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for (int64_t k = 0; k < static_cast<int64_t>(holds_.size()); ++k) {
    if (!holds_[k]) continue;
    Points move, force;
    gather_points(direction, &ids_[k * pack_lanes], move);
    follow(k, {}, move);
    apply(at(view, beyond, k), Hessian::exact, move, force);
    for_each_held(k, [&](int lane, int edge, int32_t number) {
      const auto& f = force[3 + edge];
      add_input_gradient(beyond_[number], {f[0][lane], f[1][lane], f[2][lane]}, out);
    });
  }
}

void MidEdgeBending::add_gradient_with(const View& view, std::span<const Mat3d> D,
                                       std::span<Vec3d> out) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for (int64_t k = 0; k < static_cast<int64_t>(rest_.size()); ++k) {
    MidEdgeRest<PackD> rest = rest_[k];
    for (size_t lane = k * pack_lanes; lane < static_cast<size_t>(k + 1) * pack_lanes; ++lane)
      put_stiffness(lane, D[triangle(lane)], rest);
    Points force;
    gradient_of(at(view, beyond, k, rest), force);
    scatter(k, force, out);
  }
}

void MidEdgeBending::add_stiffness_gradient(const View& view, std::span<const Vec3d> direction,
                                            std::span<Mat3d> out) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for (int64_t k = 0; k < static_cast<int64_t>(rest_.size()); ++k) {
    const MidEdge<PackD> bent = at(view, beyond, k);
    Points move;
    gather_points(direction, &ids_[k * pack_lanes], move);
    follow(k, {}, move);
    PackD change[3];
    changes(bent, move, change);
    for (int l = 0; l < used(k); ++l) {
      const std::array<Vec3d, 3> curvature = curvatures(k * pack_lanes + l);
      Vec3d bent_by = {0, 0, 0}, changed_by = {0, 0, 0};
      Mat3d& S = out[triangle(k * pack_lanes + l)];
      for (int i = 0; i < 3; ++i) {
        bent_by += curvature[i] * bent.c[i][l];
        changed_by += curvature[i] * change[i][l];
        const double hold =
            held_[k * pack_lanes + l][i] < 0 ? 0 : 1 / model_.hinges[hinge_[k * pack_lanes + l][i]].length;
        S += outer(curvature[i], curvature[i]) * (bent.turn[i][l] * move[6 + i][0][l] * hold * hold);
      }
      S += (outer(bent_by, changed_by) + outer(changed_by, bent_by)) * 0.5;
    }
  }
}

// visit(a, b, block) for all pairs of places of a pack of triangles.
template <class F>
void MidEdgeBending::for_each_block_of(const MidEdge<PackD>& at, Hessian hessian, F&& visit) const {
  const MidEdgeRest<PackD>& rest = at.rest;
  Points J[3];
  PairForm<PackD> forms[3][4];
  const int forms_count = hessian == Hessian::modified ? 0 : 4;
  for (int i = 0; i < 3; ++i) {
    const int* place = edge_place[i];
    for (auto& j : J[i]) j = Vec3<PackD>::zero();
    for (int a = 0; a < 4; ++a) J[i][place[a]] = at.edge[i].gradient(a) * at.slope[i];
    fold_held(rest, i, J[i][place[1]], J[i][place[3]]);
    J[i][6 + i][0] = rest.turn[i];
    if (forms_count == 0) continue;
    at.second(i, hessian == Hessian::projected, forms[i]);
    for (PairForm<PackD>& form : forms[i]) {
      fold_held(rest, i, form.u[1], form.u[3]);
      fold_held(rest, i, form.v[1], form.v[3]);
    }
  }
  int local[3][9];  // of the places, among the points of an edge
  for (int i = 0; i < 3; ++i) {
    std::fill(local[i], local[i] + 9, -1);
    for (int a = 0; a < 4; ++a) local[i][edge_place[i][a]] = a;
  }
  for (int b = 0; b < 9; ++b) {
    Vec3<PackD> MJ[3];
    for (int i = 0; i < 3; ++i)
      MJ[i] = J[0][b] * rest.m(i, 0) + J[1][b] * rest.m(i, 1) + J[2][b] * rest.m(i, 2);
    for (int a = 0; a <= b; ++a) {
      Mat3<PackD> block = outer(J[0][a], MJ[0]) + outer(J[1][a], MJ[1]) + outer(J[2][a], MJ[2]);
      for (int i = 0; i < 3; ++i) {
        const int p = local[i][a], q = local[i][b];
        if (p < 0 || q < 0) continue;
        for (int f = 0; f < forms_count; ++f) {
          const PairForm<PackD>& form = forms[i][f];
          block += outer(form.u[p], form.u[q] * form.uu + form.v[q] * form.uv) +
                   outer(form.v[p], form.u[q] * form.uv + form.v[q] * form.vv);
        }
      }
      if (a == b && a >= 6) block(0, 0) += rest.hold[a - 6];
      visit(a, b, block);
      if (a != b) visit(b, a, transpose(block));
    }
  }
}

void MidEdgeBending::assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      for_each_block_of(at(view, beyond, k), hessian, [&](int a, int b, const Mat3<PackD>& block) {
        for (int l = 0; l < used(k); ++l)
          if (const int32_t slot = slots(k * pack_lanes + l, 9)[9 * a + b]; slot >= 0)
            matrix.add(slot, lane_of(block, l) * scale);
      });
  });
}

void MidEdgeBending::diagonal(const View& view, Hessian hessian, std::span<Mat3d> blocks) const {
  const std::vector<Vec3d> beyond = directions(beyond_, view.inputs);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      for_each_block_of(at(view, beyond, k), hessian, [&](int a, int b, const Mat3<PackD>& block) {
        for (int l = 0; l < used(k); ++l) {
          const Nodes& nodes = nodes_[k * pack_lanes + l];
          if (nodes[a] >= 0 && nodes[a] == nodes[b]) blocks[nodes[a]] += lane_of(block, l);
        }
      });
  });
}

const TermKind& term_mid_edge_bending() {
  static const TermKind kind = {
      "mid_edge_bending", "Bending of shells, by the normals at the middles of edges.",
      [](const model::Model& model, Terms& terms) {
        for (size_t b = 0; b < model.bodies.size(); ++b)
          if (model.bodies[b].bending == model::Bending::shell && model.bodies[b].hinges.size() > 0)
            terms.push_back(std::make_unique<MidEdgeBending>(model, static_cast<int32_t>(b)));
      }};
  return kind;
}

}  // namespace sinew::energy
