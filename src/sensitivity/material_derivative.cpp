#include <algorithm>

#include "base/parallel.h"
#include "math/pack.h"
#include "mesh/patches.h"
#include "mesh/tet_shape.h"
#include "sensitivity/field_step.h"
#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

using math::Mat3d;
using Pack = math::PackD;
using PackMat = math::Mat3<Pack>;
constexpr int lanes = math::lanes_of<Pack>;
constexpr int64_t block_packs = 16;

PackMat matrix_at(const Pack* p) { return {{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}}; }

// The elements of one set, eight at a time; padding repeats the last one with volume 0.
template <int nodes>
class SetStress {
 public:
  static constexpr int points = static_cast<int>(mesh::tet_points<nodes>.size());

  // Eight elements at x: gradients of the shape functions, volumes, F.
  struct Elements {
    math::Vec3<Pack> g[points][nodes];
    Pack volume[points];
    Pack F[9 * points];
  };

  SetStress(const model::Model& model, const model::Params& at, int32_t set, std::span<const Vec3d> x)
      : model_(model),
        set_(model.sets[set]),
        law_(*set_.law),
        fields_(at.material[set]),
        x_(x),
        averaged_(model.bodies[set_.body].kind->mean_dilatation && law_.d.volume),
        count_(static_cast<int64_t>(set_.elements.size())) {
    if (averaged_) measure_patches();
  }

  void change(const std::vector<model::ParamField>& change, std::span<Vec3d> out) const {
    std::vector<Mat3d> stress(count_ * points, Mat3d::zero());
    std::vector<double> slope(averaged_ ? count_ : 0, 0.0);
    for_each_pack([&](int64_t k, const Elements& e) {
      for (size_t v = 0; v < change.size(); ++v) {
        if (change[v].values.empty() || !differentiable(field_of_value(law_, static_cast<int>(v)))) continue;
        Pack dP[9 * points], dU;
        stress_rate(k, e, static_cast<int>(v), dP, dU);
        for (int l = 0; l < used(k); ++l) {
          const int64_t element = k * lanes + l;
          const double factor = change[v].at(element);
          for (int m = 0; m < 9 * points; ++m)
            stress[element * points + m / 9].c[m % 9 / 3].v[m % 3] += factor * dP[m][l];
          if (averaged_) slope[element] += factor * dU[l];
        }
      }
    });
    if (averaged_) add_patch_pressure(slope, stress);
    for (int64_t element = 0; element < count_; ++element) {
      const auto node = nodes_of(element);
      for (int q = 0; q < points; ++q) {
        const auto shape = mesh::shape_gradients<nodes>(rest(node), mesh::tet_points<nodes>[q]);
        for (int a = 0; a < nodes; ++a)
          out[node[a]] += stress[element * points + q] * shape.g[a] * shape.weight;
      }
    }
  }

  void gradient(std::span<const Vec3d> direction, std::vector<model::ParamField>& out) const {
    std::vector<double> patch_rate;  // dJ_patch along the direction, of each element
    if (averaged_) patch_rate = patch_J_rate(direction);
    for_each_pack([&](int64_t k, const Elements& e) {
      Pack D[9 * points];
      gradients(k, e, direction, D);
      for (size_t v = 0; v < out.size(); ++v) {
        if (!differentiable(field_of_value(law_, static_cast<int>(v)))) continue;
        Pack dP[9 * points], dU, sum = Pack(0);
        stress_rate(k, e, static_cast<int>(v), dP, dU);
        for (int q = 0; q < points; ++q)
          sum += e.volume[q] * contract(matrix_at(dP + 9 * q), matrix_at(D + 9 * q));
        for (int l = 0; l < used(k); ++l) {
          const int64_t element = k * lanes + l;
          out[v].values[element] += sum[l];
          if (averaged_) out[v].values[element] += e.volume[0][l] * dU[l] * patch_rate[element];
        }
      }
    });
  }

 private:
  int used(int64_t k) const { return static_cast<int>(std::min<int64_t>(lanes, count_ - k * lanes)); }

  std::array<int32_t, nodes> nodes_of(int64_t element) const {
    return model_.elements.nodes<nodes>(set_.elements[element]);
  }

  std::array<Vec3d, nodes> rest(const std::array<int32_t, nodes>& node) const {
    std::array<Vec3d, nodes> X;
    for (int a = 0; a < nodes; ++a) X[a] = model_.X[node[a]];
    return X;
  }

  template <class F>
  void for_each_pack(const F& f) const {
    for_each_block((count_ + lanes - 1) / lanes, block_packs, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        Elements e;
        for (int l = 0; l < lanes; ++l) {
          const auto node = nodes_of(std::min(k * lanes + l, count_ - 1));
          for (int q = 0; q < points; ++q) {
            const auto shape = mesh::shape_gradients<nodes>(rest(node), mesh::tet_points<nodes>[q]);
            e.volume[q].set(l, l < used(k) ? shape.weight : 0.0);
            for (int a = 0; a < nodes; ++a)
              for (int i = 0; i < 3; ++i) e.g[q][a][i].set(l, shape.g[a][i]);
          }
        }
        gradients(k, e, x_, e.F);
        f(k, e);
      }
    });
  }

  // D = sum_a field_a g_a^T at each point; differences from the first node keep the digits.
  void gradients(int64_t k, const Elements& e, std::span<const Vec3d> field, Pack* D) const {
    math::Vec3<Pack> value[nodes];
    for (int l = 0; l < lanes; ++l) {
      const auto node = nodes_of(std::min(k * lanes + l, count_ - 1));
      for (int a = 0; a < nodes; ++a)
        for (int i = 0; i < 3; ++i) value[a][i].set(l, field[node[a]][i] - field[node[0]][i]);
    }
    for (int q = 0; q < points; ++q) {
      PackMat sum = PackMat::zero();
      for (int a = 1; a < nodes; ++a) sum += outer(value[a], e.g[q][a]);
      for (int m = 0; m < 9; ++m) D[9 * q + m] = sum.c[m / 3].v[m % 3];
    }
  }

  // dP/dp of value v at each point; with an averaged volume without its volumetric part, and dU'(J_patch)/dp beside it.
  void stress_rate(int64_t k, const Elements& e, int v, Pack* dP, Pack& dU) const {
    for (int m = 0; m < 9 * points; ++m) dP[m] = Pack(0);
    dU = Pack(0);
    Pack patch = Pack(1);
    for (int l = 0; averaged_ && l < lanes; ++l) patch.set(l, patch_J_[std::min(k * lanes + l, count_ - 1)]);
    std::vector<double> values(fields_.size()), converted(law_.param_count);
    std::vector<Pack> params(law_.param_count);
    for (int s = 0; s < stencil_points; ++s) {
      Pack factor;
      for (int l = 0; l < lanes; ++l) {
        for (size_t f = 0; f < fields_.size(); ++f)
          values[f] = fields_[f].at(std::min(k * lanes + l, count_ - 1));
        const FieldStep step = field_step(law_, values, v);
        factor.set(l, (*step.weight)[s] / step.h);
        values[v] += (*step.offset)[s] * step.h;
        law_.convert(values.data(), converted.data());
        for (int p = 0; p < law_.param_count; ++p) params[p].set(l, converted[p]);
      }
      Pack P[9 * points];
      law_.d.evaluate(points, params.data(), 0, e.F, {.hessian = material::Hessian::exact}, nullptr, P);
      for (int m = 0; m < 9 * points; ++m) dP[m] += factor * P[m];
      if (averaged_) {
        const PackMat F = matrix_at(e.F), cof = cofactor(F);
        const Pack J = dot(F.c[0], cof.c[0]);
        Pack U, slope, second;
        law_.d.volume(1, params.data(), 0, &J, &U, &slope, &second);
        for (int m = 0; m < 9; ++m) dP[m] -= factor * slope * cof.c[m / 3].v[m % 3];
        law_.d.volume(1, params.data(), 0, &patch, &U, &slope, &second);
        dU += factor * slope;
      }
    }
  }

  void measure_patches() {
    std::vector<model::Tet> tets;
    for (int32_t t : set_.elements) tets.push_back(model_.elements.nodes<4>(t));
    patch_ = mesh::tet_patches(tets, model_.X);
    patch_volume_.assign(*std::max_element(patch_.begin(), patch_.end()) + 1, 0.0);
    for (int64_t e = 0; e < count_; ++e) patch_volume_[patch_[e]] += model_.rest_volume(set_.elements[e]);
    patch_J_ = patch_mean([](const Elements& e, int64_t) { return det(matrix_at(e.F)); });
  }

  // The mean of value(elements, pack) over the patch of each element.
  template <class F>
  std::vector<double> patch_mean(const F& value) const {
    std::vector<double> each(count_);
    for_each_pack([&](int64_t k, const Elements& e) {
      const Pack share = value(e, k) * e.volume[0];
      for (int l = 0; l < used(k); ++l) each[k * lanes + l] = share[l];
    });
    std::vector<double> mean(patch_volume_.size(), 0.0);
    for (int64_t e = 0; e < count_; ++e) mean[patch_[e]] += each[e] / patch_volume_[patch_[e]];
    for (int64_t e = 0; e < count_; ++e) each[e] = mean[patch_[e]];
    return each;
  }

  // dJ_patch along a direction, of each element.
  std::vector<double> patch_J_rate(std::span<const Vec3d> direction) const {
    return patch_mean([&](const Elements& e, int64_t k) {
      Pack D[9 * points];
      gradients(k, e, direction, D);
      return contract(cofactor(matrix_at(e.F)), matrix_at(D));
    });
  }

  // The pressure of a patch is the mean of U' of its elements; its stress is pressure times cof F.
  void add_patch_pressure(const std::vector<double>& slope, std::vector<Mat3d>& stress) const {
    const std::vector<double> pressure = patch_mean([&](const Elements&, int64_t k) {
      Pack p;
      for (int l = 0; l < lanes; ++l) p.set(l, slope[std::min(k * lanes + l, count_ - 1)]);
      return p;
    });
    for_each_pack([&](int64_t k, const Elements& e) {
      const PackMat cof = cofactor(matrix_at(e.F));
      for (int l = 0; l < used(k); ++l)
        for (int m = 0; m < 9; ++m)
          stress[k * lanes + l].c[m / 3].v[m % 3] += pressure[k * lanes + l] * cof.c[m / 3].v[m % 3][l];
    });
  }

  const model::Model& model_;
  const model::ElasticSet& set_;
  const material::Law& law_;
  const std::vector<model::ParamField>& fields_;
  std::span<const Vec3d> x_;
  bool averaged_;
  int64_t count_;
  std::vector<int32_t> patch_;        // of each element
  std::vector<double> patch_volume_;  // at rest [m^3]
  std::vector<double> patch_J_;       // of each element
};

// f(SetStress) for each set, of its order.
template <class F>
void for_each_set(const model::Model& model, const model::Params& at, std::span<const Vec3d> x, const F& f) {
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const auto set = static_cast<int32_t>(s);
    if (model.bodies[model.sets[s].body].kind->nodes == 10)
      f(s, SetStress<10>(model, at, set, x));
    else
      f(s, SetStress<4>(model, at, set, x));
  }
}

}  // namespace

void add_material_change(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                         const model::Params& change, std::span<Vec3d> out) {
  if (change.material.empty()) return;
  for_each_set(model, at, x, [&](size_t s, const auto& set) { set.change(change.material[s], out); });
}

void add_material_gradient(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                           std::span<const Vec3d> direction, model::Params& out) {
  for_each_set(model, at, x, [&](size_t s, const auto& set) { set.gradient(direction, out.material[s]); });
}

}  // namespace sinew::sensitivity
