#include "view/visible.h"

#include <algorithm>

#include "base/parallel.h"
#include "mesh/faces.h"

namespace sinew::view {

using math::Vec3d;

namespace {

void add(const model::Triangle& triangle, int32_t behind, size_t element, int32_t body, Topology& out) {
  out.triangles.push_back(triangle);
  out.tets.push_back(behind);
  out.elements.push_back(static_cast<int32_t>(element));
  out.body.push_back(body);
}

}  // namespace

VisibleSurface::VisibleSurface(const model::Model& model, model::Skins skins)
    : model_(model), skins_(std::move(skins)) {
  for (const model::Body& body : model.bodies)
    partner_.push_back(element::face_partners(*body.kind, model.elements, body.elements.begin,
                                              body.elements.end, body.nodes.begin, body.nodes.size()));
}

// The faces of the elements that are kept which have none that is kept across.
void VisibleSurface::add_cut(int32_t b, std::span<const char> kept, Topology& out) const {
  const model::Body& body = model_.bodies[b];
  const element::Kind& kind = *body.kind;
  const auto count = static_cast<int64_t>(kind.faces.size()) / kind.face_nodes;
  for (int64_t number = 0; number < static_cast<int64_t>(partner_[b].size()); ++number) {
    const int64_t element = body.elements.begin + number / count, other = partner_[b][number];
    const bool open = other == mesh::no_partner || (other >= 0 && !kept[body.elements.begin + other / count]);
    if (!kept[element] || !open) continue;
    const std::span<const int32_t> nodes = model_.elements[element];
    const int8_t* face = &kind.faces[number % count * kind.face_nodes];
    for (const auto& [i, j, k] : kind.face_triangles)
      add({nodes[face[i]], nodes[face[j]], nodes[face[k]]}, static_cast<int32_t>(element), element, b, out);
  }
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
    if (body.behind.empty()) bare += body.surface.size();
  std::vector<char> keeps(model_.elements.size() + bare);
  for (const model::Body& body : model_.bodies)
    for_each_block(body.elements.size(), 8192, [&](int64_t begin, int64_t end) {
      for (int64_t e = body.elements.begin + begin; e < body.elements.begin + end; ++e) {
        Vec3d sum = Vec3d::zero();
        for (int32_t node : model_.elements[e].first(body.kind->corners)) sum += x[node];
        keeps[e] = plane.keeps(sum * (1.0 / body.kind->corners));
      }
    });
  size_t at = model_.elements.size();
  for (const model::Body& body : model_.bodies)
    if (body.behind.empty())
      for (const model::Triangle& t : body.surface)
        keeps[at++] = plane.keeps((x[t[0]] + x[t[1]] + x[t[2]]) * (1.0 / 3));
  return keeps;
}

Topology VisibleSurface::clipped(std::span<const char> kept) const {
  Topology out;
  const bool all = kept.empty();
  const auto skinned = [&](size_t body) { return all && model::skin_of(skins_, body); };
  size_t at = model_.elements.size();
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Body& body = model_.bodies[b];
    const auto number = static_cast<int32_t>(b);
    if (skinned(b)) continue;
    if (!all && !partner_[b].empty()) {
      add_cut(number, kept, out);
      continue;
    }
    for (size_t i = 0; i < body.surface.size(); ++i) {
      const int32_t behind = body.behind.empty() ? -1 : body.behind[i];
      const size_t element = behind < 0 ? at++ : static_cast<size_t>(behind);
      if (all || kept[element]) add(body.surface[i], behind, element, number, out);
    }
  }
  compact(out);
  for (size_t b = 0; b < model_.bodies.size(); ++b)
    if (skinned(b)) add_skin(static_cast<int32_t>(b), out);
  return out;
}

}  // namespace sinew::view
