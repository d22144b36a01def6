#include "verify/corpus.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "base/hash.h"
#include "base/stopwatch.h"
#include "json/json.h"
#include "mesh/adjacency.h"
#include "scene/scene.h"
#include "step/fallbacks.h"

namespace sinew::verify {

namespace {

using math::Vec3d;

constexpr double young = 2e5, density = 1000, length = 2.6;  // [Pa], [kg/m^3], [m]

// ---- bodies -----------------------------------------------------------------------------------------------

struct Shape {
  const char* name;
  const char* mesh;  // as in a scene
  enum class Quality { as_made, jittered, slivers } quality = Quality::as_made;
};

constexpr Shape shapes[] = {
    {"bar", R"({"box": {"size": [2.6, 0.65, 0.65], "cells": [16, 4, 4]}})"},
    {"column", R"({"box": {"size": [2.6, 0.13, 0.13], "cells": [40, 2, 2], "split": "six"}})"},
    {"jittered", R"({"box": {"size": [2.6, 0.9, 0.9], "cells": [12, 4, 4]}})", Shape::Quality::jittered},
    {"slivers", R"({"box": {"size": [2.6, 0.9, 0.9], "cells": [12, 4, 4], "split": "six"}})",
     Shape::Quality::slivers},
    {"capsule", R"({"capsule": {"radius": 0.3, "length": 2, "cells": 6, "layers": 12}})"},
    {"arch", R"({"torus": {"major": 1.1, "minor": 0.2, "sweep_degrees": 180, "cells": 4, "around": 30}})"},
    {"tube",
     R"({"tube": {"inner": 0.25, "outer": 0.32, "length": 2.6, "radial": 2, "around": 16, "layers": 20}})"},
    {"sheet", R"({"sheet": {"size": [2.6, 1.3], "thickness": 0.04, "cells": [26, 13]}})"},
    {"dumbbell", R"({"lattice": {"cell": 0.14, "solid": {"union": [
        {"ball": {"centre": [0, 0, 0], "radius": 0.5}}, {"ball": {"centre": [1.6, 0, 0], "radius": 0.5}},
        {"capsule": {"radius": 0.18, "length": 1.6, "centre": [0.8, 0, 0], "rotate": {"axis": [0, 1, 0], "degrees": 90}}}]}}})"},
};

// The largest connected part of the tets that a scene makes of the entry `mesh`; null: it cannot.
CorpusBody make_mesh(const std::string& mesh) {
  const auto built = build_mesh(mesh);
  if (!built) return nullptr;
  auto result = std::make_shared<mesh::TetMesh>();
  result->vertices = built->model.X;
  for (size_t e = 0; e < built->model.elements.size(); ++e)
    result->elements.push_back(built->model.elements.nodes<4>(e));
  return result;
}

// A number in [-1, 1] that depends on its two seeds alone.
double noise(int64_t a, int64_t b) {
  Hash hash;
  hash.add(&a, sizeof a);
  hash.add(&b, sizeof b);
  return static_cast<double>(hash.value() >> 11) * 0x1p-52 - 1;
}

double volume6(const mesh::TetMesh& mesh, int32_t t) {
  const auto& [a, b, c, d] = mesh.elements[t];
  const auto& X = mesh.vertices;
  return dot(X[b] - X[a], cross(X[c] - X[a], X[d] - X[a]));
}

// Moves vertices by up to 0.3 of the shortest edge around, where every tet keeps some volume.
void jitter(mesh::TetMesh& mesh) {
  const auto around = mesh::node_elements(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    double edge = std::numeric_limits<double>::infinity();
    for (int32_t t : around.row(v))
      for (int32_t other : mesh.elements[t])
        if (other != static_cast<int32_t>(v))
          edge = std::min(edge, norm(mesh.vertices[other] - mesh.vertices[v]));
    const Vec3d before = mesh.vertices[v];
    const auto id = static_cast<int64_t>(v);
    mesh.vertices[v] += Vec3d{noise(id, 0), noise(id, 1), noise(id, 2)} * (0.3 * edge);
    for (int32_t t : around.row(v))
      if (volume6(mesh, t) < 0.02 * edge * edge * edge) mesh.vertices[v] = before;
  }
}

// Every seventh vertex goes almost into the face opposite to it in one of its tets, to heights of 1e-4 to 1e-2 of an edge.
void flatten(mesh::TetMesh& mesh) {
  const auto around = mesh::node_elements(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  for (size_t v = 0; v < mesh.vertices.size(); v += 7) {
    const auto tets = around.row(v);
    const int32_t t = tets[v % tets.size()];
    Vec3d face[3];
    int k = 0;
    for (int32_t other : mesh.elements[t])
      if (other != static_cast<int32_t>(v)) face[k++] = mesh.vertices[other];
    const Vec3d centre = (face[0] + face[1] + face[2]) * (1.0 / 3), before = mesh.vertices[v];
    const double height = std::pow(10, -3 + noise(static_cast<int64_t>(v), 3));
    mesh.vertices[v] = centre + (before - centre) * height;
    for (int32_t other : tets)
      if (!(volume6(mesh, other) > 0)) mesh.vertices[v] = before;
  }
}

// The long axis becomes x, 2.6 m long, and the low corner the origin.
void normalise(mesh::TetMesh& mesh) {
  Vec3d low = mesh.vertices[0], high = low;
  for (const Vec3d& X : mesh.vertices)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], X[i]), high[i] = std::max(high[i], X[i]);
  const Vec3d size = high - low;
  const int axis = size[0] >= std::max(size[1], size[2]) ? 0 : size[1] >= size[2] ? 1 : 2;
  for (Vec3d& X : mesh.vertices) {
    const Vec3d from = (X - low) * (length / size[axis]);
    for (int i = 0; i < 3; ++i) X[i] = from[(i + axis) % 3];
  }
}

constexpr const char* grips[] = {"plane", "sphere", "nodes", "soft"};

// What a grip holds of the end at x = `at`: what is near the end plane, near its outermost vertex, or the three vertices
// nearest to that.
std::vector<int32_t> held(const mesh::TetMesh& mesh, const std::string& grip, double at) {
  const auto& X = mesh.vertices;
  std::vector<int32_t> nodes(X.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const Vec3d tip = X[*std::min_element(nodes.begin(), nodes.end(), [&](int32_t a, int32_t b) {
    return std::abs(X[a][0] - at) < std::abs(X[b][0] - at);
  })];
  const auto distance = [&](int32_t v) {
    return grip == "plane" ? std::abs(X[v][0] - at) : norm(X[v] - tip);
  };
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
  size_t count = 3;
  if (grip != "nodes")
    while (count < nodes.size() && distance(nodes[count]) < (grip == "plane" ? 0.05 : 0.2)) ++count;
  nodes.resize(count);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

CorpusBody finish(const CorpusBody& made, Shape::Quality quality) {
  if (!made) return nullptr;
  auto mesh = std::make_shared<mesh::TetMesh>(*made);
  normalise(*mesh);
  if (quality == Shape::Quality::jittered) jitter(*mesh);
  if (quality == Shape::Quality::slivers) flatten(*mesh);
  for (const char* grip : grips) {
    mesh->vertex_groups[std::string("left_") + grip] = held(*mesh, grip, 0);
    mesh->vertex_groups[std::string("right_") + grip] = held(*mesh, grip, length);
  }
  return mesh;
}

std::map<std::string, CorpusBody> bodies(const CorpusFolders& folders) {
  std::map<std::string, CorpusBody> list;
  for (const Shape& shape : shapes) list[shape.name] = finish(make_mesh(shape.mesh), shape.quality);
  for (const auto& [name, mesh] : corpus_files(folders, 4000))
    list[name] = finish(make_mesh(mesh), Shape::Quality::as_made);
  std::erase_if(list, [](const auto& each) { return !each.second; });
  return list;
}

// ---- loads ------------------------------------------------------------------------------------------------

// Moves of the right end and what acts on the whole body. Gravity: rho g L / E.
struct Load {
  const char* name;
  const char* right;  // its pose at the end, as in a scene; null: it is not held
  Vec3d gravity = {0, 0, 0};
  double pressure = 0;  // over E, on the whole surface
};

constexpr Load loads[] = {
    {"hang_x", nullptr, {0.1, 0, 0}},
    {"stand_x", nullptr, {-0.1, 0, 0}},
    {"lean_y", nullptr, {0, 0.01, 0}},
    {"lean_z", nullptr, {0, 0, -0.02}},
    {"sag_y", R"({"time": 1})", {0, -0.5, 0}},
    {"sag_z", R"({"time": 1})", {0, 0, 0.1}},
    {"pull_half", R"({"time": 1, "translate": [1.3, 0, 0]})"},
    {"pull_one", R"({"time": 1, "translate": [2.6, 0, 0]})", {0, -0.05, 0}},
    {"pull_two", R"({"time": 1, "translate": [5.2, 0, 0]})"},
    {"twist", R"({"time": 1, "rotate": {"axis": [1, 0, 0], "degrees": 180}})"},
    {"twist_heavy", R"({"time": 1, "rotate": {"axis": [1, 0, 0], "degrees": 180}})", {0, -0.05, 0}},
    {"bend", R"({"time": 1, "rotate": {"axis": [0, 0, 1], "degrees": 90}, "about": [1.3, 0, 0]})"},
    {"bend_heavy",
     R"({"time": 1, "rotate": {"axis": [0, 1, 0], "degrees": -90}, "about": [1.3, 0, 0]})",
     {0, -0.05, 0}},
    {"squeeze", R"({"time": 1, "translate": [-1.3, 0, 0]})"},
    {"buckle", R"({"time": 1, "translate": [-0.4, 0, 0]})", {0, 0, 0.002}},
    {"pressure", R"({"time": 1})", {0, 0, 0}, 0.05},
    {"inflate", R"({"time": 1})", {0, 0, 0}, -0.05},
};

constexpr const char* laws[] = {"stable_neo_hookean", "corotated", "neo_hookean", "stable_neo_hookean",
                                "neo_hookean_ciarlet"};
constexpr double poissons[] = {0.3, 0.45, 0.49, 0.499};
constexpr const char* elements[] = {"linear", "linear", "averaged", "linear", "quadratic"};

constexpr size_t max_quadratic = 3000;  // tets of bodies that may be of second order

std::string attachment(const char* side, const std::string& grip, const char* pose) {
  std::string text = fmt::format(R"({{"what": "body.{0}_{1}", "name": "{0}")", side, grip);
  if (grip == "soft") text += fmt::format(R"(, "hold": "soft", "stiffness": {})", 0.05 * young);
  if (pose) text += fmt::format(R"(, "motion": [{{"time": 0}}, {}])", pose);
  return text + "}";
}

std::string scene_of(const CorpusCase& each, const Load& load) {
  const Vec3d g = load.gravity * (young / (density * length));
  std::string attach = attachment("left", each.grip, nullptr);
  if (load.right) attach += ", " + attachment("right", each.grip, load.right);
  const std::string pressure =
      load.pressure == 0 ? ""
                         : fmt::format(R"({{"type": "pressure", "what": "body.surface", "value": {}}})",
                                       load.pressure * young);
  return fmt::format(
      R"({{"sinew": 1, "bodies": {{"body": {{"mesh": {{"memory": "body"}}, "elements": "{}", "density": {},
"material": {{"model": "{}", "young": {}, "poisson": {}}}}}}},
"attach": [{}], "loads": [{}], "gravity": [{}, {}, {}], "time": {{"fps": 1, "frames": 1}}}})",
      each.elements, density, each.law, young, each.poisson, attach, pressure, g[0], g[1], g[2]);
}

}  // namespace

std::string CorpusCase::name() const {
  return body + " " + grip + " " + load + " " + law + " " + fmt::format("{}", poisson) + " " + elements;
}

std::vector<CorpusCase> corpus(const CorpusFolders& folders) {
  constexpr int variants = 2;
  std::vector<CorpusCase> cases;
  size_t number = 0;
  for (const auto& [name, mesh] : bodies(folders))
    for (const Load& load : loads)
      for (int k = 0; k < variants; ++k, ++number) {
        CorpusCase each;
        each.body = name;
        each.mesh = mesh;
        each.load = load.name;
        each.grip = grips[(number + number / 4) % std::size(grips)];
        each.law = laws[(number + number / 3) % std::size(laws)];
        each.poisson = poissons[(number + number / 5) % std::size(poissons)];
        each.elements = elements[(number + number / 7) % std::size(elements)];
        if (each.elements == "quadratic" && mesh->elements.size() > max_quadratic) each.elements = "linear";
        each.scene = scene_of(each, load);
        cases.push_back(std::move(each));
      }
  return cases;
}

CorpusOutcome solve(const CorpusCase& each, const step::Method& method, const Control& control) {
  CorpusOutcome outcome;
  json::Diagnostics diagnostics;
  auto scene = scene::parse_scene(each.scene, "corpus", {}, {}, diagnostics);
  if (scene) scene->memory.solids["body"] = each.mesh;
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) {
    outcome.reason = diagnostics.text();
    return outcome;
  }
  outcome.tets = static_cast<int64_t>(built->model.elements.size());
  const auto stepper = step::make_with_fallbacks(
      method, built->model, [&](const step::Method& each) { return scene::settings_for(*scene, each); });
  if (!stepper) {
    outcome.reason = stepper.error().what;
    return outcome;
  }
  model::StateLayout layout;
  (*stepper)->declare(layout);
  model::State state = scene::initial_state(*built, layout);
  {
    const Stopwatch watch(outcome.seconds);
    outcome.report = (*stepper)->step(built->model.inputs, 1, state, control);
  }
  if (outcome.report.status != step::StepStatus::converged)
    outcome.reason =
        outcome.report.reason ? outcome.report.reason->text() : step::name_of(outcome.report.status);
  return outcome;
}

}  // namespace sinew::verify
