#pragma once
// Mean dilatation of linear tets over patches (mesh/patches.h), against locking near nu = 0.5: the part U(J) of the
// energy that resists a change of volume is taken at the mean of J over the patch,
//
//     sum V psi(F)  ->  sum V (psi(F) - U(J)) + sum V U(J_patch),   J_patch = current volume / rest volume,
//
// volumes being those of the material (Model::coverage),
// after the mean dilatation of Nagtegaal, Parks, Rice: On numerically accurate finite element solutions in the fully
// plastic range, 1974, on patches of tets as de Souza Neto, Pires, Owen: F-bar-based linear triangles and tetrahedra
// for finite strain analysis of nearly incompressible solids, 2005. It is an energy, so forces are its derivative.
// This term is the second sum. ElasticElements is the first one and takes the curvature that the patch's pressure gives to
// a tet into its own Hessian, where it is projected; what is left here is one dyad for each patch.
#include "energy/bound_law.h"
#include "energy/term.h"
#include "mesh/colouring.h"
#include "mesh/patches.h"

namespace sinew::energy {

class MeanDilatation final : public Term {
 public:
  // The elements of the set's body are to be averaged, and its law names the part U.
  static bool applies(const model::Model& model, const model::ElasticSet& set) {
    return model.bodies[set.body].kind->mean_dilatation && set.law->d.volume;
  }

  MeanDilatation(const model::Model& model, int32_t set);

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override;
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  std::unique_ptr<Linearisation> linearisation() const override;

  // U'(J_patch) [Pa] of the patch of each tet, in the order of the set.
  std::vector<double> pressures(std::span<const Vec3d> x) const;
  // J_patch of each tet, in the order of the set.
  std::vector<double> mean_J(std::span<const Vec3d> x) const;

 private:
  static constexpr int width = mesh::max_patch_nodes;
  class Dyads;

  bool take(const model::Params& params) override;

  // Sums over the tets of a patch at J_patch.
  struct Response {
    double energy, slope, curvature;  // V U [J], V U' / V [Pa], V U'' / V [Pa]
  };
  std::vector<Response> respond(std::span<const Vec3d> x) const;
  std::vector<double> patch_J(std::span<const Vec3d> x) const;  // of each patch
  // d(volume of the material)/dx at the nodes of a patch.
  void volume_gradient(std::span<const Vec3d> x, int64_t patch, Vec3d (&g)[width]) const;
  template <class F>
  void for_each_patch(F&& f) const;

  struct PatchTet {
    model::Tet node;
    std::array<int8_t, 4> place;  // of the nodes in the patch
    double covered;               // share of the volume that is material
    double rest;                  // volume of that [m^3]
  };

  int32_t set_;
  BoundLaw law_;
  std::vector<int32_t> order_;                    // place in the set of each tet, patch by patch
  std::vector<PatchTet> tets_;                    // patch by patch
  std::vector<int64_t> begin_;                    // of the tets of each patch, and the end
  std::vector<std::array<int32_t, width>> node_;  // of each patch; -1: none
  std::vector<double> rest_;                      // volume of each patch [m^3]
  mesh::Chunks chunks_;                           // of patches
};

}  // namespace sinew::energy
