#include "energy/node_blocks.h"

#include <algorithm>

namespace sinew::energy {

std::vector<int32_t> colour_nodes(std::span<const Stencils> stencils, int64_t node_count) {
  // Stencils around each node, as places in one list of all.
  std::vector<int64_t> begin(node_count + 1, 0);
  for (const Stencils& list : stencils)
    for (int32_t node : list.nodes)
      if (node >= 0) ++begin[node + 1];
  for (int64_t i = 0; i < node_count; ++i) begin[i + 1] += begin[i];
  std::vector<std::span<const int32_t>> around(begin[node_count]);
  std::vector<int64_t> next(begin.begin(), begin.end() - 1);
  for (const Stencils& list : stencils)
    for (size_t s = 0; s < list.nodes.size(); ++s)
      if (const int32_t node = list.nodes[s]; node >= 0)
        around[next[node]++] = list.nodes.subspan(s / list.width * list.width, list.width);

  std::vector<int32_t> colour(node_count, -1);
  std::vector<int64_t> taken;  // by which node each colour was last met
  for (int64_t node = 0; node < node_count; ++node) {
    for (int64_t s = begin[node]; s < begin[node + 1]; ++s)
      for (int32_t other : around[s])
        if (other >= 0 && colour[other] >= 0) taken[colour[other]] = node;
    const auto free = std::find_if(taken.begin(), taken.end(), [&](int64_t by) { return by != node; });
    colour[node] = static_cast<int32_t>(free - taken.begin());
    if (free == taken.end()) taken.push_back(-1);
  }
  return colour;
}

NodeBlocks make_node_blocks(std::span<const int32_t> colours, std::span<const int32_t> work,
                            std::span<const int32_t> block_of_node, int lanes) {
  std::vector<std::vector<int32_t>> members;
  for (size_t node = 0; node < colours.size(); ++node) {
    if (block_of_node[node] < 0 || work[node] == 0) continue;
    if (members.size() <= static_cast<size_t>(colours[node])) members.resize(colours[node] + 1);
    members[colours[node]].push_back(static_cast<int32_t>(node));
  }
  NodeBlocks blocks;
  blocks.lanes = lanes;
  blocks.colour_begin.push_back(0);
  for (auto& list : members) {
    std::stable_sort(list.begin(), list.end(), [&](int32_t a, int32_t b) { return work[a] > work[b]; });
    for (size_t first = 0; first < list.size(); first += lanes) {
      for (int l = 0; l < lanes; ++l) blocks.nodes.push_back(list[std::min(first + l, list.size() - 1)]);
      blocks.used.push_back(static_cast<int8_t>(std::min<size_t>(lanes, list.size() - first)));
    }
    blocks.colour_begin.push_back(blocks.count());
  }
  return blocks;
}

}  // namespace sinew::energy
