// The n-th allocation fails, for n = 1, 2, 3, ... until none does: an Error that says so or the right result, nothing
// thrown, nothing left behind. Alone, and with all allocations that follow. The address sanitizer adds: no leak.
#include <filesystem>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "failing_allocations.h"
#include "io/mesh_file.h"
#include "io/npz.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "run/checkpoint.h"
#include "run/difference.h"
#include "run/runner.h"
#include "unit/scratch_folder.h"

namespace sinew {
namespace {

using Digest = Result<uint64_t>;  // of what was read or made

// work(failing) calls failing.start() when it is set up. Runs it with every stride-th allocation failing.
template <class Work>
void fail_allocations(int64_t stride, Work&& work) {
  FailingAllocations none(int64_t{1} << 60, false);
  const Digest reference = work(none);
  none.stop();
  ASSERT_TRUE(reference) << reference.error().text();
  for (const bool lasting : {false, true}) {
    int64_t errors = 0;
    for (int64_t n = 1;; n += stride) {
      FailingAllocations failing(n, lasting);
      const Digest digest = work(failing);
      failing.stop();
      if (!failing.failed()) {
        ASSERT_TRUE(digest) << digest.error().text();
        EXPECT_EQ(*digest, *reference);
        break;
      }
      // Some have another way, such as sorting without a buffer.
      if (digest) {
        ASSERT_EQ(*digest, *reference) << "allocation " << n;
      } else {
        ++errors;
        ASSERT_EQ(digest.error().what, "out of memory") << "allocation " << n;
        ASSERT_EQ(digest.error().kind, ErrorKind::io);
      }
    }
    EXPECT_GT(errors, 0);
  }
}

template <int corners>
uint64_t digest_of(const mesh::Mesh<corners>& mesh) {
  Hash hash;
  hash.add(std::span<const math::Vec3d>(mesh.vertices));
  hash.add(mesh.elements.data(), mesh.elements.size() * sizeof mesh.elements[0]);
  return hash.value();
}

uint64_t digest_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.value();
}

class OutOfMemory : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  // No temporary file either.
  size_t file_count() const {
    using Walk = std::filesystem::recursive_directory_iterator;
    size_t count = 0;
    for (Walk at(folder_.path()), end; at != end; ++at) count += at->is_regular_file();
    return count;
  }

  void meshes(int64_t stride) {
    const mesh::TetMesh tets = *mesh::make_box({.cells = {1, 1, 1}});
    const mesh::TriMesh triangles = mesh::boundary_surface(tets).mesh;
    for (const io::MeshFormat* format : io::mesh_formats()) {
      SCOPED_TRACE(format->name);
      const std::string ending(format->extensions.substr(0, format->extensions.find(' ')));
      const std::string solid = path("solid." + ending), surface = path("surface." + ending);
      const auto transfer = [&](const std::string& file, const auto& mesh, auto read, auto write) {
        fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
          failing.start();
          if (const auto ok = write(file, mesh, nullptr); !ok) return ok.error();
          return 0;
        });
        fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
          failing.start();
          const auto got = read(file, nullptr);
          return got ? Digest(digest_of(*got)) : Digest(got.error());
        });
      };
      if (format->read_tets && format->write_tets)
        transfer(solid, tets, io::read_tet_mesh, io::write_tet_mesh);
      if (format->read_triangles && format->write_triangles)
        transfer(surface, triangles, io::read_tri_mesh, io::write_tri_mesh);
    }
  }

  void scene(int64_t stride) {
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      json::Diagnostics diagnostics("scene.json");
      failing.start();
      const auto scene = scene::parse_scene(scene_text, "scene.json", ".", {}, diagnostics);
      const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
      if (!built) return diagnostics.list()[0];
      return built->model.X.size();
    });
  }

  void checkpoint(int64_t stride) {
    model::State state(model::StateLayout(), {.nodes = 5, .elements = 2, .bodies = 1, .links = 0});
    const run::Checkpoint saved{"scene", "binary", 3, json::Json::object(), state};
    const std::string file = path("checkpoint.bin");
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      failing.start();
      if (const auto ok = run::write_checkpoint(file, saved); !ok) return ok.error();
      return 0;
    });
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      failing.start();
      const auto read = run::read_checkpoint(file);
      return read ? Digest(read->state.hash()) : Digest(read.error());
    });
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      failing.start();
      const auto difference = run::compare_checkpoints(file, file);
      return difference ? Digest(difference->same_bits) : Digest(difference.error());
    });
    EXPECT_EQ(file_count(), 1U);
  }

  void npz(int64_t stride) {
    const std::vector<double> values(50, 0.1);
    const io::Npz arrays = {{"values", io::npy_array<double>(values, {50})}};
    const std::string file = path("arrays.npz");
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      failing.start();
      if (const auto ok = io::write_npz(file, arrays); !ok) return ok.error();
      return 0;
    });
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      failing.start();
      const auto read = io::read_npz(file);
      return read ? Digest(read->size()) : Digest(read.error());
    });
    EXPECT_EQ(file_count(), 1U);
  }

  // A run goes on after it, to the same state.
  void run(int64_t stride, int threads) {
    set_thread_count(threads);
    json::Diagnostics diagnostics;
    const auto scene = scene::parse_scene(scene_text, "scene.json", ".", {}, diagnostics);
    const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
    ASSERT_TRUE(built) << diagnostics.text();
    run::RunOptions options;
    options.folder = path("out");
    std::string whole;
    fail_allocations(stride, [&](FailingAllocations& failing) -> Digest {
      std::filesystem::remove_all(options.folder);
      options.existing = {};
      failing.start();
      const run::RunOutcome outcome = run::run(*scene, *built, options, {}, {});
      failing.stop();
      for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path()))
        EXPECT_EQ(file.path().string().find(".tmp."), std::string::npos) << file.path();
      if (whole.empty()) whole = outcome.state_hash;
      options.existing.resume = true;
      const run::RunOutcome again = run::run(*scene, *built, options, {}, {});
      EXPECT_FALSE(again.error) << again.error->text();
      EXPECT_EQ(again.state_hash, whole);
      if (outcome.error) return *outcome.error;
      return digest_of(outcome.state_hash);
    });
    set_thread_count(0);
  }

  static constexpr std::string_view scene_text = R"({"sinew": 1,
    "bodies": {"bar": {
      "mesh": {"box": {"size": [2, 1, 1], "cells": [2, 1, 1]}},
      "material": {"model": "neo_hookean", "young": 1e5, "poisson": 0.3}}},
    "attach": [{"what": "bar.xmin", "name": "wall"}],
    "gravity": [0, -9.81, 0], "solve": {"mode": "dynamic"}, "time": {"fps": 60, "frames": 2},
    "output": {"checkpoint_every": 1}, "expect": {"bar.volume": {"min": 0}}})";

 private:
  ScratchFolder folder_;
};

TEST_F(OutOfMemory, Meshes) { meshes(3); }
TEST_F(OutOfMemory, Scene) { scene(7); }
TEST_F(OutOfMemory, Checkpoint) { checkpoint(1); }
TEST_F(OutOfMemory, Npz) { npz(1); }
TEST_F(OutOfMemory, Run) { run(53, 1); }
TEST_F(OutOfMemory, RunWithThreads) { run(101, 3); }

TEST_F(OutOfMemory, LongMeshes) { meshes(1); }
TEST_F(OutOfMemory, LongScene) { scene(1); }
TEST_F(OutOfMemory, LongRun) { run(1, 1); }
TEST_F(OutOfMemory, LongRunWithThreads) { run(3, 3); }

}  // namespace
}  // namespace sinew
