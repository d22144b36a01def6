#include "energy/triangle_visitor.h"

#include <algorithm>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "element/node_star.h"
#include "math/gather.h"

namespace sinew::energy {

namespace {

using math::PackD;
using math::PackF;

template <class T>
class TriangleVisitor final : public NodeVisitor<T> {
 public:
  TriangleVisitor(const VisitedTriangles& triangles, const material::Law& law,
                  const std::vector<model::ParamField>& fields, const NodeBlocks& blocks)
      : kernels_(kernels(law)),
        options_{.fixed_thickness = triangles.model.bodies[triangles.set.body].fixed_thickness} {
    const bool uniform =
        std::all_of(fields.begin(), fields.end(), [](const auto& f) { return f.values.size() == 1; });
    stride_ = uniform ? 0 : law.param_count;
    Stars stars(triangles.model.X, triangles.nodes, triangles.place, blocks.nodes,
                [&](int32_t node, std::vector<int32_t>& list) {
                  blocks.stencils->append(triangles.stencils(), node, list);
                });
    put_rest(stars, triangles);
    put_params(stars, triangles, law, fields);
    begin_ = std::move(stars.begin);
    others_ = std::move(stars.others);
  }

  void add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
           material::NodeSums<T>& sums) const override {
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const T* r = &rest_[rest_size * k];
      const math::Mat<T, 3, 2> F = deformation(view, k, x0);
      const math::Vec<T, 2> g = {-r[0] - r[2], -r[1] - r[3]};
      math::Vec3<T> Pg;
      T A[6];
      kernels_.node(params_.data() + stride_ * k, F.c[0].v, g, options_, Pg, A);
      const auto counts = r[4] > T(0);  // what fills up a lane may overflow
      for (int i = 0; i < 3; ++i) sums.gradient[i] += select(counts, r[4] * Pg[i], T(0));
      for (int m = 0; m < 6; ++m) sums.block[m] += select(counts, r[4] * A[m], T(0));
    }
  }

  T energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const override {
    T sum = T(0);
    for (int64_t k = begin_[block]; k < begin_[block + 1]; ++k) {
      const math::Mat<T, 3, 2> F = deformation(view, k, x0);
      T psi;
      kernels_.evaluate(1, params_.data() + stride_ * k, 0, F.c[0].v, options_, &psi, nullptr);
      const T& V = rest_[rest_size * k + 4];
      sum += V * select(V > T(0), psi, T(0));
    }
    return sum;
  }

  int64_t bytes() const override {
    return static_cast<int64_t>(others_.size() * sizeof(int32_t) +
                                (rest_.size() + params_.size()) * sizeof(T));
  }

 private:
  using Scalar = math::ScalarOf<T>;
  static constexpr int lanes = math::lanes_of<T>, rest_size = 5;
  using Stars = element::NodeStars<element::Tri3, lanes>;

  static const material::MembraneKernels<T>& kernels(const material::Law& law) {
    if constexpr (std::is_same_v<T, PackD>)
      return law.membrane_d;
    else
      return law.membrane_f;
  }

  math::Mat<T, 3, 2> deformation(const NodeView<T>& view, int64_t k, const math::Vec3<T>& x0) const {
    const int32_t* id = others_.data() + 2 * lanes * k;
    const auto e1 = math::gather3<T>(view.x, id) - x0, e2 = math::gather3<T>(view.x, id + lanes) - x0;
    const T* r = &rest_[rest_size * k];
    return {{e1 * r[0] + e2 * r[2], e1 * r[1] + e2 * r[3]}};
  }

  // The others come in their order in the triangle; padding has volume 0.
  void put_rest(const Stars& stars, const VisitedTriangles& triangles) {
    const model::Body& body = triangles.model.bodies[triangles.set.body];
    resize_on_large_pages(rest_, rest_size * stars.packs());
    for_each_block(stars.packs(), 1024, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int l = 0; l < lanes; ++l) {
          const int32_t e = triangles.set.elements[triangles.place[stars.id(k, l)]];
          const auto rest = element::triangle_gradients(body.flat[e - body.elements.begin]);
          const int own = stars.own(k, l), other[] = {own == 0, own == 2 ? 1 : 2};
          for (int i = 0; i < 4; ++i)
            rest_[rest_size * k + i].set(l, static_cast<Scalar>(rest.g[other[i / 2]][i % 2]));
          const double volume = rest.weight * body.thickness * triangles.model.covered(e);
          rest_[rest_size * k + 4].set(l, static_cast<Scalar>(stars.padding(k, l) ? 0 : volume));
        }
    });
  }

  void put_params(const Stars& stars, const VisitedTriangles& triangles, const material::Law& law,
                  const std::vector<model::ParamField>& fields) {
    resize_on_large_pages(params_, stride_ == 0 ? law.param_count : stride_ * stars.packs());
    const int64_t packs = stride_ > 0 ? stars.packs() : std::min<int64_t>(stars.packs(), 1);
    std::vector<double> in(fields.size()), out(law.param_count);
    for (int64_t k = 0; k < packs; ++k)
      for (int l = 0; l < lanes; ++l) {
        for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(triangles.place[stars.id(k, l)]);
        law.convert(in.data(), out.data());
        for (int p = 0; p < law.param_count; ++p)
          params_[law.param_count * k + p].set(l, static_cast<Scalar>(out[p]));
      }
  }

  const material::MembraneKernels<T>& kernels_;
  material::PointOptions options_;
  int stride_;
  std::vector<int64_t> begin_;   // of the triangles of each block, and the end
  std::vector<int32_t> others_;  // two packs of ids a triangle
  std::vector<T> rest_, params_;
};

}  // namespace

template <class T>
NodeVisitorPointer<T> make_triangle_visitor(const VisitedTriangles& triangles, const material::Law& law,
                                            const std::vector<model::ParamField>& fields,
                                            const NodeBlocks& blocks) {
  return std::make_unique<TriangleVisitor<T>>(triangles, law, fields, blocks);
}

template NodeVisitorPointer<PackD> make_triangle_visitor<PackD>(const VisitedTriangles&, const material::Law&,
                                                                const std::vector<model::ParamField>&,
                                                                const NodeBlocks&);
template NodeVisitorPointer<PackF> make_triangle_visitor<PackF>(const VisitedTriangles&, const material::Law&,
                                                                const std::vector<model::ParamField>&,
                                                                const NodeBlocks&);

}  // namespace sinew::energy
