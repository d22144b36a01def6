#pragma once
// Rows of a node matrix of which some directions are no unknowns of a coarse space: those of planes and lines, and those that a
// tie has taken (solve/tied_basis.h).
#include <cstdint>
#include <vector>

#include "math/mat.h"

namespace sinew::solve {

struct HeldRows {
  std::vector<int32_t> row;
  std::vector<math::Mat3d> P;   // of each: the projector onto the other directions
  std::vector<int32_t> of_row;  // place of every row in `row`, or -1; empty: there is none

  void reset(int32_t rows) {
    row.clear();
    P.clear();
    of_row.assign(rows, -1);
  }
  void add(int32_t r, const math::Mat3d& projector) {
    of_row[r] = static_cast<int32_t>(row.size());
    row.push_back(r);
    P.push_back(projector);
  }
  // Null: all directions are free.
  const math::Mat3d* at(int32_t r) const { return of_row.empty() || of_row[r] < 0 ? nullptr : &P[of_row[r]]; }
};

}  // namespace sinew::solve
