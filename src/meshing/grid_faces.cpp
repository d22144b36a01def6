#include "meshing/grid_faces.h"

namespace sinew::meshing {
namespace {

template <class Pair>
void for_each_pair(const GridFace& face, Pair&& pair) {
  const auto ordered = [&](std::span<const int32_t> from, std::span<const int32_t> to) {
    for (int32_t a : from)
      for (int32_t b : to)
        if (a != b) pair(a, b);
  };
  ordered(face.below, face.above);
  ordered(face.above, face.below);
  ordered(face.below, face.below);
  ordered(face.above, face.above);
}

}  // namespace

template <int dim>
mesh::Csr face_neighbours(const GridMesh<dim>& grid) {
  const size_t count = grid.elements.size();
  const GridFaces<dim> faces(grid);
  mesh::Csr csr;
  csr.offset.assign(count + 2, 0);
  // Row e is filled from offset[e + 1], which ends up where row e + 1 begins.
  faces.for_each(
      [&](const GridFace& face) { for_each_pair(face, [&](int32_t a, int32_t) { ++csr.offset[a + 2]; }); });
  for (size_t e = 2; e < count + 2; ++e) csr.offset[e] += csr.offset[e - 1];
  csr.index.resize(csr.offset[count + 1]);
  faces.for_each([&](const GridFace& face) {
    for_each_pair(face, [&](int32_t a, int32_t b) { csr.index[csr.offset[a + 1]++] = b; });
  });
  csr.offset.pop_back();
  for (size_t e = 0; e < count; ++e)
    std::sort(csr.index.begin() + csr.offset[e], csr.index.begin() + csr.offset[e + 1]);
  return csr;
}

template mesh::Csr face_neighbours<2>(const GridMesh<2>&);
template mesh::Csr face_neighbours<3>(const GridMesh<3>&);

}  // namespace sinew::meshing
