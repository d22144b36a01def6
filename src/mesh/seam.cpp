#include "mesh/seam.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "mesh/faces.h"
#include "mesh/place_text.h"

namespace sinew::mesh {

uint64_t edge_key(int32_t a, int32_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<uint64_t>(low) << 32 | static_cast<uint64_t>(high);
}

BorderEdges find_border_edges(const TriMesh& mesh) {
  const auto partner = face_partners<3>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  BorderEdges edges;
  for (size_t edge = 0; edge < partner.size(); ++edge) {
    if (partner[edge] != no_partner) continue;
    const auto [a, b] = face_of<3>(mesh.elements[edge / 3], static_cast<int>(edge % 3));
    edges[edge_key(a, b)] = static_cast<int32_t>(edge);
  }
  return edges;
}

std::vector<int32_t> unrolled(const std::vector<int32_t>& side, bool closed) {
  std::vector<int32_t> path = side;
  if (closed && !path.empty()) path.push_back(path.front());
  return path;
}

namespace {

struct Side {
  std::vector<int32_t> path;
  bool closed = false;
};

Result<Side> side_of_group(const TriMesh& mesh, const BorderEdges& borders, const std::string& group,
                           const std::string& name) {
  const auto found = mesh.vertex_groups.find(group);
  if (found == mesh.vertex_groups.end() || found->second.empty())
    return input_error(name, fmt::format("a seam names the vertex group \"{}\", which is not there", group));
  const std::vector<int32_t>& ids = found->second;
  std::vector<std::vector<int32_t>> next(ids.size());  // places in the group
  const auto place = [&](int32_t v) {
    const auto at = std::lower_bound(ids.begin(), ids.end(), v);
    return at != ids.end() && *at == v ? static_cast<int32_t>(at - ids.begin()) : -1;
  };
  std::vector<char> at_border(ids.size(), 0);
  std::vector<int32_t> off;
  for (const auto& [key, edge] : borders) {
    const int32_t a = place(static_cast<int32_t>(key >> 32)), b = place(static_cast<int32_t>(key));
    if (a >= 0) at_border[a] = 1;
    if (b >= 0) at_border[b] = 1;
    if (a < 0 || b < 0) continue;
    next[a].push_back(b);
    next[b].push_back(a);
  }
  for (size_t i = 0; i < ids.size(); ++i)
    if (!at_border[i]) off.push_back(ids[i]);
  if (!off.empty())
    return input_error(name,
                       fmt::format("{} of {} vertices of the group \"{}\" are at no border: {}; expected a "
                                   "piece of a border",
                                   off.size(), ids.size(), group, first_vertices(mesh, off)));
  std::vector<int32_t> ends;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::sort(next[i].begin(), next[i].end());
    if (next[i].size() > 2)
      return input_error(
          name,
          fmt::format("the vertices of the group \"{}\" have {} edges along borders at vertex {}; expected "
                      "a piece of one border",
                      group, next[i].size(), vertex_text(mesh, ids[i])));
    if (next[i].size() < 2) ends.push_back(ids[i]);
  }
  Side side{.path = {}, .closed = ends.empty()};
  std::vector<char> seen(ids.size(), 0);
  for (int32_t at = ends.empty() ? 0 : place(ends[0]); at >= 0;) {
    seen[at] = 1;
    side.path.push_back(ids[at]);
    const auto on = std::find_if(next[at].begin(), next[at].end(), [&](int32_t n) { return !seen[n]; });
    at = on == next[at].end() ? -1 : *on;
  }
  if (side.path.size() < ids.size() || side.path.size() < 2)
    return input_error(
        name, fmt::format(
                  "the vertices of the group \"{}\" lie along {} pieces of borders, ends at {}; expected one",
                  group, std::max<size_t>((ends.size() + 1) / 2, 2),
                  ends.empty() ? "no vertex" : first_vertices(mesh, ends)));
  return side;
}

// Whether the triangle at the first edge of a path runs along it as the path does.
bool runs_with(const TriMesh& mesh, const BorderEdges& borders, const std::vector<int32_t>& path) {
  const int32_t edge = borders.at(edge_key(path[0], path[1]));
  return mesh.elements[edge / 3][edge % 3] == path[0];
}

Vec3d point_at(const TriMesh& mesh, const std::vector<int32_t>& path, const std::vector<double>& at,
               double share) {
  const size_t last = path.size() - 1;
  const size_t i = std::min<size_t>(std::upper_bound(at.begin(), at.end(), share) - at.begin(), last);
  const double t = i == 0 ? 0 : (share - at[i - 1]) / (at[i] - at[i - 1]);
  return i == 0 ? mesh.vertices[path[0]] : mesh.vertices[path[i - 1]] * (1 - t) + mesh.vertices[path[i]] * t;
}

// The mean squared distance of two sides along their lengths.
double distance2(const TriMesh& mesh, const Side& first, const Side& second) {
  constexpr int samples = 64;
  const auto length = [&](int32_t a, int32_t b) { return norm(mesh.vertices[a] - mesh.vertices[b]); };
  const std::vector<int32_t> a = unrolled(first.path, first.closed), b = unrolled(second.path, second.closed);
  double unused = 0, sum = 0;
  const std::vector<double> at_a = shares_along(a, unused, length), at_b = shares_along(b, unused, length);
  for (int s = 0; s < samples; ++s) {
    const double share = (s + 0.5) / samples;
    sum += norm2(point_at(mesh, a, at_a, share) - point_at(mesh, b, at_b, share));
  }
  return sum / samples;
}

}  // namespace

Result<Seam> seam_between(const TriMesh& mesh, const std::string& first, const std::string& second,
                          const std::string& name) {
  const BorderEdges borders = find_border_edges(mesh);
  const auto a = side_of_group(mesh, borders, first, name);
  if (!a) return a.error();
  auto b = side_of_group(mesh, borders, second, name);
  if (!b) return b.error();
  if (a->closed != b->closed)
    return input_error(name,
                       fmt::format("a seam joins \"{}\" and \"{}\", of which one is closed; expected two "
                                   "closed borders or two pieces",
                                   first, second));
  // Seen along the seam the triangles of one side run with it, those of the other against it. Among the ways that are equally near,
  // up to rounding, the first of these is taken.
  const bool with = runs_with(mesh, borders, a->path);
  Side best;
  double least = std::numeric_limits<double>::infinity();
  for (const bool agreeing : {true, false}) {
    Side side = *b;
    if ((runs_with(mesh, borders, side.path) == with) == agreeing)
      std::reverse(side.path.begin(), side.path.end());
    for (size_t turn = 0; turn < (side.closed ? side.path.size() : 1); ++turn) {
      const double distance = distance2(mesh, *a, side);
      if (distance < least * (1 - 1e-9)) {
        least = distance;
        best = side;
      }
      std::rotate(side.path.begin(), side.path.begin() + 1, side.path.end());
    }
  }
  return Seam{.first = a->path, .second = best.path, .closed = a->closed};
}

}  // namespace sinew::mesh
