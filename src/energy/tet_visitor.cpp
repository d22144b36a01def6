#include "energy/tet_visitor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "math/gather.h"
#include "mesh/adjacency.h"
#include "mesh/tet_shape.h"
#include "model/rest_hessian.h"

namespace sinew::energy {

namespace {

using math::Mat3d;
using math::PackD;
using math::PackF;

// A tet as one of its nodes sees it.
struct Corner {
  std::array<int32_t, 3> others;
  double rest[material::NodeTets<PackD>::full_size];
};

// From the first node of a tet that does not have this one.
Corner corner_of(const model::Model& model, const model::Tet& tet, int32_t node) {
  if (std::find(tet.begin(), tet.end(), node) == tet.end()) node = tet[0];
  std::array<Vec3d, 4> X;
  for (int a = 0; a < 4; ++a) X[a] = model.X[tet[a]];
  const auto shape = mesh::shape_gradients<4>(X, mesh::tet_centre);
  Corner corner;
  Vec3d g[3];
  for (int a = 0, j = 0; a < 4; ++a) {
    if (tet[a] == node) continue;
    corner.others[j] = tet[a];
    g[j++] = shape.g[a];
  }
  Mat3d Q;
  Q.c[0] = g[0] * (1 / norm(g[0]));
  const Vec3d off = g[1] - Q.c[0] * dot(Q.c[0], g[1]);
  Q.c[1] = off * (1 / norm(off));
  Q.c[2] = cross(Q.c[0], Q.c[1]);
  double* r = corner.rest;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) *r++ = dot(Q.c[i], g[j]);
  *r++ = shape.weight;
  for (int k = 0; k < 9; ++k) *r++ = Q.c[k / 3].v[k % 3];
  return corner;
}

// Packs of rest shapes that agree to ten digits (five in single precision) are kept once: `rest` shrinks to the distinct
// ones, and the result says which of them each was. Empty, and `rest` as it was, where none or few repeat.
template <class T>
std::vector<int32_t> share_shapes(std::vector<T>& rest, int size) {
  constexpr int64_t most = 10000;  // distinct ones before the search is given up
  constexpr int lanes = math::lanes_of<T>, triangle = material::NodeTets<T>::triangle;
  constexpr double digits = sizeof(math::ScalarOf<T>) == 8 ? 0x1p34 : 0x1p16;
  const auto count = static_cast<int64_t>(rest.size()) / size;
  std::map<std::vector<int64_t>, int32_t> seen;
  std::vector<int32_t> shape;
  std::vector<int64_t> key(size * lanes + 1);
  for (int64_t k = 0; k < count; ++k) {
    const T* r = &rest[k * size];
    const double length = r[0][0];
    key.back() = std::llround(std::log(length) * digits);
    for (int i = 0; i < size; ++i)
      for (int l = 0; l < lanes; ++l) {
        const double unit = i < triangle ? length : i == triangle ? 1 / (length * length * length) : 1;
        key[i * lanes + l] = std::llround(r[i][l] / unit * digits);
      }
    shape.push_back(seen.try_emplace(key, static_cast<int32_t>(seen.size())).first->second);
    if (static_cast<int64_t>(seen.size()) > most) return {};
  }
  if (static_cast<int64_t>(seen.size()) == count) return {};
  int32_t kept = 0;  // those met first come in order, each before or at its new place
  for (int64_t k = 0; k < count; ++k)
    if (shape[k] == kept) std::copy_n(&rest[k * size], size, &rest[kept++ * size]);
  rest.resize(kept * size);
  rest.shrink_to_fit();
  return shape;
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
    // Tets of this set around each node of the blocks, in places of the set.
    mesh::Csr around;
    const auto place_of = [&](int32_t tet) -> int32_t {
      const auto at = std::lower_bound(tets.begin(), tets.end(), tet);
      return at != tets.end() && *at == tet ? static_cast<int32_t>(at - tets.begin()) : -1;
    };
    const bool whole = !tets.empty() && tets.back() - tets.front() == static_cast<int32_t>(tets.size()) - 1;
    for (int32_t node : blocks.nodes) {
      for (int32_t tet : blocks.tets->row(node)) {
        const int32_t place = !whole                                      ? place_of(tet)
                              : tet >= tets.front() && tet <= tets.back() ? tet - tets.front()
                                                                          : -1;
        if (place >= 0) around.index.push_back(place);
      }
      around.offset.push_back(static_cast<int64_t>(around.index.size()));
    }
    std::vector<material::Lame> lame;  // of each tet of the set, or one
    if (modified) lame = model::rest_lame(law, fields);

    begin_.push_back(0);
    for (int64_t b = 0; b < blocks.count(); ++b) {
      size_t most = 0;
      for (int l = 0; l < lanes; ++l) most = std::max(most, around.row(b * lanes + l).size());
      begin_.push_back(begin_.back() + static_cast<int64_t>(most));
    }
    const int64_t count = begin_.back();
    resize_on_large_pages(others_, 3 * lanes * count);
    resize_on_large_pages(rest_, size_ * count);
    resize_on_large_pages(params_, stride_ * count);
    resize_on_large_pages(lame_, modified ? 2 * count : 0);
    for_each_block(blocks.count(), 64, [&](int64_t first, int64_t last) {
      std::vector<double> params(law.param_count);
      for (int64_t b = first; b < last; ++b)
        for (int64_t k = begin_[b]; k < begin_[b + 1]; ++k)
          for (int l = 0; l < lanes; ++l) {
            const int32_t node = blocks.of(b)[l];
            const auto row = around.row(b * lanes + l);
            const auto s = static_cast<size_t>(k - begin_[b]);
            // A lane with fewer tets repeats one with volume 0, of another set if need be: always a neighbour, whom no
            // other thread moves meanwhile.
            const int32_t t = row.empty() ? 0 : row[std::min(s, row.size() - 1)];
            const auto elsewhere = blocks.tets->row(node);
            Corner corner = corner_of(
                model, model.tets[!row.empty() || elsewhere.empty() ? tets[t] : elsewhere[0]], node);
            if (s >= row.size()) corner.rest[material::NodeTets<T>::triangle] = 0;
            for (int j = 0; j < 3; ++j) others_[(3 * k + j) * lanes + l] = corner.others[j];
            for (int i = 0; i < size_; ++i) rest_[size_ * k + i].set(l, static_cast<Scalar>(corner.rest[i]));
            if (stride_ > 0) convert(law, fields, t, corner, params);
            for (int p = 0; p < stride_; ++p) params_[stride_ * k + p].set(l, static_cast<Scalar>(params[p]));
            if (modified) {
              const auto [mu, lambda] = lame[std::min<size_t>(t, lame.size() - 1)];
              lame_[2 * k].set(l, static_cast<Scalar>(mu));
              lame_[2 * k + 1].set(l, static_cast<Scalar>(lambda));
            }
          }
    });
    if (stride_ == 0) {
      std::vector<double> params(law.param_count);
      convert(law, fields, 0, {}, params);
      for (double p : params) params_.push_back(T(p));
    }
    if (blocks.lasting) shape_ = share_shapes(rest_, size_);
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
  static constexpr int lanes = math::lanes_of<T>;

  static const material::PointKernels<T>& kernels(const material::Law& law) {
    if constexpr (std::is_same_v<T, PackD>)
      return law.d;
    else
      return law.f;
  }

  // The law's parameters for tet t of the set, fibres turned into the frame of the corner.
  static void convert(const material::Law& law, const std::vector<model::ParamField>& fields, int32_t t,
                      const Corner& corner, std::vector<double>& params) {
    std::vector<double> in(fields.size());
    for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(t);
    if (law.indifferent)
      for (size_t f = 0, at = 0; f < law.fields.size(); ++f) {
        if (law.fields[f].kind != Field::Kind::vector3) {
          ++at;
          continue;
        }
        const Vec3d v = {in[at], in[at + 1], in[at + 2]};
        const double* Q = corner.rest + material::NodeTets<T>::turned_size;
        for (int i = 0; i < 3; ++i) in[at + i] = Q[3 * i] * v[0] + Q[3 * i + 1] * v[1] + Q[3 * i + 2] * v[2];
        at += 3;
      }
    law.convert(in.data(), params.data());
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
