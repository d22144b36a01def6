#include "solve/tied_basis.h"

#include <algorithm>
#include <cmath>
#include <map>

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
constexpr size_t most_entries = 400;  // of a tie
// Of the matrix that ties make: for each of its rows, and in any case.
constexpr int64_t entries_of_row = 500, least_entries = 1000000;
constexpr size_t most_rows = 64;     // of a pair in the basis
constexpr double cancelled = 1e-10;  // of the largest, what is rounding in them
constexpr int axes = 3;

// How much of the stiffness of a pair a coefficient feels: |K G|.
double felt(const Mat3d& K, const Mat3d& G) {
  const Mat3d KG = K * G;
  double sum = 0;
  for (const Vec3d& c : KG.c) sum += norm2(c);
  return std::sqrt(sum);
}

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

// Ties, each in coordinates that no tie has taken. One that would make too many entries is left out, so that time and memory are
// bounded by those of the matrix.
class Elimination {
 public:
  explicit Elimination(int32_t rows)
      : tie_of_(axes * static_cast<size_t>(rows), -1),
        left_(std::max(least_entries, entries_of_row * axes * static_cast<int64_t>(rows))) {}

  // n.d = sum of `terms`; stiffness(at) is that of a coordinate, 0 where it cannot follow, uses(at) the pairs that its node is in.
  // A node of few pairs makes few entries as a slave (Markowitz: The elimination form of the inverse and its application to linear
  // programming, 1957).
  template <class Stiffness, class Uses>
  void add_tie(double k, const Terms& of_pair, const Stiffness& stiffness, const Uses& uses) {
    Terms terms, others;
    for (const Term& term : of_pair) {
      if (tie_of_[term.at] < 0)
        add(terms, term.at, term.c);
      else
        substitute(ties_[tie_of_[term.at]], term.c, terms, others);
      if (terms.size() + others.size() > most_entries) return leave();
    }
    double largest = 0;
    for (const Term& term : terms) largest = std::max(largest, std::abs(term.c));
    std::erase_if(terms, [&](const Term& term) { return std::abs(term.c) < negligible * largest; });
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
    const double c = best->c;
    Tie tie{best->at, {}, std::move(others)};
    for (const Term& term : terms)
      if (term.at != tie.slave) tie.masters.push_back({term.at, -term.c / c});
    for (Term& term : tie.others) term.c /= -c;
    take(std::move(tie));
  }

  std::vector<Tie>& ties() { return ties_; }
  bool complete() const { return complete_; }  // none was left out

 private:
  void leave() { complete_ = false; }
  static size_t entries(const Tie& tie) { return 1 + tie.masters.size() + tie.others.size(); }

  // terms, others += c x_slave
  static void substitute(const Tie& tie, double c, Terms& terms, Terms& others) {
    add(others, tie.slave, c);
    for (const Term& term : tie.masters) add(terms, term.at, c * term.c);
    for (const Term& term : tie.others) add(others, term.at, c * term.c);
  }

  // Unless there would be too many entries in it, or in ties that had its slave as a master.
  void take(Tie tie) {
    std::vector<int32_t>& followers = followers_[tie.slave];
    std::erase_if(followers, [&](int32_t t) {
      return std::none_of(ties_[t].masters.begin(), ties_[t].masters.end(),
                          [&](const Term& term) { return term.at == tie.slave; });
    });
    std::sort(followers.begin(), followers.end());
    followers.erase(std::unique(followers.begin(), followers.end()), followers.end());
    const auto squared = [](size_t n) { return static_cast<int64_t>(n * n); };
    const size_t own = entries(tie);
    int64_t more = squared(own);
    for (const int32_t t : followers) {
      const size_t before = entries(ties_[t]);
      if (before + own > most_entries) return leave();
      more += squared(before + own) - squared(before);
    }
    if (own > most_entries || more > left_) return leave();
    left_ -= more;
    const auto index = static_cast<int32_t>(ties_.size());
    const std::vector<int32_t> changed = std::move(followers);
    for (const int32_t t : changed) {
      Tie& follower = ties_[t];
      const auto at = std::find_if(follower.masters.begin(), follower.masters.end(),
                                   [&](const Term& term) { return term.at == tie.slave; });
      const double c = at->c;
      follower.masters.erase(at);
      substitute(tie, c, follower.masters, follower.others);
      for (const Term& term : tie.masters) followers_[term.at].push_back(t);
    }
    for (const Term& term : tie.masters) followers_[term.at].push_back(index);
    tie_of_[tie.slave] = index;
    ties_.push_back(std::move(tie));
  }

  std::vector<int32_t> tie_of_;  // of each coordinate
  bool complete_ = true;
  int64_t left_;  // entries of the matrix that ties may still make, about
  std::vector<Tie> ties_;
  std::map<int32_t, std::vector<int32_t>>
      followers_;  // of a coordinate: ties that have it, or had, as a master
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
  complete_ = elimination.complete();
  std::vector<Tie>& ties = elimination.ties();
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
  expand(pairs);
  return follow_structure();
}

bool TiedBasis::follow_structure() {
  std::vector<int32_t> now;
  for (size_t k = 0; k < slave_row_.size(); ++k) {
    now.push_back(slave_row_[k]);
    for (const Coefficient& c : row(slave_row_[k])) now.push_back(c.row);
  }
  for (size_t i = 0; i + 1 < pair_begin_.size(); ++i) {
    now.push_back(-1);
    for (const Coefficient& G : of_pair(i)) now.push_back(G.row);
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

// The differences of the pairs as sums of G y. What a tie has taken cancels out; a pair that spreads over too many rows all the same
// is left to the product and has no part in the basis.
void TiedBasis::expand(const PointPairs& pairs) {
  pair_begin_.assign(1, 0);
  pair_G_.clear();
  std::vector<int32_t> place_in_G(place_.size(), -1);
  std::vector<Coefficient> G;
  for (size_t i = 0; i < pairs.count(); ++i) {
    G.clear();
    for (const auto& entry : pairs.entries(i))
      for_each_of(entry.row, [&](int32_t r, const Mat3d& C) {
        int32_t& place = place_in_G[r];
        if (place < 0) {
          place = static_cast<int32_t>(G.size());
          G.push_back({r, Mat3d::zero()});
        }
        G[place].C += entry.G * C;
      });
    for (const Coefficient& g : G) place_in_G[g.row] = -1;
    double largest = 0;
    for (const Coefficient& g : G) largest = std::max(largest, felt(pairs.stiffness(i), g.C));
    std::erase_if(G,
                  [&](const Coefficient& g) { return felt(pairs.stiffness(i), g.C) <= cancelled * largest; });
    if (G.size() <= most_rows) pair_G_.insert(pair_G_.end(), G.begin(), G.end());
    pair_begin_.push_back(static_cast<int64_t>(pair_G_.size()));
  }
}

BlockPattern TiedBasis::pattern(const BlockPattern& nodes) const {
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
  for (size_t i = 0; i + 1 < pair_begin_.size(); ++i) {
    own.clear();
    for (const Coefficient& a : of_pair(i)) own.push_back(a.row);
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
  for (size_t k = 0; k < pairs.count(); ++k)
    for (const Coefficient& a : of_pair(k)) {
      const Mat3d left = transpose(a.C) * pairs.stiffness(k);
      for (const Coefficient& b : of_pair(k)) tied.add(to.slot(a.row, b.row), left * b.C);
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
  return static_cast<int64_t>((coefficient_.size() + pair_G_.size()) * sizeof(Coefficient) +
                              (place_.size() + free_.of_row.size()) * sizeof(int32_t) +
                              free_.P.size() * (sizeof(Mat3d) + sizeof(int32_t)));
}

}  // namespace sinew::solve
