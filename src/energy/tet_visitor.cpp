#include "energy/tet_visitor.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/hash.h"
#include "base/large_pages.h"
#include "base/parallel.h"
#include "math/gather.h"
#include "mesh/adjacency.h"
#include "model/rest_hessian.h"

namespace sinew::energy {

namespace {

using math::Mat3d;
using math::PackD;
using math::PackF;

constexpr int64_t block_group = 64;  // blocks of nodes that a thread takes at once
constexpr int rest_size = material::NodeTets<PackD>::full_size;

// Rest shapes of eight tets, each seen from the node that the edges e start at: what NodeTets holds.
void rest_of(const math::Vec3<PackD> (&e)[3], PackD (&rest)[rest_size]) {
  math::Vec3<PackD> g[3] = {cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])};
  const PackD det = dot(e[0], g[0]);
  for (auto& gradient : g) gradient = gradient * (PackD(1) / det);
  math::Mat3<PackD> Q;
  Q.c[0] = normalized(g[0]);
  const math::Vec3<PackD> off = g[1] - Q.c[0] * dot(Q.c[0], g[1]);
  Q.c[1] = off * (PackD(1) / norm(off));
  Q.c[2] = cross(Q.c[0], Q.c[1]);
  PackD* r = rest;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) *r++ = dot(Q.c[i], g[j]);
  *r++ = abs(det) * PackD(1.0 / 6);
  for (int k = 0; k < 9; ++k) *r++ = Q.c[k / 3].v[k % 3];
}

struct HashOfWords {
  template <class Key>
  size_t operator()(const Key& key) const {
    Hash hash;
    hash.add(key.data(), sizeof key);
    return hash.value();
  }
};

// Numbers equal keys alike, by their first places, which are put into `first`. Empty where few repeat.
template <class KeyOf>
std::vector<int32_t> number_keys(int64_t count, const KeyOf& key_of, std::vector<int64_t>& first) {
  using Map = std::unordered_map<decltype(key_of(0)), int32_t, HashOfWords>;
  constexpr int64_t part_size = 1 << 14;
  constexpr size_t most_in_part = 1 << 12, most = 10000;
  struct Part {
    std::vector<int64_t> first;
    std::vector<int32_t> number;  // of each of them, in the end
  };
  std::vector<Part> parts((count + part_size - 1) / part_size);
  std::vector<int32_t> number(count);
  std::atomic<bool> few = false;
  for_each_block(count, part_size, [&](int64_t begin, int64_t end) {
    Map seen;
    Part& part = parts[begin / part_size];
    for (int64_t k = begin; k < end && !few; ++k) {
      const auto [at, fresh] = seen.try_emplace(key_of(k), static_cast<int32_t>(seen.size()));
      if (fresh) part.first.push_back(k);
      number[k] = at->second;
      if (seen.size() > most_in_part) few = true;
    }
  });
  first.clear();
  if (few) return {};
  if (parts.size() == 1) {
    first = std::move(parts[0].first);
    return static_cast<int64_t>(first.size()) == count ? std::vector<int32_t>() : number;
  }
  Map seen;
  for (Part& part : parts)
    for (int64_t k : part.first) {
      const auto [at, fresh] = seen.try_emplace(key_of(k), static_cast<int32_t>(seen.size()));
      if (fresh) first.push_back(k);
      part.number.push_back(at->second);
      if (first.size() > most) return {};
    }
  if (static_cast<int64_t>(first.size()) == count) return {};
  for_each_block(count, part_size, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) number[k] = parts[begin / part_size].number[number[k]];
  });
  return number;
}

// Tets whose edges agree to ten digits (five in single precision) of the first edge have one number. Empty where few do.
std::vector<int32_t> number_shapes(const model::Model& model, std::span<const int32_t> tets, int digits) {
  const auto key_of = [&](int64_t t) {
    const model::Tet& tet = model.elements.nodes<4>(tets[t]);
    const Vec3d& X = model.X[tet[0]];
    const double length = norm(model.X[tet[1]] - X), scale = std::ldexp(1 / length, digits);
    std::array<int64_t, 10> key;
    for (int k = 0; k < 9; ++k) key[k] = std::llrint((model.X[tet[1 + k / 3]][k % 3] - X[k % 3]) * scale);
    const int spare = 52 - digits;  // binary digits of the length that do not count
    key[9] = static_cast<int64_t>((math::to_bits(length) + (uint64_t{1} << (spare - 1))) >> spare);
    return key;
  };
  std::vector<int64_t> first;
  return number_keys(static_cast<int64_t>(tets.size()), key_of, first);
}

template <class T>
class TetVisitor final : public NodeVisitor<T> {
 public:
  TetVisitor(const model::Model& model, const material::Law& law,
             const std::vector<model::ParamField>& fields, std::span<const int32_t> tets,
             const NodeBlocks& blocks, bool modified)
      : kernels_(kernels(law)) {
    const bool turned = law.indifferent;
    size_ = turned ? material::NodeTets<T>::turned_size : material::NodeTets<T>::full_size;
    const bool fibres = field_value_count(law) > static_cast<int>(law.fields.size());
    const bool uniform = !fibres && std::all_of(fields.begin(), fields.end(),
                                                [](const auto& f) { return f.values.size() == 1; });
    stride_ = uniform ? 0 : law.param_count;
    const bool whole = !tets.empty() && tets.back() - tets.front() == static_cast<int32_t>(tets.size()) - 1;
    const auto place_of = [&](int32_t tet) -> int32_t {
      if (whole) return tet >= tets.front() && tet <= tets.back() ? tet - tets.front() : -1;
      const auto at = std::lower_bound(tets.begin(), tets.end(), tet);
      return at != tets.end() && *at == tet ? static_cast<int32_t>(at - tets.begin()) : -1;
    };
    begin_.assign(blocks.count() + 1, 0);
    for_each_block(blocks.count(), block_group, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b)
        for (int32_t node : blocks.of(b)) {
          int64_t own = 0;
          for (int32_t tet : blocks.tets->row(node)) own += place_of(tet) >= 0;
          begin_[b + 1] = std::max(begin_[b + 1], own);
        }
    });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    resize_on_large_pages(others_, 3 * lanes * begin_.back());
    std::vector<int32_t> tet(lanes * begin_.back());
    for_each_block(blocks.count(), block_group, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b)
        for (int l = 0; l < lanes && begin_[b] < begin_[b + 1]; ++l) {
          const auto row = blocks.tets->row(blocks.of(b)[l]);
          int64_t k = begin_[b];
          int32_t repeated = row.empty() ? tets[0] : row[0];
          for (int32_t t : row)
            if (place_of(t) >= 0) tet[lanes * k++ + l] = repeated = t;
          for (; k < begin_[b + 1]; ++k) tet[lanes * k + l] = ~repeated;
          for (k = begin_[b]; k < begin_[b + 1]; ++k)
            put_others(model, tet[lanes * k + l], blocks.of(b)[l], &others_[3 * lanes * k + l]);
        }
    });
    const Corners corners{model, tet, others_};
    if (blocks.lasting) put_shared_rest(corners, tets, place_of);
    if (shape_.empty()) {
      std::vector<int64_t> all(begin_.back());
      std::iota(all.begin(), all.end(), 0);
      put_rest(corners, all);
    }
    put_params(corners, law, fields, place_of);
    if (modified) put_lame(corners, model::rest_lame(law, fields), place_of);
  }

  void add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
           material::NodeSums<T>& sums) const override {
    const int64_t first = begin_[block];
    kernels_.node({.count = begin_[block + 1] - first,
                   .others = others_.data() + 3 * lanes * first,
                   .rest = rest_.data() + (shape_.empty() ? size_ * first : 0),
                   .shape = shape_.empty() ? nullptr : shape_.data() + first,
                   .params = params_.data() + stride_ * first,
                   .stride = stride_,
                   .lame = lame_.empty() ? nullptr : lame_.data() + 2 * first},
                  view.x, x0, sums);
  }

  T energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const override {
    T sum = T(0);
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const int32_t* id = others_.data() + 3 * lanes * k;
      const auto e1 = math::gather3<T>(view.x, id) - x0, e2 = math::gather3<T>(view.x, id + lanes) - x0,
                 e3 = math::gather3<T>(view.x, id + 2 * lanes) - x0;
      const T* r = rest_.data() + size_ * (shape_.empty() ? k : shape_[k]);
      math::Mat3<T> F = {{e1 * r[0] + e2 * r[1] + e3 * r[3], e2 * r[2] + e3 * r[4], e3 * r[5]}};
      if (size_ == material::NodeTets<T>::full_size)
        F = F * math::Mat3<T>{{{r[7], r[10], r[13]}, {r[8], r[11], r[14]}, {r[9], r[12], r[15]}}};
      T psi;
      kernels_.evaluate(1, params_.data() + stride_ * k, 0, F.c[0].v, {}, &psi, nullptr);
      sum += r[material::NodeTets<T>::triangle] * psi;
    }
    return sum;
  }

  int64_t bytes() const override {
    return static_cast<int64_t>(others_.size() * sizeof(int32_t) + shape_.size() * sizeof(int32_t) +
                                (rest_.size() + params_.size() + lame_.size()) * sizeof(T));
  }

 private:
  using Scalar = math::ScalarOf<T>;
  static constexpr int lanes = math::lanes_of<T>, eight = math::lanes_of<PackD>;

  static const material::PointKernels<T>& kernels(const material::Law& law) {
    if constexpr (std::is_same_v<T, PackD>)
      return law.d;
    else
      return law.f;
  }

  // Tets as the nodes in the lanes see them.
  struct Corners {
    const model::Model& model;
    // A lane with fewer tets repeats one with volume 0, of another set if need be: always a neighbour, whom no other
    // thread moves meanwhile. Such a tet t is stored as ~t.
    const std::vector<int32_t>& tet;
    const std::vector<int32_t>& others;

    int64_t packs() const { return static_cast<int64_t>(tet.size()) / lanes; }
    bool empty(int64_t k, int lane) const { return tet[lanes * k + lane] < 0; }
    int32_t id(int64_t k, int lane) const { return std::max(tet[lanes * k + lane], ~tet[lanes * k + lane]); }
    // Which of the tet's four nodes is not one of the others.
    int own(int64_t k, int lane) const {
      const model::Tet& nodes = model.elements.nodes<4>(id(k, lane));
      int own = 0;
      while (own < 3 && nodes[own] == others[(3 * k + own) * lanes + lane]) ++own;
      return own;
    }
    // Of eight lanes.
    void rest(int64_t k, int first_lane, PackD (&rest)[rest_size]) const {
      double edge[9][eight];
      for (int l = 0; l < eight; ++l) {
        const int lane = first_lane + l;
        const Vec3d& X = model.X[model.elements[id(k, lane)][own(k, lane)]];
        for (int i = 0; i < 9; ++i)
          edge[i][l] = model.X[others[(3 * k + i / 3) * lanes + lane]][i % 3] - X[i % 3];
      }
      math::Vec3<PackD> e[3];
      for (int i = 0; i < 9; ++i) e[i / 3][i % 3] = PackD::load(edge[i]);
      rest_of(e, rest);
      for (int l = 0; l < eight; ++l)
        if (empty(k, first_lane + l)) rest[material::NodeTets<T>::triangle].set(l, 0);
    }
  };

  static void put_others(const model::Model& model, int32_t tet, int32_t node, int32_t* others) {
    const model::Tet& nodes = model.elements.nodes<4>(std::max(tet, ~tet));
    int own = 0;  // a node without tets is seen as the last one of a tet that counts for nothing
    while (own < 3 && nodes[own] != node) ++own;
    for (int j = 0; j < 3; ++j) others[j * lanes] = nodes[j + (j >= own)];
  }

  // Of the packs `from`, one after the other.
  void put_rest(const Corners& corners, std::span<const int64_t> from) {
    resize_on_large_pages(rest_, size_ * from.size());
    for_each_block(static_cast<int64_t>(from.size()), 16 * block_group, [&](int64_t first, int64_t last) {
      PackD rest[rest_size];
      for (int64_t s = first; s < last; ++s)
        for (int lane = 0; lane < lanes; lane += eight) {
          corners.rest(from[s], lane, rest);
          for (int i = 0; i < size_; ++i)
            if constexpr (lanes == eight)
              rest_[size_ * s + i] = rest[i];
            else
              for (int l = 0; l < eight; ++l)
                rest_[size_ * s + i].set(lane + l, static_cast<Scalar>(rest[i][l]));
        }
    });
  }

  // Where tets repeat their shapes, packs of them that agree are kept once; otherwise nothing is done.
  template <class PlaceOf>
  void put_shared_rest(const Corners& corners, std::span<const int32_t> tets, const PlaceOf& place_of) {
    const std::vector<int32_t> number = number_shapes(corners.model, tets, sizeof(Scalar) == 8 ? 34 : 16);
    if (number.empty()) return;
    const auto key_of = [&](int64_t k) {
      std::array<int32_t, lanes> key;
      for (int l = 0; l < lanes; ++l) {
        const int32_t place = place_of(corners.id(k, l));
        key[l] =
            place < 0 ? ~corners.id(k, l) : 8 * number[place] + 2 * corners.own(k, l) + corners.empty(k, l);
      }
      return key;
    };
    std::vector<int64_t> distinct;
    shape_ = number_keys(corners.packs(), key_of, distinct);
    if (!shape_.empty()) put_rest(corners, distinct);
  }

  // The law's parameters, fibres turned into the frames of the corners.
  template <class PlaceOf>
  void put_params(const Corners& corners, const material::Law& law,
                  const std::vector<model::ParamField>& fields, const PlaceOf& place_of) {
    const bool turns = law.indifferent && field_value_count(law) > static_cast<int>(law.fields.size());
    const auto put = [&](int64_t first, int64_t last) {
      std::vector<double> in(fields.size()), out(law.param_count);
      PackD rest[rest_size];
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l) {
          const int32_t t = std::max(place_of(corners.id(k, l)), 0);
          for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(t);
          if (turns && l % eight == 0) corners.rest(k, l, rest);
          if (turns) turn(law, rest + material::NodeTets<T>::turned_size, l % eight, in);
          law.convert(in.data(), out.data());
          for (int p = 0; p < law.param_count; ++p)
            params_[law.param_count * k + p].set(l, static_cast<Scalar>(out[p]));
        }
    };
    resize_on_large_pages(params_, stride_ == 0 ? law.param_count : stride_ * corners.packs());
    if (stride_ > 0)
      for_each_block(corners.packs(), 16 * block_group, put);
    else if (corners.packs() > 0)
      put(0, 1);
  }

  // Fibres in one lane's frame Q.
  static void turn(const material::Law& law, const PackD* Q, int lane, std::vector<double>& in) {
    for (size_t f = 0, at = 0; f < law.fields.size(); ++f) {
      if (law.fields[f].kind != Field::Kind::vector3) {
        ++at;
        continue;
      }
      const Vec3d v = {in[at], in[at + 1], in[at + 2]};
      for (int i = 0; i < 3; ++i)
        in[at + i] = Q[3 * i][lane] * v[0] + Q[3 * i + 1][lane] * v[1] + Q[3 * i + 2][lane] * v[2];
      at += 3;
    }
  }

  // `lame`: of each tet of the set, or one.
  template <class PlaceOf>
  void put_lame(const Corners& corners, const std::vector<material::Lame>& lame, const PlaceOf& place_of) {
    resize_on_large_pages(lame_, 2 * corners.packs());
    for_each_block(corners.packs(), 16 * block_group, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l) {
          const auto place = static_cast<size_t>(std::max(place_of(corners.id(k, l)), 0));
          const auto [mu, lambda] = lame[std::min(place, lame.size() - 1)];
          lame_[2 * k].set(l, static_cast<Scalar>(mu));
          lame_[2 * k + 1].set(l, static_cast<Scalar>(lambda));
        }
    });
  }

  const material::PointKernels<T>& kernels_;
  int size_, stride_;
  std::vector<int64_t> begin_;   // of the tets of each block, and the end
  std::vector<int32_t> others_;  // three packs of ids a tet
  std::vector<T> rest_, params_, lame_;
  std::vector<int32_t> shape_;  // empty: each tet has its own
};

}  // namespace

template <class T>
std::unique_ptr<NodeVisitor<T>> make_tet_visitor(const model::Model& model, const material::Law& law,
                                                 const std::vector<model::ParamField>& fields,
                                                 std::span<const int32_t> tets, const NodeBlocks& blocks,
                                                 bool modified) {
  return std::make_unique<TetVisitor<T>>(model, law, fields, tets, blocks, modified);
}

template std::unique_ptr<NodeVisitor<PackD>> make_tet_visitor<PackD>(const model::Model&,
                                                                     const material::Law&,
                                                                     const std::vector<model::ParamField>&,
                                                                     std::span<const int32_t>,
                                                                     const NodeBlocks&, bool);
template std::unique_ptr<NodeVisitor<PackF>> make_tet_visitor<PackF>(const model::Model&,
                                                                     const material::Law&,
                                                                     const std::vector<model::ParamField>&,
                                                                     std::span<const int32_t>,
                                                                     const NodeBlocks&, bool);

}  // namespace sinew::energy
