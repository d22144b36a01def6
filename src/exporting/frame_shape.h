#pragma once
// Selects the part of a Frame that goes to other programs, and its form: the bodies asked for, with all nodes or as surfaces, or surfaces of
// the user's that a body carries (geometry/embedding.h); y or z up; in metres or another unit.
//
//     Result<FrameShape> shape = FrameShape::make(model, {.what = What::surface, .z_up = true, .unit = 0.01});
//     const Frame& shaped = shape->apply(frame);   // valid until the next one
//
// A body with a skin (model/skin.h) is exported as that in place of its own surface; its triangles have the values of
// the tets that carry their first corners. Order: bodies as in the scene, then the user's surfaces. A surface has the body's nodes that are on it, in the body's
// order, and its triangles; a user's surface has its own. z up is (x, y, z) -> (x, -z, y). Fields turn with the
// axes and stay in SI units; on a user's surface those on nodes are interpolated and the others left out. Triangles keep
// their texture coordinates.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exporting/frame.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "model/skin.h"

namespace sinew::exporting {

enum class What { surface, volume };

// Takes the place of the body; named after the file. In the axes and unit of the output.
struct CarriedSurface {
  std::string body;
  std::string name;
  std::string file;  // for messages
  mesh::TriMesh mesh;
};

struct ShapeOptions {
  What what = What::surface;
  std::vector<std::string> bodies = {};  // empty: all
  std::vector<CarriedSurface> carried = {};
  model::Skins skins = {};    // in place of the surfaces of the bodies that have one, and texture coordinates
  bool own_surfaces = false;  // of the skins only the texture coordinates
  bool z_up = false;
  double unit = 1;  // [m]
};

class FrameShape {
 public:
  // Refuses bodies that there are not, two meshes of one name, and surfaces that are too far from their body.
  static Result<FrameShape> make(const model::Model& model, const ShapeOptions& options);
  FrameShape(FrameShape&&) noexcept;
  ~FrameShape();

  // Takes a Frame that a FrameMaker made for the model.
  const Frame& apply(const Frame& frame);
  // The meshes at rest, without fields; valid as long as this lives, also after a move.
  std::span<const FrameMesh> rest() const { return rest_.meshes; }

 private:
  struct Part;
  FrameShape();
  math::Vec3d placed(const math::Vec3d& p) const;
  void place(const FrameMesh& body, const Part& part, FrameMesh& out, std::vector<math::Vec3d>& points) const;
  FrameField shaped(const FrameField& field, const Part& part) const;

  std::vector<Part> parts_;
  bool all_ = false;  // every body as it is: nothing to do
  bool z_up_ = false;
  double unit_ = 1;
  std::vector<std::vector<math::Vec3d>> points_, rest_points_;  // [part]
  Frame shaped_, rest_;
  std::unique_ptr<FrameMaker> maker_;  // whose arrays the rest pose refers to
};

}  // namespace sinew::exporting
