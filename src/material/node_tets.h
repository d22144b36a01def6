#pragma once
// The tets around a block of nodes, one node to a lane, for methods that move one node at a time. All three other nodes
// of a tet are seen from the node: with e_j = x_j - x and g_j the gradients of their shape functions F = sum e_j g_j^T.
// The rest frame of each tet is turned (by Q) so that g_1, g_2, g_3 are the rows of a lower triangle: six numbers, and
// fibres turn with it.
#include <cstdint>

#include "math/mat.h"

namespace sinew::material {

template <class T>
struct NodeTets {
  // g_1x g_2x g_2y g_3x g_3y g_3z, volume; laws that are not frame-invariant have the nine numbers of Q behind.
  static constexpr int triangle = 6, rotated_size = 7, full_size = 16;

  int64_t count = 0;                // tets of every lane; where a node has fewer their volume is 0
  const int32_t* others = nullptr;  // of each tet: first, second and third other node, lane by lane
  const T* rest = nullptr;
  const int32_t* shape = nullptr;  // where the rest of each tet begins, in sizes; null: one after the other
  const T* params = nullptr;
  int stride = 0;  // of the parameters; 0: one set for all
  const T* lame =
      nullptr;  // mu and lambda of each tet: the block is 2 mu |g|^2 + lambda c c^T; null: the law's own
  const T* coverage = nullptr;  // the share of each tet's volume that counts; null: all of it
};

// Sums over tets, links and other terms at the nodes of a block: gradient [N] and block of second derivatives [N/m].
template <class T>
struct NodeSums {
  math::Vec3<T> gradient;
  T block[6];  // 00 01 02 11 12 22
};

}  // namespace sinew::material
