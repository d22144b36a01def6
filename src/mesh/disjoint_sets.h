#pragma once
// Sets of the numbers 0..n-1 that are joined two by two. A set is named by its least member, so that the names do not depend on
// the order of joining.
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sinew::mesh {

class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(int64_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  int64_t size() const { return static_cast<int64_t>(parent_.size()); }
  int32_t find(int32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  // Whether they were apart.
  bool join(int32_t a, int32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (a > b) std::swap(a, b);
    parent_[b] = a;
    return true;
  }

 private:
  std::vector<int32_t> parent_;
};

}  // namespace sinew::mesh
