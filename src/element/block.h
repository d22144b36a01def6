#pragma once
// Elements of one kind in the lanes of packs: their nodes, and the gradients of the shape functions and the weights of
// their quadrature points at rest. A field at the nodes is gathered as edges d_a = x_(a+1) - x_0, deforms into F at a
// point, and a stress P there goes back as forces G_a on nodes 1, 2, ..., minus their sum on node 0:
//
//     ElementBlock<Tet4> block(X, LaneOrder::range(0, count), [&](int32_t e) { return tets[e]; });
//     block.gather(x, k, d);  F = block.deformation(d, k, q);  ...  block.add_stress(k, q, P, G);  block.scatter(k, G, out);
//
// Padding has weight 0 and is not scattered. Per element: Shape::points (3 edges + 1) doubles and the node ids.
#include <span>
#include <vector>

#include "element/deformation.h"
#include "element/lane_order.h"
#include "element/shape.h"
#include "math/pack.h"

namespace sinew::element {

template <class Shape>
class ElementBlock {
 public:
  using Pack = math::PackD;
  using Vector = math::Vec3<Pack>;
  static constexpr int dimension = Shape::dimension;
  using Matrix = math::Mat<Pack, 3, dimension>;
  static constexpr int nodes = Shape::nodes, edges = nodes - 1, points = Shape::points;
  static constexpr int F_size = 3 * dimension;  // numbers of a deformation gradient
  static_assert(lanes == math::lanes_of<Pack>);

  ElementBlock() = default;
  // nodes_of(e): the ids of the nodes of element e of the order; covered(e): the share of its volume that counts.
  template <class NodesOf, class Covered = double (*)(int32_t)>
  ElementBlock(
      std::span<const Vec3d> X, const LaneOrder& order, const NodesOf& nodes_of,
      const Covered& covered = [](int32_t) { return 1.0; });
  // rest_of(e, q): the ShapeGradients at a point of element e, with the volume of the point that counts.
  template <class NodesOf, class RestOf>
  static ElementBlock with_rest(const LaneOrder& order, const NodesOf& nodes_of, const RestOf& rest_of);

  int64_t packs() const { return static_cast<int64_t>(used_.size()); }
  int used_lanes(int64_t pack) const { return used_[pack]; }
  int64_t count() const { return count_; }  // elements, without padding
  // The nodes lane by lane, with padding: where there is one group the first count() are its elements.
  std::span<const NodeIds<Shape>> node_ids() const { return nodes_; }

  // g of a point, edge by edge, and the volume of the point behind it, as far as it counts.
  const Pack* gradients(int64_t pack, int q) const { return &rest_[(pack * points + q) * point_size]; }
  const Pack& weight(int64_t pack, int q) const { return gradients(pack, q)[dimension * edges]; }

  void gather(std::span<const Vec3d> x, int64_t pack, Vector (&d)[edges]) const;
  Matrix deformation(const Vector (&d)[edges], int64_t pack, int q) const;
  // F of all points of the packs from begin to end, F_size packs a point.
  void deformations(std::span<const Vec3d> x, int64_t begin, int64_t end, Pack* F) const;
  // G_a += weight P g_a
  void add_stress(int64_t pack, int q, const Matrix& P, Vector (&G)[edges]) const;
  void scatter(int64_t pack, const Vector (&G)[edges], std::span<Vec3d> out) const;

 private:
  static constexpr int point_size = dimension * edges + 1;

  std::vector<NodeIds<Shape>> nodes_;
  std::vector<int8_t> used_;
  std::vector<Pack> rest_;  // per pack and point: g of the edges, weight
  int64_t count_ = 0;
};

template <class Shape>
template <class NodesOf, class Covered>
ElementBlock<Shape>::ElementBlock(std::span<const Vec3d> X, const LaneOrder& order, const NodesOf& nodes_of,
                                  const Covered& covered) {
  *this = with_rest(order, nodes_of, [&](int32_t e, int q) {
    auto rest = shape_gradients<Shape>(positions(X, nodes_of(e)), Shape::quadrature[q]);
    rest.weight *= covered(e);
    return rest;
  });
}

template <class Shape>
template <class NodesOf, class RestOf>
ElementBlock<Shape> ElementBlock<Shape>::with_rest(const LaneOrder& order, const NodesOf& nodes_of,
                                                   const RestOf& rest_of) {
  ElementBlock block;
  block.nodes_.resize(order.element.size());
  block.used_ = order.used;
  block.rest_.resize(order.used.size() * points * point_size);
  for (size_t e = 0; e < block.nodes_.size(); ++e) {
    const auto pack = static_cast<int64_t>(e / lanes);
    const int lane = static_cast<int>(e % lanes);
    const bool used = lane < block.used_[pack];
    block.count_ += used;
    block.nodes_[e] = nodes_of(order.element[e]);
    for (int q = 0; q < points; ++q) {
      const ShapeGradients<Shape> shape = rest_of(order.element[e], q);
      Pack* rest = &block.rest_[(pack * points + q) * point_size];
      for (int k = 0; k < dimension * edges; ++k) rest[k].set(lane, shape.edges()[k]);
      rest[dimension * edges].set(lane, used ? shape.weight : 0.0);
    }
  }
  return block;
}

template <class Shape>
void ElementBlock<Shape>::gather(std::span<const Vec3d> x, int64_t pack, Vector (&d)[edges]) const {
  alignas(64) double e[3 * edges][lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto& ids = nodes_[pack * lanes + l];
    const Vec3d& x0 = x[ids[0]];
    for (int a = 0; a < edges; ++a) {
      const Vec3d& xa = x[ids[a + 1]];
      for (int i = 0; i < 3; ++i) e[3 * a + i][l] = xa[i] - x0[i];
    }
  }
  for (int k = 0; k < 3 * edges; ++k) d[k / 3].v[k % 3] = Pack::load(e[k]);
}

// The sum of element::deformation, begun with a product in place of zero.
template <class Shape>
auto ElementBlock<Shape>::deformation(const Vector (&d)[edges], int64_t pack, int q) const -> Matrix {
  const Pack* g = gradients(pack, q);
  Matrix F;
  for (int j = 0; j < dimension; ++j) {
    F.c[j] = d[0] * g[j];
    for (int a = 1; a < edges; ++a) F.c[j] += d[a] * g[dimension * a + j];
  }
  return F;
}

template <class Shape>
void ElementBlock<Shape>::deformations(std::span<const Vec3d> x, int64_t begin, int64_t end, Pack* F) const {
  for (int64_t k = begin; k < end; ++k) {
    Vector d[edges];
    gather(x, k, d);
    for (int q = 0; q < points; ++q)
      store_matrix(deformation(d, k, q), F + F_size * ((k - begin) * points + q));
  }
}

template <class Shape>
void ElementBlock<Shape>::add_stress(int64_t pack, int q, const Matrix& P, Vector (&G)[edges]) const {
  const Pack* g = gradients(pack, q);
  const Matrix VP = P * weight(pack, q);
  for (int a = 0; a < edges; ++a) {
    math::Vec<Pack, dimension> ga;
    for (int j = 0; j < dimension; ++j) ga[j] = g[dimension * a + j];
    G[a] += VP * ga;
  }
}

template <class Shape>
void ElementBlock<Shape>::scatter(int64_t pack, const Vector (&G)[edges], std::span<Vec3d> out) const {
  alignas(64) double g[3 * edges][lanes];
  for (int k = 0; k < 3 * edges; ++k) G[k / 3].v[k % 3].store(g[k]);
  const int used = used_lanes(pack);
  for (int l = 0; l < used; ++l) {
    const auto& ids = nodes_[pack * lanes + l];
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int a = 0; a < edges; ++a) {
        out[ids[a + 1]][i] += g[3 * a + i][l];
        sum += g[3 * a + i][l];
      }
      out[ids[0]][i] -= sum;
    }
  }
}

}  // namespace sinew::element
