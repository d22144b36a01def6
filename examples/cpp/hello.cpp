// Loads a scene, steps it frame by frame and reads positions.
//
//     hello SCENE.json [PATH=VALUE...]      hello examples/02_twist/scene.json time.frames=5
#include <cstdio>
#include <sinew/sinew.h>

using namespace sinew;

static int fail(const std::string& why) {
  std::fprintf(stderr, "hello: %s\n", why.c_str());
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return fail("usage: hello SCENE.json [PATH=VALUE...]");

  // Everything that is wrong with a scene is collected, with lines and columns.
  const std::vector<std::string> overrides(argv + 2, argv + argc);
  json::Diagnostics diagnostics;
  const std::optional<scene::Scene> scene = scene::load_scene(argv[1], overrides, diagnostics);
  const std::optional<scene::Built> built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) return fail(diagnostics.text());

  // The simulation owns the State, and the method that moves it.
  Result<run::Simulation> simulation = run::Simulation::make(*scene, *built);
  if (!simulation) return fail(simulation.error().text());

  while (simulation->frame() < built->time.frames) {
    run::FrameTotals totals;
    if (simulation->advance(totals, {}) != run::Advanced::taken) return fail("a step failed");
    std::printf("frame %d, %d iterations:", static_cast<int>(simulation->frame()), totals.sum.iterations);

    // Positions of all nodes, three numbers each; a body is a range of them.
    const std::span<const math::Vec3d> x = simulation->state().x();
    for (const model::Body& body : built->model.bodies) {
      math::Vec3d mean = {0, 0, 0};
      for (int32_t node = body.nodes.begin; node < body.nodes.end; ++node) mean += x[node];
      mean *= 1.0 / body.nodes.size();
      std::printf("  %s at (%.4g, %.4g, %.4g) m", body.name.c_str(), mean[0], mean[1], mean[2]);
    }
    std::printf("\n");
  }
  std::printf("state_hash %016llx\n", static_cast<unsigned long long>(simulation->state().hash()));
}
