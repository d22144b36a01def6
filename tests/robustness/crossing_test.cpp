// Fast, thin and folded bodies in contact: no surfaces cross in any step, by exact arithmetic, and no body gets to the
// other side of another.
#include <functional>

#include "scene_motion.h"

namespace sinew {
namespace {

struct Case {
  const char* name;
  std::string scene;  // without "solve"
  const char* mode;
  // How far the one is from passing the other [m]; empty: nothing to pass.
  std::function<double(const SceneMotion&)> clearance;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

// Mean height of the nodes of a body within a distance of the z axis.
double height(const SceneMotion& motion, int body, double within) {
  double sum = 0;
  int count = 0;
  const model::Range nodes = motion.model().bodies[body].nodes;
  for (int32_t i = nodes.begin; i < nodes.end; ++i) {
    const Vec3d &X = motion.model().X[i], &x = motion.state.x()[i];
    if (std::hypot(X[0], X[1]) > within) continue;
    sum += x[2];
    ++count;
  }
  return sum / count;
}

// The middle of the ball over the lowest node of the slab: under the ball there is some of the slab.
double above_slab(const SceneMotion& motion) {
  const model::Range slab = motion.model().bodies[0].nodes;
  double lowest = 1;
  for (int32_t i = slab.begin; i < slab.end; ++i) lowest = std::min(lowest, motion.state.x()[i][2]);
  return height(motion, 1, 1) - lowest;
}

const std::string slab_and_ball = R"("bodies": {
  "slab": {"mesh": {"box": {"size": [0.16, 0.16, 0.001], "cells": [10, 10, 1]}}, "density": 1000,
           "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4},
           "place": {"translate": [-0.08, -0.08, 0]}},
  "ball": {"mesh": {"ball": {"radius": 0.02, "cells": 4}}, "density": 1000,
           "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4},
           "initial": {"velocity": [0, 0, -100]}, "place": {"translate": [0.003, 0.001, 0.05]}}},
  "attach": [{"what": "slab.xmin"}, {"what": "slab.xmax"}],
  "contact": {"friction": 0.2}, "time": {"fps": 1000, "frames": 4})";

const std::string sheet_and_ball = R"("bodies": {
  "sheet": {"type": "shell", "mesh": {"grid": {"size": [0.16, 0.16], "cells": [10, 10]}}, "thickness": 0.001,
            "density": 1000, "material": {"model": "stvk", "young": 1e6, "poisson": 0.4}, "bending": {"model": "hinge"},
            "place": {"translate": [-0.08, -0.08, 0]}},
  "ball": {"mesh": {"ball": {"radius": 0.02, "cells": 4}}, "density": 1000,
           "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4},
           "initial": {"velocity": [0, 0, -100]}, "place": {"translate": [0.003, 0.001, 0.05]}}},
  "attach": [{"what": "sheet.xmin"}, {"what": "sheet.xmax"}],
  "contact": {"friction": 0.2}, "time": {"fps": 1000, "frames": 4})";

// A strip of cloth that falls on its end, and onto itself.
const std::string strip = R"("bodies": {
  "strip": {"type": "shell", "mesh": {"grid": {"size": [0.1, 1], "cells": [2, 20]}}, "thickness": 0.003, "density": 200,
            "material": {"model": "stvk", "young": 1e5, "poisson": 0.3}, "bending": {"model": "hinge"},
            "place": {"translate": [0, 0, 0.05], "rotate": {"axis": [1, 0, 0], "degrees": 80}}}},
  "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}}, "gravity": [0, 0, -9.81],
  "contact": {"friction": 0.4}, "time": {"fps": 30, "frames": 20})";

const std::string rods = R"("bodies": {
  "low": {"mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [8, 1, 1]}}, "density": 1000,
          "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4},
          "place": {"translate": [-0.5, -0.05, -0.1]}},
  "high": {"mesh": {"box": {"size": [0.1, 1, 0.1], "cells": [1, 8, 1]}}, "density": 1000,
           "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4},
           "place": {"translate": [-0.05, -0.5, 0.01]}}},
  "attach": [{"what": "low.xmin"}, {"what": "low.xmax"},
             {"what": "high.ymin", "name": "left", "motion": [{"time": 0}, {"time": 1, "translate": [0, 0, -0.5]}]},
             {"what": "high.ymax", "name": "right", "motion": [{"time": 0}, {"time": 1, "translate": [0, 0, -0.5]}]}],
  "contact": {"friction": 0.3}, "time": {"fps": 8, "frames": 8})";

// Half a tube of 4 mm wall, held where it is folded: its ends come together and turn towards each other, so that the legs
// would cross, and are pulled away from the fold.
const std::string fold = R"("bodies": {
  "slab": {"mesh": {"tube": {"inner": 0.022, "outer": 0.026, "length": 0.02, "sweep_degrees": 180, "radial": 1,
                             "around": 14, "layers": 2}}, "density": 1000,
           "select": {"top": {"box": [[-0.001, 0.025, -1], [0.001, 1, 1]]}},
           "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
  "attach": [{"what": "slab.top"}, {"what": "slab.start", "motion": [{"time": 0},
                {"time": 0.5, "translate": [-0.02, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 60}},
                {"time": 1, "translate": [-0.02, -0.02, 0], "rotate": {"axis": [0, 0, 1], "degrees": 60}}]},
             {"what": "slab.end", "motion": [{"time": 0},
                {"time": 0.5, "translate": [0.02, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": -60}},
                {"time": 1, "translate": [0.02, -0.02, 0], "rotate": {"axis": [0, 0, 1], "degrees": -60}}]}],
  "contact": {"friction": 0.2}, "time": {"fps": 10, "frames": 10})";

class Crossing : public testing::TestWithParam<std::tuple<Case, const char*>> {};

TEST_P(Crossing, NoSurfacesCross) {
  const auto& [c, method] = GetParam();
  SceneMotion motion(R"({"sinew": 1, "output": {"export": []}, )" + c.scene + R"(, "solve": {"mode": ")" +
                     c.mode + R"(", "method": ")" + method + R"(", "tolerance": 1e-4}})");
  ASSERT_EQ(motion.crossings(), 0u);
  int64_t contacts = 0;
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    std::string notes;
    for (const std::string& note : report.notes) notes += "\n  " + note;
    ASSERT_TRUE(report.taken()) << "step " << motion.state.step() << notes;
    ASSERT_TRUE(motion.state.finite()) << "step " << motion.state.step();
    contacts = std::max(contacts, report.contacts);
    EXPECT_EQ(motion.crossings(), 0u) << "step " << motion.state.step() << notes;
    EXPECT_GT(c.clearance ? c.clearance(motion) : 1, 0) << "step " << motion.state.step() << notes;
  }
  EXPECT_GT(contacts, 0);
}

// There is no way out for a slab between held blocks that pass through each other: the step fails, and State is what it
// was.
TEST(HeldBodies, ThatLeaveNoRoomFail) {
  for (const char* method : {"newton", "pbng"}) {
    SceneMotion motion(R"({"sinew": 1, "bodies": {
      "low": {"mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "density": 1000,
              "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}},
      "slab": {"mesh": {"box": {"size": [0.6, 0.6, 0.2], "cells": [1, 1, 1], "origin": [0.2, 0.2, 1.05]}},
               "density": 1000, "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}},
      "high": {"mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1], "origin": [0.02, 0.03, 1.3]}}, "density": 1000,
               "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
      "attach": [{"what": "low.all"},
                 {"what": "high.all", "motion": [{"time": 0}, {"time": 1, "translate": [0, 0, -1]}]}],
      "contact": {}, "output": {"export": []}, "time": {"fps": 4, "frames": 4},
      "solve": {"mode": "dynamic", "method": ")" +
                       std::string(method) + "\"}}");
    step::StepReport report;
    model::State before;
    do {
      before = motion.state;
      report = motion.advance();
    } while (report.taken() && motion.more());
    EXPECT_EQ(report.status, step::StepStatus::failed) << method;
    EXPECT_TRUE(motion.state == before) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, Crossing,
    testing::Combine(
        testing::Values(Case{"thin_slab_hit_at_100_m_s", slab_and_ball, "dynamic", above_slab},
                        Case{"sheet_hit_at_100_m_s", sheet_and_ball, "dynamic", above_slab},
                        Case{"strip_falls_on_itself", strip, "dynamic", {}},
                        Case{"crossed_rods", rods, "quasistatic",
                             [](const SceneMotion& m) { return height(m, 1, 0.15) - height(m, 0, 0.15); }},
                        Case{"crossed_rods_in_time", rods, "dynamic",
                             [](const SceneMotion& m) { return height(m, 1, 0.15) - height(m, 0, 0.15); }},
                        Case{"fold_pulled_tight", fold, "quasistatic", {}},
                        Case{"fold_pulled_tight_in_time", fold, "dynamic", {}}),
        testing::Values("newton", "hybrid", "pbng")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
    });

}  // namespace
}  // namespace sinew
