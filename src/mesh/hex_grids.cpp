#include "mesh/hex_grids.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinew::mesh {
namespace {

using Hex = HexMesh::Element;

// The eight corners of a cell of a grid with nx by ny nodes in a layer.
Hex grid_cell(int32_t first, int32_t nx, int32_t layer) {
  return {first,         first + 1,         first + 1 + nx,         first + nx,
          first + layer, first + 1 + layer, first + 1 + nx + layer, first + nx + layer};
}

class LayerBuilder {
 public:
  explicit LayerBuilder(const CubeLayers& shape)
      : n_{shape.cells, shape.cells, shape.cells + shape.column},
        layers_(shape.layers),
        column_(shape.column),
        inner_(shape.inner),
        outer_(shape.outer),
        octant_(shape.octant) {
    surface_.assign(size_t(n_[0] + 1) * (n_[1] + 1) * (n_[2] + 1), -1);
    for (int32_t k = 0; k <= n_[2]; ++k)
      for (int32_t j = 0; j <= n_[1]; ++j)
        for (int32_t i = 0; i <= n_[0]; ++i)
          if (on_surface({i, j, k})) surface_[lattice({i, j, k})] = surface_count_++;
    if (shape.solid) fill_lattice();
    first_layer_ = shape.solid ? 1 : 0;
    base_ = static_cast<int32_t>(mesh_.vertices.size());
    for (int32_t s = first_layer_; s <= layers_; ++s) add_layer_nodes(s);
    for (int axis = 0; axis < 3; ++axis)
      for (int high = octant_ ? 1 : 0; high < 2; ++high) add_patch(axis, high == 1);
  }
  HexMesh take() { return std::move(mesh_); }

 private:
  using Place = std::array<int32_t, 3>;

  bool on_surface(const Place& p) const {
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] == n_[axis] || (p[axis] == 0 && !octant_)) return true;
    return false;
  }
  int32_t lattice(const Place& p) const { return p[0] + (n_[0] + 1) * (p[1] + (n_[1] + 1) * p[2]); }
  // At the size t of the cube.
  Vec3d position(Place p, double t) const {
    const int32_t n = n_[0], shift = std::clamp(p[2] - n / 2, 0, column_);
    p[2] -= shift;
    Vec3d x;
    for (int k = 0; k < 3; ++k) x[k] = (octant_ ? double(p[k]) / n : double(2 * p[k] - n) / n) * t;
    x[2] += shift;
    return x;
  }
  int32_t node(const Place& p, int32_t layer) const {
    if (layer < first_layer_) return lattice(p);
    return base_ + (layer - first_layer_) * surface_count_ + surface_[lattice(p)];
  }

  void fill_lattice() {
    mesh_ = grid(n_, {"", "", "", "", "", ""});
    mesh_.vertex_groups.clear();
    for (Vec3d& x : mesh_.vertices) x = position({int32_t(x[0]), int32_t(x[1]), int32_t(x[2])}, inner_);
  }

  void add_layer_nodes(int32_t s) {
    const double t = s == layers_ ? outer_ : inner_ + (outer_ - inner_) * s / layers_;
    for (int32_t k = 0; k <= n_[2]; ++k)
      for (int32_t j = 0; j <= n_[1]; ++j)
        for (int32_t i = 0; i <= n_[0]; ++i) {
          if (surface_[lattice({i, j, k})] < 0) continue;
          const auto id = static_cast<int32_t>(mesh_.vertices.size());
          mesh_.vertices.push_back(position({i, j, k}, t));
          if (s == 0) mesh_.vertex_groups["inner"].push_back(id);
          if (s == layers_) mesh_.vertex_groups["outer"].push_back(id);
          if (octant_ && i == 0) mesh_.vertex_groups["xmin"].push_back(id);
          if (octant_ && j == 0) mesh_.vertex_groups["ymin"].push_back(id);
          if (octant_ && k == 0) mesh_.vertex_groups["zmin"].push_back(id);
        }
  }

  // In-plane axes grow with the lattice and the third points outwards, on every patch: neighbours agree
  // on the direction of their shared edges. On a low side the two swap to stay right-handed.
  void add_patch(int axis, bool high) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (!high) std::swap(u, v);
    for (int32_t s = 0; s < layers_; ++s)
      for (int32_t b = 0; b < n_[v]; ++b)
        for (int32_t a = 0; a < n_[u]; ++a) {
          const auto at = [&](int32_t da, int32_t db, int32_t ds) {
            Place p;
            p[axis] = high ? n_[axis] : 0;
            p[u] = a + da;
            p[v] = b + db;
            return node(p, s + ds);
          };
          mesh_.elements.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1),
                                    at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)});
        }
  }

  Place n_;
  int32_t layers_, column_;
  double inner_, outer_;
  bool octant_;
  int32_t surface_count_ = 0, first_layer_ = 0, base_ = 0;
  std::vector<int32_t> surface_;  // number among the surface points of the lattice, or -1
  HexMesh mesh_;
};

// The section of a cylinder in the plane: a core grid and rings around it, as quads with right-handed
// corners; edges along the rim grow with the grid's axes, edges across the rings point outwards.
struct Section {
  std::vector<Vec3d> vertices;  // z = 0, |p|_inf <= 1
  std::vector<std::array<int32_t, 4>> quads;
  std::vector<int32_t> rim;
};

Section round_section(int32_t cells) {
  const Core core(cells);
  const int32_t n = core.core;
  const double edge = core.edge;
  Section s;
  std::vector<int32_t> surface(size_t(n + 1) * (n + 1), -1);
  const auto lattice = [&](int32_t i, int32_t j) { return i + (n + 1) * j; };
  const auto position = [&](int32_t i, int32_t j) {
    return Vec3d{double(2 * i - n) / n, double(2 * j - n) / n, 0};
  };
  int32_t count = 0;
  for (int32_t j = 0; j <= n; ++j)
    for (int32_t i = 0; i <= n; ++i) {
      s.vertices.push_back(position(i, j) * edge);
      if (i == 0 || i == n || j == 0 || j == n) surface[lattice(i, j)] = count++;
    }
  const auto base = static_cast<int32_t>(s.vertices.size());
  for (int32_t r = 1; r <= core.rings; ++r)
    for (int32_t j = 0; j <= n; ++j)
      for (int32_t i = 0; i <= n; ++i) {
        if (surface[lattice(i, j)] < 0) continue;
        if (r == core.rings) s.rim.push_back(static_cast<int32_t>(s.vertices.size()));
        s.vertices.push_back(position(i, j) * (r == core.rings ? 1 : edge + (1 - edge) * r / core.rings));
      }
  const auto node = [&](int32_t i, int32_t j, int32_t r) {
    return r == 0 ? lattice(i, j) : base + (r - 1) * count + surface[lattice(i, j)];
  };
  for (int32_t j = 0; j < n; ++j)
    for (int32_t i = 0; i < n; ++i)
      s.quads.push_back({node(i, j, 0), node(i + 1, j, 0), node(i + 1, j + 1, 0), node(i, j + 1, 0)});
  for (int32_t r = 0; r < core.rings; ++r)
    for (int32_t a = 0; a < n; ++a) {
      s.quads.push_back({node(a, 0, r), node(a, 0, r + 1), node(a + 1, 0, r + 1), node(a + 1, 0, r)});
      s.quads.push_back({node(a, n, r), node(a + 1, n, r), node(a + 1, n, r + 1), node(a, n, r + 1)});
      s.quads.push_back({node(0, a, r), node(0, a + 1, r), node(0, a + 1, r + 1), node(0, a, r + 1)});
      s.quads.push_back({node(n, a, r), node(n, a, r + 1), node(n, a + 1, r + 1), node(n, a + 1, r)});
    }
  return s;
}

HexMesh extruded(const Section& section, int32_t layers) {
  HexMesh mesh;
  const auto count = static_cast<int32_t>(section.vertices.size());
  for (int32_t k = 0; k <= layers; ++k) {
    for (int32_t i = 0; i < count; ++i) {
      const Vec3d& p = section.vertices[i];
      if (k == 0) mesh.vertex_groups["bottom"].push_back(i);
      if (k == layers) mesh.vertex_groups["top"].push_back(i + k * count);
      mesh.vertices.push_back({p[0], p[1], double(k)});
    }
    for (int32_t i : section.rim) mesh.vertex_groups["side"].push_back(i + k * count);
  }
  for (int32_t k = 0; k < layers; ++k)
    for (const auto& quad : section.quads) {
      Hex hex;
      for (int c = 0; c < 4; ++c) {
        hex[c] = quad[c] + k * count;
        hex[c + 4] = quad[c] + (k + 1) * count;
      }
      mesh.elements.push_back(hex);
    }
  return mesh;
}

}  // namespace

HexMesh grid(const std::array<int32_t, 3>& cells, const std::array<const char*, 6>& sides) {
  HexMesh mesh;
  const int32_t nx = cells[0] + 1, ny = cells[1] + 1, nz = cells[2] + 1;
  mesh.vertices.reserve(size_t(nx) * ny * nz);
  for (int32_t k = 0; k < nz; ++k)
    for (int32_t j = 0; j < ny; ++j)
      for (int32_t i = 0; i < nx; ++i) {
        const auto id = static_cast<int32_t>(mesh.vertices.size());
        mesh.vertices.push_back({double(i), double(j), double(k)});
        const int32_t at[3] = {i, j, k};
        for (int side = 0; side < 6; ++side)
          if (at[side / 2] == (side % 2 ? cells[side / 2] : 0)) mesh.vertex_groups[sides[side]].push_back(id);
      }
  mesh.elements.reserve(size_t(cells[0]) * cells[1] * cells[2]);
  for (int32_t k = 0; k < cells[2]; ++k)
    for (int32_t j = 0; j < cells[1]; ++j)
      for (int32_t i = 0; i < cells[0]; ++i)
        mesh.elements.push_back(grid_cell(i + nx * (j + ny * k), nx, nx * ny));
  return mesh;
}

HexMesh cube_layers(const CubeLayers& shape) { return LayerBuilder(shape).take(); }

Core::Core(int32_t cells)
    : rings(std::max(1, cells / 4)), core(cells - 2 * rings), edge(double(core) / cells) {}

HexMesh square_column(int32_t cells, int32_t layers) { return extruded(round_section(cells), layers); }

}  // namespace sinew::mesh
