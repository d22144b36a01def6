#pragma once
// The coarse matrix P^T A P of a symmetric 3x3-block matrix A, P the weights of a CoarseLattice.
//
// Rows of a group have the same eight coarse nodes. For a row i and a group h that its columns lie in, T = sum_j w_j A_ij is
// eight blocks; w_i T goes to eight by eight blocks of the pair of groups, which are added to the matrix when all rows of the
// group are done. The groups follow each other colour by colour: the same bits for any number of threads.
//
//     Galerkin galerkin(pattern, lattice);
//     coarse.reset(galerkin.pattern(), Precision::single);
//     galerkin.multiply(A, held, coarse);
#include <memory>
#include <span>
#include <vector>

#include "energy/block_matrix.h"
#include "solve/coarse_lattice.h"
#include "solve/held_rows.h"

namespace sinew::solve {

using math::Mat3d;

class Galerkin {
 public:
  Galerkin(const energy::BlockPattern& fine, const CoarseLattice& lattice);

  const std::shared_ptr<const energy::BlockPattern>& pattern() const { return pattern_; }
  // A in single precision, between the free directions of rows that are held in part.
  void multiply(const energy::BlockMatrix& A, const HeldRows& held, energy::BlockMatrix& coarse) const;
  int64_t bytes() const;

 private:
  void find_neighbours(const energy::BlockPattern& fine);
  void make_pattern();
  void multiply_group(const energy::BlockMatrix& A, const HeldRows& held, int32_t group,
                      std::span<double> blocks, std::span<int32_t> place_of) const;
  void scatter(int32_t group, std::span<const double> blocks, std::span<int32_t> slot_of, float* out) const;

  const CoarseLattice& lattice_;
  std::shared_ptr<const energy::BlockPattern> pattern_;
  std::vector<int64_t> begin_;  // groups that the columns of each group's rows lie in
  std::vector<int32_t> neighbour_;
  int64_t most_neighbours_ = 0;
};

}  // namespace sinew::solve
