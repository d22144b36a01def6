#pragma once
// The Hessian of a law at rest, and its Lame parameters, for each different set of constants.
#include <functional>
#include <vector>

#include "material/law.h"
#include "model/model.h"

namespace sinew::model {

// visit(i, C): C the packed upper triangle at F = 1 with the constants of element i; one visit where all are uniform.
// Muscles are relaxed: an active one is not at rest at F = 1.
void for_each_rest_hessian(const material::Law& law, const std::vector<ParamField>& fields,
                           const std::function<void(size_t i, const double* C)>& visit);

// The Lame parameters of small strain, element by element, or one pair where all are uniform: those of the isotropic
// tensor nearest to the Hessian at rest (for an isotropic law that tensor itself), from its contractions
// C_iijj = 9 lambda + 6 mu and C_ijij = 3 lambda + 12 mu. Negative ones count as 0: what is made of them is definite.
std::vector<material::Lame> rest_lame(const material::Law& law, const std::vector<ParamField>& fields);

}  // namespace sinew::model
