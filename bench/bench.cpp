#include "bench/bench.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sys/resource.h>

namespace sinew::bench {

std::span<const Case> cases() {
#ifdef SINEW_BENCH
  static constexpr Case list[] = {
      {"machine", "memory bandwidth (triad) and multiply-add rate: the bounds of everything else",
       run_machine},
      {"materials", "energy, stress and projected Hessian of every law, a point in a lane", run_materials},
      {"svd", "3x3 SVD in lanes against Eigen's JacobiSVD", run_svd},
      {"newton", "149K tets, 50 % stretch and 30 % shear in 10 increments to 1e-6", run_newton},
      {"multigrid",
       "linear systems of bodies held at both ends or at a few nodes, 19K to 1.25M tets: multigrid beside "
       "block Jacobi; many right-hand sides beside one",
       run_multigrid, true},
      {"standing", "bodies of 300K and 2.4M tets on ten nodes: an equilibrium under their weight by newton",
       run_standing, true},
      {"pbng", "a Gauss-Seidel sweep over 149K tets, beside the bounds of the machine", run_pbng},
      {"pbng_scaling", "the same per tet on 149K, 1.25M and 10.2M tets, and the peak memory",
       run_pbng_scaling},
      {"targets", "time to relative residuals 1e-1 to 1e-8 by pbng, newton and hybrid on six scenes",
       run_targets},
      {"scaling", "seconds per tet of an assembly and of a CG iteration, 149K and 1.25M tets", run_scaling},
      {"batch", "equilibria of bodies of 500 to 5,000 tets: one by one, threads over samples, SIMD lanes",
       run_batch},
      {"batch_many", "10,000 equilibria of a body of 5,000 tets: samples a second, share of the CPU",
       run_batch_many},
      {"contact", "build, refit and self query of a tree over 1M triangles, beside Embree's builders",
       run_contact},
      {"corpus", "equilibria of bodies as users have them: how many are found, in how many iterations",
       run_corpus, true},
      {"contact_corpus",
       "bodies dropped, squashed, piled, wrung: how many runs converge without a crossing, in how many "
       "iterations",
       run_contact_corpus, true},
      {"detect", "contacts and crossings of 40 balls, 94K triangles", run_detect},
      {"read", "a box of 10M tets from .vtu and .msh: bytes per second, peak memory over the mesh's",
       run_read},
      {"mesh",
       "volumes of 256K, 1.6M and 1.5M hexahedra from surfaces that cross themselves: seconds, bytes a "
       "hexahedron",
       run_mesh},
      {"mesh_large", "the same for 20M hexahedra", run_mesh_large},
      {"view", "frames of 50K vertices from the viewer's server to a client on this machine", run_view},
      {"export", "1,000 frames of 100K vertices in every format: bytes per second, peak memory", run_export},
  };
  return list;
#else
  return {};
#endif
}

double seconds_of(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

double process_memory(const std::string& key) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == key + ":") {
      double value = 0;
      in >> value;
      return 1024 * value;
    }
  return 0;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace sinew::bench
