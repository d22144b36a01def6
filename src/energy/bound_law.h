#pragma once
// A law with the parameters of a list of elements in the lanes of packs, ready for its kernels.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "material/law.h"
#include "math/pack.h"
#include "model/model.h"

namespace sinew::energy {

class BoundLaw {
 public:
  using Pack = math::PackD;

  explicit BoundLaw(const material::Law& law) : law_(&law) {}

  // Lane l of pack k takes the values of element order[8 k + l]; the last element fills the last pack. True: the values
  // differ from those before.
  bool bind(const std::vector<model::ParamField>& fields, std::span<const int32_t> order) {
    constexpr int lanes = math::lanes_of<Pack>;
    const bool uniform =
        std::all_of(fields.begin(), fields.end(), [](const auto& field) { return field.values.size() == 1; });
    const int p = law_->param_count;
    const auto count = static_cast<int64_t>(order.size());
    const int64_t packs = uniform ? 1 : (count + lanes - 1) / lanes;
    stride_ = uniform ? 0 : p;
    const std::vector<Pack> before = std::exchange(params_, std::vector<Pack>(packs * p));
    std::vector<double> in(fields.size()), out(p);
    for (int64_t e = 0; e < packs * lanes; ++e) {
      for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(order[std::min(e, count - 1)]);
      law_->convert(in.data(), out.data());
      for (int k = 0; k < p; ++k) params_[e / lanes * p + k].set(e % lanes, out[k]);
    }
    return before.size() != params_.size() ||
           std::memcmp(before.data(), params_.data(), before.size() * sizeof(Pack)) != 0;
  }

  const material::Law& law() const { return *law_; }
  const material::PointKernels<Pack>& kernels() const { return law_->d; }
  const Pack* params(int64_t pack) const { return params_.data() + pack * stride_; }
  int stride() const { return stride_; }

 private:
  const material::Law* law_;
  std::vector<Pack> params_;  // per pack, or one set
  int stride_ = 0;
};

}  // namespace sinew::energy
