#include "mesh/shapes.h"

#include <algorithm>
#include <array>

#include "mesh/lattice.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using mesh::Solid;
using mesh::TetMesh;

// The keys under the name of a shape.
struct Keys {
  const Json& json;

  double number(std::string_view key) const { return json[key].number(); }
  int32_t count(std::string_view key) const { return static_cast<int32_t>(number(key)); }
  int32_t count(std::string_view key, size_t i) const {
    return static_cast<int32_t>(json[key].item(i).number());
  }
  Vec3d vector(std::string_view key) const { return vector_of(json[key]); }
  mesh::Split split() const { return *mesh::split_named(json["split"].text()); }
};

// Blocks of hexes that hold at least as many as the shape will have.
struct Blocks {
  double a, b, c, number = 1;
};

struct BuiltInShape {
  std::string_view name;
  Result<TetMesh> (*make)(const Keys& k, int64_t max_bytes);
  Blocks (*blocks)(const Keys& k);
};

Blocks round_block(const Keys& k) { return {k.number("cells"), k.number("cells"), k.number("cells")}; }

constexpr BuiltInShape shapes[] = {
    {"box",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_box({.size = k.vector("size"),
                              .cells = {k.count("cells", 0), k.count("cells", 1), k.count("cells", 2)},
                              .split = k.split()},
                             max_bytes);
     },
     [](const Keys& k) {
       return Blocks{double(k.count("cells", 0)), double(k.count("cells", 1)), double(k.count("cells", 2))};
     }},
    {"ball",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_ball({.radius = k.number("radius"), .cells = k.count("cells"), .split = k.split()},
                              max_bytes);
     },
     round_block},
    {"ellipsoid",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_ellipsoid(
           {.radii = k.vector("radii"), .cells = k.count("cells"), .split = k.split()}, max_bytes);
     },
     round_block},
    {"cylinder",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_cylinder({.radius = k.number("radius"),
                                   .length = k.number("length"),
                                   .cells = k.count("cells"),
                                   .layers = k.count("layers"),
                                   .split = k.split()},
                                  max_bytes);
     },
     [](const Keys& k) {
       return Blocks{k.number("cells"), k.number("cells"), k.number("layers")};
     }},
    {"tube",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_tube({.inner = k.number("inner"),
                               .outer = k.number("outer"),
                               .length = k.number("length"),
                               .start_degrees = k.number("start_degrees"),
                               .sweep_degrees = k.number("sweep_degrees"),
                               .radial = k.count("radial"),
                               .around = k.count("around"),
                               .layers = k.count("layers"),
                               .split = k.split()},
                              max_bytes);
     },
     [](const Keys& k) {
       return Blocks{k.number("radial"), k.number("around"), k.number("layers")};
     }},
    {"torus",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_torus({.major = k.number("major"),
                                .minor = k.number("minor"),
                                .start_degrees = k.number("start_degrees"),
                                .sweep_degrees = k.number("sweep_degrees"),
                                .cells = k.count("cells"),
                                .around = k.count("around"),
                                .split = k.split()},
                               max_bytes);
     },
     [](const Keys& k) {
       return Blocks{k.number("cells"), k.number("cells"), k.number("around")};
     }},
    {"capsule",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_capsule({.radius = k.number("radius"),
                                  .length = k.number("length"),
                                  .cells = k.count("cells"),
                                  .layers = k.count("layers"),
                                  .split = k.split()},
                                 max_bytes);
     },
     [](const Keys& k) {
       return Blocks{k.number("cells"), k.number("cells"), k.number("cells") + k.number("layers")};
     }},
    {"sheet",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_sheet({.size = {k.json["size"].item(0).number(), k.json["size"].item(1).number()},
                                .thickness = k.number("thickness"),
                                .cells = {k.count("cells", 0), k.count("cells", 1)},
                                .layers = k.count("layers"),
                                .split = k.split()},
                               max_bytes);
     },
     [](const Keys& k) {
       return Blocks{double(k.count("cells", 0)), double(k.count("cells", 1)), k.number("layers")};
     }},
    {"shell",
     [](const Keys& k, int64_t max_bytes) {
       return mesh::make_shell({.inner = k.number("inner"),
                                .outer = k.number("outer"),
                                .octant = k.json["octant"].boolean(),
                                .radial = k.count("radial"),
                                .across = k.count("across"),
                                .split = k.split()},
                               max_bytes);
     },
     [](const Keys& k) {
       return Blocks{k.number("radial"), k.number("across"), k.number("across"),
                     k.json["octant"].boolean() ? 3.0 : 6.0};
     }},
};

// Depth and number of items are bounded by the file; mesh::check_solid() has limits of its own.
Solid solid_of(const Json& json) {
  using Kind = Solid::Kind;
  const std::string& word = json.key(0);
  const Json& keys = json.item(0);
  const auto number = [&](std::string_view key) { return keys[key].number(); };
  Solid solid;
  if (keys.is(Json::Kind::list)) {
    solid.kind = word == "union" ? Kind::unite : word == "intersection" ? Kind::intersect : Kind::subtract;
    for (const Json& part : keys.items()) solid.parts.push_back(solid_of(part));
    return solid;
  }
  if (word == "half_space") {
    solid.kind = Kind::half_space;
    solid.centre = vector_of(keys["point"]);
    solid.turn = upwards(vector_of(keys["normal"]));
    return solid;
  }
  solid.centre = vector_of(keys["centre"]);
  solid.turn = turn_of(keys.find("rotate"));
  if (word == "ball") {
    solid.size = Vec3d::filled(number("radius"));
  } else if (word == "ellipsoid") {
    solid.size = vector_of(keys["radii"]);
  } else if (word == "box") {
    solid.kind = Kind::box;
    solid.size = vector_of(keys["size"]) / 2;
  } else if (word == "torus") {
    solid.kind = Kind::torus;
    solid.size = {number("major"), number("minor"), 0};
  } else {
    solid.kind = word == "capsule" ? Kind::capsule : Kind::cylinder;
    solid.size = {number("radius"), number("length") / 2, 0};
  }
  return solid;
}

mesh::Lattice lattice_of(const Json& keys) { return {solid_of(keys["solid"]), keys["cell"].number()}; }

const BuiltInShape& shape_named(std::string_view name) {
  return *std::find_if(std::begin(shapes), std::end(shapes),
                       [&](const BuiltInShape& s) { return s.name == name; });
}

}  // namespace

Mat3d upwards(const Vec3d& direction) {
  const Vec3d z = normalized(direction);
  const int least = std::abs(z[0]) <= std::abs(z[1]) && std::abs(z[0]) <= std::abs(z[2]) ? 0
                    : std::abs(z[1]) <= std::abs(z[2])                                   ? 1
                                                                                         : 2;
  const Vec3d x = normalized(cross(Vec3d::unit(least), z));
  return Mat3d::columns(x, cross(z, x), z);
}

Result<TetMesh> shape_mesh(const Json& mesh, int64_t max_bytes) {
  const Keys keys{mesh.item(0)};
  if (mesh.has("lattice")) return mesh::make_lattice(lattice_of(keys.json), max_bytes);
  Result<TetMesh> made = shape_named(mesh.key(0)).make(keys, max_bytes);
  for (std::string_view key : {"origin", "centre"})
    if (made && keys.json.has(key))
      for (Vec3d& x : made->vertices) x += keys.vector(key);
  return made;
}

double estimated_tets(const Json& mesh) {
  if (mesh.size() == 0 || mesh.has("file") || mesh.has("memory") || mesh.has("surface")) return 0;
  const Keys keys{mesh.item(0)};
  if (mesh.has("lattice")) return mesh::lattice_size(lattice_of(keys.json)).tets;
  const auto [a, b, c, number] = shape_named(mesh.key(0)).blocks(keys);
  return number * mesh::split_size(a * b * c, 0, 2 * (a * b + b * c + c * a), keys.split()).tets;
}

}  // namespace sinew::scene
