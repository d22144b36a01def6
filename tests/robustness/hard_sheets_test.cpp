// Sheets where contact is hard: a roll that opens, a sheet pulled through a ring, a cloth on the corner of a box, a ball at 100 m/s in
// a cloth that hangs at its corners. By exact arithmetic no surfaces cross in any step, with the barrier and with penalties.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "io/mesh_file.h"
#include "mesh/sheet_shapes.h"
#include "mesh/surfaces.h"
#include "scene_motion.h"
#include "unit/scratch_folder.h"

namespace sinew {
namespace {

std::string number(double value) { return std::to_string(value); }

std::string grid(double size, int cells, const std::string& pattern = "alternating") {
  return R"({"grid": {"size": [)" + number(size) + ", " + number(size) + R"(], "cells": [)" +
         std::to_string(cells) + ", " + std::to_string(cells) + R"(], "pattern": ")" + pattern + R"("}})";
}

std::string sheet(const std::string& mesh, double thickness, double young, const std::string& more) {
  return R"({"type": "shell", "mesh": )" + mesh + R"(, "thickness": )" + number(thickness) +
         R"(, "density": 300, "material": {"model": "stvk", "young": )" + number(young) +
         R"(, "poisson": 0.3}, )" + more + "}";
}

// In time, by Newton's method, with gravity along -z.
std::string scene(const std::string& parts, const std::string& response, int fps, int frames) {
  return R"({"sinew": 1, )" + parts + R"(, "contact": {"friction": 0.2, "response": ")" + response +
         R"("}, "gravity": [0, 0, -9.81], "time": {"fps": )" + std::to_string(fps) + R"(, "frames": )" +
         std::to_string(frames) + R"(}, "output": {"export": []},
    "solve": {"mode": "dynamic", "method": "newton", "tolerance": 1e-3}})";
}

// To the end of the scene. `look` is called after each step.
void expect_no_crossings(
    SceneMotion& motion, const std::function<void()>& look = [] {}) {
  ASSERT_EQ(motion.crossings(), 0u);
  int64_t contacts = 0;
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    SCOPED_TRACE(testing::Message() << "step " << motion.state.step());
    ASSERT_TRUE(report.taken());
    ASSERT_TRUE(motion.state.finite());
    ASSERT_EQ(motion.crossings(), 0u);
    contacts = std::max(contacts, report.contacts);
    look();
  }
  EXPECT_GT(contacts, 0);
}

// A strip rolled up in `turns` along the involute of a circle of radius a, whose turns are 2 pi a apart: at the angle t it is about
// a t from the axis, and has the length a t^2 / 2. Its texture is the flat strip.
mesh::TriMesh roll(double turns, double apart, double inner, double width, std::array<int32_t, 2> cells) {
  const double a = apart / (2 * std::numbers::pi), start = inner / a,
               end = start + 2 * std::numbers::pi * turns;
  const double length = a / 2 * (end * end - start * start);
  return mesh::moved(
      *mesh::make_grid_sheet({.size = {length, width}, .cells = cells}), [&](const Vec3d& flat) {
        const double t = std::sqrt(start * start + 2 * flat[0] / a);
        return Vec3d{a * (std::cos(t) + t * std::sin(t)), flat[1], a * (std::sin(t) - t * std::cos(t))};
      });
}

void expect_opening(const mesh::TriMesh& rolled, double thickness, const std::string& response, int frames) {
  SceneMotion motion(
      scene(
          R"("bodies": {"roll": )" +
              sheet(R"({"memory": "roll"})", thickness, 1e7,
                    R"("rest": "texture", "place": {"translate": [0, 0, 0.045]})") +
              R"(}, "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}})",
          response, 120, frames),
      {.solids = {}, .surfaces = {{"roll", std::make_shared<mesh::TriMesh>(rolled)}}, .skins = {}});
  const int32_t last = motion.model().bodies[0].visible().end - 1;  // a corner of the outer border
  const auto reach = [&] { return norm(motion.state.x()[last] - motion.whole(0).centre); };
  const double before = reach();
  expect_no_crossings(motion);
  EXPECT_GT(reach(), 1.5 * before);
}

class HardSheets : public testing::TestWithParam<const char*> {};

TEST_P(HardSheets, ARollOpens) {
  expect_opening(roll(3, 0.0025, 0.03, 0.06, {42, 2}), 0.0015, GetParam(), 8);
}

TEST_P(HardSheets, LongAFinerRollOpens) {
  expect_opening(roll(3, 0.0016, 0.02, 0.08, {60, 4}), 0.001, GetParam(), 24);
}

// The middle of a sheet that lies on a ring is pulled down through it. `bodies` and `attach` go on with the ring, or `more` has it.
struct Ring {
  std::string bodies, attach, more;
};

void expect_pulled_through(
    const Ring& ring, int cells, const std::string& response,
    const std::function<void(SceneMotion&)>& look = [](SceneMotion&) {}) {
  const std::string cloth = sheet(
      grid(0.4, cells), 0.002, 5e5,
      R"("place": {"translate": [-0.2, -0.2, 0.06]}, "select": {"middle": {"sphere": {"centre": [0, 0, 0.06], "radius": 0.045}}})");
  SceneMotion motion(scene(
      R"("bodies": {"sheet": )" + cloth + ring.bodies +
          R"(}, "attach": [{"what": "sheet.middle", "motion": [{"time": 0}, {"time": 0.5, "translate": [0, 0, -0.5]}]})" +
          ring.attach + "]" + ring.more,
      response, 60, 16));
  expect_no_crossings(motion, [&] { look(motion); });
}

const Ring body = {
    R"(, "ring": {"mesh": {"torus": {"major": 0.1, "minor": 0.03, "cells": 3, "around": 20}}, "density": 1000,
      "material": {"model": "stable_neo_hookean", "young": 1e7, "poisson": 0.3}})",
    R"(, {"what": "ring.all"})", ""};

TEST_P(HardSheets, ASheetIsPulledThroughARing) { expect_pulled_through(body, 10, GetParam()); }
TEST_P(HardSheets, LongAFinerSheetIsPulledThroughARing) { expect_pulled_through(body, 20, GetParam()); }

// Colliders are soft: what a sheet must not reach is a thinner ring.
TEST_P(HardSheets, ASheetIsPulledThroughARigidRing) {
  const ScratchFolder folder;
  const std::string file = (folder / "ring.obj").string();
  ASSERT_TRUE(io::write_tri_mesh(file, mesh::torus_surface(0.1, 0.03, 20, 10)));
  const mesh::TriMesh core = mesh::torus_surface(0.1, 0.025, 20, 10);
  expect_pulled_through(
      {"", "", R"(, "colliders": {"ring": {"shape": {"mesh": {"file": ")" + file + "\"}}}}"}, 10, GetParam(),
      [&](SceneMotion& motion) { EXPECT_EQ(motion.crossings_with(core), 0u); });
}

// The box stands on its corner. As a body that is held, and as a collider, of which a core must stay free.
std::string dropped_cloth(int cells, const std::string& box, bool body, const std::string& response) {
  const std::string on_its_corner = R"("rotate": {"axis": [1, -1, 0], "degrees": -54.7356103172})";
  const std::string cloth =
      sheet(grid(0.5, cells), 0.001, 5e5, R"("place": {"translate": [-0.26, -0.24, 0.2]})");
  return scene(
      R"("bodies": {"cloth": )" + cloth +
          (body ? R"(, "box": {)" + box + R"(, "place": {)" + on_its_corner +
                      R"(}}}, "attach": [{"what": "box.all"}])"
                : R"(}, "colliders": {"box": {"shape": {"box": {)" + box + ", " + on_its_corner + "}}}}"),
      response, 60, 30);
}

void expect_to_lie_on_the_corner(int cells, const std::string& response) {
  SceneMotion motion(dropped_cloth(
      cells,
      R"("mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2], "origin": [-0.1, -0.1, -0.1]}},
         "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.3})",
      true, response));
  expect_no_crossings(motion);
}

TEST_P(HardSheets, AClothFallsOnACorner) { expect_to_lie_on_the_corner(8, GetParam()); }
TEST_P(HardSheets, LongAFinerClothFallsOnACorner) { expect_to_lie_on_the_corner(32, GetParam()); }

TEST_P(HardSheets, AClothFallsOnTheCornerOfACollider) {
  SceneMotion motion(dropped_cloth(8, R"("size": [0.2, 0.2, 0.2])", false, GetParam()));
  const double angle = -54.7356103172 / 180 * std::numbers::pi;
  const math::Mat3d turn = model::rotation(math::normalized(Vec3d{1, -1, 0}), angle);
  const mesh::TriMesh core = mesh::moved(mesh::box_surface({1, 1, 1}), [&](const Vec3d& u) {
    return turn * ((u - Vec3d{0.5, 0.5, 0.5}) * 0.19);
  });
  expect_no_crossings(motion, [&] { EXPECT_EQ(motion.crossings_with(core), 0u); });
}

// In one step of 1/60 s the ball would go 1.7 m further than the cloth.
void expect_to_be_caught(int cells, int fps, int frames, const std::string& response) {
  const std::string net = sheet(
      grid(1, cells, "crossed"), 0.002, 2e7,
      R"("place": {"translate": [-0.5, -0.5, 0]}, "select": {"corners": {"union": [{"group": "xmin_ymin"}, {"group": "xmax_ymin"}, {"group": "xmin_ymax"}, {"group": "xmax_ymax"}]}})");
  SceneMotion motion(scene(R"("bodies": {"net": )" + net +
                               R"(, "ball": {"mesh": {"ball": {"radius": 0.1, "cells": 4}}, "density": 300,
      "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4},
      "initial": {"velocity": [0, 0, -100]}, "place": {"translate": [0.03, 0.02, 0.2]}}}, "attach": [{"what": "net.corners"}])",
                           response, fps, frames));
  const model::Range nodes = motion.model().bodies[0].visible();
  expect_no_crossings(motion, [&] {
    double lowest = 1;
    for (int32_t i = nodes.begin; i < nodes.end; ++i) lowest = std::min(lowest, motion.state.x()[i][2]);
    EXPECT_GT(motion.whole(1).centre[2], lowest);
  });
}

TEST_P(HardSheets, ABallIsCaughtInStepsOf60) { expect_to_be_caught(8, 60, 6, GetParam()); }
TEST_P(HardSheets, ABallIsCaughtInStepsOf240) { expect_to_be_caught(8, 240, 12, GetParam()); }
TEST_P(HardSheets, LongABallIsCaughtInAFinerClothInStepsOf240) {
  expect_to_be_caught(20, 240, 30, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Responses, HardSheets, testing::Values("auto", "penalty"), [](const auto& info) {
  return info.param == std::string("auto") ? "barrier" : "penalty";
});

}  // namespace
}  // namespace sinew
