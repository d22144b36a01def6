#pragma once
// A Quantity is a named number or field that can be read off a model and a state: each file of this folder
// that defines const Quantity& quantity_<stem>() adds one. `expect`, the statistics, the VTU files, the viewer
// and the batches all use the same list.
//
// In a scene a quantity is written target.quantity[.component][.reduction]:
//     "block.det_F.min"   "block.stress.xy.max"   "tip.position.x"   "left.force.norm"   "block.volume"
//     "block:floor.contact_force.y"   a pair: of two bodies, or of a body and a collider
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "energy/terms.h"
#include "model/model.h"

namespace sinew::measure {

// The configuration that is measured: a model, its parameters and inputs, and a state. Forces are computed once, when a
// quantity first asks for them. Not for use by several threads at once.
class Snapshot {
 public:
  // `terms`, bound to `params`, saves making them for every Snapshot; null: made when forces are asked for.
  Snapshot(const model::Model& model, const model::Params& params, const model::State& state,
           const energy::Terms* terms = nullptr);

  const model::Model& model() const { return model_; }
  const model::Params& params() const { return params_; }
  const model::State& state() const { return state_; }
  std::span<const double> inputs() const { return inputs_; }
  // Lumped mass of every node [kg].
  std::span<const double> mass() const;
  // Gradient of the internal and of the external energy at every node [N]: minus the force.
  std::span<const math::Vec3d> internal_gradient() const;
  std::span<const math::Vec3d> external_gradient() const;
  // Of each body, how much the bending of sheets stores [J].
  std::span<const double> bending_energy() const;
  // The colour of every node in the sweeps of pbng, without those that contacts add for a step.
  std::span<const int32_t> node_colours() const;

 private:
  void compute_forces() const;
  void set_motion(const energy::Terms& terms) const;
  const model::Model& model_;
  const model::Params& params_;
  const model::State& state_;
  const energy::Terms* terms_;
  std::vector<double> inputs_;
  mutable std::vector<double> mass_, bending_;
  mutable std::vector<math::Vec3d> internal_, external_;
  mutable std::vector<int32_t> colours_;
};

// The kind of thing that a quantity belongs to. A node or element quantity is a field over a body.
enum class Target { node, element, body, attachment, probe, pair };

struct Quantity {
  std::string_view name;
  std::string_view unit;
  std::string_view doc;
  Target on = Target::body;
  int width = 1;  // 1, 3 or 6 (xx yy zz xy yz zx)
  // Fills width numbers, or width numbers per visible node or element of the body `target`.
  void (*evaluate)(const Snapshot&, int target, std::span<double> out);
};

std::span<const Quantity* const> quantities();
// A name may stand for one quantity on each kind of target; null: there is none.
const Quantity* find_quantity(std::string_view name, Target on);
// How many numbers evaluate() fills.
int64_t value_count(const model::Model& model, const Quantity& quantity, int target);

// A parsed "target.quantity.component.reduction".
struct Reading {
  const Quantity* quantity = nullptr;
  int target = 0;  // index of the body, attachment, probe or pair (measure/stored_contacts.h)
  enum class Component { all, x, y, z, xx, yy, zz, xy, yz, zx, norm } component = Component::all;
  enum class Reduction {
    none,
    min,
    max,
    mean
  } reduction = Reduction::none;  // mean: over nodes or elements, unweighted
};

// Refuses with the names that exist when the target, quantity, component or reduction is unknown, or when the
// words do not give a single number. Names of targets may contain dots; the longest that fits is taken.
Result<Reading> parse_reading(const model::Model& model, std::string_view text);
// The same, but what gives several numbers is let through: a field without a reduction, a vector without a component.
Result<Reading> parse_values(const model::Model& model, std::string_view text);
// Numbers in each row of read_values(): the components that are read.
int width_of(const Reading& reading);
// One row, or one for each node or element where a field is not reduced.
std::vector<double> read_values(const Snapshot& snapshot, const Reading& reading);
// NaN where a value is not a number.
double read(const Snapshot& snapshot, const Reading& reading);

}  // namespace sinew::measure
