#pragma once
// A multigrid preconditioner for the node matrix of any System: Galerkin matrices on trilinear lattices, levels by doubling, one V
// cycle with Chebyshev polynomials of block Jacobi as smoother (Adams, Brezina, Hu, Tuminaro: Parallel multigrid smoothing, 2003),
// a dense factorisation at the bottom. The cycle is symmetric, so that it serves conjugate gradients.
//
//     Multigrid multigrid;
//     multigrid.prepare(system, matrix, product);   // matrix: of the system, single precision; product: its own
//     multigrid.precondition(r, z);                 // z = M^-1 r, M definite
//
// Where point pairs are given, the matrix is without them, and M is that of matrix and pairs: the cycle works in a basis in which
// stiff ones are single unknowns (solve/tied_basis.h). The lattices depend on the mesh alone and are kept for as long as the
// System; patterns follow that of the matrix and of the ties. In lanes of single precision a cycle reads the matrices once for
// many columns; there are no pairs then.
#include <memory>
#include <span>
#include <vector>

#include "solve/conjugate_gradients.h"
#include "solve/galerkin.h"
#include "solve/symmetric_product.h"
#include "solve/system.h"
#include "solve/tied_basis.h"

namespace sinew::solve {

class Multigrid {
 public:
  Multigrid();
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;

  void prepare(const System& system, const energy::BlockMatrix& matrix, const SymmetricProduct& product,
               const PointPairs& pairs = {});
  void precondition(std::span<const Vec3d> r, std::span<Vec3d> z);
  // In lanes: r -= alpha t, z = M^-1 r, returning r.z.
  WideLanes precondition(std::span<LaneVec3> r, std::span<const LaneVec3> t, const Lanes& alpha,
                         std::span<LaneVec3> z);
  bool has_all_ties() const { return !has_pairs_ || basis_.complete(); }
  int levels() const;  // coarse ones
  // Blocks of all matrices over those of the finest.
  double operator_complexity() const;
  // Of a cycle, in products with the finest matrix.
  double cycle_work() const;
  int64_t bytes() const;

 private:
  struct Level;
  struct Bottom;
  void make_lattices(const System& system);
  void make_patterns(const std::shared_ptr<const energy::BlockPattern>& fine);
  void tie(const energy::BlockMatrix& matrix, const PointPairs& pairs);
  const HeldRows& held(size_t level) const;
  // Vector: Vec3d or LaneVec3.
  template <class Vector, class First, class Last>
  void cycle(size_t level, std::span<const Vector> b, std::span<Vector> x, First&& first, Last&& last);
  template <class Vector>
  void correct(size_t level);

  std::vector<CoarseLattice> lattices_;  // [0] belongs to the rows of the matrix
  HeldRows partly_held_;
  TiedBasis basis_;  // of the first level, where there are pairs
  energy::BlockMatrix tied_;
  SymmetricProduct tied_product_;
  bool has_pairs_ = false;
  const energy::BlockPattern* tied_for_ = nullptr;  // the pattern of the nodes that it was made for
  std::shared_ptr<const energy::BlockPattern> tied_pattern_;
  std::vector<Vec3d> tied_r_;  // the residual in the basis
  std::vector<Level> levels_;  // [0] is the matrix itself
  std::unique_ptr<Bottom> bottom_;
  std::vector<WideLanes> partial_;                       // of sums in lanes
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that the coarse patterns are made for
};

}  // namespace sinew::solve
