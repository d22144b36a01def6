#include "energy/node_blocks.h"

#include <algorithm>

namespace sinew::energy {

NodeStencils::NodeStencils(std::vector<Stencils> lists, int64_t node_count) : lists_(std::move(lists)) {
  first_.push_back(0);
  std::vector<int64_t>& offset = around_.offset;
  offset.assign(node_count + 1, 0);
  for (const Stencils& list : lists_) {
    first_.push_back(first_.back() + static_cast<int32_t>(list.nodes.size() / list.width));
    for (int32_t node : list.nodes)
      if (node >= 0) ++offset[node + 1];
  }
  for (int64_t i = 0; i < node_count; ++i) offset[i + 1] += offset[i];
  around_.index.resize(offset[node_count]);
  std::vector<int64_t> next(offset.begin(), offset.end() - 1);
  for (size_t l = 0; l < lists_.size(); ++l)
    for (size_t k = 0; k < lists_[l].nodes.size(); ++k)
      if (const int32_t node = lists_[l].nodes[k]; node >= 0)
        around_.index[next[node]++] = first_[l] + static_cast<int32_t>(k / lists_[l].width);
}

void NodeStencils::append(const Stencils& list, int32_t node, std::vector<int32_t>& numbers) const {
  const auto found = std::find_if(lists_.begin(), lists_.end(), [&](const Stencils& other) {
    return other.nodes.data() == list.nodes.data();
  });
  if (found == lists_.end()) return;
  const int32_t* own = &first_[found - lists_.begin()];
  const auto row = around_.row(node);
  for (auto at = std::lower_bound(row.begin(), row.end(), own[0]); at != row.end() && *at < own[1]; ++at)
    numbers.push_back(*at - own[0]);
}

namespace {

// The lowest colour that `taken` does not hold under this stamp.
int32_t lowest_free(std::vector<int64_t>& taken, int64_t stamp) {
  const auto free = std::find_if(taken.begin(), taken.end(), [&](int64_t by) { return by != stamp; });
  const auto colour = static_cast<int32_t>(free - taken.begin());
  if (free == taken.end()) taken.push_back(-1);
  return colour;
}

}  // namespace

NodeColours::NodeColours(const NodeStencils& stencils)
    : stencils_(&stencils), colour_(stencils.node_count(), -1) {
  std::vector<int64_t> taken;  // by which node each colour was last met
  for (int32_t node = 0; node < stencils.node_count(); ++node) {
    stencils.for_each_neighbour(node, [&](int32_t other) {
      if (colour_[other] >= 0) taken[colour_[other]] = node;
    });
    colour_[node] = lowest_free(taken, node);
  }
}

NodeColours::Moved NodeColours::with(const Stencils& added) const {
  const auto stencil_of = [&](size_t place) {
    return added.nodes.subspan(place / added.width * added.width, added.width);
  };
  std::vector<std::pair<int32_t, int32_t>>
      conflicts;  // nodes of one colour in an added stencil: higher, lower
  for (size_t first = 0; first < added.nodes.size(); first += added.width)
    for (int32_t a : stencil_of(first))
      for (int32_t b : stencil_of(first))
        if (0 <= b && b < a && colour_[a] == colour_[b]) conflicts.emplace_back(a, b);
  std::sort(conflicts.begin(), conflicts.end());
  Moved moved;
  std::vector<char> has_moved(colour_.size(), 0);
  for (const auto& [node, lower] : conflicts)
    if (!has_moved[node] && !has_moved[lower]) {
      has_moved[node] = 1;
      moved.nodes.push_back(node);
    }
  std::vector<std::pair<int32_t, size_t>> places;  // of the moved nodes in the added stencils, ascending
  for (size_t k = 0; k < added.nodes.size(); ++k)
    if (added.nodes[k] >= 0 && has_moved[added.nodes[k]]) places.emplace_back(added.nodes[k], k);
  std::sort(places.begin(), places.end());
  std::vector<int64_t> taken;
  std::vector<int32_t> fresh(moved.nodes.empty() ? 0 : colour_.size(), -1);
  auto place = places.begin();
  for (const int32_t node : moved.nodes) {
    const auto meet = [&](int32_t other) {
      if (fresh[other] >= 0) taken[fresh[other]] = node;
    };
    stencils_->for_each_neighbour(node, meet);
    for (; place != places.end() && place->first == node; ++place)
      for (int32_t other : stencil_of(place->second))
        if (other >= 0 && other != node) meet(other);
    moved.colours.push_back(fresh[node] = lowest_free(taken, node));
  }
  return moved;
}

std::vector<int32_t> colour_nodes(std::span<const Stencils> stencils, int64_t node_count) {
  const NodeStencils around({stencils.begin(), stencils.end()}, node_count);
  return NodeColours(around).colours();
}

namespace {

// Makes blocks of the members of each colour.
NodeBlocks blocks_of(std::vector<std::vector<int32_t>>& members, std::span<const int32_t> work, int lanes) {
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

}  // namespace

NodeBlocks make_node_blocks(std::span<const int32_t> colours, std::span<const int32_t> work,
                            std::span<const int32_t> block_of_node, int lanes,
                            std::shared_ptr<const NodeStencils> stencils) {
  std::vector<std::vector<int32_t>> members;
  for (size_t node = 0; node < colours.size(); ++node) {
    if (block_of_node[node] < 0 || work[node] == 0) continue;
    if (members.size() <= static_cast<size_t>(colours[node])) members.resize(colours[node] + 1);
    members[colours[node]].push_back(static_cast<int32_t>(node));
  }
  NodeBlocks blocks = blocks_of(members, work, lanes);
  blocks.stencils = std::move(stencils);
  return blocks;
}

NodeBlocks make_node_blocks(std::span<const int32_t> nodes, std::span<const int32_t> colours,
                            std::span<const int32_t> work, const NodeBlocks& all) {
  std::vector<std::vector<int32_t>> members;
  for (size_t k = 0; k < nodes.size(); ++k) {
    if (members.size() <= static_cast<size_t>(colours[k])) members.resize(colours[k] + 1);
    members[colours[k]].push_back(nodes[k]);
  }
  NodeBlocks blocks = blocks_of(members, work, all.lanes);
  blocks.stencils = all.stencils;
  blocks.lasting = false;
  return blocks;
}

}  // namespace sinew::energy
