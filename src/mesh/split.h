#pragma once
// Hexes cut into tets that fit their neighbours.
//   five     one tet in the middle, four at the corners. The middle one takes the corners of one
//            colour of the two-coloured edge graph, so neighbours alternate by themselves.
//   six      Kuhn: one tet for each order of the axes, the path from corner 0 to corner 6. Fits where
//            neighbouring hexes agree on the direction of their shared edges, as grids do.
//   crossed  24 tets: cell centre, face centre and each edge of the face. The least prone to locking.
//   bcc      two neighbouring cell centres and each edge of the shared face: on cubes the
//            body-centred cubic lattice. A boundary face cuts its tets in half through the face's
//            centre, which becomes a node, so the volume is filled exactly.
// Vertex groups carry over; a new node on a boundary face joins the groups that hold all four corners.
//
//     Result<TetMesh> tets = tets_from_hexes(hexes, Split::crossed);
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::mesh {

enum class Split { five, six, crossed, bcc };

std::span<const std::string_view> split_names();  // in the order of the enum
std::optional<Split> split_named(std::string_view name);

// New nodes come after the vertices of the hexes: cell centres, then face centres. Both are means of
// their corners. An error where the hexes cannot be split this way without hanging edges.
Result<TetMesh> tets_from_hexes(const HexMesh& hexes, Split split);

// The size of the mesh that a split makes of `hexes` hexes with `vertices` vertices and `boundary` boundary faces.
// Reals: the counts of an absurd request must not overflow.
struct SplitSize {
  double nodes = 0, tets = 0;
  double bytes = 0;  // needed at the peak, the hexes included
};
SplitSize split_size(double hexes, double vertices, double boundary, Split split);

}  // namespace sinew::mesh
