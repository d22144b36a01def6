#include "material/law.h"

namespace sinew::material {

int field_value_count(const Law& law) {
  int count = 0;
  for (const Field& field : law.fields) count += field.kind == Field::Kind::vector3 ? 3 : 1;
  return count;
}

const Law* find_law(std::string_view name) {
  for (const Law* law : laws())
    if (law->name == name) return law;
  return nullptr;
}

}  // namespace sinew::material
