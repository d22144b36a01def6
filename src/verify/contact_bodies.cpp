#include "verify/contact_bodies.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "mesh/surfaces.h"
#include "meshing/volume.h"

namespace sinew::verify {

namespace {

using math::Vec3d;
using mesh::TriMesh;
using std::numbers::pi;

constexpr int tets = 1500;
constexpr size_t most_tets = 4000;  // larger files are left out

struct Shape {
  const char* name;
  const char* mesh;
};
constexpr Shape shapes[] = {
    {"block", R"({"box": {"size": [1, 0.8, 0.6], "cells": [7, 6, 5]}})"},
    {"bar", R"({"box": {"size": [1, 0.2, 0.2], "cells": [20, 4, 4]}})"},
    {"ball", R"({"ball": {"radius": 0.5, "cells": 6}})"},
    {"cylinder", R"({"cylinder": {"radius": 0.3, "length": 1, "cells": 5, "layers": 9}})"},
    {"tube",
     R"({"tube": {"inner": 0.32, "outer": 0.4, "length": 1, "radial": 1, "around": 22, "layers": 9}})"},
    {"torus", R"({"torus": {"major": 0.35, "minor": 0.15, "cells": 3, "around": 22}})"},
    {"capsule", R"({"capsule": {"radius": 0.22, "length": 0.56, "cells": 4, "layers": 7}})"},
    {"sheet", R"({"sheet": {"size": [1, 0.6], "thickness": 0.03, "cells": [20, 12]}})"},
    {"shell", R"({"shell": {"inner": 0.42, "outer": 0.5, "radial": 1, "across": 6}})"},
    {"dumbbell", R"({"lattice": {"cell": 0.2, "solid": {"union": [
        {"ball": {"centre": [0, 0, 0], "radius": 0.5}}, {"ball": {"centre": [1.6, 0, 0], "radius": 0.5}},
        {"capsule": {"radius": 0.2, "length": 1.6, "centre": [0.8, 0, 0], "rotate": {"axis": [0, 1, 0], "degrees": 90}}}]}}})"},
    {"jack", R"({"lattice": {"cell": 0.11, "solid": {"union": [
        {"capsule": {"radius": 0.15, "length": 0.7}},
        {"capsule": {"radius": 0.15, "length": 0.7, "rotate": {"axis": [1, 0, 0], "degrees": 90}}},
        {"capsule": {"radius": 0.15, "length": 0.7, "rotate": {"axis": [0, 1, 0], "degrees": 90}}}]}}})"},
    {"holed", R"({"lattice": {"cell": 0.1, "solid": {"difference": [{"box": {"size": [1, 0.3, 0.6]}},
        {"cylinder": {"radius": 0.18, "length": 2, "centre": [0.2, 0, 0], "rotate": {"axis": [1, 0, 0], "degrees": 90}}}]}}})"},
    {"comb",
     R"({"lattice": {"cell": 0.1, "solid": {"union": [{"box": {"size": [1, 0.2, 0.3], "centre": [0.5, 0.7, 0]}},
        {"box": {"size": [0.14, 0.7, 0.3], "centre": [0.07, 0.35, 0]}}, {"box": {"size": [0.14, 0.7, 0.3], "centre": [0.36, 0.35, 0]}},
        {"box": {"size": [0.14, 0.7, 0.3], "centre": [0.64, 0.35, 0]}}, {"box": {"size": [0.14, 0.7, 0.3], "centre": [0.93, 0.35, 0]}}]}}})"},
};
constexpr Shape small_shapes[] = {
    {"cubes", R"({"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}})"},
    {"turned_cubes", R"({"box": {"size": [1, 1, 1], "cells": [2, 2, 2], "split": "six"}})"},
    {"discs", R"({"cylinder": {"radius": 0.5, "length": 0.8, "cells": 4, "layers": 2}})"},
};

// ---- surfaces ---------------------------------------------------------------------------------------------

// A band of a thickness along a curve in the plane z = 0, `width` wide: the curve gives a point and the direction to its left.
struct OnCurve {
  Vec3d point, left;
};
template <class Curve>
TriMesh band(int32_t along, double thickness, double width, const Curve& curve) {
  return mesh::moved(mesh::box_surface({along, 2, 6}), [&](const Vec3d& u) {
    const OnCurve at = curve(u[0]);
    return at.point + at.left * ((u[1] - 0.5) * thickness) + Vec3d{0, 0, u[2] * width};
  });
}

// Two legs with a slit between them that is narrower than a cell.
TriMesh hairpin() {
  constexpr double leg = 0.85, radius = 0.075, whole = 2 * leg + pi * radius;
  return band(40, 0.12, 0.4, [&](double u) -> OnCurve {
    const double s = u * whole;
    if (s < leg) return {{s, 0, 0}, {0, 1, 0}};
    if (s > whole - leg) return {{whole - s, 2 * radius, 0}, {0, -1, 0}};
    const double angle = (s - leg) / radius;
    const Vec3d outward = {std::sin(angle), -std::cos(angle), 0};
    return {Vec3d{leg, radius, 0} + outward * radius, outward * -1.0};
  });
}

// One and a half turns of a spiral, closer than a cell to each other.
TriMesh curl() {
  return band(60, 0.1, 0.4, [](double u) -> OnCurve {
    const double angle = 3 * pi * u, r = 0.16 + 0.13 * angle / (2 * pi);
    const Vec3d outward = {std::cos(angle), std::sin(angle), 0};
    return {outward * r, outward * -1.0};
  });
}

// Closed parts that are stuck into each other, by name, and which of them hold together.
class Figure {
 public:
  Figure& ellipsoid(const std::string& name, const Vec3d& centre, const Vec3d& radii) {
    return add(name, mesh::moved(mesh::sphere_surface(8), [&](const Vec3d& u) {
                 return centre + Vec3d{u[0] * radii[0], u[1] * radii[1], u[2] * radii[2]};
               }));
  }
  // Along y.
  Figure& capsule(const std::string& name, const Vec3d& centre, double radius, double length) {
    return add(name, mesh::moved(mesh::sphere_surface(8), [&](const Vec3d& u) {
                 return centre + u * radius + Vec3d{0, length / 2 * std::clamp(2 * u[1], -1.0, 1.0), 0};
               }));
  }
  Figure& join(const std::string& part, const std::string& to) {
    joined.pairs.push_back({part, to});
    return *this;
  }

  TriMesh surface;
  meshing::JoinedParts joined;

 private:
  Figure& add(const std::string& name, const TriMesh& part) {
    const auto first = static_cast<int32_t>(surface.elements.size());
    auto groups = std::move(surface.element_groups);
    surface = mesh::joined(std::move(surface), part);
    for (auto i = first; i < static_cast<int32_t>(surface.elements.size()); ++i) groups[name].push_back(i);
    surface.element_groups = std::move(groups);
    return *this;
  }
};

// Four legs, a tail and ears, all of them thin for the cells.
Figure animal() {
  Figure figure;
  figure.ellipsoid("trunk", {0, 0.5, 0}, {0.42, 0.2, 0.2})
      .ellipsoid("head", {0.45, 0.68, 0}, {0.2, 0.17, 0.16});
  figure.ellipsoid("tail", {-0.5, 0.56, 0}, {0.2, 0.06, 0.06}).join("tail", "trunk").join("head", "trunk");
  for (const double side : {-1.0, 1.0}) {
    const std::string end = side < 0 ? "_l" : "_r";
    figure.ellipsoid("ear" + end, {0.42, 0.9, 0.08 * side}, {0.07, 0.17, 0.04}).join("ear" + end, "head");
    for (const double x : {-0.25, 0.27}) {
      const std::string leg = (x < 0 ? "hind" : "fore") + end;
      figure.capsule(leg, {x, 0.22, 0.11 * side}, 0.07, 0.3).join(leg, "trunk");
    }
  }
  return figure;
}

// A head with two long ears that are closer than a cell to each other.
Figure hare() {
  Figure figure;
  figure.ellipsoid("head", {0, 0, 0}, {0.3, 0.3, 0.3});
  for (const double side : {-1.0, 1.0}) {
    const std::string ear = side < 0 ? "ear_l" : "ear_r";
    figure.ellipsoid(ear, {0, 0.55, 0.075 * side}, {0.13, 0.38, 0.06}).join(ear, "head");
  }
  return figure;
}

std::string memory_entry(const std::string& name) { return fmt::format(R"({{"memory": "{}"}})", name); }

void add_surface(ContactBodies& bodies, const std::string& name, double cell, const TriMesh& surface,
                 const meshing::JoinedParts& joined) {
  const auto volume = meshing::volume_of(surface, {.cell = cell, .joined = joined}, name, {});
  if (!volume) return;
  bodies.memory.solids[name] = std::make_shared<mesh::TetMesh>(volume->tets);
  bodies.memory.skins[name] = std::make_shared<mesh::Skin>(meshing::skin_of(surface, *volume));
  bodies.list.push_back({name, memory_entry(name), volume->tets.vertices});
}

}  // namespace

ContactBodies contact_bodies(const CorpusFolders& folders) {
  ContactBodies bodies;
  const auto add = [](std::vector<ContactBody>& list, const std::string& name, const std::string& mesh) {
    const auto built = build_mesh(mesh);
    if (built && built->model.elements.size() <= most_tets) list.push_back({name, mesh, built->model.X});
  };
  for (const Shape& shape : shapes) add(bodies.list, shape.name, shape.mesh);
  for (const Shape& shape : small_shapes) add(bodies.small, shape.name, shape.mesh);
  add_surface(bodies, "hairpin", 0.15, hairpin(), {});
  add_surface(bodies, "curl", 0.17, curl(), {});
  const Figure four_legs = animal(), long_ears = hare();
  add_surface(bodies, "animal", 0.11, four_legs.surface, four_legs.joined);
  add_surface(bodies, "hare", 0.12, long_ears.surface, long_ears.joined);
  for (const auto& [name, mesh] : corpus_files({{}, folders.data}, tets)) add(bodies.list, name, mesh);
  bodies.memory.surfaces["ring"] =
      std::make_shared<TriMesh>(mesh::torus_surface(ring_major, ring_minor, 48, 16));
  return bodies;
}

PlacedBody::PlacedBody(const ContactBody& body, double size, const Vec3d& axis, double degrees)
    : body_(&body), axis_(axis), degrees_(degrees), points_(body.points) {
  const math::Mat3d turn = model::rotation(normalized(axis), degrees * pi / 180);
  const mesh::Bounds at_rest = mesh::bounding_box(points_);
  const Vec3d extents = at_rest.high - at_rest.low;
  scale_ = size / std::max({extents[0], extents[1], extents[2]});
  for (Vec3d& x : points_) x = turn * x * scale_;
  bounds_ = mesh::bounding_box(points_);
  move((bounds_.low + bounds_.high) * -0.5);
}

void PlacedBody::move(const Vec3d& by) {
  shift_ += by;
  for (Vec3d& x : points_) x += by;
  bounds_.low += by;
  bounds_.high += by;
}

void PlacedBody::stand_on(const Vec3d& point) {
  const Vec3d middle = (bounds_.low + bounds_.high) * 0.5;
  move(point - Vec3d{middle[0], bounds_.low[1], middle[2]});
}

std::string PlacedBody::place() const {
  return fmt::format(
      R"({{"scale": {}, "rotate": {{"axis": [{}, {}, {}], "degrees": {}}}, "translate": [{}, {}, {}]}})",
      scale_, axis_[0], axis_[1], axis_[2], degrees_, shift_[0], shift_[1], shift_[2]);
}

PlacedBody lying(const ContactBody& body, double size) {
  const mesh::Bounds box = mesh::bounding_box(body.points);
  const Vec3d extents = box.high - box.low;
  if (extents[0] >= std::max(extents[1], extents[2])) return PlacedBody(body, size);
  if (extents[1] >= extents[2]) return PlacedBody(body, size, {0, 0, 1}, -90);
  return PlacedBody(body, size, {0, 1, 0}, 90);
}

}  // namespace sinew::verify
