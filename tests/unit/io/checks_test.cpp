#include "io/checks.h"

#include <gtest/gtest.h>

namespace sinew::io {
namespace {

// A tet, a flat one and one that uses a vertex twice.
mesh::TetMesh rough() {
  mesh::TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  mesh.elements = {{0, 2, 1, 3}, {0, 1, 2, 4}, {0, 1, 1, 3}};
  return mesh;
}

TEST(Checks, DegenerateTetsAreRefused) {
  mesh::TetMesh mesh = rough();
  const Result<void> ok = check_tets(mesh, "rough.mesh", {}, nullptr);
  ASSERT_FALSE(ok);
  EXPECT_NE(ok.error().text().find("tetrahedron 1 has no volume"), std::string::npos);
}

TEST(Checks, DegenerateTetsAreKeptWhereNotesAskForThem) {
  mesh::TetMesh mesh = rough();
  Notes notes;
  notes.keep_degenerate = true;
  ASSERT_TRUE(check_tets(mesh, "rough.mesh", {}, &notes));
  EXPECT_EQ(mesh.elements.size(), 3u);
  EXPECT_EQ(
      notes,
      (Notes{"2 of 3 tetrahedra have no volume or use a vertex twice; `sinew convert --clean` removes them",
             "turned over 1 of 3 tetrahedra that were inverted"}));
}

}  // namespace
}  // namespace sinew::io
