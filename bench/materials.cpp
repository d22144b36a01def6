#include <fmt/format.h>

#include "bench/bench.h"
#include "material/law.h"
#include "math/pack.h"
#include "math/random.h"

namespace sinew::bench {

namespace {

// Moduli near 1, everything else by default or 1, the fibre along x.
std::vector<double> some_fields(const material::Law& law) {
  std::vector<double> values;
  for (const Field& field : law.fields) {
    if (field.kind == Field::Kind::vector3)
      values.insert(values.end(), {1, 0, 0});
    else if (field.kind == Field::Kind::boolean)
      values.push_back(field.initial == "true");
    else if (field.name == "poisson")
      values.push_back(0.4);
    else
      values.push_back(field.initial.empty() ? 1.0 : std::stod(std::string(field.initial)));
  }
  return values;
}

}  // namespace

// Strains of a few tens of percent, where some Hessians are indefinite.
void run_materials(const Options& options, const Emit& emit) {
  constexpr int packs = 256, lanes = math::lanes_of<math::PackD>;
  const math::Random random(1);
  std::vector<math::PackD> F(9 * packs), psi(packs), P(9 * packs), C(material::upper_count * packs);
  for (int m = 0; m < packs * lanes; ++m)
    for (int k = 0; k < 9; ++k)
      F[m / lanes * 9 + k].set(m % lanes, (k % 4 == 0) + 0.2 * random.normal(9 * m + k));
  for (const material::Law* law : material::laws()) {
    std::vector<double> p(law->param_count);
    law->convert(some_fields(*law).data(), p.data());
    std::vector<math::PackD> params;
    for (double value : p) params.push_back(math::PackD(value));
    const auto per_point = [&](const std::function<void()>& work) {
      std::vector<double> seconds;
      for (int r = 0; r <= options.repeats; ++r) seconds.push_back(seconds_of(work) / (packs * lanes));
      return median({seconds.begin() + 1, seconds.end()});
    };
    const double stress =
        per_point([&] { law->d.evaluate(packs, params.data(), 0, F.data(), {}, psi.data(), P.data()); });
    const double hessian = per_point([&] {
      law->d.linearise(packs, params.data(), 0, F.data(), {.hessian = material::Hessian::projected},
                       C.data());
    });
    json::Json row = json::Json::object();
    row.set("case", fmt::format("materials/{}", law->name));
    row.set("tets", 0);
    row.set("threads", 1);
    row.set("precision", "double");
    row.set("seconds", stress);
    row.set("unit", "point, energy and stress");
    row.set("hessian_seconds", hessian);
    emit(row);
  }
}

}  // namespace sinew::bench
