#include "mesh/improve.h"

#include <algorithm>
#include <span>

#include "mesh/adjacency.h"
#include "mesh/flip_tets.h"
#include "mesh/properties.h"

namespace sinew::mesh {
namespace {

constexpr double good = 0.3;  // radius ratio from which a tet is left alone
constexpr int max_rounds = 3, max_passes = 5;
constexpr double first_step = 0.25, last_step = 1e-2;  // over the mean edge at the vertex
constexpr double worthwhile = 1.01;                    // of the least radius ratio, for a move to be made

// Vertices of the boundary and those between elements of different groups stay.
std::vector<char> find_movable(const TetMesh& mesh) {
  std::vector<char> movable(mesh.vertices.size(), 0);
  for (const auto& tet : mesh.elements)
    for (const int32_t node : tet) movable[node] = 1;
  for (const auto& triangle : boundary(mesh).triangles)
    for (const int32_t node : triangle) movable[node] = 0;
  std::vector<char> inside(mesh.elements.size());
  for (const auto& [name, ids] : mesh.element_groups) {
    std::fill(inside.begin(), inside.end(), 0);
    for (const int32_t id : ids) inside[id] = 1;
    std::vector<char> seen(mesh.vertices.size(), 0);  // bit 1: by an element outside, bit 2: inside
    for (size_t t = 0; t < mesh.elements.size(); ++t)
      for (const int32_t node : mesh.elements[t]) seen[node] |= inside[t] ? 2 : 1;
    for (size_t i = 0; i < seen.size(); ++i)
      if (seen[i] == 3) movable[i] = 0;
  }
  return movable;
}

// A vertex and the tets around it.
class Star {
 public:
  Star(TetMesh& mesh, int32_t vertex, std::span<const int32_t> tets)
      : mesh_(mesh), vertex_(vertex), tets_(tets.begin(), tets.end()), now_(measure({-1, tets_.size()})) {}

  double least_ratio() const { return now_.least; }

  // Compass search from where the vertex is, or from the mean of its neighbours. False: there is no better place.
  bool improve() {
    const Shape before = now_;
    Vec3d mean = {0, 0, 0};
    double edges = 0;
    for (const int32_t t : tets_)
      for (const int32_t node : mesh_.elements[t]) {
        mean += mesh_.vertices[node];
        edges += norm(mesh_.vertices[node] - mesh_.vertices[vertex_]);
      }
    const double count = 3 * static_cast<double>(tets_.size());
    mean = (mean - mesh_.vertices[vertex_] * (count / 3)) * (1 / count);
    try_at(mean);
    for (double step = first_step * edges / count; step > last_step * edges / count;)
      if (!try_around(step)) step *= 0.5;
    return now_.least > before.least;
  }

 private:
  struct Shape {
    double least;  // radius ratio
    size_t poor;   // tets below the first bound
  };

  // The shape of the star; half done where it is no better than `bound`, with the tet that tells at the front.
  Shape measure(const Shape& bound) {
    Shape shape{1, 0};
    for (size_t i = 0; i < tets_.size(); ++i) {
      const double ratio = radius_ratio(mesh_.vertices, mesh_.elements[tets_[i]]);
      shape.least = std::min(shape.least, ratio);
      shape.poor += ratio < PoorTets::bounds[0];
      if (!better(shape, bound)) {
        std::swap(tets_[0], tets_[i]);
        break;
      }
    }
    return shape;
  }

  static bool better(const Shape& a, const Shape& b) {
    return a.least > worthwhile * b.least && a.poor <= b.poor;
  }

  bool try_at(const Vec3d& x) {
    const Vec3d before = mesh_.vertices[vertex_];
    mesh_.vertices[vertex_] = x;
    const Shape there = measure(now_);
    if (better(there, now_)) {
      now_ = there;
      return true;
    }
    mesh_.vertices[vertex_] = before;
    return false;
  }

  // Along the axes and the diagonals.
  bool try_around(double step) {
    const Vec3d x = mesh_.vertices[vertex_];
    for (int k = 0; k < 27; ++k) {
      const Vec3d d = {static_cast<double>(k % 3 - 1), static_cast<double>(k / 3 % 3 - 1),
                       static_cast<double>(k / 9 - 1)};
      if (norm2(d) > 0 && try_at(x + normalized(d) * step)) return true;
    }
    return false;
  }

  TetMesh& mesh_;
  int32_t vertex_;
  std::vector<int32_t> tets_;
  Shape now_;
};

// True: a vertex has moved.
bool smooth(TetMesh& mesh, const std::vector<char>& movable) {
  const Csr tets = node_elements(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  std::vector<char> changed = movable;  // something around the vertex has, since it was looked at
  bool any = false;
  for (int pass = 0; pass < max_passes; ++pass) {
    bool moved = false;
    for (size_t v = 0; v < changed.size(); ++v) {
      if (!movable[v] || !changed[v]) continue;
      changed[v] = 0;
      const auto around = tets.row(static_cast<int64_t>(v));
      Star star(mesh, static_cast<int32_t>(v), around);
      if (star.least_ratio() >= good || !star.improve()) continue;
      moved = true;
      for (const int32_t t : around)
        for (const int32_t node : mesh.elements[t]) changed[node] = 1;
    }
    if (!moved) break;
    any = true;
  }
  return any;
}

double least_radius_ratio(const TetMesh& mesh) {
  double least = 1;
  for (const auto& tet : mesh.elements) least = std::min(least, radius_ratio(mesh.vertices, tet));
  return least;
}

}  // namespace

ImproveReport improve(TetMesh& mesh) {
  ImproveReport report;
  report.before = poor_tets(mesh);
  report.least_before = least_radius_ratio(mesh);
  const std::vector<char> movable = find_movable(mesh);
  report.movable = std::count(movable.begin(), movable.end(), 1);
  const std::vector<Vec3d> start = mesh.vertices;
  for (int round = 0; round < max_rounds; ++round) {
    const int64_t flips = flip_tets(mesh, good);
    report.flips += flips;
    if (!smooth(mesh, movable) && flips == 0) break;
  }
  for (size_t v = 0; v < start.size(); ++v) {
    const double move = norm(mesh.vertices[v] - start[v]);
    report.moved += move > 0;
    report.farthest = std::max(report.farthest, move);
  }
  report.after = poor_tets(mesh);
  report.least_after = least_radius_ratio(mesh);
  return report;
}

}  // namespace sinew::mesh
