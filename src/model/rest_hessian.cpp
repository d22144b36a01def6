#include "model/rest_hessian.h"

#include <algorithm>

#include "math/pack.h"

namespace sinew::model {

namespace {

// Of a law for triangles alone: nothing resists what the third column of F does.
void linearise_sheet(const material::Law& law, const math::PackD* params, const math::PackD* F,
                     math::PackD* C) {
  math::PackD plane[material::membrane_upper_count];
  law.membrane_d.linearise(1, params, 0, F, {.hessian = material::Hessian::exact}, plane);
  for (int m = 0; m < material::upper_count; ++m) C[m] = math::PackD(0);
  for (int i = 0, m = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j, ++m) C[material::upper(i, j)] = plane[m];
}

}  // namespace

void for_each_rest_hessian(const material::Law& law, const std::vector<ParamField>& fields,
                           const std::function<void(size_t, const double*)>& visit) {
  constexpr int lanes = math::lanes_of<math::PackD>;
  size_t count = 1;
  for (const ParamField& field : fields) count = std::max(count, field.values.size());
  std::vector<double> in(fields.size()), out(law.param_count);
  std::vector<math::PackD> params(law.param_count);
  math::PackD F[9], C[material::upper_count];
  for (int k = 0; k < 9; ++k) F[k] = math::PackD(k % 4 == 0 ? 1.0 : 0.0);
  for (size_t first = 0; first < count; first += lanes) {
    for (int l = 0; l < lanes; ++l) {
      for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(std::min(first + l, count - 1));
      for (size_t f = 0; f < law.fields.size(); ++f)
        if (law.fields[f].name == "activation") in[f] = 0;
      law.convert(in.data(), out.data());
      for (int p = 0; p < law.param_count; ++p) params[p].set(l, out[p]);
    }
    if (law.for_solids())
      law.d.linearise(1, params.data(), 0, F, {.hessian = material::Hessian::exact}, C);
    else
      linearise_sheet(law, params.data(), F, C);
    for (size_t i = first; i < std::min(first + lanes, count); ++i) {
      double values[material::upper_count];
      for (int m = 0; m < material::upper_count; ++m) values[m] = C[m][static_cast<int>(i - first)];
      visit(i, values);
    }
  }
}

std::vector<material::Lame> rest_lame(const material::Law& law, const std::vector<ParamField>& fields) {
  std::vector<material::Lame> list;
  for_each_rest_hessian(law, fields, [&](size_t, const double* C) {
    double diagonal = 0, squares = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int ii = 4 * i, jj = 4 * j, ij = i + 3 * j;
        diagonal += C[material::upper(std::min(ii, jj), std::max(ii, jj))];
        squares += C[material::upper(ij, ij)];
      }
    list.push_back(
        {std::max((3 * squares - diagonal) / 30, 0.0), std::max((2 * diagonal - squares) / 15, 0.0)});
  });
  return list;
}

}  // namespace sinew::model
