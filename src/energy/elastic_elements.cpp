#include "energy/elastic_elements.h"

#include <algorithm>

#include "base/parallel.h"
#include "element/stiffness.h"
#include "energy/tet_visitor.h"
#include "energy/triangle_visitor.h"
#include "material/isotropic.h"
#include "material/modified_hessian.h"
#include "math/det_hessian.h"
#include "math/project_packed.h"
#include "mesh/ordering.h"
#include "model/element_nodes.h"
#include "model/rest_hessian.h"

namespace sinew::energy {

using element::ElementStiffness;
using element::load_matrix;
using math::Mat3;
using math::PackD;
using math::Vec3;

namespace {

// The set's elements in the order of their corners along a path through the mesh that keeps neighbours close.
template <int corner_count>
element::LaneOrder sorted_order(const model::Model& model, const model::ElasticSet& set) {
  std::vector<std::array<int32_t, corner_count>> corners;
  for (int32_t t : set.elements) corners.push_back(model.elements.nodes<corner_count>(t));
  const auto graph = mesh::node_nodes(corners, static_cast<int64_t>(model.X.size()));
  const auto place = mesh::inverse_order(mesh::reverse_cuthill_mckee(graph));
  element::LaneOrder order;
  order.add_group(mesh::element_order<corner_count>(corners, place));
  return order;
}

}  // namespace

template <class Shape>
ElasticElements<Shape>::ElasticElements(const model::Model& model, int32_t set, const MeanDilatation* mean)
    : Term({.body = model.sets[set].body}),
      set_(set),
      law_(*model.sets[set].law),
      mean_(mean),
      fixed_thickness_(model.bodies[model.sets[set].body].fixed_thickness) {
  const model::ElasticSet& elastic = model.sets[set];
  element::LaneOrder order = sorted_order<std::min(nodes, Shape::dimension + 1)>(model, elastic);
  block_ = Block::with_rest(
      order, [&](int32_t k) { return model::element_nodes<Shape>(model, elastic.elements[k]); },
      [&](int32_t k, int q) {
        return model::rest_point<Shape>(model, model.bodies[elastic.body], elastic.elements[k], q);
      });
  order_ = std::move(order.element);
  chunks_ = mesh::colour_chunks<nodes>(block_.node_ids(), static_cast<int64_t>(model.X.size()),
                                       chunk_packs * lanes);
}

template <class Shape>
bool ElasticElements<Shape>::take(const model::Params& params) {
  fields_ = params.material[set_];
  const bool changed = law_.bind(fields_, order_);
  const std::vector<material::Lame> lame = model::rest_lame(law_.law(), fields_);
  const bool uniform = lame.size() == 1;
  lame_stride_ = uniform ? 0 : 2;
  lame_.resize(uniform ? 2 : block_.packs() * 2);
  for (size_t e = 0; e < lame_.size() / 2 * lanes; ++e) {
    const auto [mu, lambda] = uniform ? lame[0] : lame[order_[e]];
    lame_[e / lanes * 2].set(e % lanes, mu);
    lame_[e / lanes * 2 + 1].set(e % lanes, lambda);
  }
  return changed;
}

template <class Shape>
template <class F>
void ElasticElements<Shape>::for_each_chunk(F&& f) const {
  for (const auto& colour : chunks_.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
      const auto [begin, end] = chunks_.range(colour[i]);
      f(colour[i], begin / lanes, end / lanes);
    });
}

template <class Shape>
void ElasticElements<Shape>::evaluate_points(const View& view, int64_t begin, int64_t end, Pack* F, Pack* psi,
                                             Pack* P) const {
  block_.deformations(view.x, begin, end, F);
  const auto evaluate = kernels().evaluate;
  const material::PointOptions options = point(view, Hessian::exact);
  if (points == 1 || law_.stride() == 0) {
    evaluate(static_cast<int>(end - begin) * points, law_.params(begin), law_.stride(), F, options, psi, P);
  } else {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t first = (k - begin) * points;
      evaluate(points, law_.params(k), 0, F + F_size * first, options, psi + first,
               P ? P + F_size * first : nullptr);
    }
  }
  if constexpr (Shape::dimension == 3) {
    if (!mean_) return;
    for (int64_t k = begin; k < end; ++k) {
      const Mat3<Pack> Fk = load_matrix(F + 9 * (k - begin)), cof = cofactor(Fk);
      const Pack J = dot(Fk.c[0], cof.c[0]);
      Pack U, dU, ddU;
      kernels().volume(1, law_.params(k), 0, &J, &U, &dU, &ddU);
      psi[k - begin] -= U;
      if (P)
        for (int m = 0; m < 9; ++m) P[9 * (k - begin) + m] -= dU * cof.c[m / 3].v[m % 3];
    }
  }
}

namespace {

// C += w d2J/dF2 + c cof cof^T
void add_volume_curvature(const Mat3<PackD>& F, const Mat3<PackD>& cof, const PackD& w, const PackD& c,
                          PackD* C) {
  for (int a = 0, m = 0; a < 9; ++a)
    for (int b = a; b < 9; ++b, ++m) {
      const int i = a % 3, j = a / 3, k = b % 3, l = b / 3;
      C[m] += c * cof(i, j) * cof(k, l) + w * math::det_hessian(F, i, j, k, l);
    }
}

}  // namespace

template <class Shape>
void ElasticElements<Shape>::linearise_points(const View& view, Hessian hessian, int64_t pack, const Pack* F,
                                              std::span<const double> pressure, Pack* C) const {
  if constexpr (Shape::dimension == 2) {
    kernels().linearise(points, law_.params(pack), 0, F, point(view, hessian), C);
  } else {
    if (!mean_ && hessian == Hessian::modified) {
      const Pack* lame = &lame_[pack * lame_stride_];
      for (int q = 0; q < points; ++q)
        material::modified_hessian(lame[0], lame[1], load_matrix(F + 9 * q), C + q * C_size);
      return;
    }
    if (!mean_) {
      kernels().linearise(points, law_.params(pack), 0, F, view.point(hessian), C);
      return;
    }
    kernels().linearise(1, law_.params(pack), 0, F, view.point(Hessian::exact), C);
    const Mat3<Pack> Fk = load_matrix(F), cof = cofactor(Fk);
    const Pack J = dot(Fk.c[0], cof.c[0]);
    Pack U, dU, ddU, p;
    kernels().volume(1, law_.params(pack), 0, &J, &U, &dU, &ddU);
    for (int l = 0; l < lanes; ++l) p.set(l, pressure[order_[pack * lanes + l]]);
    add_volume_curvature(Fk, cof, p - dU, -ddU, C);
    if (material::definite(hessian)) math::project_psd_packed<9>(C);
  }
}

namespace {

PackD volume_ratio(const Mat3<PackD>& F) { return det(F); }

// Of a triangle: a sheet has two sides, so that it is not inverted where it is turned over.
PackD volume_ratio(const math::Mat<PackD, 3, 2>& F) { return norm(cross(F.c[0], F.c[1])); }

}  // namespace

template <class Shape>
EvalInfo ElasticElements<Shape>::evaluate(const View& view, std::span<Vec3d> gradient) const {
  std::vector<EvalInfo>& partial = partial_;
  partial.assign(chunks_.count(), {});
  const bool clamp = view.inversion == material::Inversion::clamp;
  const bool inverts =
      Shape::dimension == 3 && law_.law().traits.objective;  // small-strain laws know no inversion
  for_each_chunk([&](int32_t chunk, int64_t begin, int64_t end) {
    Pack F[F_size * points * chunk_packs], P[F_size * points * chunk_packs], psi[points * chunk_packs];
    evaluate_points(view, begin, end, F, psi, gradient.empty() ? nullptr : P);
    EvalInfo& info = partial[chunk];
    for (int64_t k = begin; k < end; ++k) {
      const int used = block_.used_lanes(k);
      Pack worst = Pack(std::numeric_limits<double>::infinity());
      for (int q = 0; q < points; ++q) {
        const int64_t point = (k - begin) * points + q;
        info.value += sum(block_.weight(k, q) * psi[point]);
        worst = min(worst, volume_ratio(load_matrix<Shape::dimension>(F + F_size * point)));
      }
      for (int l = 0; l < used; ++l) {
        info.inverted += worst[l] <= 0 && inverts;
        info.min_det_F = std::min(info.min_det_F, worst[l]);
      }
      if (gradient.empty()) continue;
      Vector G[edges];
      for (Vector& g : G) g = Vector::zero();
      for (int q = 0; q < points; ++q)
        block_.add_stress(k, q, load_matrix<Shape::dimension>(P + F_size * ((k - begin) * points + q)), G);
      block_.scatter(k, G, gradient);
    }
  });
  EvalInfo total;
  for (const EvalInfo& info : partial) {
    total.value += info.value;
    total.inverted += info.inverted;
    total.min_det_F = std::min(total.min_det_F, info.min_det_F);
  }
  // With the clamp the stress is not the derivative of an energy.
  total.energy_valid = !clamp;
  return total;
}

template <class Shape>
Stencils ElasticElements<Shape>::stencils() const {
  return {nodes, std::span(block_.node_ids().data()->data(), static_cast<size_t>(block_.count()) * nodes)};
}

namespace {

template <class Shape>
using Stiffness = ElementStiffness<Shape::nodes - 1, Shape::dimension>;

// Element matrices of a pack as blocks of 9 numbers by lane, of nodes 0..edges.
template <int edges, int dimension>
void element_blocks(const ElementStiffness<edges, dimension>& element, double (*out)[9][8]) {
  element.for_each_block([&](int a, int b, const Mat3<PackD>& m) {
    for (int k = 0; k < 9; ++k) m.c[k / 3].v[k % 3].store(out[(edges + 1) * a + b][k]);
  });
}

template <class T>
void add_blocks(int count, const double (*blocks)[9][8], int lane, const int32_t* slots, T* values) {
  for (int ab = 0; ab < count; ++ab) {
    if (slots[ab] < 0) continue;
    T* v = values + 9 * int64_t{slots[ab]};
    for (int k = 0; k < 9; ++k) v[k] += static_cast<T>(blocks[ab][k][lane]);
  }
}

}  // namespace

template <class Shape>
void ElasticElements<Shape>::assemble(const View& view, Hessian hessian, double scale,
                                      BlockMatrix& matrix) const {
  const std::vector<double> pressure = mean_pressures(view);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[F_size * points * chunk_packs], C[points * C_size];
    alignas(64) double blocks[nodes * nodes][9][lanes];
    block_.deformations(view.x, begin, end, F);
    for (int64_t k = begin; k < end; ++k) {
      linearise_points(view, hessian, k, F + F_size * points * (k - begin), pressure, C);
      Stiffness<Shape> element;
      for (int q = 0; q < points; ++q)
        element.add(C + q * C_size, block_.gradients(k, q), block_.weight(k, q) * scale);
      element_blocks(element, blocks);
      const int used = block_.used_lanes(k);
      for (int l = 0; l < used; ++l) {
        const int32_t* slot = slots(k * lanes + l, nodes);
        if (matrix.precision() == Precision::single)
          add_blocks(nodes * nodes, blocks, l, slot, matrix.single());
        else
          add_blocks(nodes * nodes, blocks, l, slot, matrix.full());
      }
    }
  });
}

template <class Shape>
void ElasticElements<Shape>::linearise(const View& view, Hessian hessian, std::vector<Pack>& kept) const {
  const std::vector<double> pressure = mean_pressures(view);
  kept.resize(block_.packs() * points * C_size);
  for_each_index(chunks_.count(), [&](int64_t chunk) {
    const auto [first, last] = chunks_.range(static_cast<int32_t>(chunk));
    const int64_t begin = first / lanes, end = last / lanes;
    Pack F[F_size * points * chunk_packs];
    block_.deformations(view.x, begin, end, F);
    for (int64_t k = begin; k < end; ++k)
      linearise_points(view, hessian, k, F + F_size * points * (k - begin), pressure,
                       &kept[k * points * C_size]);
  });
}

namespace {

// C : dF
template <int columns>
math::Mat<PackD, 3, columns> stress_change(const PackD* C, const math::Mat<PackD, 3, columns>& dF) {
  constexpr int size = 3 * columns;
  math::Mat<PackD, 3, columns> dP;
  for (int i = 0; i < size; ++i) {
    PackD s = PackD(0);
    for (int j = 0; j < size; ++j)
      s += C[i <= j ? material::upper<size>(i, j) : material::upper<size>(j, i)] * dF.c[j / 3].v[j % 3];
    dP.c[i / 3].v[i % 3] = s;
  }
  return dP;
}

}  // namespace

template <class Shape>
void ElasticElements<Shape>::apply_pack(const Pack* C, std::span<const Vec3d> d, int64_t pack,
                                        std::span<Vec3d> out) const {
  Vector dx[edges], G[edges];
  block_.gather(d, pack, dx);
  for (Vector& g : G) g = Vector::zero();
  for (int q = 0; q < points; ++q)
    block_.add_stress(pack, q, stress_change(C + q * C_size, block_.deformation(dx, pack, q)), G);
  block_.scatter(pack, G, out);
}

template <class Shape>
void ElasticElements<Shape>::apply(const std::vector<Pack>& kept, std::span<const Vec3d> d,
                                   std::span<Vec3d> out) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) apply_pack(&kept[k * points * C_size], d, k, out);
  });
}

template <class Shape>
void ElasticElements<Shape>::diagonal(const std::vector<Pack>& kept, std::span<Mat3d> blocks) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    alignas(64) double block[nodes * nodes][9][lanes];
    for (int64_t k = begin; k < end; ++k) {
      Stiffness<Shape> element;
      for (int q = 0; q < points; ++q)
        element.add(&kept[(k * points + q) * C_size], block_.gradients(k, q), block_.weight(k, q));
      element_blocks(element, block);
      const int used = block_.used_lanes(k);
      for (int l = 0; l < used; ++l)
        for (int a = 0; a < nodes; ++a)
          for (int m = 0; m < 9; ++m)
            blocks[block_.node_ids()[k * lanes + l][a]].c[m / 3].v[m % 3] += block[(nodes + 1) * a][m][l];
    }
  });
}

template <class Shape>
void ElasticElements<Shape>::product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                                     std::span<Vec3d> out) const {
  const std::vector<double> pressure = mean_pressures(view);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[F_size * points], C[points * C_size];
    for (int64_t k = begin; k < end; ++k) {
      // A boundary that moves touches few elements: the others are passed over.
      bool moves = false;
      for (int e = 0; e < lanes && !moves; ++e)
        for (int32_t node : block_.node_ids()[k * lanes + e]) moves |= norm2(d[node]) > 0;
      if (!moves) continue;
      block_.deformations(view.x, k, k + 1, F);
      linearise_points(view, hessian, k, F, pressure, C);
      apply_pack(C, d, k, out);
    }
  });
}

template <class Shape>
class ElasticElements<Shape>::Kept final : public Linearisation {
 public:
  explicit Kept(const ElasticElements& term) : term_(term) {}

  void set(const View& view, Hessian hessian) override { term_.linearise(view, hessian, packs_); }
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override { term_.apply(packs_, d, out); }
  void diagonal(std::span<Mat3d> blocks) const override { term_.diagonal(packs_, blocks); }
  int64_t bytes() const override { return static_cast<int64_t>(packs_.size() * sizeof(Pack)); }

 private:
  const ElasticElements& term_;
  std::vector<Pack> packs_;
};

template <class Shape>
std::unique_ptr<Linearisation> ElasticElements<Shape>::linearisation() const {
  return std::make_unique<Kept>(*this);
}

NodeVisitorPointer<math::PackD> LinearTets::visitor(const NodeBlocks& blocks, bool modified,
                                                    math::PackD) const {
  return make_tet_visitor<math::PackD>({model_, model_.sets[set()], node_ids(), places()}, law(), fields(),
                                       blocks, modified);
}

NodeVisitorPointer<math::PackF> LinearTets::visitor(const NodeBlocks& blocks, bool modified,
                                                    math::PackF) const {
  return make_tet_visitor<math::PackF>({model_, model_.sets[set()], node_ids(), places()}, law(), fields(),
                                       blocks, modified);
}

NodeVisitorPointer<math::PackD> Membranes::visitor(const NodeBlocks& blocks, bool, math::PackD) const {
  return make_triangle_visitor<math::PackD>({model_, model_.sets[set()], node_ids(), places()}, law(),
                                            fields(), blocks);
}

NodeVisitorPointer<math::PackF> Membranes::visitor(const NodeBlocks& blocks, bool, math::PackF) const {
  return make_triangle_visitor<math::PackF>({model_, model_.sets[set()], node_ids(), places()}, law(),
                                            fields(), blocks);
}

template class ElasticElements<element::Tri3>;
template class ElasticElements<element::Tet4>;
template class ElasticElements<element::Tet10>;

namespace {

void add_elastic(const model::Model& model, int32_t set, Terms& terms) {
  const model::ElasticSet& elastic = model.sets[set];
  if (MeanDilatation::applies(model, elastic)) {
    auto mean = std::make_unique<MeanDilatation>(model, set);
    terms.push_back(std::make_unique<ElasticElements<element::Tet4>>(model, set, mean.get()));
    terms.push_back(std::move(mean));
  } else if (model.bodies[elastic.body].kind->is_triangle()) {
    terms.push_back(std::make_unique<Membranes>(model, set));
  } else if (model.bodies[elastic.body].kind->nodes == element::Tet10::nodes) {
    terms.push_back(std::make_unique<ElasticElements<element::Tet10>>(model, set));
  } else {
    terms.push_back(std::make_unique<LinearTets>(model, set));
  }
}

}  // namespace

const TermKind& term_elastic_elements() {
  static const TermKind kind = {"elastic",
                                "Hyperelastic tetrahedra of first or second order, and triangles of sheets.",
                                [](const model::Model& model, Terms& terms) {
                                  for (size_t s = 0; s < model.sets.size(); ++s)
                                    add_elastic(model, static_cast<int32_t>(s), terms);
                                },
                                true};
  return kind;
}

}  // namespace sinew::energy
