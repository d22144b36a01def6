#include "solve/multigrid.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/random.h"
#include "solve/lane_product.h"
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
constexpr double least_stiffness = 1e-6;  // of a direction, over the mean of its node; for lanes
constexpr double bottom_shift = 1e-6, least_pivot = 1e-9;  // of the diagonal

struct Bounds {
  Vec3d low, high;
};

Bounds bounds(const model::Model& model, const model::Body& body) {
  const model::Range nodes = body.visible();
  Bounds b = {model.X[nodes.begin], model.X[nodes.begin]};
  for (int32_t i = nodes.begin; i < nodes.end; ++i)
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

template <class T>
[[gnu::always_inline]] inline math::Vec3<T> times(const Mat3f& M, const math::Vec3<T>& r) {
  math::Vec3<T> z;
  for (int k = 0; k < 3; ++k) z[k] = T(M(k, 0)) * r[0] + T(M(k, 1)) * r[1] + T(M(k, 2)) * r[2];
  return z;
}

Mat3f rounded(const Mat3d& m) {
  Mat3f r;
  for (int k = 0; k < 9; ++k) r.c[k / 3].v[k % 3] = static_cast<float>(m.c[k / 3].v[k % 3]);
  return r;
}

Vec3d projected(const Mat3d& P, const Vec3d& r) { return P * r; }
LaneVec3 projected(const Mat3d& P, const LaneVec3& r) {
  LaneVec3 z = LaneVec3::zero();
  for (int k = 0; k < 9; ++k) z[k % 3] += Lanes(P.c[k / 3].v[k % 3]) * r[k / 3];
  return z;
}

// The inverse of a diagonal block, or, where it is not definite, of a multiple of the identity that is as large.
Mat3f definite_inverse(const Mat3d& D) {
  if (D(0, 0) > 0 && D(0, 0) * D(1, 1) > D(0, 1) * D(1, 0) && det(D) > 0) return safe_inverse(D);
  double largest = 0;
  for (int k = 0; k < 9; ++k) largest = std::max(largest, std::abs(D.c[k / 3].v[k % 3]));
  return safe_inverse(Mat3d::identity() * (largest > 0 ? largest : 1));
}

// A coarse function that partly held rows alone make has directions without stiffness. In single precision what is rounding there must not
// be divided by it: P projects onto the other directions. False: there are none such.
bool stiff_directions(const Mat3d& D, Mat3d& P) {
  const double mean = trace(D) / 3;
  if (!(mean > 0) || det(D) > 1e3 * least_stiffness * mean * mean * mean) return false;
  Eigen::Matrix3d full;
  for (int k = 0; k < 9; ++k) full(k % 3, k / 3) = (D(k % 3, k / 3) + D(k / 3, k % 3)) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(full);
  Eigen::Matrix3d projector = Eigen::Matrix3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > least_stiffness * mean)
      projector += eigen.eigenvectors().col(k) * eigen.eigenvectors().col(k).transpose();
  for (int k = 0; k < 9; ++k) P.c[k / 3].v[k % 3] = projector(k % 3, k / 3);
  return true;
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

// Work space of a level: residual, step, product; of the next level; residual in held directions.
template <class Vector>
struct Work {
  std::vector<Vector> r, d, t, coarse_r, coarse_x, sums, held_part;

  int64_t bytes() const {
    return static_cast<int64_t>((r.size() + d.size() + t.size() + coarse_r.size() + coarse_x.size() +
                                 sums.size() + held_part.size()) *
                                sizeof(Vector));
  }
};

// One matrix with its smoother and work space.
struct Multigrid::Level {
  BlockMatrix own_matrix;  // of coarse levels
  SymmetricProduct own_product;
  const BlockMatrix* matrix = nullptr;
  const SymmetricProduct* product = nullptr;
  std::unique_ptr<Galerkin> galerkin;  // to the next level
  std::vector<Mat3f> inverse;          // of the diagonal blocks
  std::vector<Mat3f> lane_inverse;  // without directions that have no stiffness; empty until there are lanes
  double largest = 0;               // eigenvalue of the inverse diagonal times the matrix
  Work<Vec3d> single;
  Work<LaneVec3> lanes;  // empty until there are columns in lanes
  LaneProduct<Lanes> lane_product;

  void take() {
    const int32_t n = matrix->rows();
    inverse.resize(n);
    for_each_block(n, vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        inverse[i] = definite_inverse(matrix->block(matrix->pattern().diagonal[i]));
    });
    lane_inverse.clear();
    for (auto* v : {&single.r, &single.d, &single.t}) v->resize(n);
    largest = eigenvalue_margin * largest_eigenvalue(*product, inverse, single.r, single.d, single.t);
  }

  void prepare_lanes() {
    for (auto* v : {&lanes.r, &lanes.d}) v->resize(single.r.size());
    for (auto* v : {&lanes.coarse_r, &lanes.coarse_x}) v->resize(single.coarse_r.size());
    lane_product.plan_for(*product);
    if (!lane_inverse.empty()) return;
    lane_inverse = inverse;
    for_each_block(matrix->rows(), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Mat3d D = matrix->block(matrix->pattern().diagonal[i]);
        Mat3d P;
        if (!stiff_directions(D, P)) continue;
        const Mat3d rest = (Mat3d::identity() - P) * (trace(D) / 3);
        lane_inverse[i] = rounded(P * math::inverse(P * D * P + rest) * P);
      }
    });
  }

  template <class T>
  const Mat3f& inverse_block(int64_t i) const {
    if constexpr (std::is_same_v<T, double>)
      return inverse[i];
    else
      return lane_inverse[i];
  }

  template <class Vector>
  Work<Vector>& work() {
    if constexpr (std::is_same_v<Vector, Vec3d>)
      return single;
    else
      return lanes;
  }

  // f(part, i, (A v)_i) for every row; parts as in LaneProduct. f may change v_i.
  template <class F>
  void for_each_row(std::span<const Vec3d> v, F&& f) {
    (*product)(v, single.t);
    for_each_block(static_cast<int64_t>(v.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(begin / vector_block, i, single.t[i]);
    });
  }
  template <class F>
  void for_each_row(std::span<const LaneVec3> v, F&& f) {
    lane_product.for_each_row(*product, v, f);
  }

  // x += p(D^-1 A) D^-1 r, where r = b - A x, with the Chebyshev polynomial of the upper part of the spectrum: first_step in
  // every row, then other_steps. `from_zero`: r is b and x is d after the first step, and neither has been written.
  // last(part, i) follows the last step of a row, after which d and r mean nothing.
  double theta() const { return (largest + largest / smoothed_range) / 2; }
  double delta() const { return (largest - largest / smoothed_range) / 2; }
  template <class T>
  math::Vec3<T> first_step(int64_t i, const math::Vec3<T>& r, const T& scale) const {
    return times(inverse_block<T>(i), r) * scale;
  }
  template <bool from_zero, class T, class Last>
  void other_steps(std::span<const math::Vec3<T>> b, std::span<math::Vec3<T>> x, Last&& last) {
    static_assert(degree == 3);
    const double sigma = theta() / delta(), rho1 = 1 / sigma, rho2 = 1 / (2 * sigma - rho1),
                 rho3 = 1 / (2 * sigma - rho2);
    Work<math::Vec3<T>>& w = work<math::Vec3<T>>();
    const std::span<const math::Vec3<T>> d = w.d;
    const T keep(rho2 * rho1), add(2 * rho2 / delta());
    for_each_row(d, [&](int64_t, int64_t i, const math::Vec3<T>& Ad) {
      const math::Vec3<T> r = (from_zero ? b[i] : w.r[i]) - Ad, before = w.d[i];
      const math::Vec3<T> now = before * keep + times(inverse_block<T>(i), r) * add;
      x[i] = (from_zero ? before : x[i]) + now;
      w.r[i] = r;
      w.d[i] = now;
    });
    const T last_keep(rho3 * rho2), last_add(2 * rho3 / delta());
    for_each_row(d, [&](int64_t part, int64_t i, const math::Vec3<T>& Ad) {
      x[i] += w.d[i] * last_keep + times(inverse_block<T>(i), w.r[i] - Ad) * last_add;
      last(part, i);
    });
  }
};

// L |D| L^T of a small matrix, dense: definite where the matrix is not, and with pivots of at least a small share of the
// diagonal, since coarse functions may depend on each other.
struct Multigrid::Bottom {
  Eigen::LDLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd inverse_pivot;
  std::vector<std::pair<int32_t, Mat3d>>
      stiff;  // of nodes with directions that have no stiffness, a projector
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
    stiff.clear();
    for (int32_t i = 0; i < matrix.rows(); ++i)
      if (Mat3d P; stiff_directions(matrix.block(pattern.diagonal[i]), P)) stiff.push_back({i, P});
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
  void project(Eigen::MatrixXd& columns) const {
    for (const auto& [node, P] : stiff)
      for (Eigen::Index l = 0; l < columns.cols(); ++l) {
        const Vec3d v = P * Vec3d{columns(3 * node, l), columns(3 * node + 1, l), columns(3 * node + 2, l)};
        for (int k = 0; k < 3; ++k) columns(3 * node + k, l) = v[k];
      }
  }
  void solve(std::span<const LaneVec3> b, std::span<LaneVec3> x) const {
    const auto n = static_cast<Eigen::Index>(3 * b.size());
    Eigen::MatrixXd columns(n, Lanes::count);
    for (Eigen::Index i = 0; i < n; ++i)
      for (int l = 0; l < Lanes::count; ++l) columns(i, l) = b[i / 3][i % 3][l];
    project(columns);
    Eigen::MatrixXd y = factor.transpositionsP() * columns;
    factor.matrixL().solveInPlace(y);
    y = inverse_pivot.asDiagonal() * y;
    factor.matrixU().solveInPlace(y);
    columns = factor.transpositionsP().transpose() * y;
    project(columns);
    for (Eigen::Index i = 0; i < n; ++i)
      x[i / 3][i % 3] = Lanes::generate([&](int l) { return columns(i, l); });
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
    levels_[l].single.coarse_r.resize(lattices_[l].nodes());
    levels_[l].single.coarse_x.resize(lattices_[l].nodes());
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
}

// The matrix of the first level in a basis in which stiff pairs are single unknowns.
void Multigrid::tie(const BlockMatrix& matrix, const PointPairs& pairs) {
  if (basis_.choose(pairs, matrix, partly_held_) || &matrix.pattern() != tied_for_) {
    tied_for_ = &matrix.pattern();
    tied_pattern_ = std::make_shared<const BlockPattern>(basis_.pattern(matrix.pattern()));
    tied_.reset(tied_pattern_, Precision::single);
    tied_product_ = {};
  }
  if (pattern_ != tied_pattern_) make_patterns(tied_pattern_);
  basis_.transform(matrix, pairs, tied_);
  tied_product_.take(tied_);
}

const HeldRows& Multigrid::held(size_t level) const {
  static const HeldRows none;
  return level > 0 ? none : has_pairs_ ? basis_.free() : partly_held_;
}

namespace {

struct Nothing {
  void operator()(int64_t, int64_t) const {}
};

}  // namespace

void Multigrid::precondition(std::span<const Vec3d> r, std::span<Vec3d> z) {
  if (!has_pairs_) return cycle(0, r, z, Nothing(), Nothing());
  tied_r_.assign(r.begin(), r.end());
  basis_.pull(tied_r_);
  cycle(0, std::span<const Vec3d>(tied_r_), z, Nothing(), Nothing());
  basis_.push(z);
}

WideLanes Multigrid::precondition(std::span<LaneVec3> r, std::span<const LaneVec3> t, const Lanes& alpha,
                                  std::span<LaneVec3> z) {
  for (Level& level : levels_) level.prepare_lanes();
  const auto blocks = (static_cast<int64_t>(r.size()) + vector_block - 1) / vector_block;
  partial_.assign(std::max(blocks, levels_[0].lane_product.parts()), WideLanes(0.0));
  cycle(
      0, std::span<const LaneVec3>(r), z, [&](int64_t, int64_t i) { r[i] -= t[i] * alpha; },
      [&](int64_t part, int64_t i) { partial_[part] += wide_dot(r[i], z[i]); });
  WideLanes sum(0.0);
  for (const WideLanes& part : partial_) sum += part;
  return sum;
}

// x = M^-1 b; first(part, i) comes before b_i is read, last(part, i) after x_i is written.
template <class Vector, class First, class Last>
void Multigrid::cycle(size_t l, std::span<const Vector> b, std::span<Vector> x, First&& first, Last&& last) {
  Level& level = levels_[l];
  const bool lowest = l + 1 == levels_.size();
  const auto each_row = [&](auto&& f) {
    for_each_block(static_cast<int64_t>(x.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(begin / vector_block, i);
    });
  };
  if (lowest && bottom_->dense) {
    each_row(first);
    bottom_->solve(b, x);
    return each_row(last);
  }
  Work<Vector>& w = level.work<Vector>();
  using T = std::remove_cvref_t<decltype(b[0][0])>;
  const T scale(1 / level.theta());
  each_row([&](int64_t part, int64_t i) {
    first(part, i);
    w.d[i] = level.first_step(i, b[i], scale);
  });
  level.template other_steps<true>(b, x, Nothing());
  if (lowest) {
    level.for_each_row(std::span<const Vector>(x), [&](int64_t, int64_t i, const Vector& Ax) {
      w.r[i] = b[i] - Ax;
      w.d[i] = level.first_step(i, w.r[i], scale);
      x[i] += w.d[i];
    });
  } else {
    level.for_each_row(std::span<const Vector>(x),
                       [&](int64_t, int64_t i, const Vector& Ax) { w.r[i] = b[i] - Ax; });
    correct<Vector>(l);
    level.for_each_row(std::span<const Vector>(w.d), [&](int64_t, int64_t i, const Vector& Ad) {
      w.r[i] -= Ad;
      x[i] += w.d[i];
      w.d[i] = level.first_step(i, w.r[i], scale);
      x[i] += w.d[i];
    });
  }
  level.template other_steps<false>(b, x, last);
}

// d = what the next level makes of the residual.
template <class Vector>
void Multigrid::correct(size_t l) {
  Work<Vector>& w = levels_[l].work<Vector>();
  const HeldRows& held = this->held(l);
  w.held_part.resize(held.row.size());
  for (size_t k = 0; k < held.row.size(); ++k) {
    Vector& at = w.r[held.row[k]];
    w.held_part[k] = at - projected(held.P[k], at);
    at -= w.held_part[k];
  }
  lattices_[l].restrict_to(w.r, w.coarse_r, w.sums);
  for (size_t k = 0; k < held.row.size(); ++k) w.r[held.row[k]] += w.held_part[k];
  cycle(l + 1, std::span<const Vector>(w.coarse_r), std::span<Vector>(w.coarse_x), Nothing(), Nothing());
  lattices_[l].prolong(w.coarse_x, w.d);
  for (size_t k = 0; k < held.row.size(); ++k) w.d[held.row[k]] = projected(held.P[k], w.d[held.row[k]]);
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
    sum += static_cast<int64_t>(level.inverse.size() * sizeof(Mat3f)) + level.single.bytes() +
           level.lanes.bytes() + level.lane_product.bytes();
  }
  if (bottom_ && bottom_->dense) sum += bottom_->factor.matrixLDLT().size() * int64_t{sizeof(double)};
  return sum;
}

}  // namespace sinew::solve
