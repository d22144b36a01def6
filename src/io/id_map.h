#pragma once
// Nodes and elements that a file numbers as it likes: its numbers to places counted from 0, and named sets of
// such numbers to groups. Places are given in the order of add().
//
//     IdMap nodes;
//     nodes.add(17);
//     if (auto twice = nodes.finish()) return in.fail(...);
//     int32_t i = nodes.find(17);  // 0
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::io {

class IdMap {
 public:
  void add(int64_t id) { entries_.emplace_back(id, static_cast<int32_t>(entries_.size())); }

  // To be called once after the last add(). Returns a number that was given twice and its second place, if there is one.
  std::optional<std::pair<int64_t, int32_t>> finish() {
    if (!std::is_sorted(entries_.begin(), entries_.end())) std::sort(entries_.begin(), entries_.end());
    const auto twice = std::adjacent_find(entries_.begin(), entries_.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    return twice == entries_.end() ? std::nullopt : std::optional(*(twice + 1));
  }

  int32_t find(int64_t id) const {  // -1: there is none
    const auto found = at_least(id);
    return found == entries_.end() || found->first != id ? -1 : found->second;
  }

  // Places of the numbers first..last, ascending in the file's number.
  template <class Visit>
  void for_range(int64_t first, int64_t last, const Visit& visit) const {
    for (auto e = at_least(first); e != entries_.end() && e->first <= last; ++e) visit(e->first, e->second);
  }
  size_t size() const { return entries_.size(); }

 private:
  std::vector<std::pair<int64_t, int32_t>>::const_iterator at_least(int64_t id) const {
    return std::lower_bound(entries_.begin(), entries_.end(), std::pair<int64_t, int32_t>(id, 0));
  }
  std::vector<std::pair<int64_t, int32_t>> entries_;
};

// Brings ids into the order of groups: ascending, each once.
inline void sort_ids(std::vector<int32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace sinew::io
