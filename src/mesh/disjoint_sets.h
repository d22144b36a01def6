#pragma once
// Sets of the numbers 0..n-1 that are joined two by two. A set is named by its least member, so that the names do not depend on
// the order of joining.
//
//     DisjointSets<> same(n);  same.join(3, 7);  same.find(7) == 3
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sinew::mesh {

template <class Id = int32_t>
class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(int64_t n) { reset(n); }

  void reset(int64_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), Id{0});
  }
  int64_t size() const { return static_cast<int64_t>(parent_.size()); }
  Id find(Id i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Id a, Id b) {
    a = find(a);
    b = find(b);
    if (a > b) std::swap(a, b);
    parent_[b] = a;
  }

 private:
  std::vector<Id> parent_;
};

}  // namespace sinew::mesh
