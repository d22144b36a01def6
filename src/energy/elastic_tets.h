#pragma once
// Hyperelastic linear tetrahedra: sum over tets of V psi(F), F = sum_a x_a g_a^T with g_a the gradients of the shape
// functions. One term per ElasticSet.
//
// Tets are sorted by their nodes and cut into chunks of 256, coloured so that chunks of one colour share no node;
// inside a chunk eight tets lie in the lanes of a pack. Per tet: 9 + 1 doubles of rest shape, 4 node ids, 16 slots
// of the matrix (160 bytes); the material's parameters only where they vary.
#include "energy/term.h"
#include "mesh/chunks.h"

namespace sinew::energy {

class ElasticTets final : public Term {
 public:
  ElasticTets(const model::Model& model, int32_t set);

  int32_t damped_body() const override { return body_; }
  void bind(const model::Params& params) override;
  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override;
  void map(const BlockPattern& pattern, std::span<const int32_t> block_of_node) override;
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  void linearise(const View& view, Hessian hessian, Scratch& scratch) const override;
  void apply(const Scratch& scratch, std::span<const Vec3d> d, std::span<Vec3d> out) const override;
  void diagonal(const Scratch& scratch, std::span<Mat3d> blocks) const override;
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override;

 private:
  static constexpr int lanes = 8;
  static constexpr int chunk_packs = 32;
  using Pack = math::PackD;

  template <class F>
  void for_each_chunk(F&& f) const;
  int gather(std::span<const Vec3d> x, int64_t pack, math::Mat3<Pack>& Ds) const;
  math::Mat3<Pack> inverse_edges(int64_t pack) const;
  const Pack* params(int64_t pack) const { return params_.data() + pack * stride_; }
  void scatter(int64_t pack, const math::Mat3<Pack>& G, std::span<Vec3d> out) const;
  void deformation(std::span<const Vec3d> x, int64_t begin, int64_t end, Pack* F) const;

  int32_t set_, body_;
  const material::Law* law_;
  std::vector<int32_t> order_;               // place in the set of each tet, sorted
  std::vector<std::array<int32_t, 4>> tet_;  // sorted; node ids, padded to whole packs
  int64_t count_ = 0;                        // tets, without padding
  std::vector<Pack> rest_;                   // per pack: Dm^-1 (9) and V (1)
  std::vector<Pack> params_;                 // per pack, or one set
  int stride_ = 0;
  mesh::Chunks chunks_;
  mutable std::vector<EvalInfo> partial_;  // of each chunk, summed in order
  std::vector<int32_t> slots_;  // per tet: slot of block (a, b) at 4 a + b, -1 where a node is held
};

}  // namespace sinew::energy
