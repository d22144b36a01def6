#pragma once
// What a body shows and exports and nothing acts on, so that it is no part of the Model: a surface that it carries, in place
// of its own, and texture coordinates.
//
//     if (const Skin* skin = skin_of(built.skins, body)) draw(positions(*skin, x), skin->triangles);
#include <memory>
#include <span>
#include <vector>

#include "mesh/texture.h"
#include "model/model.h"

namespace sinew::model {

struct Skin {
  std::vector<geometry::EmbeddedPoint> points;  // in model node ids
  std::vector<int32_t> tets;                    // of the model, that carry the points
  std::vector<Triangle> triangles;              // outward, ids among the points; none: the body has no skin
  std::vector<float>
      layers;  // of each tet of the body: how many layers lie at its place at rest; may be empty
  // (u, v) of the corners of each triangle (mesh/texture.h), of those of the body's own surface where it has no skin; may be
  // empty.
  std::vector<mesh::FlatTriangle> texture;
};

// One for each body; null: no body has any.
using Skins = std::shared_ptr<const std::vector<Skin>>;

inline const Skin* skin_of(const Skins& skins, size_t body) {
  return skins && !(*skins)[body].triangles.empty() ? &(*skins)[body] : nullptr;
}

// The positions of the points [m], given x of all nodes of the model.
inline std::vector<Vec3d> positions(const Skin& skin, std::span<const Vec3d> x) {
  std::vector<Vec3d> out;
  out.reserve(skin.points.size());
  for (const geometry::EmbeddedPoint& point : skin.points) out.push_back(geometry::position(point, x));
  return out;
}

}  // namespace sinew::model
