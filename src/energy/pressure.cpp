// Follower pressure p on faces of first (3 nodes) and second order (6) with outward normals: the force on node a is
// -p times the integral of N_a over the current area, int N_a (x_s cross x_t) ds dt. On a closed surface it derives from p
// times the enclosed volume, int x.(x_s cross x_t)/3 ds dt; on an open one it has no energy and its operator is the
// symmetric part of its derivative. The quadrature is exact: one point, or six of degree four (Dunavant: High degree
// efficient symmetrical Gaussian quadrature rules for the triangle, 1985).
#include <array>

#include "energy/term_interfaces.h"

namespace sinew::energy {

namespace {

// Shape functions and their derivatives at the points of the reference triangle, with the points' shares of its area.
template <int nodes>
struct FacePoint {
  double weight;
  std::array<double, nodes> N, Ns, Nt;
};

template <int nodes>
FacePoint<nodes> face_point(double s, double t, double weight) {
  const double r = 1 - s - t;
  if constexpr (nodes == 3)
    return {weight, {r, s, t}, {-1, 1, 0}, {-1, 0, 1}};
  else
    return {weight,
            {r * (2 * r - 1), s * (2 * s - 1), t * (2 * t - 1), 4 * r * s, 4 * s * t, 4 * t * r},
            {1 - 4 * r, 4 * s - 1, 0, 4 * (r - s), 4 * t, -4 * t},
            {1 - 4 * r, 0, 4 * t - 1, -4 * s, 4 * s, 4 * (r - t)}};
}

template <int nodes>
std::vector<FacePoint<nodes>> face_points() {
  if constexpr (nodes == 3) return {face_point<3>(1.0 / 3, 1.0 / 3, 0.5)};
  std::vector<FacePoint<nodes>> list;
  const double at[2] = {0.445948490915964886, 0.091576213509770743};
  const double share[2] = {0.223381589678011466, 0.109951743655321868};
  for (int k = 0; k < 2; ++k)
    for (int corner = 0; corner < 3; ++corner) {
      const double b[3] = {corner == 0 ? 1 - 2 * at[k] : at[k], corner == 1 ? 1 - 2 * at[k] : at[k],
                           corner == 2 ? 1 - 2 * at[k] : at[k]};
      list.push_back(face_point<nodes>(b[1], b[2], 0.5 * share[k]));
    }
  return list;
}

Mat3d skew(const Vec3d& a) {
  Mat3d m = Mat3d::zero();
  m(0, 1) = -a[2], m(1, 0) = a[2], m(0, 2) = a[1], m(2, 0) = -a[1], m(1, 2) = -a[0], m(2, 1) = a[0];
  return m;
}

template <int nodes>
class Pressure : public Term, public InputDependent {
 public:
  using Face = std::array<int32_t, nodes>;

  Pressure(const model::PressureLoad& load, const std::vector<Face>& faces)
      : Term({.external = true}), load_(load), faces_(faces), points_(face_points<nodes>()) {}

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    const double p = load_.pressure * view.inputs[load_.factor];
    EvalInfo info;
    for (const Face& face : faces_)
      for (const auto& point : points_) {
        const Tangents at(view, face, point);
        const Vec3d area = cross(at.s, at.t) * (p * point.weight);
        info.value += dot(at.x, area) / 3;
        if (!gradient.empty())
          for (int a = 0; a < nodes; ++a) gradient[face[a]] += area * point.N[a];
      }
    info.energy_valid = load_.closed || p == 0;
    return info;
  }

  Stencils stencils() const override {
    return {nodes, std::span(faces_.data()->data(), faces_.size() * nodes)};
  }

  void assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const override {
    if (material::definite(hessian)) return;  // indefinite: left out of the definite operator
    for (size_t f = 0; f < faces_.size(); ++f) {
      const auto K = derivative(view, faces_[f], 1);
      for (int a = 0; a < nodes; ++a)
        for (int b = 0; b < nodes; ++b)
          if (const int32_t slot = slots(f, nodes)[a * nodes + b]; slot >= 0)
            matrix.add(slot, K[a][b] * scale);
    }
  }

  std::unique_ptr<Linearisation> linearisation() const override {
    return std::make_unique<ViewLinearisation<Pressure>>(*this);
  }
  void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const override {
    if (!material::definite(hessian)) multiply(view, 1, d, out);
  }
  void diagonal(const View&, Hessian, std::span<Mat3d>) const {}  // skew blocks: their symmetric part is 0

  // Per unit of the factor the gradient is p times the area vectors of the faces.
  void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const override {
    for_each_area(view, [&](int32_t node, const Vec3d& area) {
      out[node] += area * (load_.pressure * change[load_.factor]);
    });
  }
  void input_gradient(const View& view, std::span<const Vec3d> direction,
                      std::span<double> out) const override {
    for_each_area(view, [&](int32_t node, const Vec3d& area) {
      out[load_.factor] += load_.pressure * dot(area, direction[node]);
    });
  }

 protected:
  // out += K d, K the symmetric (sign 1) or skew part (-1) of the derivative of the gradient.
  void multiply(const View& view, double sign, std::span<const Vec3d> d, std::span<Vec3d> out) const {
    for (const Face& face : faces_) {
      const auto K = derivative(view, face, sign);
      for (int a = 0; a < nodes; ++a)
        for (int b = 0; b < nodes; ++b) out[face[a]] += K[a][b] * d[face[b]];
    }
  }

 private:
  using Blocks = std::array<std::array<Mat3d, nodes>, nodes>;

  // Position and tangents at a point.
  struct Tangents {
    Vec3d x{0, 0, 0}, s{0, 0, 0}, t{0, 0, 0};
    Tangents(const View& view, const Face& face, const FacePoint<nodes>& point) {
      for (int a = 0; a < nodes; ++a) {
        x += view.x[face[a]] * point.N[a];
        s += view.x[face[a]] * point.Ns[a];
        t += view.x[face[a]] * point.Nt[a];
      }
    }
  };

  // visit(node, integral of N_a over the current area), face by face.
  template <class F>
  void for_each_area(const View& view, F&& visit) const {
    for (const Face& face : faces_)
      for (const auto& point : points_) {
        const Tangents at(view, face, point);
        const Vec3d area = cross(at.s, at.t) * point.weight;
        for (int a = 0; a < nodes; ++a) visit(face[a], area * point.N[a]);
      }
  }

  // The blocks of K of one face: d(x_s cross x_t) = x_s cross dx_t - x_t cross dx_s.
  Blocks derivative(const View& view, const Face& face, double sign) const {
    const double p = load_.pressure * view.inputs[load_.factor];
    Blocks K;
    for (auto& row : K) row.fill(Mat3d::zero());
    for (const auto& point : points_) {
      const Tangents at(view, face, point);
      const Mat3d S = skew(at.s), T = skew(at.t);
      for (int b = 0; b < nodes; ++b) {
        const Mat3d D = (S * point.Nt[b] - T * point.Ns[b]) * (0.5 * p * point.weight);
        for (int a = 0; a < nodes; ++a) {
          K[a][b] += D * point.N[a];
          K[b][a] -= D * (sign * point.N[a]);  // the transpose of a skew matrix
        }
      }
    }
    return K;
  }

  const model::PressureLoad& load_;
  const std::vector<Face>& faces_;
  std::vector<FacePoint<nodes>> points_;
};

// On an open surface pressure has no energy.
template <int nodes>
class OpenPressure final : public Pressure<nodes>, public Nonsymmetric {
 public:
  using Pressure<nodes>::Pressure;

  void apply_skew(const View& view, std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    this->multiply(view, -1, d, out);
  }
};

template <int nodes>
void add_pressure(const model::PressureLoad& load, const std::vector<std::array<int32_t, nodes>>& faces,
                  Terms& terms) {
  if (faces.empty()) return;
  if (load.closed)
    terms.push_back(std::make_unique<Pressure<nodes>>(load, faces));
  else
    terms.push_back(std::make_unique<OpenPressure<nodes>>(load, faces));
}

}  // namespace

const TermKind& term_pressure() {
  static const TermKind kind = {"pressure", "Follower pressure on faces.",
                                [](const model::Model& model, Terms& terms) {
                                  for (const model::PressureLoad& load : model.pressure_loads) {
                                    add_pressure<3>(load, load.faces, terms);
                                    add_pressure<6>(load, load.curved, terms);
                                  }
                                }};
  return kind;
}

}  // namespace sinew::energy
