#pragma once
// A mesh of lattice cells around a surface: quads in the plane, hexahedra in space. Several elements may lie in one cell:
// layers of material that overlap without being joined. What is joined shares vertices, nothing else does.
#include <array>
#include <cstdint>
#include <vector>

#include "meshing/lattice.h"

namespace sinew::meshing {

template <int dim>
struct GridMesh {
  static constexpr int corners = 1 << dim;
  using Element = std::array<int32_t, corners>;  // bit a of a corner's number is its side along axis a

  // The part of a facet that lies in the cell of an element which carries it.
  struct Piece {
    int32_t facet;
    int32_t element;
    bool operator==(const Piece&) const = default;
    auto operator<=>(const Piece&) const = default;
  };

  Lattice<dim> lattice;
  std::vector<Index<dim>> nodes;  // the lattice node of each vertex
  std::vector<Element> elements;
  std::vector<float> coverage;    // of each element: the share of its cell that is its material, 0 to 1
  std::vector<Piece> pieces;      // ascending; a facet's elements hold together along it
  std::vector<int32_t> carriers;  // of each point of the surface: the element that carries it

  const Index<dim>& cell(int64_t element) const { return nodes[elements[element][0]]; }
};

}  // namespace sinew::meshing
