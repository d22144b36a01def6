#include "bench/held_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "io/mesh_file.h"
#include "mesh/shapes.h"
#include "mesh/subset.h"
#include "mesh/surfaces.h"
#include "meshing/volume.h"
#include "model/add_body.h"

namespace sinew::bench {

namespace {

using math::Vec3d;

mesh::TetMesh box(const Vec3d& size, const std::array<int32_t, 3>& cells) {
  return *mesh::make_box({.size = size, .cells = cells, .split = mesh::Split::five});
}

// The nodes nearest to points.
std::vector<int32_t> nearest(const mesh::TetMesh& mesh, std::span<const Vec3d> points) {
  std::vector<int32_t> nodes;
  for (const Vec3d& p : points) {
    int32_t best = 0;
    for (size_t i = 0; i < mesh.vertices.size(); ++i)
      if (norm2(mesh.vertices[i] - p) < norm2(mesh.vertices[best] - p)) best = static_cast<int32_t>(i);
    nodes.push_back(best);
  }
  return nodes;
}

// Cells in a direction that has this share of those of a cube.
int32_t cells_for(int64_t tets, double share) {
  return std::max(2, static_cast<int32_t>(std::lround(std::cbrt(static_cast<double>(tets) / 5 * share))));
}

// Ten nodes of the lowest twentieth of the height, each as far as can be from those before it.
std::vector<int32_t> feet(const mesh::TetMesh& mesh) {
  const auto [low, high] = std::minmax_element(mesh.vertices.begin(), mesh.vertices.end(),
                                               [](const Vec3d& a, const Vec3d& b) { return a[1] < b[1]; });
  const double top = (*low)[1] + 0.05 * ((*high)[1] - (*low)[1]);
  std::vector<int32_t> nodes = {static_cast<int32_t>(low - mesh.vertices.begin())};
  std::vector<double> distance(mesh.vertices.size(), std::numeric_limits<double>::infinity());
  while (nodes.size() < 10) {
    int32_t farthest = nodes.back();
    for (size_t i = 0; i < mesh.vertices.size(); ++i) {
      distance[i] = std::min(distance[i], norm2(mesh.vertices[i] - mesh.vertices[nodes.back()]));
      if (mesh.vertices[i][1] <= top && distance[i] > (farthest == nodes.back() ? 0 : distance[farthest]))
        farthest = static_cast<int32_t>(i);
    }
    nodes.push_back(farthest);
  }
  return nodes;
}

}  // namespace

model::Model held_body(const mesh::TetMesh& mesh, double poisson, std::vector<int32_t> held) {
  model::Model model;
  model::add_body(model, "body", element::default_kind(), mesh);
  model::ElasticSet set{0, material::find_law("stable_neo_hookean"),
                        std::vector<int32_t>(model.elements.size())};
  std::iota(set.elements.begin(), set.elements.end(), 0);
  model.sets.push_back(std::move(set));
  model.params.material.push_back({{{1e5}}, {{poisson}}});
  model.params.density.push_back({{1000}});
  model::Attachment grip;
  grip.name = "grip";
  grip.nodes = std::move(held);
  std::sort(grip.nodes.begin(), grip.nodes.end());
  grip.pose = model.inputs.add_pose("grip", {{}});
  model.attachments = {grip};
  return model;
}

std::vector<HeldBody> held_bodies() {
  std::vector<HeldBody> list;
  list.push_back({"block held at both ends", [](int64_t tets, double poisson) {
                    const int32_t n = cells_for(tets, 1);
                    const mesh::TetMesh mesh = box({1, 1, 1}, {n, n, n});
                    std::vector<int32_t> held = mesh.vertex_groups.at("xmin");
                    const auto& other = mesh.vertex_groups.at("xmax");
                    held.insert(held.end(), other.begin(), other.end());
                    return held_body(mesh, poisson, held);
                  }});
  list.push_back({"cantilever 1:5", [](int64_t tets, double poisson) {
                    const int32_t n = cells_for(tets, 0.2);
                    const mesh::TetMesh mesh = box({5, 1, 1}, {5 * n, n, n});
                    return held_body(mesh, poisson, mesh.vertex_groups.at("xmin"));
                  }});
  list.push_back({"cube held at four nodes", [](int64_t tets, double poisson) {
                    const int32_t n = cells_for(tets, 1);
                    const mesh::TetMesh mesh = box({1, 1, 1}, {n, n, n});
                    const Vec3d corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
                    return held_body(mesh, poisson, nearest(mesh, corners));
                  }});
  return list;
}

std::vector<HeldBody> standing_bodies(const std::filesystem::path& data) {
  std::vector<HeldBody> list;
  for (const char* file : {"surfaces/bunny_10k.obj", "anatomy/FMA23130.stl"}) {
    auto skin = io::read_tri_mesh((data / file).string());
    if (!skin) continue;
    const std::string name = std::filesystem::path(file).stem();
    list.push_back({name + " on ten nodes", [skin = std::move(*skin), name](int64_t tets, double poisson) {
                      mesh::TetMesh body = meshing::volume_of(skin, {.tets = tets}, name, {})->tets;
                      mesh::keep_elements(body, mesh::largest_part(body).keep);
                      mesh::drop_unused_vertices(body);
                      return held_body(body, poisson, feet(body));
                    }});
  }
  return list;
}

}  // namespace sinew::bench
