// Follower pressure p on triangles with outward normals: the force on each corner is -p a / 3, a the current area
// vector. On a closed surface it derives from p times the enclosed volume, sum x0.(x1 x x2)/6; on an open one it
// has no energy and its operator is the symmetric part of its derivative.
#include <array>

#include "energy/term.h"

namespace sinew::energy {

namespace {

using model::Triangle;

Mat3d skew(const Vec3d& a) {
  Mat3d m = Mat3d::zero();
  m(0, 1) = -a[2], m(1, 0) = a[2], m(0, 2) = a[1], m(2, 0) = -a[1], m(1, 2) = -a[0], m(2, 1) = a[0];
  return m;
}

class Pressure final : public Term {
 public:
  Pressure(const model::Model& model, size_t index) : load_(model.pressure_loads[index]) {}

  bool external() const override { return true; }

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    const double p = load_.pressure * view.inputs[load_.factor];
    EvalInfo info;
    for (const Triangle& face : load_.faces) {
      const Vec3d &a = view.x[face[0]], &b = view.x[face[1]], &c = view.x[face[2]];
      info.value += p * dot(a, cross(b, c)) / 6;
      const Vec3d third = cross(b - a, c - a) * (p / 6);
      if (!gradient.empty())
        for (int32_t node : face) gradient[node] += third;
    }
    info.energy_valid = load_.closed || p == 0;
    return info;
  }

  Stencils stencils() const override {
    return {3, std::span(load_.faces.data()->data(), load_.faces.size() * 3)};
  }

  void map(const BlockPattern& pattern, std::span<const int32_t> block_of_node) override {
    slots_.clear();
    for (const Triangle& face : load_.faces)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const int32_t row = block_of_node[face[a]], col = block_of_node[face[b]];
          slots_.push_back(row < 0 || col < 0 ? -1 : pattern.slot(row, col));
        }
  }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    if (hessian == Hessian::projected) return;  // indefinite: left out of the definite operator
    for (size_t f = 0; f < load_.faces.size(); ++f) {
      const auto K = derivative(view, load_.faces[f]);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (const int64_t slot = slots_[9 * f + 3 * a + b]; slot >= 0) matrix.add(slot, K[a][b] * scale);
    }
  }

  void apply(const Scratch& scratch, std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    if (scratch.hessian == Hessian::projected) return;
    for (const Triangle& face : load_.faces) {
      const auto K = derivative(scratch.view, face);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) out[face[a]] += K[a][b] * d[face[b]];
    }
  }

 private:
  // Symmetric part of the derivative of (p/6)(b-a)x(c-a) at every corner.
  std::array<std::array<Mat3d, 3>, 3> derivative(const View& view, const Triangle& face) const {
    const double p = load_.pressure * view.inputs[load_.factor];
    const Vec3d &a = view.x[face[0]], &b = view.x[face[1]], &c = view.x[face[2]];
    // d(area) = (c - b) x da + (a - c) x db + (b - a) x dc
    const Mat3d D[3] = {skew(c - b) * (p / 6), skew(a - c) * (p / 6), skew(b - a) * (p / 6)};
    std::array<std::array<Mat3d, 3>, 3> K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K[i][j] = (D[j] - D[i]) * 0.5;  // D^T = -D
    return K;
  }

  const model::PressureLoad& load_;
  std::vector<int64_t> slots_;
};

}  // namespace

const TermKind& term_pressure() {
  static const TermKind kind = {"pressure", "Follower pressure on faces.",
                                [](const model::Model& model, Terms& terms) {
                                  for (size_t i = 0; i < model.pressure_loads.size(); ++i)
                                    terms.push_back(std::make_unique<Pressure>(model, i));
                                }};
  return kind;
}

}  // namespace sinew::energy
