// Detection among 40 balls that almost touch, about 100K triangles of surface in all.
#include "contact/detect.h"

#include "base/parallel.h"
#include "bench/bench.h"
#include "math/random.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::bench {

namespace {

using math::Vec3d;

constexpr double radius = 0.5, spacing = 2.01 * radius;

model::Model balls() {
  model::Model model;
  const auto ball = mesh::make_ball({.radius = radius, .cells = 28});
  if (!ball) return model;
  const auto boundary = mesh::boundary(*ball);
  for (int b = 0; b < 40; ++b) {
    const auto first = static_cast<int32_t>(model.X.size());
    for (const Vec3d& x : ball->vertices)
      model.X.push_back(x + Vec3d{spacing * (b % 5), spacing * (b / 5 % 4), spacing * (b / 20)});
    model::Body body;
    body.nodes = {first, static_cast<int32_t>(model.X.size())};
    for (auto face : boundary.triangles) {
      for (int32_t& node : face) node += first;
      body.surface.push_back(face);
    }
    model.bodies.push_back(body);
  }
  model.contact.rules.assign(40 * 40, {true, 0, 0.005, 1});
  return model;
}

}  // namespace

void run_detect(const Options& options, const Emit& emit) {
  model::Model model = balls();
  const math::Random random(1);
  // Each ball moves by up to a tenth of an edge.
  std::vector<Vec3d> moved = model.X;
  for (const model::Body& body : model.bodies)
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i)
      for (int k = 0; k < 3; ++k) moved[i][k] += random.uniform(3 * body.nodes.begin + k, -0.006, 0.006);
  const int before = thread_count();
  for (bool self : {false, true}) {
    for (size_t b = 0; b < 40; ++b) model.contact.rules[41 * b].on = self;
    for (int threads : options.threads) {
      set_thread_count(threads);
      contact::Detector detector(model);
      contact::ContactSet set;
      std::vector<contact::Pair> crossing;
      const contact::Motion motion = {model.X, {}, moved, {}, 1e-3};
      std::vector<double> find, crossings;
      for (int r = 0; r <= options.repeats; ++r) {
        const double a = seconds_of([&] { detector.find(motion, set); });
        const double b = seconds_of([&] { detector.crossings(motion, crossing); });
        if (r == 0) continue;
        find.push_back(a);
        crossings.push_back(b);
      }
      for (const auto& [work, seconds] :
           {std::pair{"find", median(find)}, std::pair{"crossings", median(crossings)}}) {
        json::Json row = json::Json::object();
        row.set("case", "detect");
        row.set("work", work);
        row.set("self", self);
        row.set("tets", 0);
        row.set("triangles", static_cast<double>(detector.surface().triangles.size()));
        row.set("pairs", static_cast<double>(set.pairs.size()));
        row.set("crossings", static_cast<double>(crossing.size()));
        row.set("threads", threads);
        row.set("precision", "double");
        row.set("seconds", seconds);
        row.set("unit", "call");
        emit(row);
      }
    }
  }
  set_thread_count(before);
}

}  // namespace sinew::bench
