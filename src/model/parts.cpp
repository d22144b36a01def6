#include "model/parts.h"

#include <algorithm>
#include <map>

#include "mesh/disjoint_sets.h"

namespace sinew::model {

Parts find_parts(const Model& model) {
  mesh::DisjointSets<> sets(static_cast<int64_t>(model.X.size()));
  for (size_t e = 0; e < model.elements.size(); ++e)
    for (int32_t node : model.elements[e]) sets.join(model.elements[e][0], node);
  std::vector<char> hidden(model.X.size(), 0);
  for (const Body& body : model.bodies)
    std::fill(hidden.begin() + body.visible().end, hidden.begin() + body.nodes.end, 1);
  for (const Hinge& hinge : model.hinges)
    if (hinge.turn >= 0) sets.join(hinge.nodes[0], hinge.turn);
  Parts parts;
  parts.of_node.assign(model.X.size(), -1);
  parts.per_body.assign(model.bodies.size(), 0);
  std::vector<int32_t> of_root(model.X.size(), -1);
  for (size_t i = 0; i < model.X.size(); ++i) {
    const int32_t root = sets.find(static_cast<int32_t>(i));
    if (of_root[root] < 0) {
      of_root[root] = static_cast<int32_t>(parts.list.size());
      const int32_t body = model.body_of_node(static_cast<int32_t>(i));
      parts.list.push_back({body, parts.per_body[body]++});
    }
    parts.of_node[i] = of_root[root];
    if (hidden[i]) continue;
    Part& part = parts.list[of_root[root]];
    part.centre += model.X[i];
    ++part.nodes;
  }
  for (Part& part : parts.list) part.centre *= 1.0 / static_cast<double>(std::max<int64_t>(part.nodes, 1));
  for (size_t i = 0; i < model.X.size(); ++i) {
    if (hidden[i]) continue;
    Part& part = parts.list[parts.of_node[i]];
    part.radius = std::max(part.radius, norm(model.X[i] - part.centre));
  }
  for (size_t e = 0; e < model.elements.size(); ++e)
    ++parts.list[parts.of_node[model.elements[e][0]]].elements;
  return parts;
}

std::vector<std::vector<int32_t>> linked_parts(const Model& model, const Parts& parts) {
  mesh::DisjointSets<> joined(static_cast<int64_t>(parts.list.size()));
  for (const Link& link : model.links)
    if (link.a.count > 0 && link.b.count > 0)
      joined.join(parts.of_node[link.a.node[0]], parts.of_node[link.b.node[0]]);
  std::map<int32_t, std::vector<int32_t>> groups;
  for (size_t p = 0; p < parts.list.size(); ++p)
    groups[joined.find(static_cast<int32_t>(p))].push_back(static_cast<int32_t>(p));
  std::vector<std::vector<int32_t>> lists;
  for (auto& [root, members] : groups) lists.push_back(std::move(members));
  return lists;
}

}  // namespace sinew::model
