#pragma once
// The constraints of the elements of one ElasticSet, one quadrature point each: C(F) with dC/dF = G moves node a by
//
//     dx_a = m_a G g_a dl,   dl = -(C + c l) / (sum_a m_a |G g_a|^2 + c),   l += dl,   c = 1/V
//
// m_a the mobility, g_a the gradients of the shape functions, l the multiplier (Macklin, Mueller, Chentanez: XPBD, 2016).
// Energies are in the laws' constraints: V psi = V (C_shape^2 + C_volume^2) / 2, so both have the compliance 1/V, V the volume
// that is material (Model::coverage). Hard constraints have none, and no multiplier. One of shape or energy whose C^2 is
// rounding error counts as met.
//
// Elements are coloured one by one (mesh/colouring.h): those of a colour share no node. Eight of a colour lie in the lanes of
// a pack, threads take blocks of packs. Per tet: 9 doubles of rest shape, 4 node ids and 2 multipliers (104 bytes) are
// read and 16 bytes of multipliers written, beside the nodes and parameters that vary. Triangles have one constraint, of their
// energy.
#include "element/block.h"
#include "energy/bound_law.h"
#include "solve/constraint_set.h"
#include "solve/system.h"

namespace sinew::solve {

template <class Shape>
class ElementConstraints final : public ConstraintSet {
 public:
  // Elements whose nodes are all held are left out.
  ElementConstraints(const System& system, int32_t set, bool hard);

  void start() override;
  void sweep(std::span<MobileNode> nodes) override;

  int colour_count() const { return static_cast<int>(first_pack_.size()) - 1; }
  std::vector<int32_t> elements_of(int colour) const;  // ids in Model::elements

 private:
  using Pack = math::PackD;
  using Vector = math::Vec3<Pack>;
  using Block = element::ElementBlock<Shape>;
  using Gradient = typename Block::Matrix;
  static constexpr int lanes = element::lanes;
  static constexpr int nodes = Shape::nodes, edges = nodes - 1;
  static_assert(Shape::points == 1);
  static constexpr int block_packs = 32;

  const model::ElasticSet& elastic() const { return system_.model().sets[set_]; }
  void bind();  // takes the parameters that the system has now
  const int32_t* lane_ids(int64_t pack, int a) const { return &lane_ids_[(pack * nodes + a) * lanes]; }
  void mark_guided(size_t node_count);
  void choose_constraints();
  void relax(int64_t pack, std::span<MobileNode> mobile);
  void evaluate(int c, int64_t pack, const Pack* F, Pack& C, Pack* G) const;
  // dC/dx of the nodes from dC/dF.
  void node_gradients(int64_t pack, const Gradient& G, Vector (&y)[nodes]) const;
  void project_guided(int64_t pack, Vector (&y)[nodes]) const;

  const System& system_;
  const model::DofMap* dofs_;
  int32_t set_;
  int64_t bound_to_ = -1;  // version of the system's parameters
  bool hard_;
  energy::BoundLaw law_;
  material::PointKernels<Pack>::Constraint constraint_[2] = {};
  int constraint_count_ = 0;
  double met_ = 0;                   // C^2 below this is 0 [Pa]
  double thickness_ = 1;             // of triangles [m]
  std::vector<int32_t> place_;       // in the set, of every lane; padding repeats the last of its colour
  std::vector<int64_t> first_pack_;  // of each colour, and the end
  Block block_;
  std::vector<int32_t> lane_ids_;  // per pack and node, lane by lane: as gathers and scatters read them
  std::vector<Pack> coverage_;     // per pack; empty: whole elements
  std::vector<Pack> multiplier_;   // per pack and constraint
  std::vector<uint8_t> guided_;    // the pack has a node on a plane or a line
};

}  // namespace sinew::solve
