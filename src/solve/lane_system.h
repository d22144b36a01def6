#pragma once
// System in lanes: eight samples of one shape, one in each lane of packs. They share rest positions, elements, laws and what is
// held; parameters, inputs and loads are a lane's own. Elements are evaluated for all lanes at once, and a lane's arithmetic
// never sees another lane. Bending of sheets, links, weight, loads and pressure are the terms of each lane's own model, lane by lane.
//
//     LaneSystem system(model);
//     system.set(lane, other_model_of_that_shape, inputs);
//     LaneEvaluation at = system.evaluate(x, gradient);        // x[node]: a vector of packs
//     system.assemble(x, exact, {});  Mask definite = system.matrix().factor();
#include <array>
#include <string>
#include <vector>

#include "element/shape.h"
#include "solve/lane_cholesky.h"
#include "solve/system.h"

namespace sinew::solve {

// The results of System::evaluate for each lane.
using LaneEvaluation = std::array<Evaluation, math::lanes_of<math::PackD>>;

class LaneSystem {
 public:
  using Pack = math::PackD;
  using Mask = math::MaskOf<Pack>;
  using Vector = math::Vec3<Pack>;
  using Block = math::Mat3<Pack>;
  static constexpr int lanes = math::lanes_of<Pack>;

  // Names what the model has and lanes lack; empty if it can be solved in lanes.
  static std::vector<std::string> lacks(const model::Model& model);
  // Both can be in the lanes of one LaneSystem.
  static bool same_shape(const model::Model& a, const model::Model& b);

  // Block products of a factorisation (solve/lane_cholesky.h); counting stops above `most`.
  static int64_t products(const model::Model& model, int64_t most);

  explicit LaneSystem(const model::Model& model);

  // `model` must stay while it is in the lane.
  void set(int lane, const model::Model& model, std::span<const double> inputs);
  // The held nodes and directions of a lane where they are to be.
  void retract(int lane, std::span<Vec3d> x) const { dofs_[lane].retract(x); }
  // The same in all lanes of the mask.
  void retract(const Mask& which, std::span<Vector> x) const;

  int32_t nodes() const { return static_cast<int32_t>(model_.X.size()); }
  int32_t blocks() const { return dofs_[0].block_count(); }
  // Free parts of vectors at nodes by unknown, and back, held nodes 0.
  void pull(std::span<const Vector> nodes, std::span<Vector> q) const;
  void push(std::span<const Vector> q, std::span<Vector> nodes) const;

  // Evaluates the lanes of the mask; in the others the gradient may be anything.
  LaneEvaluation evaluate(const Mask& which, std::span<const Vector> x, std::span<Vector> gradient);
  // Second derivatives over the free unknowns into matrix(): exact in these lanes, elsewhere projected. Where `moved` is not
  // empty their product with it, a motion of held nodes, is added to `product`.
  void assemble(const Mask& which, std::span<const Vector> x, const Mask& exact,
                std::span<const Vector> moved = {}, std::span<Vector> product = {});
  LaneCholesky& matrix() { return matrix_; }

 private:
  static constexpr int chunk = 8;  // elements between which the kernel is called
  template <class Shape>
  struct Element {
    static constexpr int dimension = Shape::dimension, nodes = Shape::nodes, edges = nodes - 1;
    element::NodeIds<Shape> node;
    std::array<double, dimension * edges> g;  // gradients of the shape functions of nodes 1, 2, ...
    double volume;                            // [m^3] of the material
    // Of the blocks (a, b), a <= b, by rows; slot -1: a node is held.
    std::array<LaneCholesky::Place, nodes*(nodes + 1) / 2> place;
    bool beside_held;
  };
  struct Set {
    const material::Law* law;
    bool fixed_thickness;  // of triangles
    std::vector<Element<element::Tet4>> tets;
    std::vector<Element<element::Tri3>> triangles;
    int stride;  // of the parameters; 0: one set for all elements
    std::vector<Pack> params;

    template <class F>
    void with_elements(F&& f) const {
      triangles.empty() ? f(tets) : f(triangles);
    }
  };
  // A lane's own terms and their arrays.
  struct Lane {
    energy::Terms terms;
    std::vector<double> inputs;
    Floors floors;
    std::vector<Vec3d> x, internal, external, moved, product;
    energy::BlockMatrix matrix;
    energy::View view() const { return {x, inputs}; }
  };
  struct Partial {
    int32_t node;
    Block P;
    Vector target;
  };

  template <class Shape>
  void add_elements(const model::ElasticSet& elastic, std::vector<Element<Shape>>& elements) const;
  template <class Shape>
  void evaluate_set(const Set& set, const std::vector<Element<Shape>>& elements, std::span<const Vector> x,
                    std::span<Vector> gradient, Pack& energy, Pack& inverted, Pack& least) const;
  template <class Shape>
  void assemble_set(const Set& set, const std::vector<Element<Shape>>& elements, const Mask& exact,
                    std::span<const Vector> x, std::span<const Vector> moved, std::span<Vector> product);
  void evaluate_elements(std::span<const Vector> x, std::span<Vector> gradient,
                         LaneEvaluation& results) const;
  void evaluate_others(int lane, std::span<const Vector> x, std::span<Vector> gradient, Evaluation& result);
  void assemble_others(int lane, bool exact, std::span<const Vector> moved, std::span<Vector> product);
  void project_partials();

  const model::Model& model_;
  std::vector<model::DofMap> dofs_;  // of each lane
  energy::BlockPattern pattern_;
  LaneCholesky matrix_;
  std::vector<Set> sets_;
  std::array<Lane, lanes> lane_;
  // Pattern of the lanes' own terms; null: they are linear in x, or there are none.
  std::shared_ptr<const energy::BlockPattern> others_;
  std::vector<std::pair<int64_t, LaneCholesky::Place>> others_place_;
  std::vector<Vector> external_;
  std::vector<Pack> stiffness_;  // of each node, for the rounding of its force [N/m]
  struct Held {
    int32_t node;
    Vector target;
  };
  std::vector<Held> held_;  // rigidly
  std::vector<Vec3d> targets_;
  std::vector<Partial> partial_;
  std::vector<int32_t> partial_of_;
};

}  // namespace sinew::solve
