#include "energy/tet_visitor.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/hash.h"
#include "base/large_pages.h"
#include "base/parallel.h"
#include "element/node_star.h"
#include "math/gather.h"
#include "model/rest_hessian.h"

namespace sinew::energy {

namespace {

using math::Mat3d;
using math::PackD;
using math::PackF;

constexpr int64_t pack_group = 1024;  // packs of tets that a thread takes at once

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
  constexpr size_t max_in_part = 1 << 12, most = 10000;
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
      if (seen.size() > max_in_part) few = true;
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

// Tets whose edges agree to ten digits (five in single precision) of the first edge have one number, by their places in
// the set. Empty where few do.
std::vector<int32_t> number_shapes(const VisitedTets& tets, int digits) {
  std::vector<int32_t> tet_at(tets.nodes.size());
  for (size_t t = 0; t < tet_at.size(); ++t) tet_at[tets.place[t]] = static_cast<int32_t>(t);
  const auto key_of = [&](int64_t place) {
    const auto& tet = tets.nodes[tet_at[place]];
    const Vec3d& X = tets.model.X[tet[0]];
    const double length = norm(tets.model.X[tet[1]] - X), scale = std::ldexp(1 / length, digits);
    std::array<int64_t, 10> key;
    for (int k = 0; k < 9; ++k)
      key[k] = std::llrint((tets.model.X[tet[1 + k / 3]][k % 3] - X[k % 3]) * scale);
    const int spare = 52 - digits;  // binary digits of the length that do not count
    key[9] = static_cast<int64_t>((math::to_bits(length) + (uint64_t{1} << (spare - 1))) >> spare);
    return key;
  };
  std::vector<int64_t> first;
  return number_keys(static_cast<int64_t>(tets.nodes.size()), key_of, first);
}

// The first element of the model around each node.
std::vector<int32_t> first_elements(const model::Model& model) {
  std::vector<int32_t> first(model.X.size(), -1);
  for (auto e = static_cast<int32_t>(model.elements.size()) - 1; e >= 0; --e)
    for (int32_t node : model.elements[e]) first[node] = e;
  return first;
}

template <class T>
class TetVisitor final : public NodeVisitor<T> {
 public:
  TetVisitor(const VisitedTets& tets, const material::Law& law, const std::vector<model::ParamField>& fields,
             const NodeBlocks& blocks, bool modified)
      : kernels_(kernels(law)) {
    size_ = law.frame_invariant ? material::NodeTets<T>::rotated_size : material::NodeTets<T>::full_size;
    const bool fibres = field_value_count(law) > static_cast<int>(law.fields.size());
    const bool uniform = !fibres && std::all_of(fields.begin(), fields.end(),
                                                [](const auto& f) { return f.values.size() == 1; });
    stride_ = uniform ? 0 : law.param_count;
    Stars stars(tets.model.X, tets.nodes, tets.place, blocks.nodes,
                [&](int32_t node, std::vector<int32_t>& list) {
                  blocks.stencils->append(tets.stencils(), node, list);
                });
    if (blocks.lasting) put_shared_rest(stars, tets, blocks);
    if (shape_.empty()) {
      std::vector<int64_t> all(stars.packs());
      std::iota(all.begin(), all.end(), 0);
      put_rest(stars, all);
    }
    put_params(stars, tets, law, fields);
    put_coverage(stars, tets);
    if (modified) put_lame(stars, tets, model::rest_lame(law, fields));
    begin_ = std::move(stars.begin);
    others_ = std::move(stars.others);
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
                   .lame = lame_.empty() ? nullptr : lame_.data() + 2 * first,
                   .coverage = coverage_.empty() ? nullptr : coverage_.data() + first},
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
      T V = r[material::NodeTets<T>::triangle];
      if (!coverage_.empty()) V = V * coverage_[k];
      sum += V * select(V > T(0), psi, T(0));  // what fills up a lane may overflow
    }
    return sum;
  }

  int64_t bytes() const override {
    return static_cast<int64_t>(others_.size() * sizeof(int32_t) + shape_.size() * sizeof(int32_t) +
                                (rest_.size() + params_.size() + lame_.size() + coverage_.size()) *
                                    sizeof(T));
  }

 private:
  using Scalar = math::ScalarOf<T>;
  static constexpr int lanes = math::lanes_of<T>, eight = math::lanes_of<PackD>;
  using Stars = element::NodeStars<element::Tet4, lanes>;

  static const material::PointKernels<T>& kernels(const material::Law& law) {
    if constexpr (std::is_same_v<T, PackD>)
      return law.d;
    else
      return law.f;
  }

  // Of eight lanes; padding has volume 0.
  static void rest_of(const Stars& stars, int64_t k, int first_lane, PackD (&rest)[element::node_rest_size]) {
    math::Vec3<PackD> e[3];
    stars.rest_edges(k, first_lane, e);
    element::node_rest(e, rest);
    for (int l = 0; l < eight; ++l)
      if (stars.padding(k, first_lane + l)) rest[material::NodeTets<T>::triangle].set(l, 0);
  }

  // Writes the rest shapes of the packs `from`, one after the other.
  void put_rest(const Stars& stars, std::span<const int64_t> from) {
    resize_on_large_pages(rest_, size_ * from.size());
    for_each_block(static_cast<int64_t>(from.size()), pack_group, [&](int64_t first, int64_t last) {
      PackD rest[element::node_rest_size];
      for (int64_t s = first; s < last; ++s)
        for (int lane = 0; lane < lanes; lane += eight) {
          rest_of(stars, from[s], lane, rest);
          for (int i = 0; i < size_; ++i)
            if constexpr (lanes == eight)
              rest_[size_ * s + i] = rest[i];
            else
              for (int l = 0; l < eight; ++l)
                rest_[size_ * s + i].set(lane + l, static_cast<Scalar>(rest[i][l]));
        }
    });
  }

  // If tets repeat their shapes, packs that agree are stored once; otherwise nothing is done.
  void put_shared_rest(const Stars& stars, const VisitedTets& tets, const NodeBlocks& blocks) {
    const std::vector<int32_t> number = number_shapes(tets, sizeof(Scalar) == 8 ? 34 : 16);
    if (number.empty()) return;
    const std::vector<int32_t> first_element = first_elements(tets.model);
    const auto key_of = [&](int64_t k) {
      const auto block =
          std::upper_bound(stars.begin.begin(), stars.begin.end(), k) - stars.begin.begin() - 1;
      std::array<int32_t, lanes> key;
      for (int l = 0; l < lanes; ++l)
        key[l] = stars.padding(stars.begin[block],
                               l)  // the node has no tets of the set, its lane counts for nothing
                     ? ~first_element[blocks.of(block)[l]]
                     : 8 * number[tets.place[stars.id(k, l)]] + 2 * stars.own(k, l) + stars.padding(k, l);
      return key;
    };
    std::vector<int64_t> distinct;
    shape_ = number_keys(stars.packs(), key_of, distinct);
    if (!shape_.empty()) put_rest(stars, distinct);
  }

  // The law's parameters, fibres turned into the frames of the corners.
  void put_params(const Stars& stars, const VisitedTets& tets, const material::Law& law,
                  const std::vector<model::ParamField>& fields) {
    const bool turns = law.frame_invariant && field_value_count(law) > static_cast<int>(law.fields.size());
    const auto put = [&](int64_t first, int64_t last) {
      std::vector<double> in(fields.size()), out(law.param_count);
      PackD rest[element::node_rest_size];
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l) {
          const int32_t t = tets.place[stars.id(k, l)];
          for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(t);
          if (turns && l % eight == 0) rest_of(stars, k, l, rest);
          if (turns) turn(law, rest + material::NodeTets<T>::rotated_size, l % eight, in);
          law.convert(in.data(), out.data());
          for (int p = 0; p < law.param_count; ++p)
            params_[law.param_count * k + p].set(l, static_cast<Scalar>(out[p]));
        }
    };
    resize_on_large_pages(params_, stride_ == 0 ? law.param_count : stride_ * stars.packs());
    if (stride_ > 0)
      for_each_block(stars.packs(), pack_group, put);
    else if (stars.packs() > 0)
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

  // Of each tet; none where all are whole.
  void put_coverage(const Stars& stars, const VisitedTets& tets) {
    const auto& ids = tets.set.elements;
    if (std::all_of(ids.begin(), ids.end(), [&](int32_t e) { return tets.model.covered(e) == 1; })) return;
    resize_on_large_pages(coverage_, stars.packs());
    for_each_block(stars.packs(), pack_group, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l)
          coverage_[k].set(l, static_cast<Scalar>(tets.model.covered(ids[tets.place[stars.id(k, l)]])));
    });
  }

  // `lame`: of each tet of the set, or one.
  void put_lame(const Stars& stars, const VisitedTets& tets, const std::vector<material::Lame>& lame) {
    resize_on_large_pages(lame_, 2 * stars.packs());
    for_each_block(stars.packs(), pack_group, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l) {
          const auto place = static_cast<size_t>(tets.place[stars.id(k, l)]);
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
  std::vector<T> rest_, params_, lame_, coverage_;
  std::vector<int32_t> shape_;  // empty: each tet has its own
};

}  // namespace

template <class T>
NodeVisitorPointer<T> make_tet_visitor(const VisitedTets& tets, const material::Law& law,
                                       const std::vector<model::ParamField>& fields, const NodeBlocks& blocks,
                                       bool modified) {
  return std::make_unique<TetVisitor<T>>(tets, law, fields, blocks, modified);
}

template NodeVisitorPointer<PackD> make_tet_visitor<PackD>(const VisitedTets&, const material::Law&,
                                                           const std::vector<model::ParamField>&,
                                                           const NodeBlocks&, bool);
template NodeVisitorPointer<PackF> make_tet_visitor<PackF>(const VisitedTets&, const material::Law&,
                                                           const std::vector<model::ParamField>&,
                                                           const NodeBlocks&, bool);

}  // namespace sinew::energy
