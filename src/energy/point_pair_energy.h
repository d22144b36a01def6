#pragma once
// A sum of energies of point pairs, each a function of the difference d_i = sum_k w_ik x_k - p_i of its two points, p_i moved
// by the inputs. Links and contacts derive from it and define the energy of a d.
#include <vector>

#include "energy/node_local.h"
#include "energy/term_interfaces.h"

namespace sinew::energy {

class PointPairEnergy : public Term, public InputDependent, public NodeLocal {
 public:
  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override;
  Stencils stencils() const override { return {width_, nodes_}; }
  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override;
  std::unique_ptr<Linearisation> linearisation() const override;
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override;
  void diagonal(const View& view, Hessian hessian, std::span<Mat3d> blocks) const;
  void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const override;
  void input_gradient(const View& view, std::span<const Vec3d> direction,
                      std::span<double> out) const override;
  NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool, math::PackD) const override;
  NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool, math::PackF) const override;

  size_t count() const { return points_.size(); }
  // The second derivatives K of difference i, and what it is a difference of.
  struct Stiffness {
    std::span<const int32_t> nodes;
    std::span<const double> weights;
    Mat3d K;
  };
  Stiffness stiffness(size_t i, const View& view, Hessian hessian) const;

 protected:
  explicit PointPairEnergy(const Role& role = {}) : Term(role) {}
  struct Point {
    int32_t pose = -1;  // -1: the world
    Vec3d rest = {0, 0, 0};
    double sign = 0;  // d has -sign times the point; 0: there is none
  };
  // Starts a list of differences of up to `width` nodes each, then adds one after the other.
  void reset(int width);
  void add(const Point& point);
  // To the last difference; a node that is there already counts once, with the sum of the weights.
  void add_node(int32_t node, double weight);

  // The energy [J] at d, its derivative, and a semi-definite block that bounds it from above.
  virtual double pull(size_t i, const Vec3d& d, Vec3d& force, Mat3d& bound) const = 0;
  // Second derivatives at d; `definite`: made semi-definite.
  virtual Mat3d second(size_t i, const Vec3d& d, bool definite) const = 0;

 private:
  template <class T>
  class Visitor;
  template <class At>
  Vec3d difference(size_t i, std::span<const double> inputs, At&& at) const;
  // visit(i, point, K) for the differences whose point the inputs move, K the second derivatives of the energy.
  template <class F>
  void for_each_moved(const View& view, F&& visit) const;
  // visit(a, b, K) for all pairs of places of each difference: K is the block of second derivatives.
  template <class F>
  void for_each_block(const View& view, Hessian hessian, F&& visit) const;

  int32_t width_ = 0;
  std::vector<int32_t> nodes_;  // `width` places each, -1: free
  std::vector<double> weights_;
  std::vector<Point> points_;
};

}  // namespace sinew::energy
