#pragma once
// The triangles that are seen: the surfaces of the bodies, or the skins of those that have one, or, behind a clip plane,
// the boundary of the elements that it keeps. Only nodes on such triangles are sent, renumbered in the order of their ids;
// the points of skins come after them, each with the node that has most of its weight.
//
//     VisibleSurface surface(model);
//     Topology all = surface.whole();   Topology cut = surface.clipped(surface.kept(plane, x));
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"
#include "model/skin.h"
#include "view/request.h"

namespace sinew::view {

struct Topology {
  std::vector<model::Triangle> triangles;  // outward, ids among `nodes`
  std::vector<int32_t> nodes;  // of the model, ascending; then those that stand for points of skins
  std::vector<const geometry::EmbeddedPoint*> points;  // of skins: the last vertices
  std::vector<int32_t> tets;      // elements of the model, behind each triangle; -1: none
  std::vector<int32_t> elements;  // the same, or, from their number on, a triangle of a body without
  std::vector<int32_t> body;      // of each triangle
};

class VisibleSurface {
 public:
  // The model must outlive it. Without a clip plane the triangles are those of Body::surface.
  explicit VisibleSurface(const model::Model& model, model::Skins skins = {});

  Topology whole() const;
  // Whether the centre of each element, and then of each triangle without one, is on the side that the plane keeps.
  std::vector<char> kept(const ClipPlane& plane, std::span<const math::Vec3d> x) const;
  Topology clipped(std::span<const char> kept) const;

 private:
  void add_cut(int32_t body, std::span<const char> kept, Topology& out) const;
  void compact(Topology& out) const;
  void add_skin(int32_t body, Topology& out) const;

  const model::Model& model_;
  model::Skins skins_;
  std::vector<std::vector<int64_t>> partner_;  // [body] of each face of its elements (element/kind.h)
};

}  // namespace sinew::view
