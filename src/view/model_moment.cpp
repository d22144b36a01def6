#include "view/model_moment.h"

#include <algorithm>

#include "geometry/closest.h"
#include "measure/stored_contacts.h"

namespace sinew::view {
namespace {

using measure::Snapshot;
using measure::Target;
using model::Column;

constexpr size_t max_marks = 200000;  // of each kind

const Column* find_column(const model::State& state, std::string_view name, size_t width) {
  for (const Column& column : state.columns())
    if (column.spec.name == name && static_cast<size_t>(column.spec.width) == width) return &column;
  return nullptr;
}

std::array<float, 3> to_float(const Vec3d& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

void add_segment(const Vec3d& a, const Vec3d& b, Marks::ConstraintKind kind, Marks& marks) {
  if (marks.constraints.size() >= max_marks) return;
  const std::array<float, 3> p = to_float(a), q = to_float(b);
  marks.constraints.push_back({p[0], p[1], p[2], q[0], q[1], q[2]});
  marks.constraint_kind.push_back(kind);
}

// Rows of contact::Pair::key(): a vertex and a triangle, two edges, or a vertex, an edge or a triangle and a collider. A pair is
// drawn where its side a is: the vertex, the point of the first edge that is closest to the other, or, since rows do not name the
// place on it, the middle of what meets a collider.
void add_pairs(const Column& keys, const Column& forces, std::span<const Vec3d> x, Marks& marks) {
  const auto nodes = static_cast<int64_t>(x.size());
  const size_t rows = std::min({keys.i64.size() / 6, forces.f64.size() / 3, max_marks});
  for (size_t i = 0; i < rows; ++i) {
    const int64_t* key = &keys.i64[6 * i];
    const double* f = &forces.f64[3 * i];
    if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
    const bool on_collider = key[5] >= 0, edges = !on_collider && (key[0] & 1);
    if (std::any_of(key + 1, key + (edges ? 5 : 2), [&](int64_t n) { return n < 0 || n >= nodes; })) continue;
    Vec3d point = x[key[1]];
    if (on_collider) {
      int64_t count = 1;
      while (count < 4 && key[1 + count] >= 0 && key[1 + count] < nodes) point += x[key[1 + count++]];
      point = point / static_cast<double>(count);
    } else if (edges) {
      const geometry::OnEdges on = geometry::closest_on_edges(x[key[1]], x[key[2]], x[key[3]], x[key[4]]);
      point = x[key[1]] + (x[key[2]] - x[key[1]]) * on.s;
    }
    marks.contacts.push_back(to_float(point));
    marks.contact_kind.push_back(key[5] >= 0 ? Marks::body_collider : Marks::body_body);
  }
}

// If a run keeps the forces on nodes alone, a node under force counts as a contact. Which side pressed is then only known
// where bodies meet no bodies.
void add_nodes(const Snapshot& snapshot, Marks& marks) {
  const model::Model& model = snapshot.model();
  const size_t bodies = model.bodies.size();
  bool meet = !model.sliding.empty();
  if (!model.contact.rules.empty())
    for (size_t a = 0; a < bodies; ++a)
      for (size_t b = 0; b < bodies; ++b)
        meet |= model.contact_rule(static_cast<int32_t>(a), static_cast<int32_t>(b)).on;
  const std::span<const Vec3d> forces = measure::contact_node_forces(snapshot), x = snapshot.state().x();
  for (size_t i = 0; i < forces.size() && marks.contacts.size() < max_marks; ++i)
    if (norm2(forces[i]) > 0) {
      marks.contacts.push_back(to_float(x[i]));
      marks.contact_kind.push_back(meet ? Marks::body_body : Marks::body_collider);
    }
}

}  // namespace

ModelStage::ModelStage(const model::Model& model_, std::shared_ptr<const void> owner_, model::Skins skins_)
    : Stage(model_, std::move(skins_)), terms(energy::make_terms(model_)), owner(std::move(owner_)) {
  for (const Target on : {Target::node, Target::element})
    for (const measure::Quantity* quantity : measure::quantities()) {
      if (quantity->on != on) continue;
      const auto same = [&](const FieldInfo& field) { return field.name == quantity->name; };
      if (std::any_of(fields.begin(), fields.end(), same)) continue;
      quantities.push_back(quantity);
      fields.push_back({std::string(quantity->name), std::string(quantity->unit), std::string(quantity->doc),
                        on == Target::node, quantity->width});
    }
  if (skins &&
      std::any_of(skins->begin(), skins->end(), [](const auto& skin) { return !skin.layers.empty(); }))
    fields.push_back({"layers", "1",
                      "How many layers that are not joined lie at the place of the tet at rest.", false, 1});
}

ModelMoment::ModelMoment(int64_t index, std::shared_ptr<const ModelStage> stage, model::State state)
    : Moment(index, state.time(), stage), stage_(std::move(stage)), state_(std::move(state)) {}

const Snapshot& ModelMoment::snapshot() {
  if (!snapshot_) snapshot_.emplace(stage_->model, stage_->model.params, state_, &stage_->terms);
  return *snapshot_;
}

const Marks& ModelMoment::marks() {
  if (!marked_) marks_ = find_marks(snapshot());
  marked_ = true;
  return marks_;
}

std::span<const double> ModelMoment::input_vector() {
  return own_inputs_ ? std::span<const double>(*own_inputs_) : snapshot().inputs();
}

void ModelMoment::set_marks(Marks marks) {
  marks_ = std::move(marks);
  marked_ = true;
}

std::vector<double> ModelMoment::compute(size_t field) {
  if (field == stage_->quantities.size()) return layers();
  const measure::Quantity& quantity = *stage_->quantities[field];
  const model::Model& model = stage_->model;
  const size_t rows = quantity.on == Target::node ? model.X.size() : model.elements.size();
  std::vector<double> values(rows * quantity.width);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    const int32_t first = quantity.on == Target::node ? body.nodes.begin : body.elements.begin;
    quantity.evaluate(snapshot(), static_cast<int>(b),
                      std::span(values).subspan(
                          static_cast<size_t>(first) * quantity.width,
                          static_cast<size_t>(measure::value_count(model, quantity, static_cast<int>(b)))));
  }
  return values;
}

std::vector<double> ModelMoment::layers() const {
  std::vector<double> values(stage_->model.elements.size(), 1);
  for (size_t b = 0; b < stage_->model.bodies.size(); ++b) {
    const std::vector<float>& own = (*stage_->skins)[b].layers;
    std::copy(own.begin(), own.end(), values.begin() + stage_->model.bodies[b].elements.begin);
  }
  return values;
}

Marks find_marks(const Snapshot& snapshot) {
  const model::Model& model = snapshot.model();
  const std::span<const Vec3d> x = snapshot.state().x();
  Marks marks;
  const Column* keys = find_column(snapshot.state(), "contact_key", 6);
  const Column* forces = find_column(snapshot.state(), "contact_force", 3);
  if (keys && forces)
    add_pairs(*keys, *forces, x, marks);
  else
    add_nodes(snapshot, marks);
  for (const model::Attachment& attachment : model.attachments)
    for (const int32_t node : attachment.nodes) add_segment(x[node], x[node], Marks::held, marks);
  for (const model::Link& link : model.links)
    add_segment(model::position(link.a, x, snapshot.inputs()), model::position(link.b, x, snapshot.inputs()),
                Marks::spring, marks);
  for (const model::SlidingLink& link : model.sliding)
    add_segment(x[link.node], x[link.node], Marks::spring, marks);
  return marks;
}

}  // namespace sinew::view
