#include "step/contact_history.h"

#include <algorithm>
#include <limits>

#include "contact/friction.h"

namespace sinew::step {

using contact::Pair;
using math::Vec3d;

namespace {

using Key = std::array<int32_t, 6>;

// Reads the key of a row; false: there can be no such pair.
bool read_key(std::span<const int64_t> row, int64_t points, int64_t colliders, Key& key) {
  bool sound = row[1] >= 0 && row[5] < colliders;
  for (int k = 0; k < 6; ++k) {
    sound &= row[k] > std::numeric_limits<int32_t>::min() && row[k] < std::max(points, colliders + 4);
    key[k] = static_cast<int32_t>(row[k]);
  }
  for (int k = 1; k < 5; ++k) sound &= key[k] < points;
  // Against a collider the points come first, then what they meet of it, then nothing.
  for (int k = 2; k < 5; ++k) sound &= key[5] < 0 ? key[k] >= 0 : key[k - 1] >= 0 || key[k] == -1;
  return sound;
}

}  // namespace

void ContactHistory::declare(const model::Model& model, model::StateLayout& layout) {
  if (!model.has_contacts()) return;
  using model::ColumnType;
  using model::On;
  layout.declare({"contact_key", ColumnType::i64, 6, On::contact});
  layout.declare({"contact_slip", ColumnType::f64, 3, On::contact});
  layout.declare({"contact_load", ColumnType::f64, 1, On::contact});
  layout.declare({"contact_gap", ColumnType::f64, 1, On::contact});
  layout.declare({"contact_force", ColumnType::f64, 3, On::contact});
  layout.declare({"contact_node_force", ColumnType::f64, 3, On::node});
}

void ContactHistory::load(const model::State& state) {
  if (!model_.has_contacts()) return;
  entries_.clear();
  const auto keys = state.integers("contact_key");
  const auto slip = state.vectors("contact_slip");
  const auto load = state.numbers("contact_load");
  const auto points = static_cast<int64_t>(model_.point_count());
  const auto colliders = static_cast<int64_t>(model_.colliders.size());
  for (size_t i = 0; i < slip.size(); ++i) {
    Entry entry{.slip = slip[i], .load = load[i]};
    if (read_key(keys.subspan(6 * i, 6), points, colliders, entry.key)) entries_.push_back(entry);
  }
  loaded_bodies_.assign(entries_.empty() ? 0 : model_.bodies.size(), 0);
  for (const Entry& entry : entries_) {
    loaded_bodies_[model_.body_of_point(entry.key[1])] = 1;
    if (entry.key[5] < 0) loaded_bodies_[model_.body_of_point(entry.key[4])] = 1;
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

void ContactHistory::store(model::State& state) const {
  if (!model_.has_contacts()) return;
  auto& keys = state.rows("contact_key").i64;
  auto &slip = state.rows("contact_slip").f64, &load = state.rows("contact_load").f64,
       &gap = state.rows("contact_gap").f64, &force = state.rows("contact_force").f64;
  keys.clear();
  for (auto* list : {&slip, &load, &gap, &force}) list->clear();
  for (const Entry& entry : entries_) {
    keys.insert(keys.end(), entry.key.begin(), entry.key.end());
    slip.insert(slip.end(), entry.slip.v, entry.slip.v + 3);
    load.push_back(entry.load);
    gap.push_back(entry.gap);
    force.insert(force.end(), entry.force.v, entry.force.v + 3);
  }
  std::copy(node_force_.begin(), node_force_.end(), state.vectors("contact_node_force").begin());
}

// The entry of this pair or, of a vertex that has moved to another part of the same body, the one it had there. On a sheet, which a
// vertex may touch from both sides and in several layers, only a part beside is taken for the same contact.
const ContactHistory::Entry* ContactHistory::find(std::span<const Entry> entries, const Pair& pair) const {
  const Key key = pair.key();
  auto at = std::lower_bound(entries.begin(), entries.end(), key,
                             [](const Entry& entry, const Key& k) { return entry.key < k; });
  if (at != entries.end() && at->key == key) return &*at;
  if (pair.edges || pair.collider >= 0) return nullptr;  // the walls of a collider are not one surface
  at = std::lower_bound(entries.begin(), entries.end(), key, [](const Entry& entry, const Key& k) {
    return entry.key[0] != k[0] ? entry.key[0] < k[0] : entry.key[1] < k[1];
  });
  const bool sheet = model_.bodies[pair.body[1]].kind->is_triangle();
  const auto beside = [&](const Entry& entry) {
    return std::any_of(entry.key.begin() + 2, entry.key.begin() + 5, [&](int32_t node) {
      return std::find(pair.node.begin() + 1, pair.node.end(), node) != pair.node.end();
    });
  };
  for (; at != entries.end() && at->key[0] == 0 && at->key[1] == key[1]; ++at)
    if (at->key[5] < 0 && model_.body_of_point(at->key[2]) == pair.body[1] && (!sheet || beside(*at)))
      return &*at;
  return nullptr;
}

void ContactHistory::carry_over(contact::ContactSet& set, const std::vector<Entry>* solved) const {
  for (Pair& pair : set.pairs) {
    if (!(pair.friction > 0)) continue;
    const Entry* entry = find(entries_, pair);
    if (entry) pair.slip = entry->slip;
    if (solved) entry = find(*solved, pair);
    if (entry) pair.load = std::max(entry->load, 0.0);
  }
}

void ContactHistory::clear() {
  entries_.clear();
  node_force_.assign(model_.X.size(), {0, 0, 0});
}

bool ContactHistory::record(const Pair& pair, const Vec3d& d, StepReport& report) {
  const double normal = contact::normal_force(pair, d), gap = dot(pair.normal, d);
  if (normal == 0) return false;
  const contact::Friction friction(pair, d);
  const Vec3d u = friction.kept_slip();
  const Vec3d force = pair.normal * normal - u * contact::tangent_stiffness(pair);
  entries_.push_back({pair.key(), u, normal, gap, force});
  contact::for_each_node(model_, pair,
                         [&](int32_t node, double weight) { node_force_[node] += force * weight; });
  report.contacts += normal > 0;
  if (!friction.sticks()) report.dissipation += friction.dissipation();
  return true;
}

}  // namespace sinew::step
