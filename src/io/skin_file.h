#pragma once
// How a mesh carries a surface, as an .npz file: triangles (T,3), element (P) and weights (P,4) of its corners for tets, (P,8) for
// hexahedra, whose corners are in the order of the mesh file.
//
//     write_embedding("skin.npz", triangles, elements, weights, 4);   Result<mesh::Skin> skin = read_skin("skin.npz", tets);
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "mesh/skin.h"

namespace sinew::io {

Result<void> write_embedding(const std::string& path, std::span<const std::array<int32_t, 3>> triangles,
                             std::span<const int32_t> elements, std::span<const double> weights, int corners);
Result<void> write_skin(const std::string& path, const mesh::Skin& skin);

// Reads a skin on a mesh of `tets` tets. Refuses wrong shapes, ids out of range and weights that do not add up to one.
Result<mesh::Skin> read_skin(const std::string& path, int64_t tets);

}  // namespace sinew::io
