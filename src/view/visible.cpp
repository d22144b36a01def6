#include "view/visible.h"

#include <algorithm>

#include "base/parallel.h"
#include "mesh/faces.h"
#include "mesh/second_order.h"

namespace sinew::view {

using math::Vec3d;

VisibleSurface::VisibleSurface(const model::Model& model, model::Skins skins)
    : model_(model),
      skins_(std::move(skins)),
      partner_(mesh::face_partners<4>(model.tets, static_cast<int64_t>(model.X.size()))) {}

void VisibleSurface::add_face(int64_t face, int32_t body, Topology& out) const {
  const auto tet = static_cast<int32_t>(face / 4);
  const int f = static_cast<int>(face % 4);
  const auto add = [&](const model::Triangle& triangle) {
    out.triangles.push_back(triangle);
    out.tets.push_back(tet);
    out.elements.push_back(tet);
    out.body.push_back(body);
  };
  if (!model_.second_order(tet)) return add(mesh::face_of<4>(model_.tets[tet], f));
  for (const model::Triangle& part :
       mesh::split_face(mesh::face_nodes(model_.tets[tet], model_.edge_nodes[tet], f)))
    add(part);
}

// From ids of the model to ids among the nodes that are used.
void VisibleSurface::compact(Topology& out) const {
  std::vector<int32_t> place(model_.X.size(), -1);
  for (const model::Triangle& triangle : out.triangles)
    for (const int32_t node : triangle) place[node] = 0;
  for (size_t node = 0; node < place.size(); ++node)
    if (place[node] == 0) {
      place[node] = static_cast<int32_t>(out.nodes.size());
      out.nodes.push_back(static_cast<int32_t>(node));
    }
  for (model::Triangle& triangle : out.triangles)
    for (int32_t& node : triangle) node = place[node];
}

void VisibleSurface::add_skin(int32_t body, Topology& out) const {
  const model::Skin& skin = (*skins_)[body];
  const auto first = static_cast<int32_t>(out.nodes.size());
  for (const geometry::EmbeddedPoint& point : skin.points) {
    const auto heaviest = std::max_element(point.weight.begin(), point.weight.begin() + point.count);
    out.nodes.push_back(point.node[heaviest - point.weight.begin()]);
    out.points.push_back(&point);
  }
  for (const auto& [i, j, k] : skin.triangles) {
    out.triangles.push_back({first + i, first + j, first + k});
    out.tets.push_back(skin.tets[i]);
    out.elements.push_back(skin.tets[i]);
    out.body.push_back(body);
  }
}

Topology VisibleSurface::whole() const { return clipped({}); }

std::vector<char> VisibleSurface::kept(const ClipPlane& plane, std::span<const Vec3d> x) const {
  size_t bare = 0;
  for (const model::Body& body : model_.bodies)
    if (body.tets.size() == 0) bare += body.surface.size();
  std::vector<char> keeps(model_.tets.size() + bare);
  for_each_block(static_cast<int64_t>(model_.tets.size()), 8192, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const model::Tet& tet = model_.tets[t];
      keeps[t] = plane.keeps((x[tet[0]] + x[tet[1]] + x[tet[2]] + x[tet[3]]) * 0.25);
    }
  });
  size_t at = model_.tets.size();
  for (const model::Body& body : model_.bodies)
    if (body.tets.size() == 0)
      for (const model::Triangle& t : body.surface)
        keeps[at++] = plane.keeps((x[t[0]] + x[t[1]] + x[t[2]]) * (1.0 / 3));
  return keeps;
}

Topology VisibleSurface::clipped(std::span<const char> kept) const {
  Topology out;
  const bool all = kept.empty();
  const auto skinned = [&](size_t body) { return all && model::skin_of(skins_, body); };
  size_t at = model_.tets.size();
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Body& body = model_.bodies[b];
    if (skinned(b)) continue;
    for (int64_t t = body.tets.begin; t < body.tets.end; ++t) {
      if (!all && !kept[t]) continue;
      for (int64_t face = 4 * t; face < 4 * t + 4; ++face) {
        const int64_t other = partner_[face];
        if (other == mesh::no_partner || (other >= 0 && !all && !kept[other / 4]))
          add_face(face, static_cast<int32_t>(b), out);
      }
    }
    if (body.tets.size() > 0) continue;
    for (const model::Triangle& triangle : body.surface) {
      const size_t element = at++;
      if (!all && !kept[element]) continue;
      out.triangles.push_back(triangle);
      out.tets.push_back(-1);
      out.elements.push_back(static_cast<int32_t>(element));
      out.body.push_back(static_cast<int32_t>(b));
    }
  }
  compact(out);
  for (size_t b = 0; b < model_.bodies.size(); ++b)
    if (skinned(b)) add_skin(static_cast<int32_t>(b), out);
  return out;
}

}  // namespace sinew::view
