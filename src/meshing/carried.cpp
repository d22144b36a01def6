#include "meshing/carried.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "meshing/grid_faces.h"

namespace sinew::meshing {
namespace {

// The position of a point in a cell along an axis, from 0 to 1 but for rounding.
double share(const Lattice<3>& lattice, int axis, int32_t i, double x) {
  const double low = lattice.coordinate(axis, i), high = lattice.coordinate(axis, i + 1);
  return std::clamp((x - low) / (high - low), 0.0, 1.0);
}

}  // namespace

std::vector<Carried<8>> carried_by_hexes(const GridMesh<3>& grid, std::span<const Point<3>> points) {
  std::vector<Carried<8>> carried(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const int32_t e = grid.carriers[i];
    if (e < 0) continue;
    carried[i].element = e;
    std::array<double, 3> t;
    for (int a = 0; a < 3; ++a) t[a] = share(grid.lattice, a, grid.cell(e)[a], points[i][a]);
    for (int k = 0; k < 8; ++k) {
      const int corner = vtk_corners[k];
      carried[i].vertices[k] = grid.elements[e][corner];
      carried[i].weights[k] = 1;
      for (int a = 0; a < 3; ++a) carried[i].weights[k] *= corner >> a & 1 ? t[a] : 1 - t[a];
    }
  }
  return carried;
}

std::vector<Carried<4>> carried_by_tets(const GridTets& tets, const GridMesh<3>& grid,
                                        std::span<const Point<3>> points) {
  const auto first_centre = static_cast<int32_t>(grid.nodes.size());
  const auto past_centres = static_cast<int32_t>(first_centre + grid.elements.size());
  std::vector<Carried<4>> carried(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const int32_t e = grid.carriers[i];
    if (e < 0) continue;
    // From the centre of the cell the point lies towards one face, and on that towards one edge: the axes by distance say which.
    std::array<double, 3> d;
    for (int a = 0; a < 3; ++a) d[a] = share(grid.lattice, a, grid.cell(e)[a], points[i][a]) - 0.5;
    std::array<int, 3> axis = {0, 1, 2};
    std::stable_sort(axis.begin(), axis.end(), [&](int a, int b) { return std::abs(d[a]) > std::abs(d[b]); });
    const double far = std::abs(d[axis[0]]), side = std::abs(d[axis[1]]), along = d[axis[2]];
    const int high = d[axis[0]] > 0, right = d[axis[1]] > 0;
    const int which = (axis[1] - axis[0] + 3) % 3 - 1;

    carried[i].element = tets.over_face[e][2 * axis[0] + high] + 2 * which + right;
    carried[i].vertices = tets.mesh.elements[carried[i].element];
    const int corner = high << axis[0] | right << axis[1];
    const int32_t low_end = grid.elements[e][corner], high_end = grid.elements[e][corner | 1 << axis[2]];
    for (int k = 0; k < 4; ++k) {
      const int32_t vertex = carried[i].vertices[k];
      double& weight = carried[i].weights[k];
      const bool boundary = std::max(carried[i].vertices[2], carried[i].vertices[3]) >= past_centres;
      if (vertex == low_end)
        weight = side - along;
      else if (vertex == high_end)
        weight = side + along;
      else if (vertex == first_centre + e)
        weight = boundary ? 1 - 2 * far : 1 - far - side;
      else  // the centre of the element on the other side, or that of the face
        weight = boundary ? 2 * (far - side) : far - side;
    }
  }
  return carried;
}

std::array<double, 4> weights_in(std::span<const Point<3>> vertices, const std::array<int32_t, 4>& tet,
                                 const Point<3>& x) {
  const Point<3> a = vertices[tet[1]] - vertices[tet[0]], b = vertices[tet[2]] - vertices[tet[0]],
                 c = vertices[tet[3]] - vertices[tet[0]], d = x - vertices[tet[0]];
  const double volume = dot(cross(a, b), c);
  const double u = dot(cross(d, b), c) / volume, v = dot(cross(a, d), c) / volume,
               w = dot(cross(a, b), d) / volume;
  return {1 - u - v - w, u, v, w};
}

mesh::Groups carried_groups(const GridMesh<3>& grid, const mesh::TriMesh& surface) {
  mesh::Groups groups;
  if (surface.element_groups.empty()) return groups;

  // Groups by number in the order of names, 0 for triangles without one.
  std::vector<const std::string*> names = {nullptr};
  std::vector<std::pair<int32_t, int32_t>> group_of_facet;
  for (const auto& [name, facets] : surface.element_groups) {
    for (int32_t facet : facets) group_of_facet.emplace_back(facet, static_cast<int32_t>(names.size()));
    names.push_back(&name);
  }
  std::sort(group_of_facet.begin(), group_of_facet.end());

  // Pieces of each element by group.
  std::vector<std::pair<int32_t, int32_t>> held;
  auto at = group_of_facet.begin();
  for (const GridMesh<3>::Piece& piece : grid.pieces) {
    while (at != group_of_facet.end() && at->first < piece.facet) ++at;
    if (at == group_of_facet.end() || at->first != piece.facet) held.emplace_back(piece.element, 0);
    for (auto g = at; g != group_of_facet.end() && g->first == piece.facet; ++g)
      held.emplace_back(piece.element, g->second);
  }
  std::sort(held.begin(), held.end());

  constexpr int32_t none = -1;
  std::vector<int32_t> group(grid.elements.size(), none);
  std::vector<int32_t> front, reached;
  for (size_t begin = 0, end; begin < held.size(); begin = end) {
    const int32_t e = held[begin].first;
    size_t most = 0;
    for (end = begin; end < held.size() && held[end].first == e;) {
      size_t same = end;
      while (same < held.size() && held[same] == held[end]) ++same;
      if (same - end > most) {
        most = same - end;
        group[e] = held[end].second;
      }
      end = same;
    }
    front.push_back(e);
  }

  // Outwards from these, one step at a time; an element that is reached from several sides takes the lowest.
  const mesh::Csr neighbours = face_neighbours(grid);
  std::vector<bool> settled(grid.elements.size());
  while (!front.empty()) {
    for (int32_t e : front) settled[e] = true;
    reached.clear();
    for (int32_t e : front)
      for (int32_t n : neighbours.row(e)) {
        if (settled[n]) continue;
        if (group[n] == none) reached.push_back(n);
        if (group[n] == none || group[e] < group[n]) group[n] = group[e];
      }
    front.swap(reached);
  }
  for (size_t e = 0; e < group.size(); ++e)
    if (group[e] > 0) groups[*names[group[e]]].push_back(static_cast<int32_t>(e));
  return groups;
}

mesh::Groups groups_of_tets(const GridTets& tets, const mesh::Groups& groups_of_elements) {
  mesh::Groups groups;
  for (const auto& [name, elements] : groups_of_elements) {
    std::vector<int32_t>& group = groups[name];
    for (int32_t e : elements)
      for (int32_t tet = tets.first[e]; tet < tets.first[e + 1]; ++tet) group.push_back(tet);
  }
  return groups;
}

namespace {

void sort_once(std::vector<int32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::vector<int32_t> vertices_of(const GridMesh<3>& grid, const GridTets* tets,
                                 std::vector<int32_t> elements) {
  sort_once(elements);
  std::vector<int32_t> vertices;
  const auto corners = static_cast<int32_t>(grid.nodes.size());
  const auto centres = static_cast<int32_t>(corners + grid.elements.size());
  for (const int32_t e : elements) {
    vertices.insert(vertices.end(), grid.elements[e].begin(), grid.elements[e].end());
    if (!tets) continue;
    vertices.push_back(corners + e);
    for (const int32_t tet : tets->over_face[e])
      for (const int32_t v : tets->mesh.elements[tet])
        if (v >= centres) vertices.push_back(v);
  }
  sort_once(vertices);
  return vertices;
}

}  // namespace

mesh::Groups touched_vertices(const GridMesh<3>& grid, const mesh::TriMesh& surface, const GridTets* tets) {
  mesh::Groups out;
  for (const auto& [label, triangles] : surface.element_groups) {
    std::vector<int32_t> elements;
    for (const int32_t t : triangles)
      for (auto piece = std::lower_bound(grid.pieces.begin(), grid.pieces.end(), GridMesh<3>::Piece{t, 0});
           piece != grid.pieces.end() && piece->facet == t; ++piece)
        elements.push_back(piece->element);
    out[label] = vertices_of(grid, tets, std::move(elements));
  }
  for (const auto& [label, points] : surface.vertex_groups) {
    std::vector<int32_t> elements;
    for (const int32_t p : points)
      if (grid.carriers[p] >= 0) elements.push_back(grid.carriers[p]);
    out[label] = vertices_of(grid, tets, std::move(elements));
  }
  return out;
}

}  // namespace sinew::meshing
