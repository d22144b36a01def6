#include "solve/rotation_warp.h"

#include <algorithm>
#include <cmath>

#include "energy/elastic_elements.h"
#include "solve/vectors.h"
// g++ 12 takes the unset registers in its own AVX-512 intrinsics for a mistake when Eigen uses them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <Eigen/SparseCholesky>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace sinew::solve {

namespace {

constexpr double tolerance = 0.1, tolerance_of_sheets = 1e-6;
constexpr double angle = 0.3, angle_of_sheets = 1e-4;
constexpr int max_iterations = 200, max_iterations_of_sheets = 5000;
constexpr size_t max_factored_nodes = 400000;
constexpr double least_diagonal = 1e-8;  // over that of the Laplacian

using Entry = Eigen::Triplet<double>;

bool has_sheets(const model::Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(),
                     [](const model::Body& body) { return body.kind->is_triangle(); });
}

}  // namespace

// The Laplacian of sheets, factored. It is the same for each component, and constant: with it, conjugate gradients take a few
// iterations, more than one only where nodes are held in part or not at all.
struct RotationWarp::Factor {
  using Matrix = Eigen::SparseMatrix<double>;

  std::vector<int> row;  // of each node; -1: held, or of a solid
  Eigen::SimplicialLDLT<Matrix> of;
  Eigen::MatrixX3d columns;
};

struct RotationWarp::Elements {
  virtual ~Elements() = default;
  // Adds the gradient that the least squares of F* have at x + d; returns the largest angle [rad].
  virtual double add_targets(std::span<const Vec3d> x, std::span<const Vec3d> d,
                             std::span<Vec3d> out) const = 0;
  virtual void add_product(std::span<const Vec3d> p, std::span<Vec3d> out) const = 0;
  virtual void add_diagonal(std::span<double> diagonal) const = 0;
  // Entries of the Laplacian below its diagonal and on it, between nodes that have rows.
  virtual void add_entries(std::span<const int> row, std::vector<Entry>& entries) const = 0;
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

  void add_entries(std::span<const int> row, std::vector<Entry>& entries) const override {
    constexpr int nodes = Block::edges + 1;
    for (int64_t k = 0; k < block.packs(); ++k)
      for (int q = 0; q < Block::points; ++q)
        for (int l = 0; l < block.used_lanes(k); ++l) {
          const auto& ids = block.node_ids()[k * element::lanes + l];
          const double weight = block.weight(k, q)[l];
          std::array<math::Vec<double, Shape::dimension>, nodes> g{};
          for (int a = 0; a < Block::edges; ++a) {
            for (int j = 0; j < Shape::dimension; ++j)
              g[a + 1][j] = block.gradients(k, q)[Shape::dimension * a + j][l];
            g[0] -= g[a + 1];
          }
          for (int a = 0; a < nodes; ++a)
            for (int b = 0; b < nodes; ++b)
              if (row[ids[a]] >= row[ids[b]] && row[ids[b]] >= 0)
                entries.emplace_back(row[ids[a]], row[ids[b]], weight * dot(g[a], g[b]));
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
  if (has_sheets(system.model()) && system.model().X.size() < max_factored_nodes) factor(system.model());
}

void RotationWarp::factor(const model::Model& model) {
  factor_ = std::make_unique<Factor>();
  factor_->row.assign(diagonal_.size(), -1);
  int rows = 0;
  for (const model::Body& body : model.bodies)
    for (int32_t i = body.nodes.begin; i < body.nodes.end && body.kind->is_triangle(); ++i)
      if (diagonal_[i] > 0 && dofs_.unknown_of_node()[i] >= 0) factor_->row[i] = rows++;
  std::vector<Entry> entries;
  for (const auto& each : elements_) each->add_entries(factor_->row, entries);
  for (size_t i = 0; i < diagonal_.size(); ++i)  // a body that nothing holds may move as a whole
    if (const int row = factor_->row[i]; row >= 0)
      entries.emplace_back(row, row, least_diagonal * diagonal_[i]);
  Factor::Matrix L(rows, rows);
  L.setFromTriplets(entries.begin(), entries.end());
  factor_->of.compute(L);
  factor_->columns.resize(rows, 3);
  if (factor_->of.info() != Eigen::Success) factor_.reset();
}

// Solves with the factor, where there is one, or with the diagonal.
void RotationWarp::precondition(std::span<const Vec3d> r, std::span<Vec3d> z) const {
  for (int32_t u = 0; u < dofs_.unknown_count(); ++u) {
    const double scale = diagonal_[dofs_.node_of_unknown(u)];
    z[u] = scale > 0 ? r[u] * (1 / scale) : r[u];
  }
  if (!factor_) return;
  const auto for_each_row = [&](const auto& f) {
    for (int32_t u = 0; u < dofs_.unknown_count(); ++u)
      if (const int row = factor_->row[dofs_.node_of_unknown(u)]; row >= 0) f(u, row);
  };
  Eigen::MatrixX3d& columns = factor_->columns;
  columns.setZero();  // what is carried has no unknown
  for_each_row([&](int32_t u, int row) { columns.row(row) << r[u][0], r[u][1], r[u][2]; });
  columns = factor_->of.solve(columns).eval();
  for_each_row([&](int32_t u, int row) { z[u] = {columns(row, 0), columns(row, 1), columns(row, 2)}; });
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
  gradients_.solve(
      product, [&](std::span<const Vec3d> r, std::span<Vec3d> z) { precondition(r, z); }, rhs_, q_,
      tolerance_, tolerance_ < tolerance ? max_iterations_of_sheets : max_iterations);
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
