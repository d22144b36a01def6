#include "energy/elastic_tets.h"

#include <algorithm>

#include "base/parallel.h"
#include "energy/element_stiffness.h"
#include "energy/tet_visitor.h"
#include "material/isotropic.h"
#include "material/modified_hessian.h"
#include "math/det_hessian.h"
#include "math/project_packed.h"
#include "mesh/ordering.h"
#include "mesh/tet_shape.h"
#include "model/rest_hessian.h"

namespace sinew::energy {

using material::upper;
using material::upper_count;
using math::Mat3;
using math::PackD;
using math::Vec3;

namespace {

// The set's tets in the order of their nodes along a path through the mesh that keeps neighbours close.
std::vector<int32_t> sorted_tets(const model::Model& model, const model::ElasticSet& set) {
  std::vector<model::Tet> tets;
  for (int32_t t : set.elements) tets.push_back(model.elements.nodes<4>(t));
  const auto graph = mesh::node_nodes(tets, static_cast<int64_t>(model.X.size()));
  const auto place = mesh::inverse_order(mesh::reverse_cuthill_mckee(graph));
  return mesh::element_order<4>(tets, place);
}

template <int nodes>
std::array<int32_t, nodes> nodes_of(const model::Model& model, int32_t tet) {
  return model.elements.nodes<nodes>(tet);
}

Mat3<PackD> matrix_at(const PackD* p) {
  return {{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}};
}

}  // namespace

template <int nodes, int points>
ElasticTets<nodes, points>::ElasticTets(const model::Model& model, int32_t set, const MeanVolume* mean)
    : Term({.body = model.sets[set].body}), set_(set), law_(*model.sets[set].law), mean_(mean) {
  const model::ElasticSet& elastic = model.sets[set];
  order_ = sorted_tets(model, elastic);
  count_ = static_cast<int64_t>(order_.size());
  const int64_t packs = (count_ + lanes - 1) / lanes;
  tet_.resize(packs * lanes);
  rest_.resize(packs * rest_size);
  for (int64_t e = 0; e < packs * lanes; ++e) {
    // Padding repeats the last tet with volume 0.
    tet_[e] = nodes_of<nodes>(model, elastic.elements[order_[std::min(e, count_ - 1)]]);
    std::array<Vec3d, nodes> X;
    for (int a = 0; a < nodes; ++a) X[a] = model.X[tet_[e][a]];
    const int lane = static_cast<int>(e % lanes);
    for (int q = 0; q < points; ++q) {
      const auto shape = mesh::shape_gradients<nodes>(X, mesh::tet_points<nodes>[q]);
      Pack* rest = &rest_[e / lanes * rest_size + q * (3 * edges + 1)];
      for (int a = 0; a < edges; ++a)
        for (int j = 0; j < 3; ++j) rest[3 * a + j].set(lane, shape.g[a + 1][j]);
      rest[3 * edges].set(lane, e < count_ ? shape.weight : 0.0);
    }
  }
  chunks_ =
      mesh::colour_chunks<nodes>(std::span(tet_), static_cast<int64_t>(model.X.size()), chunk_packs * lanes);
}

template <int nodes, int points>
bool ElasticTets<nodes, points>::take(const model::Params& params) {
  fields_ = params.material[set_];
  const bool changed = law_.bind(fields_, order_);
  const std::vector<material::Lame> lame = model::rest_lame(law_.law(), fields_);
  const bool uniform = lame.size() == 1;
  lame_stride_ = uniform ? 0 : 2;
  lame_.resize(uniform ? 2 : tet_.size() / lanes * 2);
  for (size_t e = 0; e < lame_.size() / 2 * lanes; ++e) {
    const auto [mu, lambda] = uniform ? lame[0] : lame[order_[std::min<int64_t>(e, count_ - 1)]];
    lame_[e / lanes * 2].set(e % lanes, mu);
    lame_[e / lanes * 2 + 1].set(e % lanes, lambda);
  }
  return changed;
}

template <int nodes, int points>
template <class F>
void ElasticTets<nodes, points>::for_each_chunk(F&& f) const {
  for (const auto& colour : chunks_.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
      const auto [begin, end] = chunks_.range(colour[i]);
      f(colour[i], begin / lanes, end / lanes);
    });
}

// Edges of eight tets: d_a is x_(a+1) - x_0.
template <int nodes, int points>
void ElasticTets<nodes, points>::gather(std::span<const Vec3d> x, int64_t pack, Vector (&d)[edges]) const {
  alignas(64) double e[3 * edges][lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto& tet = tet_[pack * lanes + l];
    const Vec3d& x0 = x[tet[0]];
    for (int a = 0; a < edges; ++a) {
      const Vec3d& xa = x[tet[a + 1]];
      for (int i = 0; i < 3; ++i) e[3 * a + i][l] = xa[i] - x0[i];
    }
  }
  for (int k = 0; k < 3 * edges; ++k) d[k / 3].v[k % 3] = Pack::load(e[k]);
}

// Adds G_a to node a + 1 of each tet, and minus their sum to node 0.
template <int nodes, int points>
void ElasticTets<nodes, points>::scatter(int64_t pack, const Vector (&G)[edges], std::span<Vec3d> out) const {
  alignas(64) double g[3 * edges][lanes];
  for (int k = 0; k < 3 * edges; ++k) G[k / 3].v[k % 3].store(g[k]);
  const int used = used_lanes(pack);
  for (int l = 0; l < used; ++l) {
    const auto& tet = tet_[pack * lanes + l];
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int a = 0; a < edges; ++a) {
        out[tet[a + 1]][i] += g[3 * a + i][l];
        sum += g[3 * a + i][l];
      }
      out[tet[0]][i] -= sum;
    }
  }
}

template <int nodes, int points>
Mat3<PackD> ElasticTets<nodes, points>::deformation(const Vector (&d)[edges], int64_t pack, int q) const {
  const Pack* g = gradients(pack, q);
  Mat3<Pack> F;
  for (int j = 0; j < 3; ++j) {
    F.c[j] = d[0] * g[j];
    for (int a = 1; a < edges; ++a) F.c[j] += d[a] * g[3 * a + j];
  }
  return F;
}

template <int nodes, int points>
void ElasticTets<nodes, points>::deformations(std::span<const Vec3d> x, int64_t begin, int64_t end,
                                              Pack* F) const {
  for (int64_t k = begin; k < end; ++k) {
    Vector d[edges];
    gather(x, k, d);
    for (int q = 0; q < points; ++q) {
      const Mat3<Pack> f = deformation(d, k, q);
      for (int m = 0; m < 9; ++m) F[9 * ((k - begin) * points + q) + m] = f.c[m / 3].v[m % 3];
    }
  }
}

// G_a += V P g_a
template <int nodes, int points>
void ElasticTets<nodes, points>::add_stress(int64_t pack, int q, const Mat3<Pack>& P,
                                            Vector (&G)[edges]) const {
  const Pack* g = gradients(pack, q);
  const Mat3<Pack> VP = P * weight(pack, q);
  for (int a = 0; a < edges; ++a) G[a] += VP * Vector{g[3 * a], g[3 * a + 1], g[3 * a + 2]};
}

template <int nodes, int points>
void ElasticTets<nodes, points>::evaluate_points(const View& view, int64_t begin, int64_t end, Pack* F,
                                                 Pack* psi, Pack* P) const {
  deformations(view.x, begin, end, F);
  const auto evaluate = law_.kernels().evaluate;
  const material::PointOptions options = view.point(Hessian::exact);
  if (points == 1 || law_.stride() == 0) {
    evaluate(static_cast<int>(end - begin) * points, law_.params(begin), law_.stride(), F, options, psi, P);
  } else {
    for (int64_t k = begin; k < end; ++k) {
      const int64_t first = (k - begin) * points;
      evaluate(points, law_.params(k), 0, F + 9 * first, options, psi + first, P ? P + 9 * first : nullptr);
    }
  }
  if (!mean_) return;
  for (int64_t k = begin; k < end; ++k) {
    const Mat3<Pack> Fk = matrix_at(F + 9 * (k - begin)), cof = cofactor(Fk);
    const Pack J = dot(Fk.c[0], cof.c[0]);
    Pack U, dU, ddU;
    law_.kernels().volume(1, law_.params(k), 0, &J, &U, &dU, &ddU);
    psi[k - begin] -= U;
    if (P)
      for (int m = 0; m < 9; ++m) P[9 * (k - begin) + m] -= dU * cof.c[m / 3].v[m % 3];
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

template <int nodes, int points>
void ElasticTets<nodes, points>::linearise_points(const View& view, Hessian hessian, int64_t pack,
                                                  const Pack* F, std::span<const double> pressure,
                                                  Pack* C) const {
  if (!mean_ && hessian == Hessian::modified) {
    const Pack* lame = &lame_[pack * lame_stride_];
    for (int q = 0; q < points; ++q)
      material::modified_hessian(lame[0], lame[1], matrix_at(F + 9 * q), C + q * upper_count);
    return;
  }
  if (!mean_) {
    law_.kernels().linearise(points, law_.params(pack), 0, F, view.point(hessian), C);
    return;
  }
  law_.kernels().linearise(1, law_.params(pack), 0, F, view.point(Hessian::exact), C);
  const Mat3<Pack> Fk = matrix_at(F), cof = cofactor(Fk);
  const Pack J = dot(Fk.c[0], cof.c[0]);
  Pack U, dU, ddU, p;
  law_.kernels().volume(1, law_.params(pack), 0, &J, &U, &dU, &ddU);
  for (int l = 0; l < lanes; ++l) p.set(l, pressure[order_[std::min(pack * lanes + l, count_ - 1)]]);
  add_volume_curvature(Fk, cof, p - dU, -ddU, C);
  if (material::definite(hessian)) math::project_psd_packed<9>(C);
}

template <int nodes, int points>
EvalInfo ElasticTets<nodes, points>::evaluate(const View& view, std::span<Vec3d> gradient) const {
  std::vector<EvalInfo>& partial = partial_;
  partial.assign(chunks_.count(), {});
  const bool clamp = view.inversion == material::Inversion::clamp;
  const bool inverts = law_.law().traits.objective;  // small-strain laws know no inversion
  for_each_chunk([&](int32_t chunk, int64_t begin, int64_t end) {
    Pack F[9 * points * chunk_packs], P[9 * points * chunk_packs], psi[points * chunk_packs];
    evaluate_points(view, begin, end, F, psi, gradient.empty() ? nullptr : P);
    EvalInfo& info = partial[chunk];
    for (int64_t k = begin; k < end; ++k) {
      const int used = used_lanes(k);
      Pack worst = Pack(std::numeric_limits<double>::infinity());
      for (int q = 0; q < points; ++q) {
        const int64_t point = (k - begin) * points + q;
        info.value += sum(weight(k, q) * psi[point]);
        worst = min(worst, det(matrix_at(F + 9 * point)));
      }
      for (int l = 0; l < used; ++l) {
        info.inverted += worst[l] <= 0 && inverts;
        info.min_det_F = std::min(info.min_det_F, worst[l]);
      }
      if (gradient.empty()) continue;
      Vector G[edges];
      for (Vector& g : G) g = Vector::zero();
      for (int q = 0; q < points; ++q) add_stress(k, q, matrix_at(P + 9 * ((k - begin) * points + q)), G);
      scatter(k, G, gradient);
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

template <int nodes, int points>
Stencils ElasticTets<nodes, points>::stencils() const {
  return {nodes, std::span(tet_.data()->data(), static_cast<size_t>(count_) * nodes)};
}

namespace {

// Element matrices of a pack as blocks of 9 numbers by lane, of nodes 0..edges.
template <int edges>
void element_blocks(const ElementStiffness<edges>& element, double (*out)[9][8]) {
  constexpr int nodes = edges + 1;
  Mat3<PackD> corner = Mat3<PackD>::zero();
  const auto put = [&](int a, int b, const Mat3<PackD>& m) {
    for (int k = 0; k < 9; ++k) m.c[k / 3].v[k % 3].store(out[nodes * a + b][k]);
  };
  for (int b = 0; b < edges; ++b) {
    Mat3<PackD> sum = element.at(0, b);
    for (int a = 1; a < edges; ++a) sum += element.at(a, b);
    corner += sum;
    for (int a = 0; a < edges; ++a) put(a + 1, b + 1, element.at(a, b));
    put(0, b + 1, -sum);
    put(b + 1, 0, -transpose(sum));
  }
  put(0, 0, corner);
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

template <int nodes, int points>
void ElasticTets<nodes, points>::assemble(const View& view, Hessian hessian, double scale,
                                          BlockMatrix& matrix) const {
  const std::vector<double> pressure = mean_pressures(view);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[9 * points * chunk_packs], C[points * upper_count];
    alignas(64) double blocks[nodes * nodes][9][lanes];
    deformations(view.x, begin, end, F);
    for (int64_t k = begin; k < end; ++k) {
      linearise_points(view, hessian, k, F + 9 * points * (k - begin), pressure, C);
      ElementStiffness<edges> element;
      for (int q = 0; q < points; ++q)
        element.add(C + q * upper_count, gradients(k, q), weight(k, q) * scale);
      element_blocks(element, blocks);
      const int used = used_lanes(k);
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

template <int nodes, int points>
void ElasticTets<nodes, points>::linearise(const View& view, Hessian hessian, std::vector<Pack>& kept) const {
  const std::vector<double> pressure = mean_pressures(view);
  kept.resize(static_cast<int64_t>(tet_.size()) / lanes * points * upper_count);
  for_each_index(chunks_.count(), [&](int64_t chunk) {
    const auto [first, last] = chunks_.range(static_cast<int32_t>(chunk));
    const int64_t begin = first / lanes, end = last / lanes;
    Pack F[9 * points * chunk_packs];
    deformations(view.x, begin, end, F);
    for (int64_t k = begin; k < end; ++k)
      linearise_points(view, hessian, k, F + 9 * points * (k - begin), pressure,
                       &kept[k * points * upper_count]);
  });
}

namespace {

// C : dF
Mat3<PackD> stress_change(const PackD* C, const Mat3<PackD>& dF) {
  Mat3<PackD> dP;
  for (int i = 0; i < 9; ++i) {
    PackD s = PackD(0);
    for (int j = 0; j < 9; ++j) s += C[i <= j ? upper(i, j) : upper(j, i)] * dF.c[j / 3].v[j % 3];
    dP.c[i / 3].v[i % 3] = s;
  }
  return dP;
}

}  // namespace

template <int nodes, int points>
void ElasticTets<nodes, points>::apply_pack(const Pack* C, std::span<const Vec3d> d, int64_t pack,
                                            std::span<Vec3d> out) const {
  Vector dx[edges], G[edges];
  gather(d, pack, dx);
  for (Vector& g : G) g = Vector::zero();
  for (int q = 0; q < points; ++q)
    add_stress(pack, q, stress_change(C + q * upper_count, deformation(dx, pack, q)), G);
  scatter(pack, G, out);
}

template <int nodes, int points>
void ElasticTets<nodes, points>::apply(const std::vector<Pack>& kept, std::span<const Vec3d> d,
                                       std::span<Vec3d> out) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) apply_pack(&kept[k * points * upper_count], d, k, out);
  });
}

template <int nodes, int points>
void ElasticTets<nodes, points>::diagonal(const std::vector<Pack>& kept, std::span<Mat3d> blocks) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    alignas(64) double block[nodes * nodes][9][lanes];
    for (int64_t k = begin; k < end; ++k) {
      ElementStiffness<edges> element;
      for (int q = 0; q < points; ++q)
        element.add(&kept[(k * points + q) * upper_count], gradients(k, q), weight(k, q));
      element_blocks(element, block);
      const int used = used_lanes(k);
      for (int l = 0; l < used; ++l)
        for (int a = 0; a < nodes; ++a)
          for (int m = 0; m < 9; ++m)
            blocks[tet_[k * lanes + l][a]].c[m / 3].v[m % 3] += block[(nodes + 1) * a][m][l];
    }
  });
}

template <int nodes, int points>
void ElasticTets<nodes, points>::product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                                         std::span<Vec3d> out) const {
  const std::vector<double> pressure = mean_pressures(view);
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[9 * points], C[points * upper_count];
    for (int64_t k = begin; k < end; ++k) {
      // A boundary that moves touches few elements: the others are passed over.
      bool moves = false;
      for (int e = 0; e < lanes && !moves; ++e)
        for (int32_t node : tet_[k * lanes + e]) moves |= norm2(d[node]) > 0;
      if (!moves) continue;
      deformations(view.x, k, k + 1, F);
      linearise_points(view, hessian, k, F, pressure, C);
      apply_pack(C, d, k, out);
    }
  });
}

template <int nodes, int points>
class ElasticTets<nodes, points>::Kept final : public Linearisation {
 public:
  explicit Kept(const ElasticTets& term) : term_(term) {}

  void set(const View& view, Hessian hessian) override { term_.linearise(view, hessian, packs_); }
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override { term_.apply(packs_, d, out); }
  void diagonal(std::span<Mat3d> blocks) const override { term_.diagonal(packs_, blocks); }
  int64_t bytes() const override { return static_cast<int64_t>(packs_.size() * sizeof(Pack)); }

 private:
  const ElasticTets& term_;
  std::vector<Pack> packs_;
};

template <int nodes, int points>
std::unique_ptr<Linearisation> ElasticTets<nodes, points>::linearisation() const {
  return std::make_unique<Kept>(*this);
}

NodeVisitorPointer<math::PackD> LinearTets::visitor(const NodeBlocks& blocks, bool modified,
                                                    math::PackD) const {
  return make_tet_visitor<math::PackD>(model_, law(), fields(), model_.sets[set_].elements, blocks, modified);
}

NodeVisitorPointer<math::PackF> LinearTets::visitor(const NodeBlocks& blocks, bool modified,
                                                    math::PackF) const {
  return make_tet_visitor<math::PackF>(model_, law(), fields(), model_.sets[set_].elements, blocks, modified);
}

template class ElasticTets<4, 1>;
template class ElasticTets<10, 4>;

namespace {

void add_elastic(const model::Model& model, int32_t set, Terms& terms) {
  const model::Body& body = model.bodies[model.sets[set].body];
  if (body.kind->nodes == 10) {
    terms.push_back(std::make_unique<ElasticTets<10, 4>>(model, set));
  } else if (body.kind->mean_dilatation && model.sets[set].law->d.volume) {
    auto mean = std::make_unique<MeanVolume>(model, set);
    terms.push_back(std::make_unique<ElasticTets<4, 1>>(model, set, mean.get()));
    terms.push_back(std::move(mean));
  } else {
    terms.push_back(std::make_unique<LinearTets>(model, set));
  }
}

}  // namespace

const TermKind& term_elastic_tets() {
  static const TermKind kind = {"elastic", "Hyperelastic tetrahedra of first or second order.",
                                [](const model::Model& model, Terms& terms) {
                                  for (size_t s = 0; s < model.sets.size(); ++s)
                                    if (model.bodies[model.sets[s].body].kind->is_tet())
                                      add_elastic(model, static_cast<int32_t>(s), terms);
                                },
                                true};
  return kind;
}

}  // namespace sinew::energy
