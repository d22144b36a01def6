#include "meshing/bcc_tets.h"

#include <algorithm>

#include "meshing/cell_order.h"
#include "meshing/grid_faces.h"

namespace sinew::meshing {
namespace {

// The corners of a face by their sides along the two axes after its own, and its edges in the order of GridTets::over_face,
// each counter-clockwise seen from above: a tet (edge, centre below, centre above) is positive.
constexpr int face_edges[4][2][2] = {{{0, 1}, {0, 0}}, {{1, 0}, {1, 1}}, {{0, 0}, {1, 0}}, {{1, 1}, {0, 1}}};

// visit(owner, below, above) for the elements of each four tets; the one that is missing at a boundary is -1.
template <class Visit>
void for_each_four(const GridFace& face, Visit&& visit) {
  if (face.below.empty() || face.above.empty()) {
    for (int32_t e : face.below) visit(e, e, -1);
    for (int32_t e : face.above) visit(e, -1, e);
    return;
  }
  for (int32_t below : face.below)
    for (int32_t above : face.above) visit(std::min(below, above), below, above);
}

Point<3> centre(const Lattice<3>& lattice, const Index<3>& cell, int flat_axis = -1) {
  Point<3> x;
  for (int a = 0; a < 3; ++a)
    x[a] = a == flat_axis ? lattice.coordinate(a, cell[a])
                          : 0.5 * (lattice.coordinate(a, cell[a]) + lattice.coordinate(a, cell[a] + 1));
  return x;
}

// The share of the four tets between two elements, or at a boundary, that is material.
double coverage_of_four(const GridMesh<3>& grid, const GridFace& face, int32_t below, int32_t above) {
  const auto of = [&](int32_t e) { return grid.coverage.empty() ? 1.0 : double{grid.coverage[e]}; };
  if (below < 0 || above < 0) return of(std::max(below, above));
  return 0.5 * (of(below) / static_cast<double>(face.above.size()) +
                of(above) / static_cast<double>(face.below.size()));
}

void add_layers(const GridMesh<3>& grid, mesh::TetMesh& tets) {
  const std::vector<int32_t> layers = layers_of_elements(grid);
  const auto first_centre = static_cast<int32_t>(grid.nodes.size());
  const auto past_centres = static_cast<int32_t>(first_centre + grid.elements.size());
  mesh::Attribute& max_layers = tets.element_data["layers"];
  max_layers.values.reserve(tets.elements.size());
  for (const auto& tet : tets.elements) {
    int32_t most = 0;
    for (int32_t vertex : tet)
      if (vertex >= first_centre && vertex < past_centres)
        most = std::max(most, layers[vertex - first_centre]);
    max_layers.values.push_back(most);
  }
}

}  // namespace

int64_t bcc_tet_count(const GridMesh<3>& grid) {
  int64_t fours = 0;
  GridFaces<3>(grid).for_each(
      [&](const GridFace& face) { for_each_four(face, [&](int32_t, int32_t, int32_t) { ++fours; }); });
  return 4 * fours;
}

GridTets bcc_tets(const GridMesh<3>& grid) {
  const GridFaces<3> faces(grid);
  GridTets tets;
  const size_t count = grid.elements.size();
  tets.first.assign(count + 1, 0);
  int64_t boundary_faces = 0;
  faces.for_each([&](const GridFace& face) {
    tets.crowded_faces += face.elements() > 2;
    boundary_faces += face.below.empty() || face.above.empty();
    for_each_four(face, [&](int32_t owner, int32_t, int32_t) { tets.first[owner + 1] += 4; });
  });
  for (size_t e = 0; e < count; ++e) tets.first[e + 1] += tets.first[e];

  std::vector<mesh::Vec3d>& x = tets.mesh.vertices;
  x.reserve(grid.nodes.size() + count + boundary_faces);
  for (const Index<3>& node : grid.nodes) x.push_back(grid.lattice.position(node));
  const auto first_centre = static_cast<int32_t>(x.size());
  for (size_t e = 0; e < count; ++e) x.push_back(centre(grid.lattice, grid.cell(static_cast<int64_t>(e))));

  tets.mesh.elements.resize(tets.first[count]);
  tets.over_face.assign(count, {-1, -1, -1, -1, -1, -1});
  std::vector<double>& coverage = tets.mesh.element_data["coverage"].values;
  coverage.resize(tets.mesh.elements.size());
  std::vector<int32_t> next(tets.first.begin(), tets.first.end() - 1);
  faces.for_each([&](const GridFace& face) {
    const auto face_centre = static_cast<int32_t>(x.size());
    if (face.below.empty() || face.above.empty())
      x.push_back(centre(grid.lattice, grid.nodes[face.low_vertex], face.axis));
    for_each_four(face, [&](int32_t owner, int32_t below, int32_t above) {
      const auto& element = grid.elements[owner];
      const int b = (face.axis + 1) % 3, c = (face.axis + 2) % 3;
      const int side = owner == below ? 1 << face.axis : 0;
      const int32_t from = below < 0 ? face_centre : first_centre + below;
      const int32_t to = above < 0 ? face_centre : first_centre + above;
      for (int32_t* four : {below < 0 ? nullptr : &tets.over_face[below][2 * face.axis + 1],
                            above < 0 ? nullptr : &tets.over_face[above][2 * face.axis]})
        if (four && *four < 0) *four = next[owner];
      std::fill_n(coverage.begin() + next[owner], 4, coverage_of_four(grid, face, below, above));
      for (const auto& edge : face_edges) {
        const auto corner = [&](const int(&at)[2]) { return element[side | at[0] << b | at[1] << c]; };
        tets.mesh.elements[next[owner]++] = {corner(edge[0]), corner(edge[1]), from, to};
      }
    });
  });
  add_layers(grid, tets.mesh);
  return tets;
}

mesh::HexMesh hexes(const GridMesh<3>& grid) {
  mesh::HexMesh hexes;
  hexes.vertices.reserve(grid.nodes.size());
  for (const Index<3>& node : grid.nodes) hexes.vertices.push_back(grid.lattice.position(node));
  hexes.elements.resize(grid.elements.size());
  for (size_t e = 0; e < grid.elements.size(); ++e)
    for (int k = 0; k < 8; ++k) hexes.elements[e][k] = grid.elements[e][vtk_corners[k]];
  const std::vector<int32_t> layers = layers_of_elements(grid);
  hexes.element_data["coverage"].values.assign(grid.coverage.begin(), grid.coverage.end());
  hexes.element_data["layers"].values.assign(layers.begin(), layers.end());
  return hexes;
}

}  // namespace sinew::meshing
