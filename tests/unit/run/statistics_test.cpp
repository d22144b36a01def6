#include "run/statistics.h"

#include <gtest/gtest.h>
#include <limits>

#include "sample_run.h"

namespace sinew::run {
namespace {

TEST(Statistics, StepsOfAFrameAddUp) {
  step::StepReport first, second;
  first.status = step::StepStatus::stalled;
  first.iterations = 3;
  first.linear_iterations = 30;
  first.increments = 1;
  first.min_det_F = 0.5;
  first.seconds = {{"linear", 1.0}};
  first.notes = {"split"};
  second = first;
  second.status = step::StepStatus::converged;
  second.residual = 2;
  second.min_det_F = 0.7;
  second.seconds = {{"linear", 0.5}, {"assembly", 0.25}};
  FrameTotals totals;
  totals.add(first);
  totals.add(second);
  EXPECT_EQ(totals.sum.status, step::StepStatus::stalled);
  EXPECT_EQ(totals.sum.iterations, 6);
  EXPECT_EQ(totals.sum.linear_iterations, 60);
  EXPECT_EQ(totals.sum.increments, 2);
  EXPECT_EQ(totals.sum.residual, 2);
  EXPECT_EQ(totals.sum.min_det_F, 0.5);
  EXPECT_EQ(totals.sum.notes.size(), 1u);
  ASSERT_EQ(totals.sum.seconds.size(), 2u);
  EXPECT_EQ(totals.sum.seconds[0].second, 1.5);
  EXPECT_EQ(totals.sum.seconds[1].second, 0.25);
}

TEST(Statistics, ContactsAreThoseOfTheLastStepPenetrationTheDeepestOfAll) {
  step::StepReport first, second;
  first.contacts = 9;
  first.penetration = 0.25;
  first.penetration_edge = 0.5;
  first.dissipation = 1;
  second.contacts = 4;
  second.penetration = 0.125;
  second.penetration_edge = 0.75;
  second.dissipation = 2;
  FrameTotals totals;
  totals.add(first);
  totals.add(second);
  EXPECT_EQ(totals.sum.contacts, 4);
  EXPECT_EQ(totals.sum.penetration, 0.25);
  EXPECT_EQ(totals.sum.penetration_edge, 0.75);
  EXPECT_EQ(totals.sum.dissipation, 3);
}

TEST(Statistics, LinesHaveContactForcesWhereThereIsContact) {
  const auto line = [](const std::vector<std::string>& overrides) {
    const Loaded loaded = load_sample(overrides);
    model::StateLayout layout;
    layout.declare({"contact_key", model::ColumnType::i64, 6, model::On::contact});
    layout.declare({"contact_force", model::ColumnType::f64, 3, model::On::contact});
    model::State state = scene::initial_state(loaded.built, layout);
    for (model::Column& column : state.mutable_columns()) {
      if (column.spec.name == "contact_key") column.i64 = {0, 1, -1, -1, -1, 0, 0, 2, -1, -1, -1, 0};
      if (column.spec.name == "contact_force") column.f64 = {0, 2, 0, 1, 3, 0};
    }
    FrameTotals totals;
    step::StepReport report;
    report.contacts = 2;
    report.dissipation = 0.5;
    totals.add(report);
    return totals.line(1, measure::Snapshot(loaded.built.model, loaded.built.model.params, state));
  };
  const json::Json with =
      line({R"(colliders={"floor":{"shape":{"plane":{"point":[0,-9,0],"normal":[0,1,0]}}}})"});
  EXPECT_EQ(with["contacts"].number(), 2);
  EXPECT_EQ(with["penetration"].number(), 0);
  EXPECT_EQ(with["dissipation"].number(), 0.5);
  EXPECT_EQ(with["contact_pairs"].number(), 1);
  EXPECT_EQ(with["contact_forces"].compact(), R"({"beam:floor":[1,5,0]})");
  const json::Json without = line({});
  for (const char* key : {"contacts", "penetration", "dissipation", "contact_pairs", "contact_forces"})
    EXPECT_FALSE(without.has(key)) << key;
}

TEST(Statistics, TheReasonIsThatOfTheWorstStep) {
  step::StepReport good, first, second, failed;
  good.status = step::StepStatus::converged;
  first.status = second.status = step::StepStatus::stalled;
  first.reason = {.body = "beam", .other = "", .cause = "first", .advice = ""};
  second.reason = {.body = "beam", .other = "", .cause = "second", .advice = ""};
  failed.reason = {.body = "beam", .other = "", .cause = "failed", .advice = ""};
  FrameTotals totals;
  for (const step::StepReport& report : {good, first, second, good}) totals.add(report);
  ASSERT_TRUE(totals.sum.reason);
  EXPECT_EQ(totals.sum.reason->cause, "first");
  totals.add(failed);
  EXPECT_EQ(totals.sum.reason->cause, "failed");
}

TEST(Statistics, ReasonsReadBack) {
  const step::Reason reason{.body = "beam",
                            .other = "floor",
                            .place = {0.5, -1, 1e-3},
                            .element = 12,
                            .cause = "3 elements are inverted",
                            .advice = "take more frames"};
  const FrameReason at{7, reason};
  EXPECT_EQ(at.json()["frame"].number(), 7);
  EXPECT_EQ(reason_of(at.json()).text(), reason.text());
  EXPECT_EQ(at.text(), "frame 7: " + reason.text());
  EXPECT_EQ(reason_of(*json::parse_json(R"({"node": 1e99, "place": "here"})", "line")).text(),
            R"(the body "" at (0, 0, 0) m, node 2000000000: ; )");  // a file may hold anything
}

TEST(Statistics, ExpectationsReadBack) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ExpectationResult e{"block.volume", 3, 0.125, -infinity, 0.5, true};
  const ExpectationResult read = expectation_of(*json::parse_json(e.json().compact(), "x"));
  EXPECT_EQ(read.text, e.text);
  EXPECT_EQ(read.frame, 3);
  EXPECT_EQ(read.value, 0.125);
  EXPECT_EQ(read.min, -infinity);
  EXPECT_EQ(read.max, 0.5);
  EXPECT_TRUE(read.ok);
  EXPECT_EQ(e.sentence(), "block.volume at frame 3: found 0.125, expected at most 0.5");
}

TEST(Statistics, NoNumberMeetsNoExpectation) {
  const Loaded loaded = load_sample({"expect={\"beam.volume\":{\"min\":-1e300}}"});
  model::State state = scene::initial_state(loaded.built, model::StateLayout());
  state.x()[3][0] = std::numeric_limits<double>::quiet_NaN();
  const measure::Snapshot snapshot(loaded.built.model, loaded.built.model.params, state);
  EXPECT_FALSE(evaluate(loaded.built.expect[0], snapshot).ok);
}

}  // namespace
}  // namespace sinew::run
