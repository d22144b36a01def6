#pragma once
// A Law is an energy density psi(F) [J/m^3 = Pa] as the rest of the program sees it: a name, its
// fields in the scene, its traits and a table of kernels in SIMD lanes. The kernels work point by point:
//
//     F (9 numbers by columns) -> psi, P = dpsi/dF (9), C = d2psi/dF2 (45, upper triangle by rows)
//
// Arrays hold one Pack per number: F of point block k starts at F[9 k]. Parameters are packs as well, so
// that they may vary from element to element; a stride of 0 uses one set for all.
// Every header of this folder that defines `struct Material` becomes one Law (see kernels.h).
#include <span>
#include <string_view>

#include "base/field.h"
#include "material/node_tets.h"
#include "math/scalar.h"

namespace sinew::material {

struct Traits {
  bool isotropic = true;    // psi(F Q) = psi(F)
  bool objective = true;    // psi(Q F) = psi(F)
  bool rest_stable = true;  // psi(I) = 0, P(I) = 0, C(I) positive semi-definite
  bool lame = true;         // fields are young and poisson, and C(I) is the linear elastic tensor
};

enum class Hessian {
  exact,      // the derivative of the stress
  projected,  // its nearest positive semi-definite tensor
  modified,   // 2 mu 1 + lambda cof F cof F^T, definite for every F (material/modified_hessian.h)
};

// Whether what is not positive semi-definite is left out.
constexpr bool definite(Hessian hessian) { return hessian != Hessian::exact; }

enum class Inversion {
  extend,  // psi is continued below det F = extension_start, so that stress stays its derivative
  clamp,   // stress and Hessian taken at max(sigma, threshold); there is no energy below the threshold
};

struct PointOptions {
  Hessian hessian = Hessian::projected;
  Inversion inversion = Inversion::extend;
  double clamp_threshold = 0.25;
  bool fixed_thickness = false;  // of triangles
};

// The constants of isotropic linear elasticity [Pa].
struct Lame {
  double mu, lambda;
  static Lame from(double young, double poisson) {
    return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
  }
};

template <class T>
struct PointKernels {
  // psi and P; either may be null.
  void (*evaluate)(int count, const T* params, int stride, const T* F, PointOptions, T* psi, T* P);
  void (*linearise)(int count, const T* params, int stride, const T* F, PointOptions, T* C);
  // Adds P g and the blocks of the tets around the nodes of a block at x0; x holds four numbers a node
  // (material/node_kernels.h).
  void (*node)(const NodeTets<T>& tets, const math::ScalarOf<T>* x, const math::Vec3<T>& x0,
               NodeSums<T>& sums);
  // U(J), the part of psi that resists a change of volume, with U' and U''; null where a law does not name it.
  void (*volume)(int count, const T* params, int stride, const T* J, T* U, T* dU, T* ddU);

  // Constraints, one block of points at a time: C, and G = dC/dF (9), which has no meaning where C = 0. Of any law,
  // psi = C^2/2, with psi < 0 taken as 0; of a law that names its two, psi = (C_shape^2 + C_volume^2)/2 + const, else null.
  using Constraint = void (*)(const T* params, const T* F, T* C, T* G);
  Constraint energy_constraint, shape_constraint, volume_constraint;
};

// Kernels of triangles: F has two columns, the images of the axes of the triangle's plane, and psi is the energy of a unit of
// volume at rest. The thickness is such that no stress acts across, or fixed.
//
//     F (6 numbers by columns) -> psi, P (6), C (21, upper triangle by rows)
template <class T>
struct MembraneKernels {
  void (*evaluate)(int count, const T* params, int stride, const T* F, PointOptions, T* psi, T* P) = nullptr;
  void (*linearise)(int count, const T* params, int stride, const T* F, PointOptions, T* C) = nullptr;
  // For methods that move one node at a time, one block of points: P g, and in A the six numbers 00 01 02 11 12 22 of the second
  // derivatives in d, dF = d g^T, g the gradient of the node's shape function.
  void (*node)(const T* params, const T* F, const math::Vec<T, 2>& g, PointOptions, math::Vec3<T>& Pg,
               T* A) = nullptr;
  // psi = C^2/2 with psi < 0 taken as 0, one block of points: C, and G = dC/dF (6), which has no meaning where C = 0.
  void (*energy_constraint)(const T* params, const T* F, PointOptions, T* C, T* G) = nullptr;
  // The stretch of the thickness.
  void (*thickness)(int count, const T* params, int stride, const T* F, PointOptions, T* stretch) = nullptr;
};

struct Law {
  std::string_view name;
  std::string_view title;    // for the reference page
  std::string_view formula;  // the energy density
  std::string_view source;   // author, title, year
  Fields fields;             // numbers and truths (0 or 1) one value each; then vectors, three values each
  Traits traits;
  bool frame_invariant = true;  // under rotations of the rest frame, fibres rotated with it
  bool node_majorant = false;   // the block of the node kernel bounds the energy of a node's move from above
  bool node_overestimates = false;  // that block overestimates the second derivative, at rest too
  int param_count = 0;              // numbers per point that the kernels read
  void (*convert)(const double* fields, double* params);  // user's fields -> kernel parameters
  PointKernels<math::PackD> d;                            // null functions: the law is for triangles alone
  PointKernels<math::PackF> f;
  MembraneKernels<math::PackD> membrane_d;  // null functions: the law is not for triangles
  MembraneKernels<math::PackF> membrane_f;

  bool for_solids() const { return d.evaluate; }
  bool for_membranes() const { return membrane_d.evaluate; }
};

// How many values the fields of a law are: the length of what `convert` reads.
int field_value_count(const Law& law);

// First Piola-Kirchhoff stresses P [Pa] at deformation gradients F that share the kernels' parameters, for code without
// lanes of its own.
void evaluate_stress(const Law& law, std::span<const double> params, std::span<const math::Mat3d> F,
                     std::span<math::Mat3d> P);

// All laws of this build, by name in ascending order.
std::span<const Law* const> laws();
std::span<const Law* const> solid_laws();
std::span<const Law* const> membrane_laws();
const Law* find_law(std::string_view name);

// Index of (i, j), i <= j, in the packed upper triangle of a symmetric n x n matrix, 9x9 for solids and 6x6 for triangles.
template <int n = 9>
constexpr int upper(int i, int j) {
  return i * n - i * (i - 1) / 2 + (j - i);
}
inline constexpr int upper_count = 45, membrane_upper_count = 21;

}  // namespace sinew::material
