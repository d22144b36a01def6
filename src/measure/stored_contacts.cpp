#include "measure/stored_contacts.h"

#include <algorithm>
#include <map>

namespace sinew::measure {

using math::Vec3d;
using model::Column;
using model::ColumnType;

namespace {

const Column* find_column(const Snapshot& snapshot, std::string_view name, ColumnType type, int32_t width) {
  for (const Column& column : snapshot.state().columns())
    if (column.spec.name == name && column.spec.type == type && column.spec.width == width) return &column;
  return nullptr;
}

}  // namespace

std::vector<Contact> contacts(const Snapshot& snapshot) {
  const model::Model& model = snapshot.model();
  const Column* keys = find_column(snapshot, "contact_key", ColumnType::i64, 6);
  const Column* forces = find_column(snapshot, "contact_force", ColumnType::f64, 3);
  std::vector<Contact> list;
  if (!keys || !forces) return list;
  const auto points = static_cast<int64_t>(model.point_count()),
             colliders = static_cast<int64_t>(model.colliders.size());
  const size_t rows = std::min(keys->i64.size() / 6, forces->f64.size() / 3);
  for (size_t i = 0; i < rows; ++i) {
    const int64_t* key = &keys->i64[6 * i];
    const int64_t collider = key[5], of_a = key[1], of_b = key[0] & 1 ? key[3] : key[2];
    if (of_a < 0 || of_a >= points || collider < -1 || collider >= colliders) continue;
    if (collider < 0 && (of_b < 0 || of_b >= points)) continue;
    const double* f = &forces->f64[3 * i];
    list.push_back({model.body_of_point(static_cast<int32_t>(of_a)),
                    collider >= 0 ? static_cast<int32_t>(model.bodies.size() + collider)
                                  : model.body_of_point(static_cast<int32_t>(of_b)),
                    {f[0], f[1], f[2]}});
  }
  return list;
}

std::span<const Vec3d> contact_node_forces(const Snapshot& snapshot) {
  const Column* column = find_column(snapshot, "contact_node_force", ColumnType::f64, 3);
  if (!column || column->f64.size() != 3 * snapshot.model().X.size()) return {};
  return snapshot.state().vectors("contact_node_force");
}

BodyPair pair_of(const model::Model& model, int target) {
  const auto all = static_cast<int>(model.bodies.size() + model.colliders.size());
  return {target / all, target % all};
}

std::vector<PairForce> pair_forces(const Snapshot& snapshot) {
  std::map<std::pair<int32_t, int32_t>, PairForce> pairs;
  for (const Contact& contact : contacts(snapshot)) {
    if (!contact.presses()) continue;
    const auto [low, high] = std::minmax(contact.a, contact.b);
    PairForce& pair = pairs.try_emplace({low, high}, PairForce{{low, high}, 0, {0, 0, 0}}).first->second;
    ++pair.contacts;
    if (low != high) pair.force += contact.force * (contact.a == low ? 1.0 : -1.0);
  }
  std::vector<PairForce> list;
  for (const auto& [key, pair] : pairs) list.push_back(pair);
  return list;
}

}  // namespace sinew::measure
