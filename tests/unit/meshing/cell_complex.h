#pragma once
// Pieces, Euler characteristic and crowded faces of a mesh of cells, by sets of everything.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct Complex {
  int64_t elements = 0, vertices = 0, components = 0, euler = 0;
  int64_t crowded_faces = 0;      // with more than two elements
  int64_t overlapping_cells = 0;  // with more than one element
  int64_t max_layers = 0;
};

template <int dim, class Mesh>
Complex complex_of(const Mesh& mesh) {
  Complex found;
  found.elements = static_cast<int64_t>(mesh.elements.size());
  std::vector<int32_t> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::set<int32_t> used;
  std::set<std::pair<int32_t, int32_t>> edges;
  std::map<std::vector<int32_t>, int64_t> faces;
  std::map<Index<dim>, int64_t> layers;
  for (const auto& e : mesh.elements) {
    ++layers[mesh.nodes[e[0]]];
    for (int32_t id : e) {
      used.insert(id);
      parent[root(id)] = root(e[0]);
    }
    for (int c = 0; c < 1 << dim; ++c)
      for (int a = 0; a < dim; ++a)
        if (!(c >> a & 1)) edges.insert(std::minmax(e[c], e[c | 1 << a]));
    for (int a = 0; a < dim; ++a)
      for (int side = 0; side < 2; ++side) {
        std::vector<int32_t> face;
        for (int c = 0; c < 1 << dim; ++c)
          if ((c >> a & 1) == side) face.push_back(e[c]);
        std::sort(face.begin(), face.end());
        ++faces[face];
      }
  }
  found.vertices = static_cast<int64_t>(used.size());
  for (int32_t id : used) found.components += root(id) == id;
  for (const auto& [face, count] : faces) found.crowded_faces += count > 2;
  for (const auto& [cell, count] : layers) {
    found.overlapping_cells += count > 1;
    found.max_layers = std::max(found.max_layers, count);
  }
  // In the plane the faces of a quad are its edges.
  found.euler = found.vertices - static_cast<int64_t>(edges.size()) +
                (dim == 3 ? static_cast<int64_t>(faces.size()) - found.elements : found.elements);
  return found;
}

template <int dim, class Mesh>
std::map<Index<dim>, int64_t> layers_of(const Mesh& mesh) {
  std::map<Index<dim>, int64_t> layers;
  for (const auto& e : mesh.elements) ++layers[mesh.nodes[e[0]]];
  return layers;
}

}  // namespace sinew::meshing
