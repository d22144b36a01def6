#pragma once
// A basis in which stiff ties are single unknowns. A point pair whose stiffness along a direction n is far above that of the
// nodes it joins all but holds n.d = 0. Of its coordinates one, the *slave*, is replaced by z in
//     x_s = z + sum_k c_k x_k        with c from n.d = 0,
// so that z alone stretches the pair and all other unknowns, the *masters*, move both sides as one. Springs tie in three
// directions, sliding tissue along its normal. Ties that share nodes are eliminated one after the other, as by Gauss; one that
// follows from others is left as it is. In these unknowns, x = T y,
//     T^T (A + pairs) T
// has the stiffness of ties on its diagonal only, where a smoother sees it, and a coarse space that holds z = 0 does not feel it.
//
//     basis.choose(pairs, A, partly_held);
//     tied.reset(basis.pattern(A.pattern()), Precision::single);
//     basis.transform(A, pairs, tied);                 // A: single precision, without the pairs
#include <memory>
#include <span>
#include <vector>

#include "energy/block_matrix.h"
#include "solve/held_rows.h"
#include "solve/point_pairs.h"

namespace sinew::solve {

class TiedBasis {
 public:
  // Chooses the slaves by the stiffness of pairs and nodes. `held`: rows that are partly held; they are no slaves. True: the
  // pattern is another than at the last choice.
  bool choose(const PointPairs& pairs, const energy::BlockMatrix& matrix, const HeldRows& held);
  int64_t ties() const { return ties_; }  // slaved coordinates
  // False: ties that share nodes would have made too many entries, and some are left as they are.
  bool complete() const { return complete_; }

  energy::BlockPattern pattern(const energy::BlockPattern& nodes) const;
  void transform(const energy::BlockMatrix& matrix, const PointPairs& pairs, energy::BlockMatrix& tied) const;
  void pull(std::span<Vec3d> r) const;  // r = T^T r
  void push(std::span<Vec3d> y) const;  // y = T y
  // The directions of each row that masters have: all that a coarse space sees.
  const HeldRows& free() const { return free_; }
  int64_t bytes() const;

 private:
  struct Coefficient {
    int32_t row;
    Mat3d C;
  };
  // Of x_r: sum of C y over these. A row without a slave is itself.
  std::span<const Coefficient> row(int32_t r) const {
    if (place_[r] < 0) return {};
    const int32_t k = place_[r];
    return std::span(coefficient_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
  }
  template <class F>
  void for_each_of(int32_t r, F&& f) const;
  std::span<const Coefficient> of_pair(size_t pair) const {
    return std::span(pair_G_).subspan(pair_begin_[pair], pair_begin_[pair + 1] - pair_begin_[pair]);
  }
  void expand(const PointPairs& pairs);
  bool follow_structure();

  int64_t ties_ = 0;
  bool complete_ = true;
  std::vector<int32_t> place_;  // of each row in slave_row_, or -1
  std::vector<int32_t> slave_row_;
  std::vector<int64_t> begin_{0};
  std::vector<Coefficient> coefficient_;  // of each slave row, by ascending rows, its own among them
  std::vector<int64_t> pair_begin_{0};
  std::vector<Coefficient> pair_G_;  // of the difference of each pair
  HeldRows free_;
  std::vector<int32_t> structure_;  // all that the pattern depends on beside that of the nodes
  mutable std::vector<Vec3d> scratch_;
};

}  // namespace sinew::solve
