#include "material/law.h"

namespace sinew::material {

const Law* find_law(std::string_view name) {
  for (const Law* law : laws())
    if (law->name == name) return law;
  return nullptr;
}

}  // namespace sinew::material
