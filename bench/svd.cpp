#include "math/svd.h"

#include <Eigen/SVD>

#include "base/parallel.h"
#include "bench/bench.h"
#include "math/pack.h"
#include "math/random.h"

namespace sinew::bench {

namespace {

template <class Pack, class Scalar>
void compare(const char* precision, const Options& options, const Emit& emit) {
  constexpr int packs = 1 << 10;
  constexpr int lanes = math::lanes_of<Pack>;
  const math::Random random(1);
  std::vector<math::Mat3<Pack>> F(packs);
  std::vector<Eigen::Matrix<Scalar, 3, 3>> E(packs * lanes);
  for (int m = 0; m < packs * lanes; ++m)
    for (int k = 0; k < 9; ++k) {
      const auto value = static_cast<Scalar>(random.normal(9 * m + k));
      F[m / lanes].c[k / 3].v[k % 3].set(m % lanes, value);
      E[m](k % 3, k / 3) = value;
    }
  std::vector<double> ours, eigen;
  std::vector<math::Svd<Pack>> result(packs);
  Scalar guard = 0;
  for (int r = 0; r <= options.repeats; ++r) {
    const double a = seconds_of([&] {
                       for (int rounds = 0; rounds < 8; ++rounds)
                         for (int k = 0; k < packs; ++k) result[k] = math::svd(F[k]);
                     }) /
                     8;
    const double b = seconds_of([&] {
      for (const auto& m : E) {
        const Eigen::JacobiSVD<Eigen::Matrix<Scalar, 3, 3>> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
        guard += svd.singularValues()[0] + svd.matrixU()(0, 0) + svd.matrixV()(0, 0);
      }
    });
    if (r == 0) continue;
    ours.push_back(a / (packs * lanes));
    eigen.push_back(b / (packs * lanes));
  }
  json::Json row = json::Json::object();
  row.set("case", "svd");
  row.set("tets", 0);
  row.set("threads", 1);
  row.set("precision", precision);
  row.set("seconds", median(ours));
  row.set("unit", "3x3 matrix");
  row.set("eigen_seconds", median(eigen));
  row.set("times_faster_than_eigen", median(eigen) / median(ours));
  row.set("finite", std::isfinite(guard));
  emit(row);
}

}  // namespace

void run_svd(const Options& options, const Emit& emit) {
  compare<math::PackD, double>("double", options, emit);
  compare<math::PackF, float>("single", options, emit);
}

}  // namespace sinew::bench
