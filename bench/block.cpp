#include "bench/block.h"

#include <numeric>

#include "mesh/shapes.h"
#include "model/add_body.h"

namespace sinew::bench {

model::Model make_block(int cells, double poisson) {
  const auto mesh =
      mesh::make_box({.size = {1, 1, 1}, .cells = {cells, cells, cells}, .split = mesh::Split::five});
  model::Model model;
  model::add_body(model, "block", element::default_kind(), *mesh);
  model::ElasticSet set{0, material::find_law("stable_neo_hookean"),
                        std::vector<int32_t>(model.elements.size())};
  std::iota(set.elements.begin(), set.elements.end(), 0);
  model.sets.push_back(std::move(set));
  model.params.material.push_back({{{1e5}}, {{poisson}}});
  model.params.density.push_back({{1000}});
  model::Attachment left, right;
  left.name = "left";
  right.name = "right";
  left.nodes = mesh->vertex_groups.at("xmin");
  right.nodes = mesh->vertex_groups.at("xmax");
  left.pose = model.inputs.add_pose("left", {{}});
  right.pose = model.inputs.add_pose("right", {{}, {1, {0.5, 0.3, 0}}});
  model.attachments = {left, right};
  return model;
}

}  // namespace sinew::bench
