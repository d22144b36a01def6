#pragma once
// Springs along the three edges of each triangle, as nets and cloth are often made. Together those of the two triangles at an edge of
// length L are a spring of stiffness young thickness (A_1 + A_2) / L^2, A the areas at rest: the choice of Van Gelder. Three
// directions at 60 degrees are the plane stress of Young's modulus `young` and Poisson's ratio 1/3; others are not isotropic.
#include "material/isotropic.h"

namespace sinew::material::edge_springs {

inline constexpr std::string_view edge_doc =
    "Direction of a spring in the axes of the material, warp first; by default that of an edge of each "
    "triangle.";

inline constexpr Field edge_springs_fields[] = {
    {.name = "young",
     .unit = "Pa",
     .doc = "Stiffness of the springs: Young's modulus of a sheet of equilateral triangles.",
     .min = 0,
     .min_open = true,
     .reason = "a material without stiffness has no equilibrium"},
    {.name = "compression",
     .unit = "1",
     .doc = "Share of the stiffness that a spring has where it is shorter than at rest; 0: slack threads.",
     .min = 0,
     .max = 1,
     .reason = "threads are no stiffer when they are shortened",
     .initial = "1"},
    {.name = "edge_1", .kind = Field::Kind::vector3, .doc = edge_doc, .initial = R"({"field": "edge_1"})"},
    {.name = "edge_2", .kind = Field::Kind::vector3, .doc = edge_doc, .initial = R"({"field": "edge_2"})"},
    {.name = "edge_3", .kind = Field::Kind::vector3, .doc = edge_doc, .initial = R"({"field": "edge_3"})"},
};

struct Material {
  static constexpr auto title = "Springs along edges";
  static constexpr auto formula =
      "young/2 sum_i c_i (|F d_i| - 1)^2, d_i the directions of the edges, c_i = 1 where |F d_i| > 1, else "
      "compression";
  static constexpr auto source =
      "Van Gelder: Approximate Simulation of Elastic Membranes by Triangulated Spring Meshes, 1998";
  static constexpr Fields fields = edge_springs_fields;
  static constexpr Traits traits{.isotropic = false, .lame = false};
  static constexpr int param_count = 8;
  static constexpr bool sheet = true;

  static void convert(const double* field, double* p) {
    p[0] = field[0];
    p[1] = field[1];
    for (int i = 0; i < 3; ++i) {
      const double *d = field + 2 + 3 * i, length = std::hypot(d[0], d[1]);
      p[2 + 2 * i] = length > 0 ? d[0] / length : 1;
      p[3 + 2 * i] = length > 0 ? d[1] / length : 0;
    }
  }

  // |F d|^2 = 1 + 2 d.E d. A spring of no length has no direction: below `least` its force ends.
  template <class S, class T>
  static S psi(const T* p, const math::Vec3<S>& E) {
    const S least = S(T(sizeof(math::ScalarOf<T>) == 8 ? 1e-12 : 1e-6)), none = S(T(0));
    S sum = none;
    for (int i = 0; i < 3; ++i) {
      const T x = p[2 + 2 * i], y = p[3 + 2 * i];
      const S along = x * x * E[0] + y * y * E[1] + T(2) * x * y * E[2];
      const S strain = sqrt(max(1.0 + 2.0 * along, least)) - 1.0, square = strain * strain;
      sum = sum + select(strain < none, p[1] * square, square);
    }
    return 0.5 * p[0] * sum;
  }
};

}  // namespace sinew::material::edge_springs
