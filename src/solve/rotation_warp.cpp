#include "solve/rotation_warp.h"

#include <algorithm>
#include <cmath>

#include "energy/elastic_elements.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr double tolerance = 0.1, tolerance_of_sheets = 1e-6;
constexpr double angle = 0.3, angle_of_sheets = 1e-4;
constexpr int max_iterations = 200, max_iterations_of_sheets = 5000;

bool has_sheets(const model::Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(),
                     [](const model::Body& body) { return body.kind->is_triangle(); });
}

}  // namespace

struct RotationWarp::Elements {
  virtual ~Elements() = default;
  // Adds the gradient that the least squares of F* have at x + d; returns the largest angle [rad].
  virtual double add_targets(std::span<const Vec3d> x, std::span<const Vec3d> d,
                             std::span<Vec3d> out) const = 0;
  virtual void add_product(std::span<const Vec3d> p, std::span<Vec3d> out) const = 0;
  virtual void add_diagonal(std::span<double> diagonal) const = 0;
  virtual double mean_gradient(std::span<const Vec3d> d) const = 0;
};

template <class Shape>
struct RotationWarp::ShapedElements final : Elements {
  using Block = element::ElementBlock<Shape>;
  using Pack = typename Block::Pack;
  using Vector = typename Block::Vector;
  using Matrix = typename Block::Matrix;
  using Matrix3 = math::Mat3<Pack>;

  explicit ShapedElements(const Block& of) : block(of) {}

  double add_targets(std::span<const Vec3d> x, std::span<const Vec3d> d,
                     std::span<Vec3d> out) const override {
    Pack largest(0);
    for (int64_t k = 0; k < block.packs(); ++k) {
      Vector dx[Block::edges], dd[Block::edges], forces[Block::edges];
      std::fill(std::begin(forces), std::end(forces), Vector{Pack(0), Pack(0), Pack(0)});
      block.gather(x, k, dx);
      block.gather(d, k, dd);
      for (int q = 0; q < Block::points; ++q) {
        const Matrix F = block.deformation(dx, k, q), D = block.deformation(dd, k, q);
        Pack angle2;
        block.add_stress(k, q, warped(F, D, angle2) - (F + D), forces);
        largest = max(largest, angle2);
      }
      block.scatter(k, forces, out);
    }
    double angle2 = 0;
    for (int l = 0; l < element::lanes; ++l) angle2 = std::max(angle2, largest[l]);
    return std::sqrt(angle2);
  }

  // Of a triangle with its normal n as a third column, which turns with the others.
  static math::Mat<Pack, 3, 2> warped(const math::Mat<Pack, 3, 2>& F, const math::Mat<Pack, 3, 2>& D,
                                      Pack& angle2) {
    const Vector area = cross(F.c[0], F.c[1]);
    const Pack J = norm(area), inverse = Pack(1) / select(J > Pack(0), J, Pack(1));
    const Vector n = area * inverse;
    const Vector change = (cross(F.c[1], n) * dot(n, D.c[0]) + cross(n, F.c[0]) * dot(n, D.c[1])) * -inverse;
    const Matrix3 whole = warped(Matrix3{{F.c[0], F.c[1], n}}, Matrix3{{D.c[0], D.c[1], change}}, angle2);
    return {{whole.c[0], whole.c[1]}};
  }

  // F*; where F is nearly singular there is no rotation to find, and the step stays as it is.
  static Matrix3 warped(const Matrix3& F, const Matrix3& D, Pack& angle2) {
    const Matrix3 cof = cofactor(F);
    const Pack J = dot(F.c[0], cof.c[0]);
    const auto regular = abs(J) > Pack(1e-3);
    const Matrix3 G = D * transpose(cof) * (Pack(1) / select(regular, J, Pack(1)));
    const Matrix3 A = (G - transpose(G)) * Pack(0.5), E = (G + transpose(G)) * Pack(0.5);
    angle2 = A(1, 0) * A(1, 0) + A(2, 0) * A(2, 0) + A(2, 1) * A(2, 1);
    const Matrix3 stretched = F + E * F, turned = A * stretched;
    const Matrix3 target =
        stretched + (turned + A * turned * Pack(0.5)) * (Pack(1) / (Pack(1) + angle2 * Pack(0.25)));
    const auto usable = regular && angle2 < Pack(1e6);
    angle2 = select(usable, angle2, Pack(0));
    Matrix3 result;
    for (int m = 0; m < 9; ++m)
      result.c[m / 3].v[m % 3] =
          select(usable, target.c[m / 3].v[m % 3], F.c[m / 3].v[m % 3] + D.c[m / 3].v[m % 3]);
    return result;
  }

  void add_product(std::span<const Vec3d> p, std::span<Vec3d> out) const override {
    for (int64_t k = 0; k < block.packs(); ++k) {
      Vector dp[Block::edges], forces[Block::edges];
      std::fill(std::begin(forces), std::end(forces), Vector{Pack(0), Pack(0), Pack(0)});
      block.gather(p, k, dp);
      for (int q = 0; q < Block::points; ++q) block.add_stress(k, q, block.deformation(dp, k, q), forces);
      block.scatter(k, forces, out);
    }
  }

  void add_diagonal(std::span<double> diagonal) const override {
    for (int64_t k = 0; k < block.packs(); ++k)
      for (int q = 0; q < Block::points; ++q) {
        const Pack* g = block.gradients(k, q);
        for (int l = 0; l < block.used_lanes(k); ++l) {
          const auto& ids = block.node_ids()[k * element::lanes + l];
          const double weight = block.weight(k, q)[l];
          auto sum = math::Vec<double, Shape::dimension>::zero();
          for (int a = 0; a < Block::edges; ++a) {
            math::Vec<double, Shape::dimension> ga;
            for (int j = 0; j < Shape::dimension; ++j) ga[j] = g[Shape::dimension * a + j][l];
            diagonal[ids[a + 1]] += weight * norm2(ga);
            sum += ga;
          }
          diagonal[ids[0]] += weight * norm2(sum);
        }
      }
  }

  double mean_gradient(std::span<const Vec3d> d) const override {
    Pack sum(0), volume(0);
    for (int64_t k = 0; k < block.packs(); ++k) {
      Vector dd[Block::edges];
      block.gather(d, k, dd);
      for (int q = 0; q < Block::points; ++q) {
        const Matrix D = block.deformation(dd, k, q);
        Pack square = norm2(D.c[0]) + norm2(D.c[1]);
        if constexpr (Shape::dimension == 3) square += norm2(D.c[2]);
        sum += block.weight(k, q) * square;
        volume += block.weight(k, q);
      }
    }
    double total = 0, whole = 0;
    for (int l = 0; l < element::lanes; ++l) total += sum[l], whole += volume[l];
    return std::sqrt(total / whole);
  }

  const Block& block;
};

double RotationWarp::least_angle(const model::Model& model) {
  return has_sheets(model) ? angle_of_sheets : angle;
}

RotationWarp::RotationWarp(const System& system)
    : dofs_(system.dofs()),
      least_angle_(least_angle(system.model())),
      tolerance_(has_sheets(system.model()) ? tolerance_of_sheets : tolerance),
      diagonal_(system.model().X.size()) {
  const auto add = [&]<class Shape>(const energy::Term& term, Shape) {
    if (const auto* elastic = dynamic_cast<const energy::ElasticElements<Shape>*>(&term))
      elements_.push_back(std::make_unique<ShapedElements<Shape>>(elastic->block()));
  };
  for (const auto& term : system.terms()) {
    add(*term, element::Tri3{});
    add(*term, element::Tet4{});
    add(*term, element::Tet10{});
  }
  for (const auto& each : elements_) each->add_diagonal(diagonal_);
}

RotationWarp::~RotationWarp() = default;

bool RotationWarp::apply(std::span<const Vec3d> x, std::span<const Vec3d> d, std::span<Vec3d> trial) {
  if (dofs_.carries()) return false;
  out_.assign(x.size(), {0, 0, 0});
  double angle = 0;
  for (const auto& each : elements_) angle = std::max(angle, each->add_targets(x, d, out_));
  if (!(angle > least_angle_)) return false;
  nodes_.resize(x.size());
  for (auto* v : {&rhs_, &q_}) v->resize(dofs_.unknown_count());
  dofs_.pull(x, out_, rhs_);
  const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
    dofs_.push(x, p, nodes_);
    out_.assign(x.size(), {0, 0, 0});
    for (const auto& each : elements_) each->add_product(nodes_, out_);
    dofs_.pull(x, out_, out);
    return dot_of(p, out);
  };
  const Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
    for (int32_t u = 0; u < dofs_.unknown_count(); ++u) {
      const double scale = diagonal_[dofs_.node_of_unknown(u)];
      z[u] = scale > 0 ? r[u] * (1 / scale) : r[u];
    }
  };
  gradients_.solve(product, precondition, rhs_, q_, tolerance_,
                   tolerance_ < tolerance ? max_iterations_of_sheets : max_iterations);
  dofs_.push(x, q_, nodes_);
  for (size_t i = 0; i < trial.size(); ++i) trial[i] += nodes_[i];
  return true;
}

double RotationWarp::mean_gradient(std::span<const Vec3d> d) const {
  double largest = 0;
  for (const auto& each : elements_) largest = std::max(largest, each->mean_gradient(d));
  return largest;
}

}  // namespace sinew::solve
