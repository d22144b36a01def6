#include "mesh/triangle_grids.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mesh/circle.h"

namespace sinew::mesh {
namespace {

struct Corner {
  int32_t id;
  Vec2d at;
};

// One row of points from left to right. At the end of a closed one comes its first point again.
using Row = std::vector<Corner>;

Row make_row(Rows& rows, int32_t cells, int32_t j, bool shifted, bool closed) {
  Row row;
  const auto add = [&](double x) {
    row.push_back({static_cast<int32_t>(rows.points.size()), {x, static_cast<double>(j)}});
    rows.points.push_back(row.back().at);
  };
  if (shifted && !closed) add(0);
  for (int32_t i = 0; i < cells; ++i) add(shifted ? i + 0.5 : i);
  if (closed) {
    row.push_back(row.front());
    row.back().at[0] += cells;
  } else {
    add(cells);
  }
  return row;
}

void add_triangle(Rows& rows, const Corner& a, const Corner& b, const Corner& c) {
  rows.elements.push_back({a.id, b.id, c.id});
  rows.corners.push_back({a.at, b.at, c.at});
}

// Between rows that are moved against each other: the edge whose middle comes first gets the next triangle.
void fill_between_shifted(Rows& rows, const Row& low, const Row& high) {
  const auto middle = [](const Row& row, size_t i) { return row[i].at[0] + row[i + 1].at[0]; };
  for (size_t i = 0, j = 0; i + 1 < low.size() || j + 1 < high.size();) {
    const bool go_high = i + 1 == low.size() || (j + 1 < high.size() && middle(high, j) < middle(low, i));
    if (go_high) {
      add_triangle(rows, low[i], high[j + 1], high[j]);
      ++j;
    } else {
      add_triangle(rows, low[i], low[i + 1], high[j]);
      ++i;
    }
  }
}

void fill_cell(Rows& rows, Pattern pattern, bool other_way, const Corner& a, const Corner& b, const Corner& c,
               const Corner& d) {
  if (pattern == Pattern::crossed) {
    const Corner middle = {static_cast<int32_t>(rows.points.size()), (a.at + c.at) * 0.5};
    rows.points.push_back(middle.at);
    add_triangle(rows, a, b, middle);
    add_triangle(rows, b, c, middle);
    add_triangle(rows, c, d, middle);
    add_triangle(rows, d, a, middle);
  } else if (other_way) {
    add_triangle(rows, a, b, d);
    add_triangle(rows, b, c, d);
  } else {
    add_triangle(rows, a, b, c);
    add_triangle(rows, a, c, d);
  }
}

}  // namespace

Rows rows_of_cells(const std::array<int32_t, 2>& cells, Pattern pattern, bool closed) {
  Rows rows;
  std::vector<Row> row;
  for (int32_t j = 0; j <= cells[1]; ++j)
    row.push_back(make_row(rows, cells[0], j, pattern == Pattern::equilateral && j % 2 == 1, closed));
  for (int32_t j = 0; j < cells[1]; ++j) {
    if (pattern == Pattern::equilateral) {
      fill_between_shifted(rows, row[j], row[j + 1]);
      continue;
    }
    for (int32_t i = 0; i < cells[0]; ++i)
      fill_cell(rows, pattern, pattern == Pattern::alternating && (i + j) % 2 == 1, row[j][i], row[j][i + 1],
                row[j + 1][i + 1], row[j + 1][i]);
  }
  return rows;
}

SheetSize rows_size(const std::array<int32_t, 2>& cells, Pattern pattern, bool closed) {
  const double nx = cells[0], ny = cells[1];
  SheetSize size = {(closed ? nx : nx + 1) * (ny + 1), 2 * nx * ny};
  if (pattern == Pattern::crossed) return {size.points + nx * ny, 2 * size.triangles};
  if (pattern == Pattern::equilateral && !closed)
    return {size.points + std::ceil(ny / 2), size.triangles + ny};
  return size;
}

Rings rings_of_sectors(std::span<const int32_t> count, int32_t sectors, bool closed) {
  Rings rings;
  std::vector<int32_t> first;
  for (size_t k = 0; k < count.size(); ++k) {
    first.push_back(static_cast<int32_t>(rings.points.size()));
    const int32_t edges = sectors * count[k], points = edges == 0 ? 1 : closed ? edges : edges + 1;
    for (int32_t i = 0; i < points; ++i)
      rings.points.push_back({static_cast<int32_t>(k), edges > 0 ? static_cast<double>(i) / edges : 0.0});
  }
  const auto id = [&](size_t k, int64_t i) {
    const int64_t edges = int64_t{sectors} * count[k];
    return static_cast<int32_t>(first[k] + (edges == 0 ? 0 : closed ? i % edges : i));
  };
  for (size_t k = 1; k < count.size(); ++k)
    for (int32_t s = 0; s < sectors; ++s) {
      const int64_t inner = count[k - 1], outer = count[k];
      for (int64_t i = 0, j = 0; i < inner || j < outer;) {
        const int32_t a = id(k - 1, s * inner + i), b = id(k, s * outer + j);
        // The edge whose middle comes first gets the next triangle: (j + 1/2) / outer < (i + 1/2) / inner.
        if (i == inner || (j < outer && (2 * j + 1) * inner < (2 * i + 1) * outer)) {
          ++j;
          rings.elements.push_back({a, b, id(k, s * outer + j)});
        } else {
          ++i;
          rings.elements.push_back({a, b, id(k - 1, s * inner + i)});
        }
      }
    }
  return rings;
}

TriMesh icosahedron_surface(int32_t cells) {
  std::vector<Vec3d> corners = {{0, 0, 1}};
  const double z = 1 / std::sqrt(5.0);
  for (const int upper : {1, 0})
    for (int i = 0; i < 5; ++i) corners.push_back(turned(2 * z, 72 * i + (upper ? 0 : 36), upper ? z : -z));
  corners.push_back({0, 0, -1});
  std::vector<TriMesh::Element> faces;
  for (int i = 0; i < 5; ++i) {
    const int32_t next = (i + 1) % 5, u = 1 + i, v = 1 + next, p = 6 + i, q = 6 + next;
    faces.push_back({0, u, v});
    faces.push_back({u, p, v});
    faces.push_back({v, p, q});
    faces.push_back({11, q, p});
  }

  TriMesh mesh;
  mesh.vertices = corners;
  // Points on the edges belong to two faces: (lower corner, upper corner) -> the first of cells - 1.
  std::map<std::pair<int32_t, int32_t>, int32_t> edges;
  const auto on_edge = [&](int32_t a, int32_t b, int32_t steps) {  // from a towards b
    if (steps == 0) return a;
    if (steps == cells) return b;
    const auto [low, high] = std::minmax(a, b);
    const auto [edge, added] =
        edges.emplace(std::pair(low, high), static_cast<int32_t>(mesh.vertices.size()));
    for (int32_t k = 1; added && k < cells; ++k)
      mesh.vertices.push_back(
          normalized(corners[low] * static_cast<double>(cells - k) + corners[high] * static_cast<double>(k)));
    return edge->second + (a < b ? steps : cells - steps) - 1;
  };
  std::vector<int32_t> row, next_row;
  for (const auto& [a, b, c] : faces) {
    // Rows from the edge a-b to the corner c; row j has cells - j + 1 points.
    for (int32_t j = 0; j <= cells; ++j) {
      next_row.clear();
      for (int32_t i = 0; i <= cells - j; ++i) {
        if (j == 0) {
          next_row.push_back(on_edge(a, b, i));
        } else if (i == 0) {
          next_row.push_back(on_edge(a, c, j));
        } else if (i == cells - j) {
          next_row.push_back(on_edge(b, c, j));
        } else {
          next_row.push_back(static_cast<int32_t>(mesh.vertices.size()));
          mesh.vertices.push_back(normalized(corners[a] * static_cast<double>(cells - i - j) +
                                             corners[b] * static_cast<double>(i) +
                                             corners[c] * static_cast<double>(j)));
        }
      }
      for (int32_t i = 0; j > 0 && i <= cells - j; ++i) {
        mesh.elements.push_back({row[i], row[i + 1], next_row[i]});
        if (i < cells - j) mesh.elements.push_back({row[i + 1], next_row[i + 1], next_row[i]});
      }
      row.swap(next_row);
    }
  }
  return mesh;
}

}  // namespace sinew::mesh
