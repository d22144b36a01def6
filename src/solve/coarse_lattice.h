#pragma once
// A coarse space for any mesh, from places and connectivity alone: trilinear functions on a Cartesian lattice.
//
// Nodes of one lattice cell that hang together by edges inside the cell are a *group*, with eight corners of its own. An edge
// between two groups makes them share the corners that their cells have in common. So parts that lie side by side without being
// connected there, such as two fingers, move apart in the coarse space too. A node takes the trilinear weights of its
// place in its cell, which reproduce linear fields. Groups are the elements of the coarse mesh: the next level is made in the same way.
//
//     CoarseLattice first = make_coarse_lattice(places, elements, rows);   // places in units of the spacing
//     CoarseLattice second = coarsen(first);                                // twice the spacing
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "element/connectivity.h"
#include "math/mat.h"
#include "mesh/colouring.h"
#include "solve/lanes.h"

namespace sinew::solve {

using math::Vec3d;

struct CoarseLattice {
  using Corners = std::array<int32_t, 8>;

  // Of each row of the finer matrix: its group (-1: it has no coarse part) and the weights of that group's corners.
  std::vector<int32_t> group;
  std::vector<std::array<float, 8>> weight;
  // Coarse nodes of the corners of each group, x fastest. A corner of no weight stands for another one of its group.
  std::vector<Corners> corners;
  std::vector<std::array<int32_t, 3>> place;  // of each coarse node, in units of the spacing
  // Rows of group g, ascending: row[begin[g]] to row[begin[g + 1]].
  std::vector<int64_t> begin;
  std::vector<int32_t> row;
  // The groups that a coarse node is a corner of, as 8 * group + corner: at[at_begin[i]] to at[at_begin[i + 1]].
  std::vector<int64_t> at_begin;
  std::vector<int32_t> at;
  mesh::Chunks chunks;  // of groups: those of one colour share no coarse node

  int32_t rows() const { return static_cast<int32_t>(group.size()); }
  int32_t nodes() const { return static_cast<int32_t>(place.size()); }

  // coarse = P^T fine; `sums` is scratch of 8 vectors for each group.
  void restrict_to(std::span<const Vec3d> fine, std::span<Vec3d> coarse, std::vector<Vec3d>& sums) const;
  void restrict_to(std::span<const LaneVec3> fine, std::span<LaneVec3> coarse,
                   std::vector<LaneVec3>& sums) const;
  // fine = P coarse
  void prolong(std::span<const Vec3d> coarse, std::span<Vec3d> fine) const;
  void prolong(std::span<const LaneVec3> coarse, std::span<LaneVec3> fine) const;
  int64_t bytes() const;
};

// `places` of all nodes, `rows` the row of each node in the finer matrix or -1. Nodes without an element have no coarse part.
CoarseLattice make_coarse_lattice(std::span<const Vec3d> places, const element::Connectivity& elements,
                                  std::span<const int32_t> rows);
CoarseLattice coarsen(const CoarseLattice& lattice);

}  // namespace sinew::solve
