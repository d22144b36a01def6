#include "energy/mean_dilatation.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "element/shape.h"

namespace sinew::energy {

namespace {

constexpr int32_t chunk_patches = 64;

double volume_of(std::span<const Vec3d> x, const model::Tet& tet) {
  return dot(x[tet[1]] - x[tet[0]], cross(x[tet[2]] - x[tet[0]], x[tet[3]] - x[tet[0]])) / 6;
}

}  // namespace

MeanDilatation::MeanDilatation(const model::Model& model, int32_t set)
    : Term({.body = model.sets[set].body}), set_(set), law_(*model.sets[set].law) {
  const model::ElasticSet& elastic = model.sets[set];
  std::vector<model::Tet> tets;
  for (int32_t t : elastic.elements) tets.push_back(model.elements.nodes<4>(t));
  const std::vector<int32_t> patch = mesh::tet_patches(tets, model.X);
  order_.resize(tets.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int32_t a, int32_t b) { return patch[a] < patch[b]; });
  for (size_t k = 0; k < order_.size(); ++k) {
    const model::Tet& tet = tets[order_[k]];
    if (k == 0 || patch[order_[k]] != patch[order_[k - 1]]) {
      begin_.push_back(static_cast<int64_t>(k));
      node_.emplace_back().fill(-1);
      rest_.push_back(0);
    }
    const int32_t id = elastic.elements[order_[k]];
    PatchTet& out =
        tets_.emplace_back(PatchTet{tet, {}, model.covered(id), model.covered(id) * model.rest_volume(id)});
    rest_.back() += out.rest;
    for (int a = 0; a < 4; ++a) {
      auto& list = node_.back();
      const auto found =
          std::find_if(list.begin(), list.end(), [&](int32_t n) { return n < 0 || n == tet[a]; });
      *found = tet[a];
      out.place[a] = static_cast<int8_t>(found - list.begin());
    }
  }
  begin_.push_back(static_cast<int64_t>(order_.size()));
  // The colouring wants whole lists: free places repeat the first node.
  auto filled = node_;
  for (auto& list : filled)
    for (int32_t& node : list)
      if (node < 0) node = list[0];
  chunks_ = mesh::colour_chunks<width>(std::span<const std::array<int32_t, width>>(filled),
                                       static_cast<int64_t>(model.X.size()), chunk_patches);
}

bool MeanDilatation::take(const model::Params& params) { return law_.bind(params.material[set_], order_); }

template <class F>
void MeanDilatation::for_each_patch(F&& f) const {
  for (const auto& colour : chunks_.colours)
    for_each_index(static_cast<int64_t>(colour.size()), [&](int64_t i) {
      const auto [begin, end] = chunks_.range(colour[i]);
      for (int64_t patch = begin; patch < end; ++patch) f(patch);
    });
}

std::vector<double> MeanDilatation::patch_J(std::span<const Vec3d> x) const {
  std::vector<double> J(rest_.size());
  for_each_block(static_cast<int64_t>(rest_.size()), chunk_patches, [&](int64_t begin, int64_t end) {
    for (int64_t patch = begin; patch < end; ++patch) {
      double now = 0;
      for (int64_t k = begin_[patch]; k < begin_[patch + 1]; ++k)
        now += tets_[k].covered * volume_of(x, tets_[k].node);
      J[patch] = now / rest_[patch];
    }
  });
  return J;
}

std::vector<double> MeanDilatation::mean_J(std::span<const Vec3d> x) const {
  const std::vector<double> patches = patch_J(x);
  std::vector<double> J(order_.size());
  for (size_t patch = 0; patch < patches.size(); ++patch)
    for (int64_t k = begin_[patch]; k < begin_[patch + 1]; ++k) J[order_[k]] = patches[patch];
  return J;
}

std::vector<MeanDilatation::Response> MeanDilatation::respond(std::span<const Vec3d> x) const {
  constexpr int lanes = math::lanes_of<math::PackD>;
  const auto count = static_cast<int64_t>(tets_.size());
  const std::vector<double> patch = patch_J(x);
  std::vector<double> J(count);
  for (size_t p = 0; p < patch.size(); ++p)
    for (int64_t k = begin_[p]; k < begin_[p + 1]; ++k) J[k] = patch[p];
  std::vector<Response> each(count);
  for_each_block(count, 64 * lanes, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += lanes) {
      math::PackD at, U, dU, ddU;
      for (int l = 0; l < lanes; ++l) at.set(l, J[std::min(first + l, count - 1)]);
      law_.kernels().volume(1, law_.params(first / lanes), 0, &at, &U, &dU, &ddU);
      for (int64_t k = first; k < std::min(first + lanes, end); ++k) {
        const int l = static_cast<int>(k - first);
        each[k] = {U[l] * tets_[k].rest, dU[l] * tets_[k].rest, ddU[l] * tets_[k].rest};
      }
    }
  });
  std::vector<Response> patches(rest_.size(), {0, 0, 0});
  for (size_t patch = 0; patch < rest_.size(); ++patch) {
    Response& r = patches[patch];
    for (int64_t k = begin_[patch]; k < begin_[patch + 1]; ++k) {
      r.energy += each[k].energy;
      r.slope += each[k].slope / rest_[patch];
      r.curvature += each[k].curvature / rest_[patch];
    }
  }
  return patches;
}

std::vector<double> MeanDilatation::pressures(std::span<const Vec3d> x) const {
  const std::vector<Response> patches = respond(x);
  std::vector<double> p(order_.size());
  for (size_t patch = 0; patch < patches.size(); ++patch)
    for (int64_t k = begin_[patch]; k < begin_[patch + 1]; ++k) p[order_[k]] = patches[patch].slope;
  return p;
}

void MeanDilatation::volume_gradient(std::span<const Vec3d> x, int64_t patch, Vec3d (&g)[width]) const {
  for (Vec3d& v : g) v = {0, 0, 0};
  for (int64_t k = begin_[patch]; k < begin_[patch + 1]; ++k) {
    const auto a = element::area_vectors(x, tets_[k].node);
    for (int c = 0; c < 4; ++c) g[tets_[k].place[c]] += a[c] * (tets_[k].covered / 6);
  }
}

EvalInfo MeanDilatation::evaluate(const View& view, std::span<Vec3d> gradient) const {
  const std::vector<Response> patches = respond(view.x);
  EvalInfo info;
  for (const Response& r : patches) info.value += r.energy;
  if (!gradient.empty())
    for_each_patch([&](int64_t patch) {
      Vec3d g[width];
      volume_gradient(view.x, patch, g);
      for (int a = 0; a < width && node_[patch][a] >= 0; ++a)
        gradient[node_[patch][a]] += g[a] * patches[patch].slope;
    });
  return info;
}

Stencils MeanDilatation::stencils() const {
  return {width, std::span(node_.data()->data(), node_.size() * width)};
}

namespace {

// U'' / V, the factor of the dyad; the definite operator leaves out a negative one.
double dyad_factor(double curvature, double rest, Hessian hessian) {
  return (material::definite(hessian) ? std::max(curvature, 0.0) : curvature) / rest;
}

}  // namespace

void MeanDilatation::assemble(const View& view, Hessian hessian, double scale, BlockMatrix& matrix) const {
  const std::vector<Response> patches = respond(view.x);
  for_each_patch([&](int64_t patch) {
    Vec3d g[width];
    volume_gradient(view.x, patch, g);
    const double w = scale * dyad_factor(patches[patch].curvature, rest_[patch], hessian);
    for (int a = 0; a < width && node_[patch][a] >= 0; ++a)
      for (int b = 0; b < width && node_[patch][b] >= 0; ++b)
        if (const int32_t slot = slots(patch, width)[a * width + b]; slot >= 0)
          matrix.add(slot, outer(g[a] * w, g[b]));
  });
}

// The factor of each patch; its volume gradient is computed again for each product.
class MeanDilatation::Dyads final : public Linearisation {
 public:
  explicit Dyads(const MeanDilatation& term) : term_(term) {}

  void set(const View& view, Hessian hessian) override {
    view_ = view;
    const std::vector<Response> patches = term_.respond(view.x);
    factor_.resize(patches.size());
    for (size_t patch = 0; patch < patches.size(); ++patch)
      factor_[patch] = dyad_factor(patches[patch].curvature, term_.rest_[patch], hessian);
  }

  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    const auto& node = term_.node_;
    term_.for_each_patch([&](int64_t patch) {
      Vec3d g[width];
      term_.volume_gradient(view_.x, patch, g);
      double along = 0;
      for (int a = 0; a < width && node[patch][a] >= 0; ++a) along += dot(g[a], d[node[patch][a]]);
      along *= factor_[patch];
      for (int a = 0; a < width && node[patch][a] >= 0; ++a) out[node[patch][a]] += g[a] * along;
    });
  }

  void diagonal(std::span<Mat3d> blocks) const override {
    const auto& node = term_.node_;
    term_.for_each_patch([&](int64_t patch) {
      Vec3d g[width];
      term_.volume_gradient(view_.x, patch, g);
      const double w = factor_[patch];
      for (int a = 0; a < width && node[patch][a] >= 0; ++a) blocks[node[patch][a]] += outer(g[a] * w, g[a]);
    });
  }

  int64_t bytes() const override { return static_cast<int64_t>(factor_.size() * sizeof(double)); }

 private:
  const MeanDilatation& term_;
  View view_;
  std::vector<double> factor_;
};

std::unique_ptr<Linearisation> MeanDilatation::linearisation() const {
  return std::make_unique<Dyads>(*this);
}

}  // namespace sinew::energy
