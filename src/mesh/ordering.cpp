#include "mesh/ordering.h"

#include <cstdlib>

namespace sinew::mesh {
namespace {

class Levels {
 public:
  explicit Levels(const Csr& graph) : graph_(graph), seen_(graph.rows(), -1) {}

  // Breadth first from `start`; returns the depth and leaves the last level in last().
  int32_t search(int32_t start) {
    ++round_;
    queue_.assign(1, start);
    seen_[start] = round_;
    int32_t depth = 0;
    size_t begin = 0;
    while (true) {
      const size_t end = queue_.size();
      for (size_t i = begin; i < end; ++i)
        for (int32_t next : graph_.row(queue_[i]))
          if (seen_[next] != round_) {
            seen_[next] = round_;
            queue_.push_back(next);
          }
      if (queue_.size() == end) {
        last_ = std::span<const int32_t>(queue_).subspan(begin, end - begin);
        return depth;
      }
      begin = end;
      ++depth;
    }
  }
  std::span<const int32_t> last() const { return last_; }

 private:
  const Csr& graph_;
  std::vector<int32_t> seen_, queue_;
  std::span<const int32_t> last_;
  int32_t round_ = 0;
};

bool fewer_neighbours(const Csr& graph, int32_t a, int32_t b) {
  const size_t da = graph.row(a).size(), db = graph.row(b).size();
  return da != db ? da < db : a < b;
}

// A node at one end of its component: move to the far end while that makes the search deeper.
int32_t peripheral_node(const Csr& graph, Levels& levels, int32_t start) {
  int32_t depth = levels.search(start);
  while (true) {
    const auto far = levels.last();
    const int32_t candidate = *std::min_element(
        far.begin(), far.end(), [&](int32_t a, int32_t b) { return fewer_neighbours(graph, a, b); });
    const int32_t deeper = levels.search(candidate);
    if (deeper <= depth) return candidate;
    depth = deeper;
  }
}

}  // namespace

std::vector<int32_t> reverse_cuthill_mckee(const Csr& graph) {
  const auto count = static_cast<int32_t>(graph.rows());
  const auto fewer = [&](int32_t a, int32_t b) { return fewer_neighbours(graph, a, b); };
  std::vector<int32_t> order, row;
  std::vector<char> placed(count, 0);
  Levels levels(graph);
  order.reserve(count);
  for (int32_t seed = 0; seed < count; ++seed) {
    if (placed[seed]) continue;
    const int32_t start = peripheral_node(graph, levels, seed);
    placed[start] = 1;
    size_t next = order.size();
    order.push_back(start);
    for (; next < order.size(); ++next) {
      row.clear();
      for (int32_t j : graph.row(order[next]))
        if (!placed[j]) {
          placed[j] = 1;
          row.push_back(j);
        }
      std::sort(row.begin(), row.end(), fewer);
      order.insert(order.end(), row.begin(), row.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int32_t> inverse_order(std::span<const int32_t> order) {
  std::vector<int32_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int32_t>(i);
  return place;
}

int32_t bandwidth(const Csr& graph, std::span<const int32_t> order) {
  const std::vector<int32_t> place = inverse_order(order);
  int32_t widest = 0;
  for (int64_t i = 0; i < graph.rows(); ++i)
    for (int32_t j : graph.row(i)) widest = std::max(widest, std::abs(place[i] - place[j]));
  return widest;
}

}  // namespace sinew::mesh
