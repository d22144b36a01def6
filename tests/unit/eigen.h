#pragma once
// Eigen, as the tests' independent algebra. g++ 12 takes the unset registers in its own AVX-512 intrinsics
// for a mistake when Eigen uses them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <Eigen/Dense>
