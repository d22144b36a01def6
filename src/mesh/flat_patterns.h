#pragma once
// The shape at rest of a garment that is given by its flat patterns: texture coordinates (mesh/texture.h) are places on the cloth [m],
// the first axis along the warp. A pattern is a piece that hangs together on the cloth: neighbours belong to one where the
// coordinates of both corners at their edge agree and both turn the same way. Patterns may lie on each other, as halves that are
// mirrored do.
//   turned back   patterns that turn the other way than in space
//   refused       triangles without coordinates or area on the cloth, and folds: pieces that turn the other way than a neighbour on the
//                 cloth of more than ten times as many triangles
//
//     Result<FlatPatterns> patterns = flat_patterns(mesh, {}, "shirt.obj");
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/texture.h"

namespace sinew::mesh {

// The edges (1, 0) and (2, 0) of a triangle at rest [m]; they turn left.
using FlatEdges = std::array<Vec2d, 2>;

// Of a triangle (a, b, c), as those of (a, c, b): seen from the other side, so that they turn left again.
inline FlatEdges turned_over(const FlatEdges& flat) {
  return {Vec2d{flat[1][0], -flat[1][1]}, Vec2d{flat[0][0], -flat[0][1]}};
}

struct FlatOptions {
  double unit = 1;  // of the texture coordinates [m]
};

struct FlatPatterns {
  std::vector<FlatEdges> flat;         // of each triangle
  int32_t count = 0;                   // patterns
  std::vector<int32_t> pattern;        // of each triangle, numbered in the order of their first ones
  int32_t mirrored = 0;                // patterns that were turned back
  double area = 0, area_in_space = 0;  // [m^2]
  // Of the lengths of the edges of a triangle at rest and in space, over all triangles: 1 where they are the same.
  double least_ratio = 0, most_ratio = 0;
  std::vector<std::string> messages;  // one sentence for each thing that was put right or looks wrong
};

// Refused as well: a mesh without texture coordinates.
Result<FlatPatterns> flat_patterns(const TriMesh& mesh, const FlatOptions& options, const std::string& name);

}  // namespace sinew::mesh
