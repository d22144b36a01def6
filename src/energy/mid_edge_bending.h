#pragma once
// Bodies that bend as shells: the sum of energy/mid_edge.h over their triangles, one term a body. Beside the nodes of the
// triangles the turns of normals are unknowns, one hidden node for each edge.
//
// Beyond a border that is held (energy/held_borders.h) a triangle moves with what holds it; nothing bends at the angle that the
// border has at rest.
//
// The modified Hessian and the blocks of nodes leave the second derivatives of the angles out: J^T M J, J = dc/dx.
#include "energy/held_borders.h"
#include "energy/lane_points.h"
#include "energy/mid_edge.h"
#include "energy/node_local.h"
#include "energy/plate_bending.h"
#include "energy/term_interfaces.h"
#include "mesh/colouring.h"

namespace sinew::energy {

class MidEdgeBending final : public Term, public NodeLocal, public InputDependent, public PlateBending {
 public:
  MidEdgeBending(const model::Model& model, int32_t body);

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override {
    return {9, std::span(nodes_.data()->data(), static_cast<size_t>(count_) * 9)};
  }
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  std::unique_ptr<Linearisation> linearisation() const override {
    return std::make_unique<ViewLinearisation<MidEdgeBending>>(*this);
  }
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override;
  void diagonal(const View& view, Hessian hessian, std::span<Mat3d> blocks) const;
  void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const override;
  void input_gradient(const View& view, std::span<const Vec3d> direction,
                      std::span<double> out) const override;

  int32_t sheet() const override { return body_; }
  void add_gradient_with(const View& view, std::span<const Mat3d> D, std::span<Vec3d> out) const override;
  void add_stiffness_gradient(const View& view, std::span<const Vec3d> direction,
                              std::span<Mat3d> out) const override;

  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool, math::PackD) const override;
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool, math::PackF) const override;
  // Near the line of an edge its angle turns as fast as one likes.
  bool majorant() const override { return false; }

 private:
  using Nodes = std::array<int32_t, 9>;
  static constexpr int chunk_packs = 8;
  template <class T>
  class Visitor;
  using Points = Vec3<math::PackD>[9];

  bool take(const model::Params& params) override;
  void find_held();
  void put_shape(size_t lane);
  void put_stiffness(size_t lane, const Mat3d& D, MidEdgeRest<math::PackD>& rest) const;
  std::array<Vec3d, 3> curvatures(size_t lane) const;
  Border border(size_t lane, int edge) const {
    const Nodes& ids = ids_[lane];
    return {ids[(edge + 1) % 3], ids[(edge + 2) % 3], ids[edge]};
  }

  const model::Body& own_body() const { return model_.bodies[body_]; }
  // Of the body, in a lane; padding repeats the last one.
  int32_t triangle(size_t lane) const { return order_[std::min(lane, order_.size() - 1)]; }
  int used(int64_t pack) const {
    return static_cast<int>(std::min<int64_t>(count_ - pack * pack_lanes, pack_lanes));
  }
  template <class F>
  void for_each_chunk(F&& f) const;
  // visit(lane, edge, number in beyond_) for the held edges of a pack.
  template <class F>
  void for_each_held(int64_t pack, F&& visit) const;

  // Of a pack; with `rest` in place of its own.
  MidEdge<math::PackD> at(const View& view, std::span<const Vec3d> beyond, int64_t pack) const {
    return at(view, beyond, pack, rest_[pack]);
  }
  MidEdge<math::PackD> at(const View& view, std::span<const Vec3d> beyond, int64_t pack,
                          const MidEdgeRest<math::PackD>& rest) const;
  // force = the gradient, likewise with what is beyond held edges as points of their own.
  static void gradient_of(const MidEdge<math::PackD>& at, Points& force);
  // Of c, along a move.
  static void changes(const MidEdge<math::PackD>& at, const Points& move, math::PackD (&change)[3]);
  // force = K move.
  static void apply(const MidEdge<math::PackD>& at, Hessian hessian, const Points& move, Points& force);
  // Moves of what lies beyond held edges: that of the second end, and `beyond`.
  void follow(int64_t pack, std::span<const Vec3d> beyond, Points& move) const;
  void scatter(int64_t pack, Points& force, std::span<Vec3d> out) const;
  template <class F>
  void for_each_block_of(const MidEdge<math::PackD>& at, Hessian hessian, F&& visit) const;

  const model::Model& model_;
  int32_t body_;
  std::vector<int32_t> order_;                 // of the body's triangles
  std::vector<Nodes> nodes_;                   // in this order; -1: none
  std::vector<Nodes> ids_;                     // the same for reading, with some node in place of none
  std::vector<std::array<int32_t, 3>> hinge_;  // of the edges of each, in Model::hinges
  std::vector<std::array<int32_t, 3>> held_;   // in beyond_; -1: the edge is not held
  std::vector<Beyond> beyond_;
  std::vector<uint8_t> holds_;                  // of each pack: an edge is held
  std::vector<Mat3d> stiffness_;                // of the body's triangles, as bound [N m]
  std::vector<MidEdgeRest<math::PackD>> rest_;  // of each pack
  int64_t count_ = 0;
  mesh::Chunks chunks_;
  mutable std::vector<double> partial_;  // energy of each chunk, summed in order
};

}  // namespace sinew::energy
