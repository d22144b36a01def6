#include "mesh/colouring.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "scattered.h"

namespace sinew::mesh {
namespace {

void expect_valid_chunks(const TetMesh& mesh, int32_t size) {
  const Chunks chunks = colour_chunks<4>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()), size);
  std::vector<int> visits(mesh.elements.size(), 0);
  for (const auto& colour : chunks.colours) {
    std::vector<int32_t> owner(mesh.vertices.size(), -1);
    EXPECT_TRUE(std::is_sorted(colour.begin(), colour.end()));
    for (int32_t chunk : colour) {
      const auto [begin, end] = chunks.range(chunk);
      EXPECT_LE(end - begin, size);
      for (int64_t e = begin; e < end; ++e) {
        ++visits[e];
        for (int32_t node : mesh.elements[e]) {
          EXPECT_TRUE(owner[node] == -1 || owner[node] == chunk);
          owner[node] = chunk;
        }
      }
    }
  }
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<int64_t>(visits.size()));
}

TEST(Chunks, NoTwoOfOneColourShareANode) {
  const TetMesh box = *make_box({.cells = {7, 6, 5}, .split = Split::five});
  for (int32_t size : {1, 8, 64, 100000}) {
    expect_valid_chunks(box, size);
    expect_valid_chunks(scattered(box), size);
  }
}

TEST(Chunks, ColoursAreFewOnAnOrderedMeshAndGreedy) {
  const TetMesh box = *make_box({.cells = {16, 16, 16}, .split = Split::six});
  const auto n = static_cast<int64_t>(box.vertices.size());
  const Chunks chunks = colour_chunks<4>(box.elements, n, 96);
  EXPECT_EQ(chunks.count(), 256);
  EXPECT_LE(chunks.colours.size(), 8u);
  EXPECT_EQ(chunks.colours[0][0], 0);
  EXPECT_EQ(colour_chunks<4>(box.elements, n, 96).colours, chunks.colours);
  EXPECT_TRUE(colour_chunks<4>({}, 0, 96).colours.empty());
}

}  // namespace
}  // namespace sinew::mesh
