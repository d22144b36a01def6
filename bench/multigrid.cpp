// Conjugate gradients with a multigrid cycle and with block Jacobi on the stiffness of bodies at rest, to a true relative residual
// of 1e-8: blocks held at both ends, a long cantilever, a cube at four nodes, bodies from surfaces on a few nodes. And the
// derivative of a bar that bends under its weight: many right-hand sides beside one.
#include "solve/multigrid.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/held_bodies.h"
#include "mesh/shapes.h"
#include "sensitivity/tangent.h"
#include "solve/newton.h"
#include "solve/vectors.h"

namespace sinew::bench {

namespace {

using math::Vec3d;
using solve::Mat3f;

constexpr double tolerance = 1e-8;
constexpr int max_iterations = 20000;

struct Solved {
  int iterations = 0;
  double set_up = 0, solve = 0;  // seconds
  double residual = 0;           // true, relative
};

// f(tolerance) solves from zero into x; its stop test is in a norm of its own, and made stricter until the residual is small.
template <class F>
solve::LinearReport solve_truly(const solve::Product& product, std::span<const Vec3d> b, std::span<Vec3d> x,
                                Solved& solved, F&& f) {
  std::vector<Vec3d> Ax(b.size());
  solve::LinearReport report;
  for (double stop = tolerance; stop > 1e-14; stop *= 0.3) {
    solved.solve = seconds_of([&] { report = f(stop); });
    solved.iterations = report.iterations;
    product(x, Ax);
    double error = 0;
    for (size_t i = 0; i < b.size(); ++i) error += norm2(b[i] - Ax[i]);
    solved.residual = std::sqrt(error / solve::dot_of(b, b));
    if (solved.residual <= tolerance || !report.converged) break;
  }
  return report;
}

bool chosen(const Options& options, const std::string& name) {
  return std::all_of(options.only.begin(), options.only.end(),
                     [&](const std::string& text) { return name.find(text) != std::string::npos; });
}

void run_right_hand_sides(const Options& options, const Emit& emit) {
  for (const auto& cells : {std::array{40, 28, 28}, std::array{64, 44, 44}}) {
    const std::string name = fmt::format("right-hand sides, {} tets", 5 * cells[0] * cells[1] * cells[2]);
    if (!chosen(options, name)) continue;
    const mesh::TetMesh mesh = *mesh::make_box(
        {.size = {double(cells[0]) / cells[1], 1, 1}, .cells = cells, .split = mesh::Split::five});
    model::Model model = held_body(mesh, 0.3, mesh.vertex_groups.at("xmin"));
    model.gravity = model.inputs.add_numbers("gravity", {{0, {0, 0, -9.81}}});
    solve::System system(model);
    std::vector<double> inputs(model.inputs.size());
    model.inputs.evaluate(0, inputs);
    system.set_inputs(inputs);
    std::vector<Vec3d> x = model.X;
    solve::Newton(system, {}).solve(x, 1e-8, {});
    double one = 0;
    for (size_t count : {1, 4, 16, 44}) {
      std::vector<std::vector<Vec3d>> b(count), q(count);
      for (size_t k = 0; k < count; ++k) {
        b[k].assign(system.dofs().unknown_count(), Vec3d{0, 0, 0});  // one node each: what a marker asks
        b[k][(b[k].size() * (2 * k + 1)) / 89][k % 3] = 1;
      }
      double set_up = 0, solve = 0;
      std::vector<double> seconds;
      for (int repeat = 0; repeat < options.repeats; ++repeat) {
        std::unique_ptr<sensitivity::Tangent> tangent;
        std::vector<std::string> warnings;
        set_up = seconds_of([&] {
          tangent = std::make_unique<sensitivity::Tangent>(system, x, 0);
          (void)tangent->factor(warnings);
        });
        solve = seconds_of([&] { (void)tangent->solve(b, false, q); });
        seconds.push_back(set_up + solve);
      }
      if (count == 1) one = median(seconds);
      json::Json row = json::Json::object();
      row.set("case", "multigrid: right-hand sides");
      row.set("tets", model.elements.size());
      row.set("nodes", model.X.size());
      row.set("threads", options.threads.back());
      row.set("precision", count < 3 ? "double" : "single, refined to double");
      row.set("columns", static_cast<int64_t>(count));
      row.set("seconds", median(seconds));
      row.set("unit", "all columns to rounding, matrices and hierarchy included");
      row.set("set_up", set_up);
      row.set("solve", solve);
      row.set("over_one_column", median(seconds) / one);
      emit(row);
    }
  }
}

}  // namespace

void run_multigrid(const Options& options, const Emit& emit) {
  std::vector<HeldBody> list = held_bodies();
  for (HeldBody& body : standing_bodies(options.examples / "../../shared/data"))
    list.push_back(std::move(body));
  set_thread_count(options.threads.back());
  run_right_hand_sides(options, emit);
  for (const HeldBody& shape : list)
    for (int64_t tets : {19000, 149000, 1250000})
      for (double poisson : {0.3, 0.45, 0.49}) {
        const std::string name = shape.name + fmt::format(", {} tets, nu {}", tets, poisson);
        if (!chosen(options, name)) continue;
        const model::Model model = shape.make(tets, poisson);
        const solve::System system(model);
        energy::BlockMatrix matrix;
        matrix.reset(system.pattern(), energy::Precision::single);
        system.assemble(model.X, solve::Hessian::projected, matrix);
        solve::SymmetricProduct product;
        product.take(matrix);
        const solve::Product times = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
          return product(p, out);
        };
        std::vector<Vec3d> d(model.X.size()), Kd(model.X.size());
        const solve::Product elementwise = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
          system.dofs().push(p, d);
          system.apply(d, Kd);
          system.dofs().pull(Kd, out);
          return solve::dot_of(p, out);
        };
        const std::vector<Vec3d> b(matrix.rows(), Vec3d{0, -1, 0});
        std::vector<Vec3d> x(b.size());
        solve::ConjugateGradients cg;

        Solved jacobi;
        std::vector<Mat3f> inverse(matrix.rows());
        jacobi.set_up = seconds_of([&] {
          for_each_block(matrix.rows(), 2048, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
              inverse[i] = solve::safe_inverse(matrix.block(matrix.pattern().diagonal[i]));
          });
        });
        if (poisson < 0.4)
          solve_truly(times, b, x, jacobi,
                      [&](double stop) { return cg.solve(times, inverse, b, x, stop, max_iterations); });

        Solved cycles;
        solve::Multigrid multigrid;
        const double first = seconds_of([&] { multigrid.prepare(system, matrix, product); });
        cycles.set_up = seconds_of([&] { multigrid.prepare(system, matrix, product); });
        const solve::Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
          multigrid.precondition(r, z);
        };
        const auto solve_with = [&](const solve::Product& A) {
          return solve_truly(A, b, x, cycles, [&](double stop) {
            return cg.solve(A, precondition, b, x, stop, max_iterations);
          });
        };
        const bool rounded = solve_with(times).negative_curvature;
        if (rounded) {
          system.linearise(model.X, solve::Hessian::projected);
          solve_with(elementwise);
        }

        json::Json row = json::Json::object();
        row.set("case", "multigrid: " + shape.name);
        row.set("tets", model.elements.size());
        row.set("nodes", model.X.size());
        row.set("poisson", poisson);
        row.set("threads", options.threads.back());
        row.set("precision", rounded ? "products in double, element by element" : "single, vectors double");
        row.set("iterations", cycles.iterations);
        row.set("seconds", first + cycles.solve);
        row.set("unit", "system, patterns and matrices of the levels included");
        row.set("patterns", first - cycles.set_up);
        row.set("matrices", cycles.set_up);
        row.set("solve", cycles.solve);
        row.set("residual", cycles.residual);
        row.set("levels", multigrid.levels());
        row.set("operator_complexity", multigrid.operator_complexity());
        row.set("bytes_per_tet",
                static_cast<double>(multigrid.bytes()) / static_cast<double>(model.elements.size()));
        if (poisson < 0.4) {
          row.set("jacobi_iterations", jacobi.iterations);
          row.set("jacobi_seconds", jacobi.set_up + jacobi.solve);
          row.set("jacobi_residual", jacobi.residual);
          row.set("jacobi_over_multigrid", (jacobi.set_up + jacobi.solve) / (first + cycles.solve));
        }
        emit(row);
      }
}

}  // namespace sinew::bench
