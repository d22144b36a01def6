#include <memory>
#include <ranges>

#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/block.h"
#include "element/shape.h"
#include "material/corotated.h"
#include "material/node_kernels.h"
#include "material/stable_neo_hookean.h"
#include "math/random.h"
#include "mesh/adjacency.h"
#include "solve/constraint_sweeps.h"
#include "solve/node_sweeps.h"

namespace sinew::bench {

namespace {

using math::Mat3d;
using math::Vec3d;

// Flops of a tet in a sweep, four times that of a node and tet: edges 9, F and g 30, cofactors and J 32, F g and cof g 33,
// slopes and force 12, block 20, sums 18; and for a rotation: invariants 50, three Newton steps 36, products 45.
constexpr double plain_flops = 4 * 154, rotation_flops = 4 * 131;

struct LawCase {
  const char* name;
  double flops;
};
constexpr LawCase laws[] = {{"stable_neo_hookean", plain_flops}, {"corotated", plain_flops + rotation_flops}};

// With `own`, no two rest shapes and no two materials are equal.
model::Model block_of(int cells, const char* law, bool own) {
  model::Model model = make_block(cells);
  model.sets[0].law = material::find_law(law);
  if (!own) return model;
  const math::Random random(1);
  for (size_t i = 0; i < model.X.size(); ++i)
    for (int k = 0; k < 3; ++k) model.X[i][k] += 0.1 / cells * random.uniform(3 * i + k, -1, 1);
  std::vector<double> young(model.elements.size()), poisson(model.elements.size());
  for (size_t t = 0; t < model.elements.size(); ++t) {
    young[t] = random.stream(1).uniform(t, 0.5e5, 1.5e5);
    poisson[t] = random.stream(2).uniform(t, 0.25, 0.35);
  }
  model.params.material[0] = {{young}, {poisson}};
  return model;
}

// Stretched by 10 % and sheared, the held faces with it.
std::vector<Vec3d> stretched(solve::System& system) {
  const model::Model& model = system.model();
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(0.2, inputs);
  system.set_inputs(inputs);
  std::vector<Vec3d> x = model.X;
  for (Vec3d& v : x) v = {v[0] * 1.1, v[1] + 0.06 * v[0], v[2]};
  system.dofs().retract(x);
  return x;
}

double time_of(int repeats, const std::function<void()>& sweep) {
  std::vector<double> times;
  for (int r = 0; r <= 4 * repeats; ++r) {
    const double t = seconds_of(sweep);
    if (r > 0) times.push_back(t);
  }
  return median(times);
}

struct Timing {
  double seconds = 0, bytes = 0;  // of a sweep
  int64_t colours = 0;
};

template <class T>
Timing time_sweeps(const model::Model& model, int repeats) {
  solve::System system(model);
  const std::vector<Vec3d> x = stretched(system);
  solve::NodeSweeps<T> sweeps(system, false);
  sweeps.start(x);
  return {time_of(repeats, [&] { sweeps.sweep(); }), static_cast<double>(sweeps.bytes()), sweeps.colours()};
}

// The same update with the same formulas, node by node in plain numbers on one thread.
template <class Material>
double time_scalar(const model::Model& model, int repeats) {
  solve::System system(model);
  std::vector<Vec3d> x = stretched(system);
  const mesh::Csr around = mesh::node_elements(model.elements, static_cast<int64_t>(x.size()));
  std::vector<element::ShapeGradients<element::Tet4>> shape;
  std::vector<std::array<double, 2>> params(model.elements.size());
  for (size_t t = 0; t < model.elements.size(); ++t) {
    shape.push_back(element::shape_gradients<element::Tet4>(
        element::positions(model.X, model.elements.nodes<4>(t)), element::tet_centre));
    const double fields[] = {model.params.material[0][0].at(t), model.params.material[0][1].at(t)};
    Material::convert(fields, params[t].data());
  }
  return time_of(repeats, [&] {
    for (size_t i = 0; i < x.size(); ++i) {
      if (system.dofs().block_of_node()[i] < 0) continue;
      Vec3d force = {0, 0, 0};
      Mat3d A = Mat3d::zero();
      for (int32_t t : around.row(static_cast<int64_t>(i))) {
        const model::Tet tet = model.elements.nodes<4>(t);
        Mat3d F = Mat3d::zero(), block;
        Vec3d g = {0, 0, 0}, Pg;
        for (int a = 0; a < 4; ++a) {
          F += outer(x[tet[a]], shape[t].g[a]);
          if (tet[a] == static_cast<int32_t>(i)) g = shape[t].g[a];
        }
        material::detail::node_by_closed_derivatives<Material>(params[t].data(), F, cofactor(F), g, Pg,
                                                               block);
        force += Pg * shape[t].weight;
        A += block * shape[t].weight;
      }
      x[i] -= inverse(A) * force;
    }
  });
}

double time_constraints(const model::Model& model, int repeats) {
  solve::System system(model);
  std::vector<Vec3d> x = stretched(system);
  std::vector<double> weight = model.lumped_mass(model.params);
  for (double& w : weight) w *= 900;  // steps of 1/30 s
  solve::ConstraintSweeps sweeps(system, {});
  sweeps.start(weight);
  return time_of(repeats, [&] { sweeps.sweep(x); });
}

json::Json row_of(const char* kind, const char* law, const model::Model& model, int threads, double seconds) {
  json::Json row = json::Json::object();
  row.set("case", "pbng");
  row.set("kind", kind);
  row.set("law", law);
  row.set("tets", model.elements.size());
  row.set("threads", threads);
  row.set("seconds", seconds);
  row.set("unit", "sweep");
  row.set("ns_per_tet", seconds / static_cast<double>(model.elements.size()) * 1e9);
  return row;
}

// `kind`: own or shared rest shapes. Returns the seconds of a sweep.
template <class T>
double emit_sweeps(const char* kind, const LawCase& law, const model::Model& model, int threads,
                   const Bounds& bounds, int repeats, const Emit& emit) {
  const Timing timing = time_sweeps<T>(model, repeats);
  const bool single = sizeof(math::ScalarOf<T>) == 4;
  const auto tets = static_cast<double>(model.elements.size());
  const double by_bytes = timing.bytes / bounds.bytes_per_second;
  const double by_flops = law.flops * tets / (bounds.flops_per_second * (single ? 2 : 1));
  json::Json row = row_of(kind, law.name, model, threads, timing.seconds);
  row.set("precision", single ? "single" : "double");
  row.set("colours", timing.colours);
  row.set("bytes_per_tet", timing.bytes / tets);
  row.set("flops_per_tet", law.flops);
  row.set("bound_by_bytes", by_bytes);
  row.set("bound_by_flops", by_flops);
  row.set("fraction_of_bound", std::max(by_bytes, by_flops) / timing.seconds);
  emit(row);
  return timing.seconds;
}

// A block that is swept again and again.
struct Sweeping {
  explicit Sweeping(int cells)
      : model(block_of(cells, laws[0].name, true)), system(model), sweeps(system, false) {
    sweeps.start(stretched(system));
  }
  model::Model model;
  solve::System system;
  solve::NodeSweeps<math::PackD> sweeps;
};

}  // namespace

void run_pbng(const Options& options, const Emit& emit) {
  for (const LawCase& law : laws) {
    const model::Model own = block_of(31, law.name, true), shared = block_of(31, law.name, false);
    for (int threads : options.threads) {
      set_thread_count(threads);
      const Bounds bounds = measure_bounds(options.repeats);
      emit_sweeps<math::PackF>("own shapes", law, own, threads, bounds, options.repeats, emit);
      const double sweep =
          emit_sweeps<math::PackD>("own shapes", law, own, threads, bounds, options.repeats, emit);
      emit_sweeps<math::PackF>("shared shapes", law, shared, threads, bounds, options.repeats, emit);
      emit_sweeps<math::PackD>("shared shapes", law, shared, threads, bounds, options.repeats, emit);
      if (threads == 1) {
        const double scalar = std::string_view(law.name) == "corotated"
                                  ? time_scalar<material::corotated::Material>(own, 1)
                                  : time_scalar<material::stable_neo_hookean::Material>(own, 1);
        json::Json row = row_of("scalar path", law.name, own, threads, scalar);
        row.set("times_the_sweep", scalar / sweep);
        emit(row);
      }
      const double xpbd = time_constraints(own, options.repeats);
      json::Json row = row_of("xpbd", law.name, own, threads, xpbd);
      row.set("sweep_over_xpbd", sweep / xpbd);
      emit(row);
    }
  }
}

void run_pbng_scaling(const Options& options, const Emit& emit) {
  // The sizes take turns of about equal length, so that what else the machine does slows all of them alike.
  struct Size {
    int cells, sweeps;  // of a turn
    std::unique_ptr<Sweeping> sweeping = {};
    double peak = 0;  // [bytes]
    std::vector<double> times = {};
  };
  for (int threads : options.threads) {
    set_thread_count(threads);
    Size sizes[] = {{31, 64}, {63, 8}, {127, 1}};
    forget_peak_memory();
    for (Size& size : std::views::reverse(sizes)) {
      size.sweeping = std::make_unique<Sweeping>(size.cells);
      size.peak = process_memory("VmHWM");
    }
    for (int r = 0; r <= 4 * options.repeats; ++r)
      for (Size& size : sizes) {
        size.sweeping->sweeps.sweep();  // its own data come into the caches
        const double seconds = seconds_of([&] {
          for (int k = 0; k < size.sweeps; ++k) size.sweeping->sweeps.sweep();
        });
        if (r > 0) size.times.push_back(seconds / size.sweeps);
      }
    double first = 0;
    for (const Size& size : sizes) {
      json::Json row = row_of("own shapes", laws[0].name, size.sweeping->model, threads, median(size.times));
      const double per_tet = row["ns_per_tet"].number();
      if (first == 0) first = per_tet;
      row.set("case", "pbng_scaling");
      row.set("precision", "double");
      row.set("times_the_smallest_per_tet", per_tet / first);
      // The largest is made first: of the others, what all need together.
      row.set("peak_memory_GB", size.peak * 1e-9);
      emit(row);
    }
  }
}

}  // namespace sinew::bench
