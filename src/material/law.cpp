#include "material/law.h"

#include <algorithm>
#include <vector>

#include "math/pack.h"

namespace sinew::material {

int field_value_count(const Law& law) {
  int count = 0;
  for (const Field& field : law.fields) count += field.kind == Field::Kind::vector3 ? 3 : 1;
  return count;
}

void evaluate_stress(const Law& law, std::span<const double> params, std::span<const math::Mat3d> F,
                     std::span<math::Mat3d> P) {
  constexpr size_t lanes = math::lanes_of<math::PackD>;
  const std::vector<math::PackD> packed(params.begin(), params.end());
  for (size_t first = 0; first < F.size(); first += lanes) {
    math::PackD in[9], out[9];
    for (size_t lane = 0; lane < lanes; ++lane) {
      const math::Mat3d& at = F[std::min(first + lane, F.size() - 1)];
      for (int k = 0; k < 9; ++k) in[k].set(static_cast<int>(lane), at.c[k / 3].v[k % 3]);
    }
    law.d.evaluate(1, packed.data(), 0, in, {}, nullptr, out);
    for (size_t lane = 0; lane < std::min(lanes, F.size() - first); ++lane)
      for (int k = 0; k < 9; ++k) P[first + lane].c[k / 3].v[k % 3] = out[k][static_cast<int>(lane)];
  }
}

namespace {

std::vector<const Law*> laws_where(bool (Law::*has)() const) {
  std::vector<const Law*> list;
  for (const Law* law : laws())
    if ((law->*has)()) list.push_back(law);
  return list;
}

}  // namespace

std::span<const Law* const> solid_laws() {
  static const std::vector<const Law*> list = laws_where(&Law::for_solids);
  return list;
}

std::span<const Law* const> membrane_laws() {
  static const std::vector<const Law*> list = laws_where(&Law::for_membranes);
  return list;
}

const Law* find_law(std::string_view name) {
  for (const Law* law : laws())
    if (law->name == name) return law;
  return nullptr;
}

}  // namespace sinew::material
