#pragma once
// A Frame is what sinks take: named meshes with fields at one time, and the frame's statistics. It is made
// from a model and a state here; other makers (a network) fill the same struct.
//
//     FrameMaker maker(model, {"displacement", "stress"});
//     Frame frame = maker.make(index, snapshot);
//
// A Frame refers to the maker's and the state's arrays: it is valid until either changes.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "json/json.h"
#include "measure/quantity.h"
#include "mesh/mesh.h"
#include "mesh/texture.h"
#include "model/model.h"

namespace sinew::exporting {

// A frame that is there, or will be.
struct FrameStamp {
  int64_t index = 0;
  double time = 0;  // [s]
};

struct FrameField {
  std::string name;
  std::string unit;
  bool on_nodes = true;  // else on elements, or on the triangles of the surface where there are none
  int width = 1;         // 1, 3 or 6 (xx yy zz xy yz zx)
  std::vector<double> values;
};

struct FrameMesh {
  std::string name;
  std::span<const math::Vec3d> points;           // [m]
  std::span<const std::array<int32_t, 4>> tets;  // corners, ids among the points; none: a surface alone
  std::span<const std::array<int32_t, 6>>
      edges;  // of tets of second order: mesh::TetMesh::edge_nodes; may be empty
  std::span<const std::array<int32_t, 3>> surface;  // outward, ids among the points
  std::span<const int32_t> nodes;                   // where the points are some of a body's nodes: which
  std::vector<FrameField> fields;
  std::span<const mesh::FlatTriangle> texture = {};  // of the corners of each triangle; may be empty
};

struct Frame {
  int64_t index = 0;
  double time = 0;  // [s]
  std::vector<FrameMesh> meshes;
  json::Json report;  // the frame's line of stats.jsonl; null where nothing was computed
};

// Points and surface with the fields that are on them, as a mesh for files.
mesh::TriMesh surface_of(const FrameMesh& mesh);
// The same as OBJ, with texture coordinates.
std::string obj_of(const FrameMesh& mesh);

class FrameMaker {
 public:
  // Names that are no node or element quantity are passed over; scenes are checked before.
  FrameMaker(const model::Model& model, std::span<const std::string> fields);
  Frame make(int64_t index, const measure::Snapshot& snapshot) const;

 private:
  const model::Model& model_;
  std::vector<const measure::Quantity*> quantities_;
  std::vector<std::vector<std::array<int32_t, 4>>> tets_;     // [body]
  std::vector<std::vector<std::array<int32_t, 6>>> edges_;    // [body]
  std::vector<std::vector<std::array<int32_t, 3>>> surface_;  // [body]
};

}  // namespace sinew::exporting
