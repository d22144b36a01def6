#pragma once
// The list of the terms of a model, for headers that only hand it on.
#include <memory>
#include <vector>

namespace sinew::energy {

class Term;
using Terms = std::vector<std::unique_ptr<Term>>;

}  // namespace sinew::energy
