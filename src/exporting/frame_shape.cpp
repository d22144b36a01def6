#include "exporting/frame_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "geometry/embedding.h"
#include "json/words.h"

namespace sinew::exporting {

using math::Vec3d;

// One mesh of the result.
struct FrameShape::Part {
  size_t body = 0;
  std::string name;
  bool whole = false;                             // the body's own arrays
  std::vector<int32_t> nodes;                     // of a surface: of the body, ascending
  std::vector<std::array<int32_t, 3>> triangles;  // of a surface, ids among its points
  std::vector<int32_t> elements;                  // of a body's surface or skin: behind each triangle
  std::vector<geometry::EmbeddedPoint> embedded;  // of a carried surface, ids among the body's nodes
  std::vector<mesh::FlatTriangle> texture;        // of the corners of each triangle; may be empty
};

namespace {

Vec3d to_z_up(const Vec3d& p) { return {p[0], -p[2], p[1]}; }
Vec3d to_y_up(const Vec3d& p) { return {p[0], p[2], -p[1]}; }

// Rows of a vector or a symmetric matrix (xx yy zz xy yz zx).
void turn_to_z_up(int width, std::vector<double>& values) {
  for (size_t i = 0; i + width <= values.size(); i += width) {
    double* v = &values[i];
    if (width == 3) {
      const Vec3d turned = to_z_up({v[0], v[1], v[2]});
      std::copy_n(turned.v, 3, v);
    } else if (width == 6) {
      const double turned[] = {v[0], v[2], v[1], -v[5], -v[4], v[3]};
      std::copy_n(turned, 6, v);
    }
  }
}

mesh::TetMesh rest_mesh(const model::Model& model, const FrameMesh& body, size_t b) {
  const model::Range nodes = model.bodies[b].visible();
  mesh::TetMesh mesh;
  mesh.vertices.assign(model.X.begin() + nodes.begin, model.X.begin() + nodes.end);
  mesh.elements.assign(body.tets.begin(), body.tets.end());
  mesh.edge_nodes.assign(body.edges.begin(), body.edges.end());
  return mesh;
}

// Coordinates that are not finite, or beyond single precision, are none: six zeros (mesh/texture.h).
void leave_out_unusable(std::vector<mesh::FlatTriangle>& texture) {
  constexpr double largest = std::numeric_limits<float>::max();
  for (mesh::FlatTriangle& corners : texture)
    for (const mesh::Vec2d& p : corners)
      if (!(std::abs(p[0]) < largest && std::abs(p[1]) < largest)) {
        corners = {};
        break;
      }
}

// With ids of the body's own.
void take_skin(const model::Body& body, const model::Skin& skin,
               std::vector<geometry::EmbeddedPoint>& embedded, std::vector<std::array<int32_t, 3>>& triangles,
               std::vector<int32_t>& elements) {
  embedded = skin.points;
  triangles = skin.triangles;
  for (geometry::EmbeddedPoint& point : embedded)
    for (int k = 0; k < point.count; ++k) point.node[k] -= body.nodes.begin;
  for (const auto& triangle : triangles) elements.push_back(skin.tets[triangle[0]] - body.elements.begin);
}

}  // namespace

FrameShape::FrameShape() = default;
FrameShape::FrameShape(FrameShape&&) noexcept = default;
FrameShape::~FrameShape() = default;

Result<FrameShape> FrameShape::make(const model::Model& model, const ShapeOptions& options) {
  FrameShape shape;
  shape.z_up_ = options.z_up;
  shape.unit_ = options.unit;
  shape.maker_ = std::make_unique<FrameMaker>(model, std::span<const std::string>());
  const model::State state = model.make_state(model::StateLayout());
  const measure::Snapshot snapshot(model, model.params, state);
  const Frame bodies = shape.maker_->make(0, snapshot);

  std::vector<std::string_view> names;
  for (const model::Body& body : model.bodies) names.push_back(body.name);
  const auto find = [&](const std::string& name) -> Result<size_t> {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) return usage_error(json::unknown_word("body", name, names));
    return static_cast<size_t>(at - names.begin());
  };
  std::vector<bool> wanted(names.size(), options.bodies.empty());
  for (const std::string& name : options.bodies) {
    const Result<size_t> b = find(name);
    if (!b) return b.error();
    wanted[*b] = true;
  }
  std::vector<Part> carried;
  for (const CarriedSurface& surface : options.carried) {
    const Result<size_t> b = find(surface.body);
    if (!b) return b.error();
    wanted[*b] = false;
    std::vector<Vec3d> points(surface.mesh.vertices);
    for (Vec3d& p : points) p = (options.z_up ? to_y_up(p) : p) * options.unit;
    auto embedded = geometry::embed(rest_mesh(model, bodies.meshes[*b], *b), points, surface.file);
    if (!embedded) return embedded.error();
    Part& part = carried.emplace_back();
    part.body = *b;
    part.name = surface.name;
    part.triangles = surface.mesh.elements;
    part.embedded = std::move(*embedded);
    if (const mesh::Attribute* texture = mesh::find_texture(surface.mesh))
      for (size_t t = 0; t < part.triangles.size(); ++t)
        part.texture.push_back(mesh::texture_corners(*texture, t));
  }

  for (size_t b = 0; b < names.size(); ++b) {
    if (!wanted[b]) continue;
    Part& part = shape.parts_.emplace_back();
    part.body = b;
    part.name = names[b];
    part.whole = options.what == What::volume;
    const model::Skin* skin = model::skin_of(options.skins, b);
    const bool takes_skin = skin && !part.whole && !options.own_surfaces;
    if (options.skins && (takes_skin || !skin)) part.texture = (*options.skins)[b].texture;
    if (part.whole) continue;
    if (takes_skin) {
      take_skin(model.bodies[b], *skin, part.embedded, part.triangles, part.elements);
      continue;
    }
    const std::span<const std::array<int32_t, 3>> surface = bodies.meshes[b].surface;
    part.triangles.assign(surface.begin(), surface.end());
    for (int32_t element : model.bodies[b].behind)
      part.elements.push_back(element - model.bodies[b].elements.begin);
    std::vector<int32_t> place(bodies.meshes[b].points.size(), -1);
    for (const auto& triangle : part.triangles)
      for (int32_t node : triangle) place[node] = 0;
    for (size_t i = 0; i < place.size(); ++i) {
      if (place[i] < 0) continue;
      place[i] = static_cast<int32_t>(part.nodes.size());
      part.nodes.push_back(static_cast<int32_t>(i));
    }
    for (auto& triangle : part.triangles)
      for (int32_t& node : triangle) node = place[node];
  }
  shape.all_ = options.what == What::volume && shape.parts_.size() == names.size() && !options.z_up &&
               options.unit == 1 && carried.empty() &&
               std::all_of(shape.parts_.begin(), shape.parts_.end(),
                           [](const Part& part) { return part.texture.empty(); });
  std::move(carried.begin(), carried.end(), std::back_inserter(shape.parts_));
  for (Part& part : shape.parts_) leave_out_unusable(part.texture);
  std::set<std::string> taken;
  for (const Part& part : shape.parts_)
    if (!taken.insert(part.name).second)
      return usage_error("two meshes would be called \"" + part.name +
                         "\": rename the file of a carried surface");

  shape.points_.resize(shape.parts_.size());
  shape.rest_points_.resize(shape.parts_.size());
  for (size_t p = 0; p < shape.parts_.size(); ++p)
    shape.place(bodies.meshes[shape.parts_[p].body], shape.parts_[p], shape.rest_.meshes.emplace_back(),
                shape.rest_points_[p]);
  return shape;
}

Vec3d FrameShape::placed(const Vec3d& p) const { return (z_up_ ? to_z_up(p) : p) / unit_; }

void FrameShape::place(const FrameMesh& body, const Part& part, FrameMesh& out,
                       std::vector<Vec3d>& points) const {
  out.name = part.name;
  points.clear();
  for (const geometry::EmbeddedPoint& point : part.embedded)
    points.push_back(placed(geometry::position(point, body.points)));
  for (int32_t node : part.nodes) points.push_back(placed(body.points[node]));
  if (part.whole)
    for (const Vec3d& x : body.points) points.push_back(placed(x));
  out.points = points;
  out.nodes = part.nodes;
  out.texture = part.texture;
  out.surface = part.whole ? body.surface : std::span<const std::array<int32_t, 3>>(part.triangles);
  if (part.whole) {
    out.tets = body.tets;
    out.edges = body.edges;
  }
}

FrameField FrameShape::shaped(const FrameField& field, const Part& part) const {
  FrameField out{field.name, field.unit, field.on_nodes, field.width, {}};
  const auto add = [&](int32_t row) {
    const auto from = field.values.begin() + int64_t{row} * field.width;
    out.values.insert(out.values.end(), from, from + field.width);
  };
  if (part.whole) {
    out.values = field.values;
  } else if (!part.embedded.empty() && field.on_nodes) {
    out.values.resize(part.embedded.size() * field.width);
    for (size_t i = 0; i < part.embedded.size(); ++i)
      for (int k = 0; k < part.embedded[i].count; ++k)
        for (int c = 0; c < field.width; ++c)
          out.values[i * field.width + c] +=
              part.embedded[i].weight[k] * field.values[int64_t{part.embedded[i].node[k]} * field.width + c];
  } else {
    for (int32_t row : field.on_nodes ? part.nodes : part.elements) add(row);
  }
  if (z_up_) turn_to_z_up(field.width, out.values);
  return out;
}

const Frame& FrameShape::apply(const Frame& frame) {
  if (all_) return frame;
  shaped_.index = frame.index;
  shaped_.time = frame.time;
  shaped_.report = frame.report;
  shaped_.meshes.clear();
  for (size_t p = 0; p < parts_.size(); ++p) {
    const FrameMesh& body = frame.meshes[parts_[p].body];
    FrameMesh& out = shaped_.meshes.emplace_back();
    place(body, parts_[p], out, points_[p]);
    for (const FrameField& field : body.fields)
      if (field.on_nodes || parts_[p].whole || !parts_[p].elements.empty())
        out.fields.push_back(shaped(field, parts_[p]));
  }
  return shaped_;
}

}  // namespace sinew::exporting
