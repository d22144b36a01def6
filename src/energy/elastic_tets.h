#pragma once
// Hyperelastic tetrahedra of first order (4 nodes, one point) and second order (10 nodes, four points): the sum over
// points of V psi(F), F = sum_a x_a g_a^T with g_a the gradients of the shape functions (mesh/tet_shape.h). Because
// these sum to zero, everything is written in the edges x_a - x_0. One term per ElasticSet.
//
// Tets are sorted by their nodes and cut into chunks, coloured so that chunks of one colour share no node; inside a
// chunk eight tets lie in the lanes of a pack. Per linear tet: 9 + 1 doubles of rest shape, 4 node ids, 16 slots of
// the matrix (160 bytes); per tet of second order 4 (27 + 1), 10 and 100 (1336 bytes); the material's parameters only
// where they vary.
#include "energy/bound_law.h"
#include "energy/mean_volume.h"
#include "energy/node_local.h"
#include "energy/term.h"
#include "mesh/chunks.h"

namespace sinew::energy {

template <int nodes, int points>
class ElasticTets : public Term {
 public:
  // With `mean` the volumetric part of the law is left to that term, which must outlive this one.
  ElasticTets(const model::Model& model, int32_t set, const MeanVolume* mean = nullptr);

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override;
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  std::unique_ptr<Linearisation> linearisation() const override;
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override;

 protected:
  const material::Law& law() const { return law_.law(); }
  const std::vector<model::ParamField>& fields() const { return fields_; }  // as bound

 private:
  using Pack = math::PackD;
  using Vector = math::Vec3<Pack>;
  static constexpr int lanes = 8;
  static constexpr int chunk_packs = 32 / points;
  static constexpr int edges = nodes - 1;
  static constexpr int rest_size = points * (3 * edges + 1);
  class Kept;

  bool take(const model::Params& params) override;
  template <class F>
  void for_each_chunk(F&& f) const;
  // g of point q of a pack, edge by edge, and the volume of the point behind it.
  const Pack* gradients(int64_t pack, int q) const { return &rest_[pack * rest_size + q * (3 * edges + 1)]; }
  const Pack& weight(int64_t pack, int q) const { return gradients(pack, q)[3 * edges]; }
  int used_lanes(int64_t pack) const {
    return static_cast<int>(std::min<int64_t>(lanes, count_ - pack * lanes));
  }
  void gather(std::span<const Vec3d> x, int64_t pack, Vector (&d)[edges]) const;
  void scatter(int64_t pack, const Vector (&G)[edges], std::span<Vec3d> out) const;
  math::Mat3<Pack> deformation(const Vector (&d)[edges], int64_t pack, int q) const;
  void deformations(std::span<const Vec3d> x, int64_t begin, int64_t end, Pack* F) const;
  void add_stress(int64_t pack, int q, const math::Mat3<Pack>& P, Vector (&G)[edges]) const;
  void evaluate_points(const View& view, int64_t begin, int64_t end, Pack* F, Pack* psi, Pack* P) const;
  // C of the points of a pack; `pressure` of each tet of the set where the volume is averaged.
  void linearise_points(const View& view, Hessian hessian, int64_t pack, const Pack* F,
                        std::span<const double> pressure, Pack* C) const;
  std::vector<double> mean_pressures(const View& view) const {
    return mean_ ? mean_->pressures(view.x) : std::vector<double>{};
  }
  void apply_pack(const Pack* C, std::span<const Vec3d> d, int64_t pack, std::span<Vec3d> out) const;
  // C of all points, and what Linearisation makes of it.
  void linearise(const View& view, Hessian hessian, std::vector<Pack>& kept) const;
  void apply(const std::vector<Pack>& kept, std::span<const Vec3d> d, std::span<Vec3d> out) const;
  void diagonal(const std::vector<Pack>& kept, std::span<Mat3d> blocks) const;

  int32_t set_;
  std::vector<model::ParamField> fields_;
  BoundLaw law_;
  const MeanVolume* mean_;
  std::vector<Pack> lame_;  // mu and lambda of the modified Hessian, per pack or one pair
  int lame_stride_ = 0;
  std::vector<int32_t> order_;                   // place in the set of each tet, sorted
  std::vector<std::array<int32_t, nodes>> tet_;  // sorted; node ids, padded to whole packs
  int64_t count_ = 0;                            // tets, without padding
  std::vector<Pack> rest_;                       // per pack and point: g of the edges, volume
  mesh::Chunks chunks_;
  mutable std::vector<EvalInfo> partial_;  // of each chunk, summed in order
};

// Linear tets by themselves can also be visited node by node.
class LinearTets final : public ElasticTets<4, 1>, public NodeLocal {
 public:
  LinearTets(const model::Model& model, int32_t set) : ElasticTets(model, set), model_(model), set_(set) {}

  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackD) const override;
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackF) const override;
  bool majorant() const override { return law().node_majorant; }
  bool overestimates() const override { return law().node_loose; }

 private:
  const model::Model& model_;
  int32_t set_;
};

}  // namespace sinew::energy
