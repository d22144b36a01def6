#pragma once
// Integrals over the elements and faces of a specimen, of first or second order, by product rules of Gauss points
// in collapsed coordinates: loads and norms of the verification problems. The rules are finer than, and other than,
// those of the energies.
//
//     for_each_point(model, [&](const ElementPoint& p) { sum += p.volume * f(p.X); });
//     add_traction(specimen, "xmax", [](const Vec3d&, const Vec3d& normal) { return normal * 2.0; });
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "element/shape.h"
#include "mesh/split.h"
#include "verify/specimen.h"

namespace sinew::verify {

// The ways to discretise that the problems compare.
struct Discretisation {
  std::string_view id, name;
  mesh::Split split;
  std::string_view elements;  // element::Kind::name
  int32_t coarser = 1;        // as many times longer are the cells for about as many nodes
};
inline constexpr Discretisation crossed = {"crossed", "linear, 24 a cell", mesh::Split::crossed, "linear"};
inline constexpr Discretisation discretisations[] = {
    {"linear", "linear, six a cell", mesh::Split::six, "linear"},
    crossed,
    {"averaged", "averaged volume, six a cell", mesh::Split::six, "averaged"},
    {"second_order", "second order, six a cell", mesh::Split::six, "quadratic", 2},
};

// The mesh with the nodes of a kind of that name.
mesh::TetMesh with_nodes(mesh::TetMesh mesh, std::string_view elements);

struct ElementPoint {
  int32_t tet = 0;
  int count = 0;  // nodes: 4 or 10
  std::array<int32_t, 10> node{};
  std::array<double, 10> N{};
  std::array<Vec3d, 10> grad{};  // of N at rest [1/m]
  Vec3d X{};                     // rest position [m]
  double volume = 0;             // that the point stands for [m^3]

  // Values of a field of vectors at the nodes: the field and its gradient here.
  Vec3d value(std::span<const Vec3d> nodes) const;
  Mat3d gradient(std::span<const Vec3d> nodes) const;
};

// The point at barycentric coordinates L, which stands for a share of the tet.
ElementPoint point_of(const model::Model& model, int32_t tet, const element::Barycentric& L, double share);
void for_each_point(const model::Model& model, const std::function<void(const ElementPoint&)>& f);

// Loads the faces whose corners are all in a group with a traction [Pa], a function of rest position and outward
// normal.
void add_traction(Specimen& specimen, const std::string& group,
                  const std::function<Vec3d(const Vec3d& X, const Vec3d& normal)>& traction);

// The faces of second order, facing outwards.
std::vector<std::array<int32_t, 6>> curved_faces(const Specimen& specimen, const std::string& group);

// The stress of a law at deformation gradients, straight from its kernels.
class PointStress {
 public:
  explicit PointStress(const Solid& solid);
  void operator()(std::span<const Mat3d> F, std::span<Mat3d> P) const;  // first Piola [Pa]

 private:
  const material::Law& law_;
  std::vector<double> params_;
};

// First Piola stress at a node: the mean over the tets that have it as a corner, each at that corner [Pa].
Mat3d stress_at_node(const Specimen& specimen, const Solid& solid, const Solution& solution, int32_t node);

}  // namespace sinew::verify
