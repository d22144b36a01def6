#include <algorithm>

#include "base/parallel.h"
#include "element/block.h"
#include "energy/mean_dilatation.h"
#include "mesh/patches.h"
#include "model/element_nodes.h"
#include "sensitivity/field_step.h"
#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

using math::Mat3d;
using Pack = math::PackD;
using PackMat = math::Mat3<Pack>;
using element::load_matrix;
constexpr int lanes = element::lanes;
constexpr int64_t block_packs = 16;

// The elements of one set, eight at a time.
template <class Shape>
class SetStress {
 public:
  static constexpr int points = Shape::points, F_size = 3 * Shape::dimension;
  using Stress = math::Mat<double, 3, Shape::dimension>;

  // Eight elements, with F at x.
  struct Elements {
    const element::ElementBlock<Shape>& block;
    int64_t pack;          // in the block
    const int32_t* place;  // of each lane, in the set; padding repeats the last one
    Pack F[F_size * points];

    int used() const { return block.used_lanes(pack); }
    const Pack& volume(int q) const { return block.weight(pack, q); }
    // The gradient at rest of a field at the nodes.
    void gradient(std::span<const Vec3d> field, Pack* D) const {
      block.deformations(field, pack, pack + 1, D);
    }
  };

  SetStress(const model::Model& model, const model::Params& at, int32_t set, std::span<const Vec3d> x)
      : model_(model),
        set_(model.sets[set]),
        law_(*set_.law),
        fields_(at.material[set]),
        x_(x),
        averaged_(energy::MeanDilatation::applies(model, set_)),
        count_(static_cast<int64_t>(set_.elements.size())) {
    if constexpr (Shape::dimension == 3)
      if (averaged_) measure_patches();
  }

  void change(const std::vector<model::ParamField>& change, std::span<Vec3d> out) const {
    std::vector<Stress> stress(count_ * points, Stress{});
    std::vector<double> slope(averaged_ ? count_ : 0, 0.0);
    for_each_pack([&](const Elements& e) {
      for (size_t v = 0; v < change.size(); ++v) {
        if (change[v].values.empty() || !differentiable(field_of_value(law_, static_cast<int>(v)))) continue;
        Pack dP[F_size * points], dU;
        stress_rate(e, static_cast<int>(v), dP, dU);
        for (int l = 0; l < e.used(); ++l) {
          const int64_t element = e.place[l];
          const double factor = change[v].at(element);
          for (int m = 0; m < F_size * points; ++m)
            stress[element * points + m / F_size].c[m % F_size / 3].v[m % 3] += factor * dP[m][l];
          if (averaged_) slope[element] += factor * dU[l];
        }
      }
    });
    if constexpr (Shape::dimension == 3)
      if (averaged_) add_patch_pressure(slope, stress);
    for (int64_t element = 0; element < count_; ++element) {
      const auto ids = node_ids(element);
      for (int q = 0; q < points; ++q) {
        const auto rest = model::rest_point<Shape>(model_, body(), set_.elements[element], q);
        for (int a = 0; a < Shape::nodes; ++a)
          out[ids[a]] += stress[element * points + q] * rest.g[a] * rest.weight;
      }
    }
  }

  // Adds to the fields of each direction. The stresses are those of all directions.
  void gradient(std::span<const std::vector<Vec3d>> directions,
                std::span<std::vector<model::ParamField>* const> out) const {
    std::vector<int> fields;
    for (size_t v = 0; v < fields_.size(); ++v)
      if (differentiable(field_of_value(law_, static_cast<int>(v)))) fields.push_back(static_cast<int>(v));
    std::vector<std::vector<double>> patch_rate;  // dJ_patch along each direction, of each element
    if constexpr (Shape::dimension == 3)
      for (size_t k = 0; averaged_ && k < directions.size(); ++k)
        patch_rate.push_back(patch_J_rate(directions[k]));
    for_each_pack([&](const Elements& e) {
      std::vector<Pack> dP(F_size * points * fields.size()), dU(fields.size());
      for (size_t f = 0; f < fields.size(); ++f) stress_rate(e, fields[f], &dP[F_size * points * f], dU[f]);
      for (size_t k = 0; k < directions.size(); ++k) {
        Pack D[F_size * points];
        e.gradient(directions[k], D);
        for (size_t f = 0; f < fields.size(); ++f) {
          Pack sum = Pack(0);
          for (int q = 0; q < points; ++q)
            sum += e.volume(q) * contract(load_matrix<Shape::dimension>(&dP[F_size * (points * f + q)]),
                                          load_matrix<Shape::dimension>(D + F_size * q));
          std::vector<double>& values = (*out[k])[fields[f]].values;
          for (int l = 0; l < e.used(); ++l) {
            const int64_t element = e.place[l];
            values[element] += sum[l];
            if (averaged_) values[element] += e.volume(0)[l] * dU[f][l] * patch_rate[k][element];
          }
        }
      }
    });
  }

 private:
  element::NodeIds<Shape> node_ids(int64_t place) const {
    return model::element_nodes<Shape>(model_, set_.elements[place]);
  }

  const model::Body& body() const { return model_.bodies[set_.body]; }
  double covered(int64_t place) const { return model_.covered(set_.elements[place]); }

  template <class F>
  void for_each_pack(const F& f) const {
    for_each_block(count_, block_packs * lanes, [&](int64_t begin, int64_t end) {
      const auto order = element::LaneOrder::range(begin, end);
      const auto block = element::ElementBlock<Shape>::with_rest(
          order, [&](int32_t place) { return node_ids(place); },
          [&](int32_t place, int q) {
            return model::rest_point<Shape>(model_, body(), set_.elements[place], q);
          });
      for (int64_t k = 0; k < block.packs(); ++k) {
        Elements e{block, k, &order.element[k * lanes], {}};
        e.gradient(x_, e.F);
        f(e);
      }
    });
  }

  // dP/dp of value v at each point; with an averaged volume without its volumetric part, and dU'(J_patch)/dp beside it.
  void stress_rate(const Elements& e, int v, Pack* dP, Pack& dU) const {
    for (int m = 0; m < F_size * points; ++m) dP[m] = Pack(0);
    dU = Pack(0);
    Pack patch = Pack(1);
    for (int l = 0; averaged_ && l < lanes; ++l) patch.set(l, patch_J_[e.place[l]]);
    std::vector<double> values(fields_.size()), converted(law_.param_count);
    std::vector<Pack> params(law_.param_count);
    for (int s = 0; s < stencil_points; ++s) {
      Pack factor;
      for (int l = 0; l < lanes; ++l) {
        for (size_t f = 0; f < fields_.size(); ++f) values[f] = fields_[f].at(e.place[l]);
        const FieldStep step = field_step(law_, values, v);
        factor.set(l, (*step.weight)[s] / step.h);
        values[v] += (*step.offset)[s] * step.h;
        law_.convert(values.data(), converted.data());
        for (int p = 0; p < law_.param_count; ++p) params[p].set(l, converted[p]);
      }
      Pack P[F_size * points];
      const material::PointOptions options{.hessian = material::Hessian::exact,
                                           .fixed_thickness = body().fixed_thickness};
      if constexpr (Shape::dimension == 2)
        law_.membrane_d.evaluate(points, params.data(), 0, e.F, options, nullptr, P);
      else
        law_.d.evaluate(points, params.data(), 0, e.F, options, nullptr, P);
      for (int m = 0; m < F_size * points; ++m) dP[m] += factor * P[m];
      if constexpr (Shape::dimension == 3) {
        if (!averaged_) continue;
        const PackMat F = load_matrix(e.F), cof = cofactor(F);
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
    for (int32_t t : set_.elements) tets.push_back(model::element_nodes<element::Tet4>(model_, t));
    patch_ = mesh::tet_patches(tets, model_.X);
    patch_volume_.assign(*std::max_element(patch_.begin(), patch_.end()) + 1, 0.0);
    for (int64_t e = 0; e < count_; ++e)
      patch_volume_[patch_[e]] += covered(e) * model_.rest_volume(set_.elements[e]);
    patch_J_ = patch_mean([](const Elements& e) { return det(load_matrix(e.F)); });
  }

  // The mean of value(elements) over the patch of each element.
  template <class F>
  std::vector<double> patch_mean(const F& value) const {
    std::vector<double> each(count_);
    for_each_pack([&](const Elements& e) {
      const Pack share = value(e) * e.volume(0);
      for (int l = 0; l < e.used(); ++l) each[e.place[l]] = share[l];
    });
    std::vector<double> mean(patch_volume_.size(), 0.0);
    for (int64_t e = 0; e < count_; ++e) mean[patch_[e]] += each[e] / patch_volume_[patch_[e]];
    for (int64_t e = 0; e < count_; ++e) each[e] = mean[patch_[e]];
    return each;
  }

  // dJ_patch along a direction, of each element.
  std::vector<double> patch_J_rate(std::span<const Vec3d> direction) const {
    return patch_mean([&](const Elements& e) {
      Pack D[F_size * points];
      e.gradient(direction, D);
      return contract(cofactor(load_matrix(e.F)), load_matrix(D));
    });
  }

  // The pressure of a patch is the mean of U' of its elements; its stress is pressure times cof F.
  void add_patch_pressure(const std::vector<double>& slope, std::vector<Mat3d>& stress) const {
    const std::vector<double> pressure = patch_mean(
        [&](const Elements& e) { return Pack::generate([&](int l) { return slope[e.place[l]]; }); });
    for_each_pack([&](const Elements& e) {
      const PackMat cof = cofactor(load_matrix(e.F));
      for (int l = 0; l < e.used(); ++l)
        for (int m = 0; m < 9; ++m)
          stress[e.place[l]].c[m / 3].v[m % 3] += pressure[e.place[l]] * cof.c[m / 3].v[m % 3][l];
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
  std::vector<double> patch_volume_;  // of the material at rest [m^3]
  std::vector<double> patch_J_;       // of each element
};

// f(SetStress) for each set, of its kind of elements.
template <class F>
void for_each_set(const model::Model& model, const model::Params& at, std::span<const Vec3d> x, const F& f) {
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const auto visit = [&](auto shape) {
      f(s, SetStress<decltype(shape)>(model, at, static_cast<int32_t>(s), x));
    };
    if (model.bodies[model.sets[s].body].kind->is_triangle())
      visit(element::Tri3{});
    else
      model::with_shape(model, model.sets[s].body, visit);
  }
}

}  // namespace

void add_material_change(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                         const model::Params& change, std::span<Vec3d> out) {
  if (change.material.empty()) return;
  for_each_set(model, at, x, [&](size_t s, const auto& set) { set.change(change.material[s], out); });
}

void add_material_gradient(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                           std::span<const std::vector<Vec3d>> directions,
                           std::span<model::Params* const> out) {
  for_each_set(model, at, x, [&](size_t s, const auto& set) {
    std::vector<std::vector<model::ParamField>*> fields;
    for (model::Params* params : out) fields.push_back(&params->material[s]);
    set.gradient(directions, fields);
  });
}

}  // namespace sinew::sensitivity
