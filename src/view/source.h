#pragma once
// The content of a pane. A Source has frames; a Moment is one of them, with the positions of all nodes and any field on
// demand; a Stage is what all moments share until the topology changes: the model and its visible surface.
//
//     auto moment = source.at(12);
//     auto values = (*moment)->values("stress", "xy");   // one number a tet
//
// Everything here is called by one thread at a time.
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exporting/exporter.h"
#include "json/json.h"
#include "mesh/properties.h"
#include "model/model.h"
#include "view/visible.h"

namespace sinew::view {

using json::Json;
using math::Vec3d;

struct FieldInfo {
  std::string name, unit, doc;
  bool on_nodes = true;  // else on elements; on triangles where there are none
  int width = 1;

  // "norm" first; none for plain numbers.
  std::vector<std::string> components() const;
};

struct Stage {
  explicit Stage(const model::Model& model_, model::Skins skins_ = {})
      : model(model_), skins(std::move(skins_)), surface(model_, skins) {}
  const model::Model& model;
  model::Skins skins;
  VisibleSurface surface;
  std::vector<FieldInfo> fields;
};

// Contacts as points and what holds the bodies as segments, in world coordinates [m].
struct Marks {
  enum ContactKind : uint8_t { body_body = 0, body_collider = 1 };
  enum ConstraintKind : uint8_t { held = 0, spring = 1 };
  std::vector<std::array<float, 3>> contacts;
  std::vector<uint8_t> contact_kind;
  std::vector<std::array<float, 6>> constraints;  // two points; the same twice for a node that is held
  std::vector<uint8_t> constraint_kind;
};

class Moment {
 public:
  Moment(int64_t index, double time, std::shared_ptr<const Stage> stage)
      : index_(index), time_(time), stage_(std::move(stage)) {}
  virtual ~Moment() = default;

  int64_t index() const { return index_; }
  double time() const { return time_; }  // [s]
  const std::shared_ptr<const Stage>& stage() const { return stage_; }
  virtual std::span<const Vec3d> positions() const = 0;
  virtual const Marks& marks() { return marks_; }
  const Json& line() const { return line_; }  // of stats.jsonl; null: there is none
  void set_line(Json line) { line_ = std::move(line); }
  const Json& inputs() const { return inputs_; }  // of a live scene, by name; null: there are none
  void set_inputs(Json inputs) { inputs_ = std::move(inputs); }
  // The input vector, which says where colliders are; empty: the model has no inputs.
  virtual std::span<const double> input_vector() { return {}; }

  // One number per node, tet or bare triangle of the model; computed once. An empty component means the norm.
  Result<std::span<const float>> values(const std::string& field, const std::string& component);

 protected:
  // Computes all components, `width` numbers each.
  virtual std::vector<double> compute(size_t field) = 0;
  Marks marks_;

 private:
  int64_t index_;
  double time_;
  std::shared_ptr<const Stage> stage_;
  Json line_, inputs_;
  std::map<std::pair<size_t, int>, std::vector<float>> values_;
};

struct ValueRange {
  double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity();

  bool empty() const { return !(min <= max); }
  void add(double value) {  // passes over what is no number
    if (value < min) min = value;
    if (value > max) max = value;
  }
  void add(std::span<const float> values);
};

class Source {
 public:
  virtual ~Source() = default;

  // A pane of the first message to a page: name, bodies, fields, frames, box, stats, warnings.
  virtual Json describe() = 0;
  virtual std::span<const exporting::FrameStamp> frames() const = 0;
  virtual const std::shared_ptr<const Stage>& stage() const = 0;
  virtual mesh::Bounds box() = 0;  // of what there is to see; may grow
  // A frame by its number, or the newest of a live scene; the last ones are kept.
  virtual Result<std::shared_ptr<Moment>> at(int64_t index);
  // Looks for frames that have come since: {"say": "grow", "frames": [...], "stats": [...]}, or null.
  virtual Json grow() { return {}; }

  // The range of a field over all frames. It grows by a frame with every call of advance() until that says false.
  struct RunRange {
    ValueRange range;
    size_t looked_at = 0;  // of frames()
    bool complete = false;
  };
  RunRange range(const std::string& field, const std::string& component);
  bool advance();

 protected:
  virtual Result<std::shared_ptr<Moment>> load(int64_t index) = 0;
  void forget();  // what is kept, when frames change

 private:
  std::deque<std::shared_ptr<Moment>> recent_;
  std::map<std::pair<std::string, std::string>, RunRange> ranges_;
};

// Parts of describe().
Json describe_bodies(const Stage& stage);
Json describe_colliders(const model::Model& model);
Json describe_fields(const Stage& stage);
Json describe_frames(std::span<const exporting::FrameStamp> frames);
Json describe_box(const mesh::Bounds& box);

}  // namespace sinew::view
