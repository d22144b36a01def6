#pragma once
// The messages that carry a picture: the topology of what is seen, once, and a frame of it for every moment.
//
//     colliders {pane}: points (P,3), triangles (K,3), collider (K)
//     topology {pane, generation}: triangles (T,3), nodes (V), tets (T), body (T)
//     frame {pane, generation, index, time, playing, field, line}: positions (V,3), values (V) or (T), contacts (C,3),
//           contact_kind (C), constraints (S,2,3), constraint_kind (S), collider_poses (colliders, 12)
// A pose takes the points of a collider to the world: three columns of a matrix, then a translation.
#include <string>
#include <vector>

#include "view/message.h"
#include "view/source.h"
#include "view/visible.h"

namespace sinew::view {

struct FieldChoice {
  std::string name, component;  // no name: no field
  bool over_run = false;        // its range is that of all frames
};

struct FrameTags {
  int pane = 0;
  int64_t generation = 0;
  bool playing = false;
};

std::string topology_message(const FrameTags& tags, const Topology& topology);
// Planes are squares for a scene of that box. Empty: the model has no colliders.
std::string colliders_message(int pane, const model::Model& model, const mesh::Bounds& box);
std::vector<float> gather_collider_poses(Moment& moment, const mesh::Bounds& box);

// Positions and values at the vertices and triangles that are sent: three numbers a vertex, one a vertex or triangle.
std::vector<float> gather_positions(const Moment& moment, const Topology& topology);
std::vector<float> gather_values(const FieldInfo& field, std::span<const float> all,
                                 const Topology& topology);

// The header without arrays; `range` of the field.
Json frame_header(const FrameTags& tags, const Moment& moment);
Json field_header(const FieldInfo& field, const std::string& component, const ValueRange& range);
void add_marks(MessageWriter& message, const Marks& marks);

const FieldInfo* find_field(const Stage& stage, const std::string& name);

}  // namespace sinew::view
