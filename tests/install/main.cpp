// A program outside the tree: it finds the package, calls a compiled function and a template.
#include <cstdio>
#include <sinew/base/parallel.h>
#include <sinew/mesh/mesh.h>

int main() {
  sinew::mesh::TetMesh tet;
  tet.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  tet.elements = {{0, 1, 2, 3}};
  const double sum = sinew::sum_blocks(4, 2, [&](int64_t begin, int64_t end) {
    double s = 0;
    for (int64_t i = begin; i < end; ++i) s += tet.vertices[i][0] + tet.vertices[i][1] + tet.vertices[i][2];
    return s;
  });
  std::printf("the coordinates of the unit tet add up to %g on %d threads\n", sum, sinew::thread_count());
  return sum == 3 ? 0 : 1;
}
