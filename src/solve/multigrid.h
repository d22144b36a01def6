#pragma once
// A multigrid preconditioner for the node matrix of any System: Galerkin matrices on trilinear lattices, levels by doubling, one V
// cycle with Chebyshev polynomials of block Jacobi as smoother (Adams, Brezina, Hu, Tuminaro: Parallel multigrid smoothing, 2003),
// a dense factorisation at the bottom. The cycle is symmetric, so that it serves conjugate gradients.
//
//     Multigrid multigrid;
//     multigrid.prepare(system, matrix, product);   // matrix: of the system, single precision; product: its own
//     multigrid.precondition(r, z);                 // z = M^-1 r, M definite
//
// The lattices depend on the mesh alone and are kept for as long as the System; patterns follow that of the matrix.
#include <memory>
#include <span>
#include <vector>

#include "solve/conjugate_gradients.h"
#include "solve/galerkin.h"
#include "solve/symmetric_product.h"
#include "solve/system.h"

namespace sinew::solve {

class Multigrid {
 public:
  Multigrid();
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;

  void prepare(const System& system, const energy::BlockMatrix& matrix, const SymmetricProduct& product);
  void precondition(std::span<const Vec3d> r, std::span<Vec3d> z);
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
  void make_patterns(const energy::BlockPattern& fine);
  void cycle(size_t level, std::span<const Vec3d> b, std::span<Vec3d> x);
  void correct(size_t level, std::span<Vec3d> x);

  std::vector<CoarseLattice> lattices_;  // [0] belongs to the rows of the matrix
  std::vector<HeldRow> held_;
  std::vector<Vec3d> held_part_;  // of the residual, in their held directions
  std::vector<Level> levels_;     // [0] is the matrix itself
  std::unique_ptr<Bottom> bottom_;
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that the coarse patterns are made for
};

}  // namespace sinew::solve
