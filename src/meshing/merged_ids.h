#pragma once
// Ids that turn out to be the same thing: a forest whose roots are the lowest ids, with paths halved on the way up.
//
//     MergedIds<int32_t> same(n);
//     same.merge(3, 7);   same.root(7) == 3
#include <numeric>
#include <vector>

namespace sinew::meshing {

template <class Id>
class MergedIds {
 public:
  explicit MergedIds(Id count) : above_(count) { std::iota(above_.begin(), above_.end(), Id(0)); }

  Id root(Id i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  // The lower root stays: what comes out does not depend on the order of the merges.
  void merge(Id i, Id j) {
    i = root(i), j = root(j);
    if (i < j)
      above_[j] = i;
    else
      above_[i] = j;
  }

 private:
  std::vector<Id> above_;
};

}  // namespace sinew::meshing
