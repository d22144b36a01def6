#pragma once
// Hyperelastic elements of every shape (element/shape.h): the sum over quadrature points of V psi(F), V the volume that is
// material (Model::coverage); of a triangle its area times the thickness of the body. One term per ElasticSet.
//
// Elements are sorted by their nodes and cut into chunks, coloured so that chunks of one colour share no node; inside a
// chunk eight elements lie in the lanes of a pack (element/block.h). Per linear tet: 9 + 1 doubles of rest shape, 4 node ids,
// 16 slots of the matrix (160 bytes); per tet of second order 4 (27 + 1), 10 and 100 (1336 bytes); per triangle 4 + 1, 3 and
// 9 (88 bytes); the material's parameters only where they vary.
#include "element/block.h"
#include "energy/bound_law.h"
#include "energy/mean_dilatation.h"
#include "energy/node_local.h"
#include "energy/term.h"
#include "mesh/colouring.h"

namespace sinew::energy {

template <class Shape>
class ElasticElements : public Term {
 public:
  // With `mean` the volumetric part of the law is left to that term, which must outlive this one.
  ElasticElements(const model::Model& model, int32_t set, const MeanDilatation* mean = nullptr);

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override;
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  std::unique_ptr<Linearisation> linearisation() const override;
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override;
  const element::ElementBlock<Shape>& block() const { return block_; }

 protected:
  const material::Law& law() const { return law_.law(); }
  const std::vector<model::ParamField>& fields() const { return fields_; }  // as bound
  std::span<const element::NodeIds<Shape>> node_ids() const {
    return block_.node_ids().first(block_.count());
  }
  std::span<const int32_t> places() const { return order_; }  // of these in the set
  int32_t set() const { return set_; }

 private:
  using Pack = math::PackD;
  using Vector = math::Vec3<Pack>;
  static constexpr int lanes = element::lanes;
  using Block = element::ElementBlock<Shape>;
  using Matrix = typename Block::Matrix;
  static constexpr int nodes = Shape::nodes, edges = nodes - 1, points = Shape::points;
  static constexpr int F_size = Block::F_size, C_size = F_size * (F_size + 1) / 2;
  static constexpr int chunk_packs = 32 / points;
  class Kept;

  bool take(const model::Params& params) override;
  // The kernels of the law for elements of this dimension.
  const auto& kernels() const {
    if constexpr (Shape::dimension == 3)
      return law_.law().d;
    else
      return law_.law().membrane_d;
  }
  material::PointOptions point(const View& view, Hessian hessian) const {
    material::PointOptions options = view.point(hessian);
    options.fixed_thickness = fixed_thickness_;
    return options;
  }
  template <class F>
  void for_each_chunk(F&& f) const;
  void evaluate_points(const View& view, int64_t begin, int64_t end, Pack* F, Pack* psi, Pack* P) const;
  // C of the points of a pack; `pressure` of each element of the set where the volume is averaged.
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
  const MeanDilatation* mean_;
  bool fixed_thickness_;
  std::vector<Pack> lame_;  // mu and lambda of the modified Hessian, per pack or one pair
  int lame_stride_ = 0;
  std::vector<int32_t> order_;  // place in the set of the element in each lane, sorted
  Block block_;
  mesh::Chunks chunks_;
  mutable std::vector<EvalInfo> partial_;  // of each chunk, summed in order
};

// Linear tets by themselves can also be visited node by node.
class LinearTets final : public ElasticElements<element::Tet4>, public NodeLocal {
 public:
  LinearTets(const model::Model& model, int32_t set) : ElasticElements(model, set), model_(model) {}

  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackD) const override;
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackF) const override;
  bool majorant() const override { return law().node_majorant; }
  bool overestimates() const override { return law().node_overestimates; }

 private:
  const model::Model& model_;
};

// Triangles of sheets too.
class Membranes final : public ElasticElements<element::Tri3>, public NodeLocal {
 public:
  Membranes(const model::Model& model, int32_t set) : ElasticElements(model, set), model_(model) {}

  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackD) const override;
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool modified,
                                          math::PackF) const override;
  bool majorant() const override { return false; }

 private:
  const model::Model& model_;
};

}  // namespace sinew::energy
