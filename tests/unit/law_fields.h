#pragma once
// Values for the fields of any law.
#include <string>
#include <vector>

#include "material/law.h"

namespace sinew::material {

// young and poisson as given; other moduli near 1, the rest by default, or 1. Fibres lie askew. The constants of Yeoh,
// Ogden and Fung are odd, so that none of them hides another.
inline std::vector<double> field_values(const Law& law, double young, double poisson) {
  if (law.name == "yeoh") return {1.1, 0.07, 0.013, 2.3};
  if (law.name == "ogden") return {0.9, 1.3, 0.05, 4.1, -0.2, -1.7, 2.3};
  if (law.name == "fung") return {young, poisson, 0.37};
  if (law.name == "orthotropic") return {young, 0.6 * young, 0.25, 0.17 * young};
  if (law.name == "edge_springs") return {young, 0.6, 1, 0.1, 0, 0.4, 0.8, 0, -0.7, 0.9, 0};
  std::vector<double> values;
  for (const Field& field : law.fields) {
    const bool given = !field.initial.empty();
    if (field.name == "young")
      values.push_back(young);
    else if (field.name == "poisson")
      values.push_back(poisson);
    else if (field.kind == Field::Kind::vector3)
      values.insert(values.end(), {0.48, 0.6, 0.64});
    else if (field.kind == Field::Kind::boolean)
      values.push_back(field.initial == "true");
    else
      values.push_back((given ? std::stod(std::string(field.initial)) : 1.0) *
                       (given && field.unit == "Pa" ? 1e-5 : 1.0));
  }
  return values;
}

}  // namespace sinew::material
