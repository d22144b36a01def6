#pragma once
// The cost of the parts of a solve per tet, as fixed numbers, so that a method may weigh one against another without a clock.
// The unit is an iteration of conjugate gradients on the assembled matrix: about 55 flops and 210 bytes a tet. The others
// follow from their counts (a sweep 700 to 1600 flops and 340 bytes, an assembly about 4,000 flops and 700 bytes with its
// scattered writes, an evaluation about a sweep) and agree with `sinew bench` within a factor of two.
namespace sinew::solve::work {

inline constexpr double linear_iteration = 1;
inline constexpr double sweep = 8;
inline constexpr double evaluation = 8;
inline constexpr double assembly = 60;
inline constexpr double hierarchy = 40;  // the matrices of a multigrid cycle
// An iteration of Newton's method with forty of conjugate gradients, after which a tenth of the residual remains.
inline constexpr double newton = assembly + evaluation + 40 * linear_iteration;

}  // namespace sinew::solve::work
