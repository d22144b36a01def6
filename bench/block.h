#pragma once
// The block of the benchmarks: a unit cube of n^3 cells in the alternating five-tet split, stable neo-Hookean, one face
// held and the opposite one moved by 50 % stretch and 30 % shear over one second.
#include "model/model.h"

namespace sinew::bench {

model::Model make_block(int cells, double poisson = 0.3);

}  // namespace sinew::bench
