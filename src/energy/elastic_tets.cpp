#include "energy/elastic_tets.h"

#include <algorithm>

#include "base/parallel.h"
#include "material/isotropic.h"
#include "mesh/ordering.h"

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
  for (int32_t t : set.tets) tets.push_back(model.tets[t]);
  const auto graph = mesh::node_nodes<4>(tets, static_cast<int64_t>(model.X.size()));
  const auto place = mesh::inverse_order(mesh::reverse_cuthill_mckee(graph));
  return mesh::element_order<4>(tets, place);
}

}  // namespace

ElasticTets::ElasticTets(const model::Model& model, int32_t set)
    : set_(set), body_(model.sets[set].body), law_(model.sets[set].law) {
  const model::ElasticSet& elastic = model.sets[set];
  order_ = sorted_tets(model, elastic);
  count_ = static_cast<int64_t>(order_.size());
  const int64_t packs = (count_ + lanes - 1) / lanes;
  tet_.resize(packs * lanes);
  rest_.resize(packs * 10);
  for (int64_t e = 0; e < packs * lanes; ++e) {
    // Padding repeats the last tet with volume 0.
    const model::Tet& tet = model.tets[elastic.tets[order_[std::min(e, count_ - 1)]]];
    tet_[e] = tet;
    const Vec3d& X0 = model.X[tet[0]];
    const Mat3d Dm = Mat3d::columns(model.X[tet[1]] - X0, model.X[tet[2]] - X0, model.X[tet[3]] - X0);
    const Mat3d inverse = math::inverse(Dm);
    Pack* rest = &rest_[e / lanes * 10];
    for (int k = 0; k < 9; ++k) rest[k].set(e % lanes, inverse.c[k / 3].v[k % 3]);
    rest[9].set(e % lanes, e < count_ ? det(Dm) / 6 : 0.0);
  }
  chunks_ =
      mesh::colour_chunks<4>(std::span(tet_), static_cast<int64_t>(model.X.size()), chunk_packs * lanes);
}

void ElasticTets::bind(const model::Params& params) {
  const auto& fields = params.material[set_];
  const bool uniform =
      std::all_of(fields.begin(), fields.end(), [](const auto& field) { return field.values.size() == 1; });
  const int p = law_->param_count;
  stride_ = uniform ? 0 : p;
  params_.resize(uniform ? p : tet_.size() / lanes * p);
  std::vector<double> in(fields.size()), out(p);
  const int64_t count = uniform ? lanes : static_cast<int64_t>(tet_.size());
  for (int64_t e = 0; e < count; ++e) {
    for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(order_[std::min(e, count_ - 1)]);
    law_->convert(in.data(), out.data());
    for (int k = 0; k < p; ++k) params_[e / lanes * p + k].set(e % lanes, out[k]);
  }
}

template <class F>
void ElasticTets::for_each_chunk(F&& f) const {
  for (const auto& colour : chunks_.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
      const auto [begin, end] = chunks_.range(colour[i]);
      f(colour[i], begin / lanes, end / lanes);
    });
}

// Edges of eight tets: column a is x_(a+1) - x_0.
int ElasticTets::gather(std::span<const Vec3d> x, int64_t pack, Mat3<Pack>& Ds) const {
  alignas(64) double e[9][lanes];
  for (int l = 0; l < lanes; ++l) {
    const auto& tet = tet_[pack * lanes + l];
    const Vec3d& x0 = x[tet[0]];
    for (int a = 0; a < 3; ++a) {
      const Vec3d& xa = x[tet[a + 1]];
      for (int i = 0; i < 3; ++i) e[3 * a + i][l] = xa[i] - x0[i];
    }
  }
  for (int k = 0; k < 9; ++k) Ds.c[k / 3].v[k % 3] = Pack::load(e[k]);
  return static_cast<int>(std::min<int64_t>(lanes, count_ - pack * lanes));
}

Mat3<PackD> ElasticTets::inverse_edges(int64_t pack) const {
  const Pack* r = &rest_[pack * 10];
  return {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}};
}

// Adds column a of G to node a + 1 of each tet, and minus their sum to node 0.
void ElasticTets::scatter(int64_t pack, const Mat3<Pack>& G, std::span<Vec3d> out) const {
  alignas(64) double g[9][lanes];
  for (int k = 0; k < 9; ++k) G.c[k / 3].v[k % 3].store(g[k]);
  const int used = static_cast<int>(std::min<int64_t>(lanes, count_ - pack * lanes));
  for (int l = 0; l < used; ++l) {
    const auto& tet = tet_[pack * lanes + l];
    for (int i = 0; i < 3; ++i) {
      out[tet[1]][i] += g[i][l];
      out[tet[2]][i] += g[3 + i][l];
      out[tet[3]][i] += g[6 + i][l];
      out[tet[0]][i] -= g[i][l] + g[3 + i][l] + g[6 + i][l];
    }
  }
}

void ElasticTets::deformation(std::span<const Vec3d> x, int64_t begin, int64_t end, Pack* F) const {
  for (int64_t k = begin; k < end; ++k) {
    Mat3<Pack> Ds;
    gather(x, k, Ds);
    const Mat3<Pack> f = Ds * inverse_edges(k);
    for (int m = 0; m < 9; ++m) F[9 * (k - begin) + m] = f.c[m / 3].v[m % 3];
  }
}

namespace {

Mat3<PackD> matrix_at(const PackD* p) {
  return {{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}};
}

}  // namespace

EvalInfo ElasticTets::evaluate(const View& view, std::span<Vec3d> gradient) const {
  std::vector<EvalInfo>& partial = partial_;
  partial.assign(chunks_.count(), {});
  const bool clamp = view.inversion == material::Inversion::clamp;
  for_each_chunk([&](int32_t chunk, int64_t begin, int64_t end) {
    Pack F[9 * chunk_packs], P[9 * chunk_packs], psi[chunk_packs];
    deformation(view.x, begin, end, F);
    law_->d.evaluate(static_cast<int>(end - begin), params(begin), stride_, F, view.point(Hessian::exact),
                     psi, gradient.empty() ? nullptr : P);
    EvalInfo& info = partial[chunk];
    for (int64_t k = begin; k < end; ++k) {
      const Mat3<Pack> Fk = matrix_at(F + 9 * (k - begin));
      const Pack V = rest_[k * 10 + 9], J = det(Fk);
      info.value += sum(V * psi[k - begin]);
      const int used = static_cast<int>(std::min<int64_t>(lanes, count_ - k * lanes));
      for (int l = 0; l < used; ++l) {
        info.inverted += J[l] <= 0 && law_->traits.objective;  // small-strain laws know no inversion
        info.min_det_F = std::min(info.min_det_F, J[l]);
      }
      if (!gradient.empty())
        scatter(k, (matrix_at(P + 9 * (k - begin)) * transpose(inverse_edges(k))) * V, gradient);
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

Stencils ElasticTets::stencils() const {
  return {4, std::span(tet_.data()->data(), static_cast<size_t>(count_) * 4)};
}

void ElasticTets::map(const BlockPattern& pattern, std::span<const int32_t> block_of_node) {
  slots_.resize(count_ * 16);
  for_each_block(count_, 1024, [&](int64_t begin, int64_t end) {
    for (int64_t e = begin; e < end; ++e)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          const int32_t row = block_of_node[tet_[e][a]], col = block_of_node[tet_[e][b]];
          slots_[16 * e + 4 * a + b] = row < 0 || col < 0 ? -1 : static_cast<int32_t>(pattern.slot(row, col));
        }
  });
}

namespace {

// Blocks (a, b), a <= b, of nodes 1..3: K_ab(i, k) = V sum_jl C(ij, kl) g_a(j) g_b(l); the rest follows because
// the gradients of the shape functions sum to zero.
struct ElementStiffness {
  Mat3<PackD> K[3][3];  // upper blocks

  ElementStiffness(const PackD* C, const Mat3<PackD>& inverse, const PackD& scale) {
    for (int a = 0; a < 3; ++a) {
      PackD t[3][9];  // t(i, kl) = sum_j C(ij, kl) g_a(j)
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < 9; ++m) {
          PackD s = PackD(0);
          for (int j = 0; j < 3; ++j) {
            const int r = i + 3 * j;
            s += C[r <= m ? upper(r, m) : upper(m, r)] * inverse(a, j);
          }
          t[i][m] = s * scale;
        }
      for (int b = a; b < 3; ++b)
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i) {
            PackD s = t[i][k] * inverse(b, 0);
            for (int l = 1; l < 3; ++l) s += t[i][k + 3 * l] * inverse(b, l);
            K[a][b](i, k) = s;
          }
    }
  }
  Mat3<PackD> at(int a, int b) const { return a <= b ? K[a][b] : transpose(K[b][a]); }
};

// Element matrices of a pack as 16 blocks of 9 numbers by lane: nodes 0..3.
void element_blocks(const ElementStiffness& element, double (*out)[9][8]) {
  Mat3<PackD> sum[3];
  Mat3<PackD> corner = Mat3<PackD>::zero();
  const auto put = [&](int a, int b, const Mat3<PackD>& m) {
    for (int k = 0; k < 9; ++k) m.c[k / 3].v[k % 3].store(out[4 * a + b][k]);
  };
  for (int b = 0; b < 3; ++b) {
    sum[b] = element.at(0, b) + element.at(1, b) + element.at(2, b);
    corner += sum[b];
    for (int a = 0; a < 3; ++a) put(a + 1, b + 1, element.at(a, b));
    put(0, b + 1, -sum[b]);
    put(b + 1, 0, -transpose(sum[b]));
  }
  put(0, 0, corner);
}

template <class T>
void add_blocks(const double (*blocks)[9][8], int lane, const int32_t* slots, T* values) {
  for (int ab = 0; ab < 16; ++ab) {
    if (slots[ab] < 0) continue;
    T* v = values + 9 * int64_t{slots[ab]};
    for (int k = 0; k < 9; ++k) v[k] += static_cast<T>(blocks[ab][k][lane]);
  }
}

}  // namespace

void ElasticTets::assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[9 * chunk_packs], C[upper_count];
    alignas(64) double blocks[16][9][lanes];
    deformation(view.x, begin, end, F);
    for (int64_t k = begin; k < end; ++k) {
      law_->d.linearise(1, params(k), stride_, F + 9 * (k - begin), view.point(hessian), C);
      element_blocks(ElementStiffness(C, inverse_edges(k), rest_[k * 10 + 9] * scale), blocks);
      const int used = static_cast<int>(std::min<int64_t>(lanes, count_ - k * lanes));
      for (int l = 0; l < used; ++l) {
        const int32_t* slots = &slots_[16 * (k * lanes + l)];
        if (matrix.precision() == Precision::single)
          add_blocks(blocks, l, slots, matrix.single());
        else
          add_blocks(blocks, l, slots, matrix.full());
      }
    }
  });
}

void ElasticTets::linearise(const View& view, Hessian hessian, Scratch& scratch) const {
  scratch.view = view;
  scratch.hessian = hessian;
  scratch.packs.resize(static_cast<int64_t>(tet_.size()) / lanes * upper_count);
  for_each_index(chunks_.count(), [&](int64_t chunk) {
    const auto [first, last] = chunks_.range(static_cast<int32_t>(chunk));
    const int64_t begin = first / lanes, end = last / lanes;
    Pack F[9 * chunk_packs];
    deformation(view.x, begin, end, F);
    law_->d.linearise(static_cast<int>(end - begin), params(begin), stride_, F, view.point(hessian),
                      &scratch.packs[begin * upper_count]);
  });
}

namespace {

// V (C : dF) Dm^-T, the gradient's change for a change of the edges.
Mat3<PackD> stiffness_product(const PackD* C, const Mat3<PackD>& dDs, const Mat3<PackD>& inverse,
                              const PackD& V) {
  const Mat3<PackD> dF = dDs * inverse;
  Mat3<PackD> dP;
  for (int i = 0; i < 9; ++i) {
    PackD s = PackD(0);
    for (int j = 0; j < 9; ++j) s += C[i <= j ? upper(i, j) : upper(j, i)] * dF.c[j / 3].v[j % 3];
    dP.c[i / 3].v[i % 3] = s;
  }
  return (dP * transpose(inverse)) * V;
}

}  // namespace

void ElasticTets::apply(const Scratch& scratch, std::span<const Vec3d> d, std::span<Vec3d> out) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      Mat3<Pack> dDs;
      gather(d, k, dDs);
      scatter(k, stiffness_product(&scratch.packs[k * upper_count], dDs, inverse_edges(k), rest_[k * 10 + 9]),
              out);
    }
  });
}

void ElasticTets::diagonal(const Scratch& scratch, std::span<Mat3d> blocks) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    alignas(64) double element[16][9][lanes];
    for (int64_t k = begin; k < end; ++k) {
      element_blocks(ElementStiffness(&scratch.packs[k * upper_count], inverse_edges(k), rest_[k * 10 + 9]),
                     element);
      const int used = static_cast<int>(std::min<int64_t>(lanes, count_ - k * lanes));
      for (int l = 0; l < used; ++l)
        for (int a = 0; a < 4; ++a)
          for (int m = 0; m < 9; ++m)
            blocks[tet_[k * lanes + l][a]].c[m / 3].v[m % 3] += element[5 * a][m][l];
    }
  });
}

void ElasticTets::product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                          std::span<Vec3d> out) const {
  for_each_chunk([&](int32_t, int64_t begin, int64_t end) {
    Pack F[9], C[upper_count];
    for (int64_t k = begin; k < end; ++k) {
      // A boundary that moves touches few elements: the others are passed over.
      bool moves = false;
      for (int e = 0; e < lanes && !moves; ++e)
        for (int32_t node : tet_[k * lanes + e]) moves |= norm2(d[node]) > 0;
      if (!moves) continue;
      deformation(view.x, k, k + 1, F);
      law_->d.linearise(1, params(k), stride_, F, view.point(hessian), C);
      Mat3<Pack> dDs;
      gather(d, k, dDs);
      scatter(k, stiffness_product(C, dDs, inverse_edges(k), rest_[k * 10 + 9]), out);
    }
  });
}

const TermKind& term_elastic_tets() {
  static const TermKind kind = {
      "elastic", "Hyperelastic linear tetrahedra.", [](const model::Model& model, Terms& terms) {
        for (size_t s = 0; s < model.sets.size(); ++s)
          terms.push_back(std::make_unique<ElasticTets>(model, static_cast<int32_t>(s)));
      }};
  return kind;
}

}  // namespace sinew::energy
