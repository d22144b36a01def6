// Sheets of every law of membranes, with the thickness free and fixed and both bendings, that fall onto each other: one state for any number
// of threads, and from any step on with what State holds alone.
#include "base/parallel.h"
#include "scene_motion.h"
#include "step/stepper.h"
#include "unit/law_fields.h"

namespace sinew {
namespace {

std::string material_text(const material::Law& law) {
  std::string text = "{\"model\": \"" + std::string(law.name) + '"';
  const std::vector<double> values = material::field_values(law, 1e5, 0.3);
  for (size_t f = 0; f < law.fields.size(); ++f) {
    if (law.fields[f].kind == Field::Kind::vector3) continue;  // known from the mesh
    // Constants near 1 are made as large as the moduli.
    const double factor = law.fields[f].unit == "Pa" && values[f] < 1e3 ? 1e5 : 1;
    text += ", \"" + std::string(law.fields[f].name) + "\": " + std::to_string(values[f] * factor);
  }
  return text + "}";
}

std::string sheet_text(const material::Law& law, bool high, bool fixed, const char* bending, double y) {
  return '"' + std::string(law.name) + (high ? "_high" : "_low") +
         R"(": {"type": "shell", "mesh": {"grid": {"size": [0.3, 0.2], "cells": [3, 2]}}, "thickness": 0.002,
      "density": 1000, "fixed_thickness": )" +
         (fixed ? "true" : "false") + R"(, "bending": {"model": ")" + bending + R"("}, "material": )" +
         material_text(law) + R"(, "place": {"translate": [)" + (high ? "0.02, " : "0, ") +
         std::to_string(y) + (high ? R"(, 0.003]}, "initial": {"velocity": [0.3, 0, -1]}})" : ", 0]}}");
}

// Every law has two sheets, the lower one of which is held at an edge; `other` exchanges the sorts of the two.
std::string text(const std::string& method, bool other) {
  std::string bodies, attach;
  double y = 0;
  for (const material::Law* law : material::membrane_laws()) {
    bodies += (bodies.empty() ? "" : ", ") + sheet_text(*law, false, other, other ? "hinge" : "shell", y) +
              ", " + sheet_text(*law, true, !other, other ? "shell" : "hinge", y);
    attach +=
        (attach.empty() ? R"({"what": ")" : R"(, {"what": ")") + std::string(law->name) + R"(_low.xmin"})";
    y += 0.25;
  }
  return R"({"sinew": 1, "bodies": {)" + bodies + R"(}, "attach": [)" + attach +
         R"(], "contact": {"friction": 0.3}, "gravity": [0, 0, -9.81], "time": {"fps": 200, "frames": 2},
    "output": {"export": []}, "solve": {"mode": "dynamic", "tolerance": 1e-4, "method": ")" +
         method + "\"}}";
}

class SheetThreads : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  void TearDown() override { set_thread_count(0); }
};

TEST_P(SheetThreads, GiveOneHash) {
  const auto [method, other] = GetParam();
  uint64_t one = 0;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    SceneMotion motion(text(method, other));
    int64_t contacts = 0;
    while (motion.more()) {
      const step::StepReport report = motion.advance();
      ASSERT_TRUE(report.taken());
      contacts = std::max(contacts, report.contacts);
      if (threads == 2) motion.renew();
    }
    EXPECT_GT(contacts, 20);
    if (threads == 1) one = motion.state.hash();
    EXPECT_EQ(motion.state.hash(), one) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(By, SheetThreads,
                         testing::Combine(testing::Values("newton", "pbng", "hybrid"), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_other" : "_one");
                         });

}  // namespace
}  // namespace sinew
