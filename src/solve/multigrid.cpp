#include "solve/multigrid.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/random.h"
#include "solve/vectors.h"
// g++ 12 takes the unset registers in its own AVX-512 intrinsics for a mistake when Eigen uses them.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <Eigen/Dense>

namespace sinew::solve {

using energy::BlockMatrix;
using energy::BlockPattern;
using energy::Precision;

namespace {

constexpr double nodes_of_cell = 27;   // of the finest lattice
constexpr double least_spacing = 1.5;  // over the mean edge
constexpr double most_cells = 1e6;     // of the finest lattice in one direction
constexpr int32_t dense_rows = 200;    // blocks of a matrix that is factored
constexpr double least_coarsening = 1.5;
constexpr int degree = 3;              // of the smoother
constexpr double smoothed_range = 16;  // the largest eigenvalue over the least one that the smoother reduces
constexpr double eigenvalue_margin = 1.1;
constexpr int lanczos_steps = 12;
constexpr double without_any = 2;  // for an eigenvalue that is not found
constexpr int64_t vector_block = 2048;
constexpr double bottom_shift = 1e-6, least_pivot = 1e-9;  // of the diagonal

struct Bounds {
  Vec3d low, high;
};

Bounds bounds(const model::Model& model, const model::Body& body) {
  Bounds b = {model.X[body.nodes.begin], model.X[body.nodes.begin]};
  for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i)
    for (int k = 0; k < 3; ++k) {
      b.low[k] = std::min(b.low[k], model.X[i][k]);
      b.high[k] = std::max(b.high[k], model.X[i][k]);
    }
  return b;
}

double lattice_spacing(const System& system, size_t b, const Bounds& box) {
  const model::Model& model = system.model();
  const model::Body& body = model.bodies[b];
  double volume = 0;
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) volume += std::abs(model.rest_volume(e));
  const double edge = model.scales(system.params(), static_cast<int32_t>(b)).edge;
  const double h = std::max({std::cbrt(nodes_of_cell * volume / body.nodes.size()), least_spacing * edge,
                             norm(box.high - box.low) / most_cells});
  return h > 0 && std::isfinite(h) ? h : 1;
}

// The nodes in units of the lattice spacing of their bodies. Spacings are that of the body with most nodes times powers of two, and
// all lattices have nodes at one place: where bodies are tied their functions match.
std::vector<Vec3d> lattice_places(const System& system) {
  const model::Model& model = system.model();
  std::vector<Vec3d> places(model.X.size());
  Vec3d anchor = {0, 0, 0};
  double unit = 1;
  int64_t most = 0;
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (const model::Body& body = model.bodies[b]; body.nodes.size() > most) {
      most = body.nodes.size();
      const Bounds box = bounds(model, body);
      anchor = box.low;
      unit = lattice_spacing(system, b, box);
    }
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (body.nodes.size() == 0) continue;
    const Bounds box = bounds(model, body);
    const double h =
        std::ldexp(unit, static_cast<int>(std::lround(std::log2(lattice_spacing(system, b, box) / unit))));
    Vec3d first = (box.low - anchor) * (1 / h);
    for (double& c : first.v) c = std::floor(c);
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i)
      places[i] = (model.X[i] - anchor) * (1 / h) - first;
  }
  return places;
}

Vec3d times(const Mat3f& M, const Vec3d& r) {
  Vec3d z;
  for (int k = 0; k < 3; ++k)
    z[k] = static_cast<double>(M(k, 0)) * r[0] + static_cast<double>(M(k, 1)) * r[1] +
           static_cast<double>(M(k, 2)) * r[2];
  return z;
}

// The inverse of a diagonal block, or, where it is not definite, of a multiple of the identity that is as large.
Mat3f definite_inverse(const Mat3d& D) {
  if (D(0, 0) > 0 && D(0, 0) * D(1, 1) > D(0, 1) * D(1, 0) && det(D) > 0) return safe_inverse(D);
  double largest = 0;
  for (int k = 0; k < 9; ++k) largest = std::max(largest, std::abs(D.c[k / 3].v[k % 3]));
  return safe_inverse(Mat3d::identity() * (largest > 0 ? largest : 1));
}

// Of D^-1 A, by the Lanczos method, whose coefficients are those of conjugate gradients. The start is the same each time, so that
// nothing of earlier matrices is left in a result. r, d and t are work space.
double largest_eigenvalue(const SymmetricProduct& product, std::span<const Mat3f> inverse, std::span<Vec3d> r,
                          std::span<Vec3d> d, std::span<Vec3d> t) {
  const auto n = static_cast<int64_t>(r.size());
  const math::Random random(1);
  for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int k = 0; k < 3; ++k) r[i][k] = random.uniform(3 * i + k, -1, 1);
      d[i] = Vec3d{0, 0, 0};
    }
  });
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(lanczos_steps), beside = diagonal;
  double rz = 0, alpha = 0;
  int steps = 0;
  for (; steps < lanczos_steps; ++steps) {
    const double next = sum_blocks(n, vector_block, [&](int64_t begin, int64_t end) {
      double s = 0;
      for (int64_t i = begin; i < end; ++i) s += dot(r[i], times(inverse[i], r[i]));
      return s;
    });
    if (!(next > 0)) break;
    const double beta = steps > 0 ? next / rz : 0;
    if (steps > 0) {
      diagonal[steps] = beta / alpha;
      beside[steps - 1] = std::sqrt(beta) / std::abs(alpha);
    }
    rz = next;
    for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) d[i] = times(inverse[i], r[i]) + d[i] * beta;
    });
    product(d, t);
    const double curvature = dot_of(d, t);
    if (curvature == 0 || !std::isfinite(curvature)) break;
    alpha = rz / curvature;
    diagonal[steps] += 1 / alpha;
    add_scaled(r, t, -alpha);
  }
  if (steps == 0) return without_any;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
  ritz.computeFromTridiagonal(diagonal.head(steps), beside.head(steps - 1), Eigen::EigenvaluesOnly);
  const double most = ritz.eigenvalues().maxCoeff();
  return most > 0 && std::isfinite(most) ? most : without_any;
}

}  // namespace

// One matrix with its smoother and work space.
struct Multigrid::Level {
  BlockMatrix own_matrix;  // of coarse levels
  SymmetricProduct own_product;
  const BlockMatrix* matrix = nullptr;
  const SymmetricProduct* product = nullptr;
  std::unique_ptr<Galerkin> galerkin;  // to the next level
  std::vector<Mat3f> inverse;          // of the diagonal blocks
  double largest = 0;                  // eigenvalue of the inverse diagonal times the matrix
  std::vector<Vec3d> r, d, t;          // residual, step, product
  std::vector<Vec3d> coarse_r, coarse_x, sums;

  void take() {
    const int32_t n = matrix->rows();
    inverse.resize(n);
    for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        inverse[i] = definite_inverse(matrix->block(matrix->pattern().diagonal[i]));
    });
    for (auto* v : {&r, &d, &t}) v->resize(n);
    largest = eigenvalue_margin * largest_eigenvalue(*product, inverse, r, d, t);
  }

  // x += p(D^-1 A) D^-1 r, where r = b - A x, with the Chebyshev polynomial of the upper part of the spectrum. r is left
  // as it was before the last step.
  void smooth(std::span<Vec3d> x) {
    const double upper = largest, lower = largest / smoothed_range;
    const double theta = (upper + lower) / 2, delta = (upper - lower) / 2, sigma = theta / delta;
    double rho = 1 / sigma;
    const auto n = static_cast<int64_t>(r.size());
    for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        d[i] = times(inverse[i], r[i]) * (1 / theta);
        x[i] += d[i];
      }
    });
    for (int k = 1; k < degree; ++k) {
      (*product)(d, t);
      const double next = 1 / (2 * sigma - rho);
      const double keep = next * rho, add = 2 * next / delta;
      for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          r[i] -= t[i];
          d[i] = d[i] * keep + times(inverse[i], r[i]) * add;
          x[i] += d[i];
        }
      });
      rho = next;
    }
  }

  // r -= A v
  void subtract_product(std::span<const Vec3d> v) {
    (*product)(v, t);
    for_each_block(static_cast<int64_t>(r.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) r[i] -= t[i];
    });
  }
};

// L |D| L^T of a small matrix, dense: definite where the matrix is not, and with pivots of at least a small share of the
// diagonal, since coarse functions may depend on each other.
struct Multigrid::Bottom {
  Eigen::LDLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd inverse_pivot;
  bool dense = false;

  void take(const BlockMatrix& matrix) {
    const BlockPattern& pattern = matrix.pattern();
    dense = matrix.rows() > 0 && matrix.rows() <= dense_rows;
    if (!dense) return;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * matrix.rows(), 3 * matrix.rows());
    for (int32_t i = 0; i < matrix.rows(); ++i)
      for (int64_t s = pattern.diagonal[i]; s < pattern.row_begin[i + 1]; ++s) {
        const Mat3d block = matrix.block(s);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) A(3 * pattern.column[s] + c, 3 * i + r) = block(r, c);
      }
    const Eigen::VectorXd diagonal = A.diagonal().cwiseAbs();
    A.diagonal() += bottom_shift * diagonal;
    factor.compute(A);
    const double least = least_pivot * diagonal.maxCoeff();
    inverse_pivot = factor.vectorD().cwiseAbs().cwiseMax(least).cwiseInverse();
  }

  void solve(std::span<const Vec3d> b, std::span<Vec3d> x) const {
    const auto n = static_cast<Eigen::Index>(3 * b.size());
    Eigen::VectorXd y = factor.transpositionsP() * Eigen::Map<const Eigen::VectorXd>(b.data()->v, n);
    factor.matrixL().solveInPlace(y);
    y.array() *= inverse_pivot.array();
    factor.matrixU().solveInPlace(y);
    Eigen::Map<Eigen::VectorXd>(x.data()->v, n) = factor.transpositionsP().transpose() * y;
  }
};

Multigrid::Multigrid() = default;
Multigrid::~Multigrid() = default;
Multigrid::Multigrid(Multigrid&&) noexcept = default;
Multigrid& Multigrid::operator=(Multigrid&&) noexcept = default;

void Multigrid::make_lattices(const System& system) {
  lattices_.push_back(
      make_coarse_lattice(lattice_places(system), system.model().elements, system.dofs().block_of_node()));
  while (lattices_.back().nodes() > dense_rows) {
    CoarseLattice next = coarsen(lattices_.back());
    if (next.nodes() * least_coarsening > lattices_.back().nodes()) break;
    lattices_.push_back(std::move(next));
  }
  partly_held_ = {};
  if (system.dofs().partials().empty()) return;
  partly_held_.reset(system.dofs().block_count());
  for (const auto& partial : system.dofs().partials())
    partly_held_.add(system.dofs().block_of_node()[partial.node], partial.P);
}

void Multigrid::make_patterns(const std::shared_ptr<const BlockPattern>& fine) {
  levels_.clear();
  levels_.resize(lattices_.size() + 1);
  pattern_ = fine;
  const BlockPattern* pattern = fine.get();
  for (size_t l = 0; l < lattices_.size(); ++l) {
    levels_[l].galerkin = std::make_unique<Galerkin>(*pattern, lattices_[l]);
    levels_[l + 1].own_matrix.reset(levels_[l].galerkin->pattern(), Precision::single);
    pattern = levels_[l].galerkin->pattern().get();
    levels_[l].coarse_r.resize(lattices_[l].nodes());
    levels_[l].coarse_x.resize(lattices_[l].nodes());
  }
}

void Multigrid::prepare(const System& system, const BlockMatrix& matrix, const SymmetricProduct& product,
                        const PointPairs& pairs) {
  if (lattices_.empty()) make_lattices(system);
  has_pairs_ = pairs.count() > 0;
  if (has_pairs_)
    tie(matrix, pairs);
  else if (pattern_ != system.pattern())
    make_patterns(system.pattern());
  levels_[0].matrix = has_pairs_ ? &tied_ : &matrix;
  levels_[0].product = has_pairs_ ? &tied_product_ : &product;
  levels_[0].take();
  for (size_t l = 0; l + 1 < levels_.size(); ++l) {
    Level& coarse = levels_[l + 1];
    levels_[l].galerkin->multiply(*levels_[l].matrix, held(l), coarse.own_matrix);
    coarse.own_product.take(coarse.own_matrix);
    coarse.matrix = &coarse.own_matrix;
    coarse.product = &coarse.own_product;
    coarse.take();
  }
  if (!bottom_) bottom_ = std::make_unique<Bottom>();
  bottom_->take(*levels_.back().matrix);
  held_part_.resize(held(0).row.size());
}

// The matrix of the first level in a basis in which stiff pairs are single unknowns.
void Multigrid::tie(const BlockMatrix& matrix, const PointPairs& pairs) {
  if (basis_.choose(pairs, matrix, partly_held_) || &matrix.pattern() != tied_for_) {
    tied_for_ = &matrix.pattern();
    make_patterns(std::make_shared<const BlockPattern>(basis_.pattern(matrix.pattern(), pairs)));
    tied_.reset(pattern_, Precision::single);
    tied_product_ = {};
  }
  basis_.transform(matrix, pairs, tied_);
  tied_product_.take(tied_);
}

const HeldRows& Multigrid::held(size_t level) const {
  static const HeldRows none;
  return level > 0 ? none : has_pairs_ ? basis_.free() : partly_held_;
}

void Multigrid::precondition(std::span<const Vec3d> r, std::span<Vec3d> z) {
  if (!has_pairs_) return cycle(0, r, z);
  tied_r_.assign(r.begin(), r.end());
  basis_.pull(tied_r_);
  cycle(0, tied_r_, z);
  basis_.push(z);
}

// x = M^-1 b
void Multigrid::cycle(size_t l, std::span<const Vec3d> b, std::span<Vec3d> x) {
  Level& level = levels_[l];
  const bool last = l + 1 == levels_.size();
  if (last && bottom_->dense) return bottom_->solve(b, x);
  std::copy(b.begin(), b.end(), level.r.begin());
  std::fill(x.begin(), x.end(), Vec3d{0, 0, 0});
  level.smooth(x);
  std::copy(b.begin(), b.end(), level.r.begin());
  level.subtract_product(x);
  if (!last) {
    correct(l, x);
    level.subtract_product(level.d);
  }
  level.smooth(x);
}

// Adds what the next level makes of the residual of level l to x; it is left in level.d.
void Multigrid::correct(size_t l, std::span<Vec3d> x) {
  Level& level = levels_[l];
  const HeldRows& held = this->held(l);
  for (size_t k = 0; k < held.row.size(); ++k) {
    Vec3d& at = level.r[held.row[k]];
    held_part_[k] = at - held.P[k] * at;
    at -= held_part_[k];
  }
  lattices_[l].restrict_to(level.r, level.coarse_r, level.sums);
  for (size_t k = 0; k < held.row.size(); ++k) level.r[held.row[k]] += held_part_[k];
  cycle(l + 1, level.coarse_r, level.coarse_x);
  lattices_[l].prolong(level.coarse_x, level.d);
  for (size_t k = 0; k < held.row.size(); ++k) level.d[held.row[k]] = held.P[k] * level.d[held.row[k]];
  add_scaled(x, level.d, 1);
}

int Multigrid::levels() const { return static_cast<int>(lattices_.size()); }

double Multigrid::operator_complexity() const {
  double blocks = 0;
  for (const Level& level : levels_) blocks += static_cast<double>(level.matrix->pattern().blocks());
  return blocks / static_cast<double>(levels_[0].matrix->pattern().blocks());
}

double Multigrid::cycle_work() const { return 2 * degree * operator_complexity(); }

int64_t Multigrid::bytes() const {
  int64_t sum = 0;
  for (const CoarseLattice& lattice : lattices_) sum += lattice.bytes();
  if (has_pairs_) sum += basis_.bytes() + tied_.bytes() + tied_product_.bytes();
  for (const Level& level : levels_) {
    if (level.matrix == &level.own_matrix) sum += level.own_matrix.bytes() + level.own_product.bytes();
    if (level.galerkin) sum += level.galerkin->bytes();
    sum += static_cast<int64_t>(level.inverse.size() * sizeof(Mat3f) +
                                (level.r.size() + level.d.size() + level.t.size() + level.coarse_r.size() +
                                 level.coarse_x.size() + level.sums.size()) *
                                    sizeof(Vec3d));
  }
  if (bottom_ && bottom_->dense) sum += bottom_->factor.matrixLDLT().size() * int64_t{sizeof(double)};
  return sum;
}

}  // namespace sinew::solve
