#pragma once
// Tets of four nodes: what other kinds of tets build on.
#include "element/kind.h"

namespace sinew::element {

const Kind& kind_tet_linear();

}  // namespace sinew::element
