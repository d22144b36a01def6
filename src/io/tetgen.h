#pragma once
// TetGen's pair of files (H. Si, "TetGen, a Delaunay-based quality tetrahedral mesh generator", 2015):
// .node holds vertices, .ele tets. Indices count from 0 or 1, as the first vertex says.
// Attributes become "attribute" (of the width in the file), boundary markers "marker". In second-order
// tets (10 nodes) the nodes on the edges are told apart by their positions, in the middle of their edges, where
// TetGen puts them; those of curved tets by the order of TetGen 1.5.
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/checks.h"
#include "mesh/mesh.h"

namespace sinew::io {

Result<mesh::TetMesh> parse_tetgen(std::string_view node_text, const std::string& node_name,
                                   std::string_view ele_text, const std::string& ele_name,
                                   Notes* notes = nullptr);
// Indices from 0.
std::string format_tetgen_node(const mesh::TetMesh& mesh);
std::string format_tetgen_ele(const mesh::TetMesh& mesh);

}  // namespace sinew::io
