#include "report/pictures.h"

#include <algorithm>
#include <cmath>

#include "contact/collider_shell.h"
#include "plot/plot.h"
#include "plot/raster.h"

namespace sinew::report {

using contact::Shell;
using model::Vec3d;

namespace {

constexpr int report_width = 640, report_height = 420;
constexpr double azimuth = 30, elevation = 18;  // [degrees]
constexpr std::array<uint8_t, 3> grey = {150, 152, 158};
constexpr double collider_reach = 0.3;  // colliders are seen as far as this beyond the bodies, in their size

int vertical_axis(const model::Model& model) {
  if (model.gravity < 0) return 1;
  std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
  model.inputs.evaluate(0, inputs);
  const double* gravity = inputs.data() + model.gravity;
  int axis = 1;
  for (int k = 0; k < 3; ++k)
    if (std::abs(gravity[k]) > std::abs(gravity[axis])) axis = k;
  return axis;
}

// The box of all points that are finite.
struct Extent {
  Vec3d centre = {0, 0, 0};
  double diagonal = 1;
};

Extent extent_of(const model::Model& model, std::span<const Vec3d> x) {
  Vec3d low = Vec3d::filled(INFINITY), high = Vec3d::filled(-INFINITY);
  for (const model::Body& body : model.bodies)
    for (const Vec3d& p : x.subspan(body.nodes.begin, body.visible().size()))
      for (int k = 0; k < 3; ++k)
        if (std::abs(p[k]) < 1e30) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  for (int k = 0; k < 3; ++k)
    if (!(low[k] <= high[k])) return {};
  return {(low + high) * 0.5, norm(high - low)};
}

std::vector<Shell> shells_of(const model::Model& model, const model::State& state) {
  std::vector<Shell> shells;
  if (model.colliders.empty()) return shells;
  std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
  model.inputs.evaluate(state.time(), inputs);
  const Extent extent = extent_of(model, state.x());
  for (const model::Collider& collider : model.colliders) {
    Shell& shell = shells.emplace_back(contact::shell_of(collider, 1.3 * extent.diagonal));
    const model::Pose pose = contact::shell_pose(collider, inputs, extent.centre);
    for (Vec3d& point : shell.points) point = pose(point);
  }
  return shells;
}

plot::Image draw(const model::Model& model, const model::Skins& skins, const model::State& state,
                 const plot::Camera& camera, int width, int height) {
  std::vector<plot::Surface> surfaces;
  std::vector<std::vector<Vec3d>> points(model.bodies.size());
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const std::array<uint8_t, 3> colour = plot::colour_bytes(plot::colour_of(b));
    const model::Skin* skin = model::skin_of(skins, b);
    if (skin) points[b] = model::positions(*skin, state.x());
    if (skin)
      surfaces.push_back({points[b], skin->triangles, colour});
    else
      surfaces.push_back({state.x(), model.bodies[b].surface, colour});
  }
  const std::vector<Shell> shells = shells_of(model, state);
  for (size_t c = 0; c < shells.size(); ++c)
    surfaces.push_back(
        {shells[c].points, shells[c].triangles, grey,
         model.colliders[c].hollow ? plot::Surface::Look::inside : plot::Surface::Look::ghost});
  return plot::draw(surfaces, camera, width, height);
}

// One from which all states are seen.
plot::Camera camera_for(const model::Model& model, std::span<const model::State* const> states, int width,
                        int height) {
  const plot::Camera towards = plot::camera_at(azimuth, elevation, vertical_axis(model));
  plot::View bodies;
  for (const model::State* state : states) bodies.add(towards, state->x());
  plot::View view = bodies;
  for (const model::State* state : states)
    for (const Shell& shell : shells_of(model, *state))
      if (shell.points.size() > 4) view.add_within(towards, shell.points, bodies, collider_reach);
  return view.fit(towards, width, height);
}

}  // namespace

Result<std::vector<Picture>> pictures_of(const run::RunReader& run) {
  const std::span<const exporting::FrameStamp> frames = run.frames();
  const model::Model& model = run.built().model;
  std::vector<size_t> chosen;
  if (!frames.empty()) chosen = {0, frames.size() / 2, frames.size() - 1};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());

  std::vector<Picture> pictures;
  std::vector<model::State> states;
  for (const size_t i : chosen) {
    Picture& picture = pictures.emplace_back();
    picture.frame = frames[i].index;
    picture.time = frames[i].time;
    Result<model::State> state = run.state(i);
    if (!state && state.error().kind == ErrorKind::io) return state.error();
    if (!state) picture.problem = state.error().text();
    states.push_back(state ? std::move(*state) : model::State());
  }
  std::vector<const model::State*> drawn;
  for (size_t k = 0; k < states.size(); ++k)
    if (pictures[k].problem.empty()) drawn.push_back(&states[k]);
  const plot::Camera camera = camera_for(model, drawn, report_width, report_height);
  for (size_t k = 0; k < states.size(); ++k)
    if (pictures[k].problem.empty())
      pictures[k].png = plot::png_within(
          draw(model, run.built().skins, states[k], camera, report_width, report_height), max_png_bytes);
  return pictures;
}

std::string picture_of(const model::Model& model, const model::Skins& skins, const model::State& state,
                       int width, int height) {
  const model::State* const drawn[] = {&state};
  return plot::to_png(draw(model, skins, state, camera_for(model, drawn, width, height), width, height));
}

}  // namespace sinew::report
