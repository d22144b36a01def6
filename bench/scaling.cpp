#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/block.h"
#include "solve/linear_solver.h"

namespace sinew::bench {

namespace {

struct Size {
  int cells;
  double assembly = 0, iteration = 0;  // seconds per tet
};

// One assembly and one solve of the block at 5 % stretch.
void measure(Size& size, int threads, const Options& options, const Emit& emit) {
  const model::Model model = make_block(size.cells);
  const auto tets = static_cast<double>(model.elements.size());
  solve::System system(model);
  std::vector<math::Vec3d> x = model.X;
  for (auto& p : x) p = {1.05 * p[0], p[1] + 0.03 * p[0], p[2]};
  std::vector<math::Vec3d> gradient(x.size()), b(system.dofs().block_count()), q(b.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i][2] += 1e-3 * x[i][0] * (1.05 - x[i][0]) * x[i][1];  // a load that is not in equilibrium
  system.evaluate(x, gradient);
  system.dofs().pull(gradient, b);
  const auto solver = solve::make_linear_solver("pcg", system);
  std::vector<double> assembly, iteration;
  solve::LinearReport report;
  for (int r = 0; r <= options.repeats; ++r) {
    const double a = seconds_of([&] { solver->prepare(system, x, solve::Hessian::projected); });
    const double s = seconds_of([&] { report = solver->solve(b, q, 0, 50); });
    if (r == 0) continue;
    assembly.push_back(a / tets);
    iteration.push_back(s / report.iterations / tets);
  }
  size.assembly = median(assembly);
  size.iteration = median(iteration);
  for (const bool cg : {false, true}) {
    json::Json row = json::Json::object();
    row.set("case", "scaling");
    row.set("tets", tets);
    row.set("threads", threads);
    row.set("precision", "single");
    row.set("seconds", cg ? size.iteration : size.assembly);
    row.set("unit", cg ? "tet and CG iteration" : "tet and assembly");
    row.set("bytes_per_tet", static_cast<double>(system.bytes() + solver->bytes()) / tets);
    emit(row);
  }
}

}  // namespace

void run_scaling(const Options& options, const Emit& emit) {
  for (int threads : options.threads) {
    set_thread_count(threads);
    Size small{31}, large{63};
    measure(small, threads, options, emit);
    measure(large, threads, options, emit);
    json::Json row = json::Json::object();
    row.set("case", "scaling");
    row.set("tets", 1250235);
    row.set("threads", threads);
    row.set("precision", "single");
    row.set("seconds", large.iteration);
    row.set("unit", "tet and CG iteration");
    row.set("assembly_against_149K", large.assembly / small.assembly);
    row.set("iteration_against_149K", large.iteration / small.iteration);
    emit(row);
  }
}

}  // namespace sinew::bench
