// Random surfaces: no crash, whatever they are; immersions have the topology that they were made with.
#include "random_surfaces.h"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

#include "base/parallel.h"
#include "gridded.h"
#include "meshing/grid_mesher.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

using tests::random_surface;
using tests::RandomSurface;

struct Tally {
  int64_t immersions = 0, refused = 0, overlapping = 0;
  int64_t crumples = 0, crumples_refused = 0;
  std::vector<std::string> wrong;  // immersions
};

void try_one(uint64_t number, Tally& tally, std::mutex& mutex) {
  const RandomSurface made = random_surface(number);
  const auto view = view_surface<3>(made.mesh.vertices, made.mesh.elements);
  GridOptions options;
  options.cell = made.cell;
  const auto found = mesh_grid<3>(view, options, {});
  const Topology topology = found ? meshing::topology<3>(found->mesh) : Topology{};
  const std::scoped_lock lock(mutex);
  if (!made.immersion) {
    ++tally.crumples;
    tally.crumples_refused += !found;
    return;
  }
  ++tally.immersions;
  // Refused, or told that layers are missing.
  if (!found || !found->report.mismatches.empty()) {
    ++tally.refused;
    return;
  }
  tally.overlapping += topology.overlapping_cells > 0;
  if (topology.components == made.components && topology.euler == made.euler) return;
  tally.wrong.push_back("surface " + std::to_string(number) + ", " + made.kind + ": " +
                        std::to_string(topology.components) + " pieces, Euler characteristic " +
                        std::to_string(topology.euler) + ", made with " + std::to_string(made.components) +
                        " and " + std::to_string(made.euler));
}

void expect_topology(uint64_t first, uint64_t count) {
  Tally tally;
  std::mutex mutex;
  std::atomic<uint64_t> next = 0;
  const auto work = [&] {
    const SerialLoops serial;  // a surface a thread
    for (uint64_t i; (i = next++) < count;) try_one(first + i, tally, mutex);
  };
  {
    std::jthread other(work);
    work();
  }
  std::sort(tally.wrong.begin(), tally.wrong.end());
  for (const std::string& what : tally.wrong) ADD_FAILURE() << what;
  EXPECT_LE(tally.refused * 100, tally.immersions);
  EXPECT_GT(tally.immersions * 2, int64_t(count));
  EXPECT_GT(tally.overlapping * 4, tally.immersions) << "too few pass through themselves to tell anything";
  std::printf("%ld immersions, %ld refused, %ld of them with overlaps; %ld crumples, %ld refused\n",
              long(tally.immersions), long(tally.refused), long(tally.overlapping), long(tally.crumples),
              long(tally.crumples_refused));
}

TEST(RandomSurfaces, ImmersionsKeepTheirTopology) { expect_topology(0, 300); }

TEST(RandomSurfaces, LongImmersionsKeepTheirTopology) { expect_topology(1000, 10000); }

}  // namespace
}  // namespace sinew::meshing
