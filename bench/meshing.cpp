// The grid mesher on scenes like those of Chen (PhD thesis, UCLA 2024, table 3.1), with as many hexahedra and no fewer triangles than
// these to the power of 2/3. Lengths are in cells of the lattice, which has an edge of 1.
#include <cmath>
#include <numbers>
#include <optional>

#include "base/parallel.h"
#include "bench/bench.h"
#include "mesh/surfaces.h"
#include "meshing/grid_mesher.h"
#include "meshing/topology.h"

namespace sinew::bench {

namespace {

using math::Vec3d;
using mesh::TriMesh;

TriMesh two_boxes() {
  const auto box = [](const Vec3d& low) {
    return mesh::moved(mesh::box_surface({20, 20, 20}), [&](const Vec3d& u) {
      return low + Vec3d{49.3 * u[0], 49.3 * u[1], 50.3 * u[2]};
    });
  };
  return mesh::joined(box({0.4, 0.4, 0.4}), box({15.4, 13.4, 34.4}));
}

// A slab that is curled up by more than a full turn, so that its ends overlap.
TriMesh curled_slab() {
  return mesh::moved(mesh::box_surface({200, 16, 20}), [](const Vec3d& u) {
    const double angle = (2 * std::numbers::pi + 0.7) * u[0], r = 96 + 6 * u[0] - 46.7 * u[2];
    return Vec3d{r * std::cos(angle), 63 * u[1], r * std::sin(angle)};
  });
}

// A ball with two long ears and other bumps, twice, the second one a little turned and moved.
TriMesh twin_bodies() {
  const auto bumps = [](const Vec3d& n) {
    const Vec3d ears[] = {math::normalized(Vec3d{0.35, 0.1, 0.9}), math::normalized(Vec3d{-0.35, 0.1, 0.9})};
    double r = 1 + 0.08 * std::sin(5 * n[0]) * std::sin(4 * n[1] + 1) + 0.05 * std::sin(9 * n[2]);
    for (const Vec3d& ear : ears) r += 0.45 * std::exp(-18 * (1 - math::dot(n, ear)));
    return n * (r * 54);
  };
  const TriMesh body = mesh::moved(mesh::sphere_surface(40), bumps);
  return mesh::joined(body, mesh::moved(body, [](const Vec3d& x) {
                        const double c = std::cos(0.3), s = std::sin(0.3);
                        return Vec3d{c * x[0] - s * x[1] + 9, s * x[0] + c * x[1] + 5, x[2] + 7};
                      }));
}

// A thick tube with bumps along a trefoil knot that is pressed flat: its strands pass through each other at three places.
TriMesh winding_tube() {
  constexpr int32_t along = 800, around = 100;
  const auto centre = [](double t) {
    const double r = 180 + 70 * std::cos(3 * t);
    return Vec3d{r * std::cos(2 * t), r * std::sin(2 * t), 30 * std::sin(3 * t)};
  };
  return mesh::moved(mesh::ring_surface(along, around), [&](const Vec3d& u) {
    const double t = 2 * std::numbers::pi * u[0], b = 2 * std::numbers::pi * u[1], small = 1e-4;
    const Vec3d at = centre(t), tangent = math::normalized(centre(t + small) - centre(t - small));
    const Vec3d n1 = math::normalized(math::cross(tangent, Vec3d{0, 0, 1})), n2 = math::cross(tangent, n1);
    const double r = 49.9 * (1 + 0.1 * std::sin(40 * t) * std::sin(5 * b) + 0.1 * std::sin(7 * t));
    return at + n1 * (r * std::cos(b)) - n2 * (r * std::sin(b));
  });
}

struct Scene {
  const char* name;
  TriMesh (*make)();
  double thesis_hexes, thesis_seconds;
};

void run_scenes(std::span<const Scene> scenes, const char* name, const Options& options, const Emit& emit) {
  const int before = thread_count();
  for (const Scene& scene : scenes)
    for (const int threads : options.threads) {
      set_thread_count(threads);
      const TriMesh surface = scene.make();
      json::Json row = json::Json::object();
      row.set("case", name);
      row.set("scene", scene.name);
      row.set("triangles", static_cast<double>(surface.elements.size()));
      row.set("threads", threads);
      std::vector<double> seconds;
      double before_bytes = 0, peak_bytes = 0;
      for (int r = 0; r < options.repeats; ++r) {
        std::optional<Result<meshing::Gridded<3>>> made;
        before_bytes = process_memory("VmRSS");
        forget_peak_memory();
        seconds.push_back(seconds_of([&] {
          const auto view = meshing::view_surface<3>(surface.vertices, surface.elements);
          made = meshing::mesh_grid<3>(view, {.cell = 1}, {});
        }));
        peak_bytes = process_memory("VmHWM");
        if (!*made) {
          row.set("error", made->error().text());
          break;
        }
        if (r > 0) continue;
        const meshing::GridReport<3>& report = (*made)->report;
        const auto hexes = static_cast<double>((*made)->mesh.elements.size());
        row.set("tets", 0);
        row.set("precision", "double");
        row.set("hexes", hexes);
        row.set("thesis_hexes", scene.thesis_hexes);
        row.set("bytes_per_hex", (peak_bytes - before_bytes) / hexes);
        const meshing::Topology topology = meshing::topology<3>((*made)->mesh);
        row.set("overlapping_cells", static_cast<double>(topology.overlapping_cells));
        row.set("components", topology.components);
        row.set("euler", static_cast<double>(topology.euler));
        row.set("exact_share", static_cast<double>(report.exact_calls) /
                                   static_cast<double>(std::max<int64_t>(1, report.predicate_calls)));
      }
      row.set("seconds", median(seconds));
      row.set("unit", "mesh");
      row.set("thesis_seconds", scene.thesis_seconds);
      row.set("times_faster", scene.thesis_seconds / median(seconds));
      emit(row);
    }
  set_thread_count(before);
}

}  // namespace

void run_mesh(const Options& options, const Emit& emit) {
  constexpr Scene scenes[] = {{"two boxes", two_boxes, 256368, 2.80219},
                              {"curled slab", curled_slab, 1606296, 24.0179},
                              {"twin bodies", twin_bodies, 1525821, 31.1815}};
  run_scenes(scenes, "mesh", options, emit);
}

void run_mesh_large(const Options& options, const Emit& emit) {
  constexpr Scene scenes[] = {{"winding tube", winding_tube, 20110457, 303.301}};
  run_scenes(scenes, "mesh_large", options, emit);
}

}  // namespace sinew::bench
