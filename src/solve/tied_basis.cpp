#include "solve/tied_basis.h"

#include <algorithm>
#include <cmath>

#include "math/eigen_symmetric.h"

namespace sinew::solve {

using energy::BlockMatrix;
using energy::BlockPattern;

namespace {

// A tie holds where it is so much stiffer than the node that follows it.
constexpr double stiff = 1;
// Of the largest coefficient of a tie that of its slave may be.
constexpr double least_pivot = 0.2;
constexpr double negligible = 1e-12;  // coefficients, over the largest
constexpr size_t most_masters = 400;  // coordinates
constexpr int axes = 3;

// A coordinate: 3 row + axis. As a slave it stands for its z.
struct Term {
  int32_t at;
  double c;
};
using Terms = std::vector<Term>;

void add(Terms& terms, int32_t at, double c) {
  for (Term& term : terms)
    if (term.at == at) {
      term.c += c;
      return;
    }
  terms.push_back({at, c});
}

// x_slave = z_slave + sum of masters + sum of the z of others.
struct Tie {
  int32_t slave;
  Terms masters, others;
};

class Elimination {
 public:
  explicit Elimination(int32_t rows) : tie_of_(axes * static_cast<size_t>(rows), -1) {}

  // n.d = sum of `terms`; stiffness(at) is that of a coordinate, 0 where it cannot follow, uses(at) the pairs that its node is in.
  // A node of few pairs makes few entries as a slave (Markowitz: The elimination form of the inverse and its application to linear
  // programming, 1957).
  template <class Stiffness, class Uses>
  void add_tie(double k, Terms terms, const Stiffness& stiffness, const Uses& uses) {
    Terms others;
    substitute(terms, others, 0);
    double largest = 0;
    for (const Term& term : terms) largest = std::max(largest, std::abs(term.c));
    std::erase_if(terms, [&](const Term& term) { return std::abs(term.c) < negligible * largest; });
    if (terms.size() > most_masters) return;
    const Term* best = nullptr;
    double best_share = 0;
    for (const Term& term : terms) {
      const double s = stiffness(term.at), c2 = term.c * term.c;
      if (!(s > 0) || std::abs(term.c) < least_pivot * largest || !(k * c2 > stiff * s)) continue;
      // To a power of two, so that the choice seldom changes as a body deforms.
      const double share = std::round(std::log2(c2 / (s * uses(term.at) * uses(term.at))));
      if (best && share <= best_share) continue;
      best = &term;
      best_share = share;
    }
    if (!best) return;
    Tie tie{best->at, {}, std::move(others)};
    const double c = best->c;
    for (const Term& term : terms)
      if (term.at != tie.slave) tie.masters.push_back({term.at, -term.c / c});
    for (Term& term : tie.others) term.c /= -c;
    tie_of_[tie.slave] = static_cast<int32_t>(ties_.size());
    ties_.push_back(std::move(tie));
  }

  // Makes the masters of all ties coordinates that no tie has taken.
  std::vector<Tie>& resolve() {
    for (size_t k = ties_.size(); k-- > 0;)
      substitute(ties_[k].masters, ties_[k].others, static_cast<int32_t>(k) + 1);
    return ties_;
  }

 private:
  // Ties from `first` on replace their slaves in `masters`.
  void substitute(Terms& masters, Terms& others, int32_t first) const {
    while (true) {
      const Term* slave = nullptr;
      int32_t tie = 0;
      for (const Term& term : masters)
        if (const int32_t k = tie_of_[term.at]; k >= first && (!slave || k < tie)) {
          slave = &term;
          tie = k;
        }
      if (!slave) return;
      const double c = slave->c;
      masters.erase(masters.begin() + (slave - masters.data()));
      add(others, ties_[tie].slave, c);
      for (const Term& term : ties_[tie].masters) add(masters, term.at, c * term.c);
      for (const Term& term : ties_[tie].others) add(others, term.at, c * term.c);
    }
  }

  std::vector<int32_t> tie_of_;  // of each coordinate
  std::vector<Tie> ties_;
};

}  // namespace

bool TiedBasis::choose(const PointPairs& pairs, const BlockMatrix& matrix, const HeldRows& held) {
  const int32_t rows = matrix.rows();
  Elimination elimination(rows);
  const auto stiffness = [&](int32_t at) {
    const int32_t r = at / axes;
    if (held.at(r)) return 0.0;
    const Mat3d D = matrix.block(matrix.pattern().diagonal[r]);
    return std::max(D(at % axes, at % axes), 1e-6 * trace(D));
  };
  std::vector<int32_t> uses_of_row(rows);
  for (size_t i = 0; i < pairs.count(); ++i)
    for (const auto& entry : pairs.entries(i)) ++uses_of_row[entry.row];
  const auto uses = [&](int32_t at) { return static_cast<double>(uses_of_row[at / axes]); };
  Terms terms;
  for (size_t i = 0; i < pairs.count(); ++i) {
    const auto eigen = math::eigen_symmetric(pairs.stiffness(i));
    for (int k = 0; k < axes; ++k) {
      if (!(eigen.lambda[k] > 0)) continue;
      terms.clear();
      for (const auto& entry : pairs.entries(i)) {
        const Vec3d n = transpose(entry.G) * eigen.Q.c[k];
        for (int a = 0; a < axes; ++a)
          if (n[a] != 0) add(terms, axes * entry.row + a, n[a]);
      }
      if (!terms.empty()) elimination.add_tie(eigen.lambda[k], terms, stiffness, uses);
    }
  }
  std::vector<Tie>& ties = elimination.resolve();
  std::sort(ties.begin(), ties.end(), [](const Tie& a, const Tie& b) { return a.slave < b.slave; });

  ties_ = static_cast<int64_t>(ties.size());
  place_.assign(rows, -1);
  slave_row_.clear();
  begin_.assign(1, 0);
  coefficient_.clear();
  free_ = held;
  if (free_.of_row.empty()) free_.reset(rows);
  for (size_t k = 0; k < ties.size();) {
    const int32_t r = ties[k].slave / axes;
    std::vector<Coefficient> list = {{r, Mat3d::identity()}};
    const auto at = [&](int32_t column) -> Mat3d& {
      for (Coefficient& c : list)
        if (c.row == column) return c.C;
      return list.emplace_back(Coefficient{column, Mat3d::zero()}).C;
    };
    Mat3d free = Mat3d::identity();
    for (; k < ties.size() && ties[k].slave / axes == r; ++k) {
      const int axis = ties[k].slave % axes;
      free(axis, axis) = 0;
      for (const Terms* part : {&ties[k].masters, &ties[k].others})
        for (const Term& term : *part) at(term.at / axes)(axis, term.at % axes) += term.c;
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    place_[r] = static_cast<int32_t>(slave_row_.size());
    slave_row_.push_back(r);
    coefficient_.insert(coefficient_.end(), list.begin(), list.end());
    begin_.push_back(static_cast<int64_t>(coefficient_.size()));
    free_.add(r, free);
  }
  return follow_structure(pairs);
}

bool TiedBasis::follow_structure(const PointPairs& pairs) {
  std::vector<int32_t> now;
  for (size_t k = 0; k < slave_row_.size(); ++k) {
    now.push_back(slave_row_[k]);
    for (const Coefficient& c : row(slave_row_[k])) now.push_back(c.row);
  }
  for (size_t i = 0; i < pairs.count(); ++i) {
    now.push_back(-1);
    for (const auto& entry : pairs.entries(i)) now.push_back(entry.row);
  }
  if (now == structure_) return false;
  structure_ = std::move(now);
  return true;
}

// f(row, C) of each coefficient of x_r.
template <class F>
void TiedBasis::for_each_of(int32_t r, F&& f) const {
  if (place_[r] < 0) return f(r, Mat3d::identity());
  for (const Coefficient& c : row(r)) f(c.row, c.C);
}

// The pair's difference as a sum of G y.
void TiedBasis::expand(const PointPairs& pairs, size_t pair, std::vector<Coefficient>& G) const {
  G.clear();
  for (const auto& entry : pairs.entries(pair))
    for_each_of(entry.row, [&](int32_t r, const Mat3d& C) {
      const Mat3d part = entry.G * C;
      for (Coefficient& known : G)
        if (known.row == r) {
          known.C += part;
          return;
        }
      G.push_back({r, part});
    });
}

BlockPattern TiedBasis::pattern(const BlockPattern& nodes, const PointPairs& pairs) const {
  const int32_t n = nodes.rows();
  // Columns that rows get beside those of nodes without a slave.
  std::vector<std::vector<int32_t>> more(n);
  const auto add_columns = [&](int32_t r, std::span<const int32_t> columns) {
    std::vector<int32_t>& row = more[r];
    row.insert(row.end(), columns.begin(), columns.end());
    if (row.size() < 4096) return;
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  };
  std::vector<int32_t> own, around;
  std::vector<int32_t> seen(n, -1);
  for (const int32_t s : slave_row_) {
    own.clear();
    around.clear();
    for (const Coefficient& c : row(s)) own.push_back(c.row);
    for (int64_t slot = nodes.row_begin[s]; slot < nodes.row_begin[s + 1]; ++slot)
      for_each_of(nodes.column[slot], [&](int32_t b, const Mat3d&) {
        if (seen[b] == s) return;
        seen[b] = s;
        around.push_back(b);
      });
    for (const int32_t a : own) add_columns(a, around);
    for (const int32_t b : around) add_columns(b, own);
  }
  std::vector<Coefficient> G;
  for (size_t i = 0; i < pairs.count(); ++i) {
    expand(pairs, i, G);
    own.clear();
    for (const Coefficient& a : G) own.push_back(a.row);
    for (const int32_t a : own) add_columns(a, own);
  }

  BlockPattern pattern;
  for (int32_t i = 0; i < n; ++i) {
    std::vector<int32_t>& columns = more[i];
    if (place_[i] < 0)
      for (int64_t s = nodes.row_begin[i]; s < nodes.row_begin[i + 1]; ++s)
        if (place_[nodes.column[s]] < 0) columns.push_back(nodes.column[s]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int32_t j : columns) {
      if (j == i) pattern.diagonal.push_back(pattern.blocks());
      pattern.column.push_back(j);
    }
    pattern.row_begin.push_back(pattern.blocks());
  }
  return pattern;
}

void TiedBasis::transform(const BlockMatrix& matrix, const PointPairs& pairs, BlockMatrix& tied) const {
  const BlockPattern &from = matrix.pattern(), &to = tied.pattern();
  tied.set_zero();
  for_each_block(from.rows(), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (place_[i] >= 0) continue;
      int64_t t = to.row_begin[i];
      for (int64_t s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s) {
        if (place_[from.column[s]] >= 0) continue;
        while (to.column[t] != from.column[s]) ++t;
        std::copy_n(matrix.single() + 9 * s, 9, tied.single() + 9 * t);
      }
    }
  });
  // Of each slave row s: W = A_s T, added as C^T W to the rows of its masters.
  std::vector<int32_t> place_in_W(from.rows(), -1);
  std::vector<Coefficient> W;
  for (const int32_t i : slave_row_) {
    W.clear();
    const auto add_to_W = [&](int32_t column, const Mat3d& block) {
      int32_t& place = place_in_W[column];
      if (place < 0) {
        place = static_cast<int32_t>(W.size());
        W.push_back({column, block});
      } else {
        W[place].C += block;
      }
    };
    for (int64_t s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s)
      for_each_of(from.column[s], [&](int32_t b, const Mat3d& C) { add_to_W(b, matrix.block(s) * C); });
    for (const Coefficient& w : W) place_in_W[w.row] = -1;
    std::sort(W.begin(), W.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    for (const Coefficient& of : row(i)) {
      const Mat3d left = transpose(of.C);
      int64_t t = to.row_begin[of.row];
      for (const Coefficient& w : W) {
        while (to.column[t] != w.row) ++t;
        tied.add(t, left * w.C);
      }
    }
    // The mirror image of what joins a slave to a row without one.
    for (int64_t s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s) {
      const int32_t j = from.column[s];
      if (place_[j] >= 0) continue;
      const Mat3d block = transpose(matrix.block(s));
      int64_t t = to.row_begin[j];
      for (const Coefficient& of : row(i)) {
        while (to.column[t] != of.row) ++t;
        tied.add(t, block * of.C);
      }
    }
  }
  std::vector<Coefficient> G;
  for (size_t k = 0; k < pairs.count(); ++k) {
    expand(pairs, k, G);
    for (const Coefficient& a : G) {
      const Mat3d left = transpose(a.C) * pairs.stiffness(k);
      for (const Coefficient& b : G) tied.add(to.slot(a.row, b.row), left * b.C);
    }
  }
}

void TiedBasis::pull(std::span<Vec3d> r) const {
  scratch_.clear();
  for (const int32_t s : slave_row_) {
    scratch_.push_back(r[s]);
    r[s] = {0, 0, 0};
  }
  for (size_t k = 0; k < slave_row_.size(); ++k)
    for (const Coefficient& c : row(slave_row_[k])) r[c.row] += transpose(c.C) * scratch_[k];
}

void TiedBasis::push(std::span<Vec3d> y) const {
  scratch_.clear();
  for (const int32_t s : slave_row_) {
    Vec3d x = {0, 0, 0};
    for (const Coefficient& c : row(s)) x += c.C * y[c.row];
    scratch_.push_back(x);
  }
  for (size_t k = 0; k < slave_row_.size(); ++k) y[slave_row_[k]] = scratch_[k];
}

int64_t TiedBasis::bytes() const {
  return static_cast<int64_t>(coefficient_.size() * sizeof(Coefficient) +
                              (place_.size() + free_.of_row.size()) * sizeof(int32_t) +
                              free_.P.size() * (sizeof(Mat3d) + sizeof(int32_t)));
}

}  // namespace sinew::solve
