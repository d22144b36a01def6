#pragma once
// The warm start tree of a shard: a sample starts from the solution of the nearest earlier one. It is fixed by the design
// before anything is solved, so results depend neither on the order of work nor on who did it.
//
//     Tree tree = warm_start_tree(points, categorical);
//     tree.parent[i], tree.level[i]       // -1 and 0: the first sample starts from rest
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::batch {

struct Tree {
  std::vector<int32_t> parent;  // -1: from rest
  std::vector<int32_t> level;   // steps to the root
};

// The square of the distance of points i and j.
double distance2(std::span<const double> points, std::span<const char> categorical, size_t i, size_t j);

// Points of the unit cube, one after the other. Two different values of a categorical coordinate are at distance 1.
// Among several at the same distance the earliest is taken.
Tree warm_start_tree(std::span<const double> points, std::span<const char> categorical);

}  // namespace sinew::batch
