// The drag of moving air on faces. With u the velocity of a face against the air, u_n its part along the unit normal and u_t the rest
// the force on the face is
//
//     -density A / 2 (drag |u_n| u_n n + friction |u_t| u_t)
//
// Normal, area A and air are those at the start of the step, so that the force has a potential that is convex in the positions at
// its end, h density A / 2 (drag |u_n|^3 + friction |u_t|^3) / 3 with a step of h. Both sides of a face count as one. Without a
// step the faces are still and the force is dead.
//
// Gusts are a sum of plane waves across their own direction, which has no divergence, and drift with the wind.
#include <array>
#include <cmath>

#include "energy/term_interfaces.h"
#include "math/random.h"

namespace sinew::energy {

namespace {

using model::Wind;

constexpr int waves = 12;

class Drag final : public Term, public MotionDriven {
 public:
  Drag(const model::Model& model, const Wind& wind)
      : Term({.external = true}), wind_(wind), faces_(wind.faces.size()) {
    const math::Random random(wind.seed);
    for (int k = 0; k < waves; ++k) {
      const auto vector = [&](uint64_t i) {
        return Vec3d{random.normal(i), random.normal(i + 1), random.normal(i + 2)};
      };
      const uint64_t first = 16 * static_cast<uint64_t>(k);
      const Vec3d along = normalized(vector(first));
      const double length = wind.gust_length * std::exp2(random.uniform(first + 6, -0.5, 0.5));
      waves_[k] = {along * (2 * M_PI / length),
                   normalized(cross(along, vector(first + 3))) * (wind.gust_speed * std::sqrt(2.0 / waves)),
                   random.uniform(first + 7, 0, 2 * M_PI)};
    }
    std::vector<double> inputs(model.inputs.size());
    model.inputs.evaluate(0, inputs);
    Drag::set_motion(model.X, 0, inputs);
  }

  void set_motion(std::span<const Vec3d> x_n, double rate, std::span<const double> inputs) override {
    rate_ = rate;
    const Vec3d mean = {inputs[wind_.velocity], inputs[wind_.velocity + 1], inputs[wind_.velocity + 2]};
    const double time = inputs[wind_.clock];
    for (size_t f = 0; f < faces_.size(); ++f) {
      const auto& [a, b, c] = wind_.faces[f];
      Face& face = faces_[f];
      face.centre = (x_n[a] + x_n[b] + x_n[c]) * (1.0 / 3);
      const Vec3d area = cross(x_n[b] - x_n[a], x_n[c] - x_n[a]) * 0.5;
      const double size = norm(area);
      face.normal = size > 0 ? area * (1 / size) : Vec3d{0, 0, 0};
      face.weight = 0.5 * wind_.density * size;
      face.air = mean;
      for (const Wave& wave : waves_)
        face.air += wave.amplitude * std::cos(dot(wave.number, face.centre - mean * time) + wave.phase);
    }
  }

  EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const override {
    EvalInfo info;
    for (size_t f = 0; f < faces_.size(); ++f) {
      const Face& face = faces_[f];
      const Motion motion(*this, view, f);
      // Without a rate the potential is that of a dead force.
      info.value += rate_ > 0 ? face.weight / (3 * rate_) *
                                    (wind_.drag * std::pow(std::abs(motion.across), 3) +
                                     wind_.friction * std::pow(norm(motion.along), 3))
                              : dot(force(face, motion), motion.centre - face.centre);
      if (gradient.empty()) continue;
      const Vec3d share = force(face, motion) * (1.0 / 3);
      for (int32_t node : wind_.faces[f]) gradient[node] += share;
    }
    return info;
  }

  Stencils stencils() const override {
    return {3, std::span(wind_.faces.data()->data(), wind_.faces.size() * 3)};
  }

  void assemble(const View& view, Hessian, double scale, BlockMatrix& matrix) const override {
    if (rate_ == 0) return;
    for (size_t f = 0; f < faces_.size(); ++f) {
      const Mat3d K = stiffness(view, f) * scale;
      for (int ab = 0; ab < 9; ++ab)
        if (const int32_t slot = slots(f, 3)[ab]; slot >= 0) matrix.add(slot, K);
    }
  }
  std::unique_ptr<Linearisation> linearisation() const override {
    return std::make_unique<ViewLinearisation<Drag>>(*this);
  }
  void product(const View& view, Hessian, std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    if (rate_ == 0) return;
    for (size_t f = 0; f < faces_.size(); ++f) {
      const auto& [a, b, c] = wind_.faces[f];
      const Vec3d share = stiffness(view, f) * (d[a] + d[b] + d[c]);
      for (int32_t node : wind_.faces[f]) out[node] += share;
    }
  }
  void diagonal(const View& view, Hessian, std::span<Mat3d> blocks) const {
    if (rate_ == 0) return;
    for (size_t f = 0; f < faces_.size(); ++f) {
      const Mat3d K = stiffness(view, f);
      for (int32_t node : wind_.faces[f]) blocks[node] += K;
    }
  }

 private:
  struct Wave {
    Vec3d number, amplitude;  // [1/m] [m/s]
    double phase;
  };
  // At the start of the step.
  struct Face {
    Vec3d centre, normal, air;
    double weight;  // density times area / 2 [kg/m]
  };
  // Against the air.
  struct Motion {
    Vec3d centre, along;
    double across;

    Motion(const Drag& term, const View& view, size_t f) {
      const auto& [a, b, c] = term.wind_.faces[f];
      const Face& face = term.faces_[f];
      centre = (view.x[a] + view.x[b] + view.x[c]) * (1.0 / 3);
      const Vec3d velocity = (centre - face.centre) * term.rate_ - face.air;
      across = dot(velocity, face.normal);
      along = velocity - face.normal * across;
    }
  };

  // What the face exerts on the air.
  Vec3d force(const Face& face, const Motion& motion) const {
    return (face.normal * (wind_.drag * std::abs(motion.across) * motion.across) +
            motion.along * (wind_.friction * norm(motion.along))) *
           face.weight;
  }

  // Of one pair of nodes: all are alike.
  Mat3d stiffness(const View& view, size_t f) const {
    const Face& face = faces_[f];
    const Motion motion(*this, view, f);
    const Mat3d across = outer(face.normal, face.normal);
    Mat3d K = across * (2 * wind_.drag * std::abs(motion.across));
    if (const double speed = norm(motion.along); speed > 0)
      K += ((Mat3d::identity() - across) * speed + outer(motion.along, motion.along) * (1 / speed)) *
           wind_.friction;
    return K * (face.weight * rate_ / 9);
  }

  const Wind& wind_;
  std::array<Wave, waves> waves_;
  std::vector<Face> faces_;
  double rate_ = 0;  // [1/s]
};

}  // namespace

const TermKind& term_wind() {
  static const TermKind kind = {"wind", "The drag of moving air on the faces of bodies.",
                                [](const model::Model& model, Terms& terms) {
                                  for (const Wind& wind : model.winds)
                                    if (!wind.faces.empty())
                                      terms.push_back(std::make_unique<Drag>(model, wind));
                                }};
  return kind;
}

}  // namespace sinew::energy
