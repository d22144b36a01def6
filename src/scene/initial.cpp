#include "math/random.h"
#include "model/dof_map.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

int axis_index(const Json& axis) { return axis.text()[0] - 'x'; }

void place_nodes(const Json& positions, std::span<Vec3d> x) {
  const std::string& kind = positions.key(0);
  const Json& keys = positions.item(0);
  if (kind == "scatter") {
    const mesh::Bounds box = mesh::bounding_box(x);
    const Vec3d extent = box.high - box.low, centre = (box.low + box.high) * 0.5;
    const double edge = keys["factor"].number() * std::max({extent[0], extent[1], extent[2]});
    const math::Random random(static_cast<uint64_t>(keys["seed"].number()));
    for (size_t i = 0; i < x.size(); ++i)
      for (int k = 0; k < 3; ++k) x[i][k] = centre[k] + edge * (random.uniform(3 * i + k) - 0.5);
  } else if (kind == "flat" || kind == "mirror") {
    const int k = axis_index(keys["axis"]);
    const double at = keys["at"].number();
    for (Vec3d& p : x) p[k] = kind == "flat" ? at : 2 * at - p[k];
  } else if (kind == "collapse") {
    const Vec3d point = vector_of(keys["point"]);
    for (Vec3d& p : x) p = point;
  } else {
    const Json& rows = keys["matrix"];
    const Vec3d r[3] = {vector_of(rows.item(0)), vector_of(rows.item(1)), vector_of(rows.item(2))};
    const Vec3d shift = vector_of(keys["translate"]);
    for (Vec3d& p : x) p = Vec3d{dot(r[0], p), dot(r[1], p), dot(r[2], p)} + shift;
  }
}

}  // namespace

void set_initial(Building& building) {
  Built& built = building.built;
  for (size_t b = 0; b < building.bodies.size(); ++b) {
    const Json* initial = building.bodies[b].json->find("initial");
    if (!initial) continue;
    if (built.x0.empty()) {
      built.x0 = built.model.X;
      built.v0.assign(built.x0.size(), Vec3d::zero());
    }
    const model::Range range = built.model.bodies[b].visible();
    const std::span<Vec3d> x(built.x0.data() + range.begin, range.size());
    const std::span<Vec3d> v(built.v0.data() + range.begin, range.size());
    if (const Json* positions = initial->find("positions")) {
      place_nodes(*positions, x);
      resolves_positions(building, building.bodies[b], x, *positions,
                         building.bodies[b].path + "/initial/positions");
    }
    for (Vec3d& u : v) u = vector_of((*initial)["velocity"]);
    if (const Json* spin = initial->find("spin")) {
      const Vec3d omega =
          normalized(vector_of((*spin)["axis"])) * radians((*spin)["degrees_per_second"].number());
      const mesh::Bounds box = mesh::bounding_box(x);
      const Json* about = spin->find("about");
      const Vec3d centre = about ? vector_of(*about) : (box.low + box.high) * 0.5;
      for (size_t i = 0; i < x.size(); ++i) v[i] += cross(omega, x[i] - centre);
    }
  }
}

model::State initial_state(const Built& built, const model::StateLayout& layout) {
  model::State state = built.model.make_state(layout);
  if (!built.x0.empty()) {
    std::copy(built.x0.begin(), built.x0.end(), state.x().begin());
    std::copy(built.v0.begin(), built.v0.end(), state.v().begin());
  }
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(0, inputs);
  model::DofMap map(built.model);
  map.set_targets(inputs);
  map.retract(state.x());
  return state;
}

}  // namespace sinew::scene
