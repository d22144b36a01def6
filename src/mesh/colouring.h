#pragma once
// Fixed chunks of consecutive elements, coloured so that no two chunks of one colour share a node.
// Threads may then add to the nodes of one colour's chunks at the same time without locks, and each
// node receives its contributions in the same order whatever the thread count: colour by colour, and
// inside a chunk in index order. Greedy in index order, lowest free colour first.
//
//     Chunks chunks = colour_chunks<4>(mesh.elements, node_count, 64);
//     for (const auto& colour : chunks.colours)
//       for_each_index(colour.size(), [&](int64_t i) { auto [begin, end] = chunks.range(colour[i]); ... });
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinew::mesh {

struct Chunks {
  int32_t size = 0;  // elements in a chunk (the last may have fewer)
  int64_t element_count = 0;
  std::vector<std::vector<int32_t>> colours;  // chunk numbers, ascending

  int32_t count() const { return size ? static_cast<int32_t>((element_count + size - 1) / size) : 0; }
  std::pair<int64_t, int64_t> range(int32_t chunk) const {
    const int64_t begin = int64_t{chunk} * size;
    return {begin, std::min(begin + size, element_count)};
  }
};

template <int corners>
Chunks colour_chunks(std::span<const std::array<int32_t, corners>> elements, int64_t node_count,
                     int32_t size) {
  Chunks chunks{size, static_cast<int64_t>(elements.size()), {}};

  // The colours met so far at each node, as linked lists in one array.
  struct Entry {
    int32_t colour, next;
  };
  std::vector<Entry> entries;
  std::vector<int32_t> head(node_count, -1), seen(node_count, -1), nodes;
  std::vector<int32_t> taken;  // taken[colour] is the last chunk that met this colour at a node

  for (int32_t chunk = 0; chunk < chunks.count(); ++chunk) {
    nodes.clear();
    const auto [begin, end] = chunks.range(chunk);
    for (int64_t e = begin; e < end; ++e)
      for (int32_t node : elements[e])
        if (seen[node] != chunk) {
          seen[node] = chunk;
          nodes.push_back(node);
        }
    for (int32_t node : nodes)
      for (int32_t i = head[node]; i >= 0; i = entries[i].next) taken[entries[i].colour] = chunk;
    const auto free = std::find_if(taken.begin(), taken.end(), [&](int32_t by) { return by != chunk; });
    const auto colour = static_cast<int32_t>(free - taken.begin());
    if (free == taken.end()) {
      taken.push_back(-1);
      chunks.colours.emplace_back();
    }
    chunks.colours[colour].push_back(chunk);
    for (int32_t node : nodes) {
      entries.push_back({colour, head[node]});
      head[node] = static_cast<int32_t>(entries.size()) - 1;
    }
  }
  return chunks;
}

}  // namespace sinew::mesh
