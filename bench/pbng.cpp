#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/block.h"
#include "math/random.h"
#include "solve/node_sweeps.h"

namespace sinew::bench {

namespace {

using math::Vec3d;

// No two rest shapes and no two materials are equal; with the end face moved 10 %.
model::Model jittered_block(int cells, const char* law) {
  model::Model model = make_block(cells);
  model.sets[0].law = material::find_law(law);
  const math::Random random(1);
  for (size_t i = 0; i < model.X.size(); ++i)
    for (int k = 0; k < 3; ++k) model.X[i][k] += 0.1 / cells * random.uniform(3 * i + k, -1, 1);
  std::vector<double> young(model.tets.size()), poisson(model.tets.size());
  for (size_t t = 0; t < model.tets.size(); ++t) {
    young[t] = random.stream(1).uniform(t, 0.5e5, 1.5e5);
    poisson[t] = random.stream(2).uniform(t, 0.25, 0.35);
  }
  model.params.material[0] = {{young}, {poisson}};
  return model;
}

struct Start {
  solve::System system;
  std::vector<Vec3d> x;
  explicit Start(const model::Model& model) : system(model), x(model.X) {
    std::vector<double> inputs(model.inputs.size());
    model.inputs.evaluate(0.2, inputs);
    system.set_inputs(inputs);
    for (Vec3d& v : x) v = {v[0] * 1.1, v[1] + 0.06 * v[0], v[2]};
    system.dofs().retract(x);
  }
};

template <class T>
void time_sweeps(const model::Model& model, const char* law, const char* shapes, const Options& options,
                 const Emit& emit) {
  Start start(model);
  solve::NodeSweeps<T> sweeps(start.system, false);
  sweeps.start(start.x);
  const auto tets = static_cast<double>(model.tets.size());
  for (int threads : options.threads) {
    set_thread_count(threads);
    std::vector<double> times;
    sweeps.start(start.x);
    for (int r = 0; r <= 4 * options.repeats; ++r) {
      const double t = seconds_of([&] { sweeps.sweep(); });
      if (r > 0) times.push_back(t);
    }
    scene::Json row = scene::Json::object();
    row.set("case", "pbng");
    row.set("law", law);
    row.set("rest_shapes", shapes);
    row.set("tets", model.tets.size());
    row.set("threads", threads);
    row.set("precision", sizeof(math::ScalarOf<T>) == 8 ? "double" : "single");
    row.set("seconds", median(times));
    row.set("unit", "sweep");
    row.set("colours", sweeps.colours());
    row.set("bytes_per_tet", static_cast<double>(sweeps.bytes()) / tets);
    row.set("GB_per_s", static_cast<double>(sweeps.bytes()) / median(times) * 1e-9);
    emit(row);
  }
}

}  // namespace

void run_pbng(const Options& options, const Emit& emit) {
  for (const char* law : {"stable_neo_hookean", "corotated"}) {
    const model::Model block = jittered_block(31, law);
    time_sweeps<math::PackF>(block, law, "own", options, emit);
    time_sweeps<math::PackD>(block, law, "own", options, emit);
    model::Model regular = make_block(31);
    regular.sets[0].law = material::find_law(law);
    time_sweeps<math::PackF>(regular, law, "shared", options, emit);
    time_sweeps<math::PackD>(regular, law, "shared", options, emit);
  }
}

}  // namespace sinew::bench
