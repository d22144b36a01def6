#include "compare/entry.h"

#include <gtest/gtest.h>

#include "unit/compare/sample_block.h"

namespace sinew::compare {
namespace {

std::string refusal(const Sample& sample, std::string_view list) {
  const auto entries = parse_entries(sample.scene(), sample.model(), list);
  if (entries) return "nothing was refused";
  EXPECT_EQ(entries.error().kind, ErrorKind::usage);
  return entries.error().text();
}

void expect_in(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in " << text;
}

TEST(Entries, TakeTheirOptionsFromTheSceneAndTheirText) {
  const Sample sample({"solve.newton.linear_iterations=77"});
  const auto entries = sample.entries("newton, newton:linear=pcg:iterations=9");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].label, "newton");
  EXPECT_EQ(entries[0].settings.options.text("linear"), "auto");
  EXPECT_EQ(entries[0].settings.options.number("linear_iterations"), 77);
  EXPECT_FALSE(entries[0].own_iterations);
  EXPECT_EQ(entries[1].label, "newton:linear=pcg:iterations=9");
  EXPECT_EQ(entries[1].settings.options.text("linear"), "pcg");
  EXPECT_EQ(entries[1].settings.options.number("linear_iterations"), 77);
  EXPECT_EQ(entries[1].settings.options.number("iterations"), 9);
  EXPECT_TRUE(entries[1].own_iterations);
}

TEST(Entries, MayHaveTheirOwnTolerance) {
  const Sample sample({"solve.tolerance=1e-5"});
  const auto entries = sample.entries("newton,newton:tolerance=1e-3");
  EXPECT_FALSE(entries[0].own_tolerance);
  EXPECT_TRUE(entries[1].own_tolerance);
  EXPECT_EQ(entries[1].settings.tolerance, 1e-3);
  expect_in(refusal(sample, "newton:tolerance=0"), {"tolerance", "found 0"});
  expect_in(refusal(sample, "newton:tolerance=2"), {"tolerance", "found 2"});
}

TEST(Entries, AllAreThoseThatLackNothing) {
  const Sample sample({"solve.newton.inversion=clamp", "bodies.block.elements=averaged"});
  const auto entries = parse_entries(sample.scene(), sample.model(), "all");
  for (const step::Method* method : step::methods()) {
    const bool can = method->lacks(sample.model(), scene::settings_for(sample.scene(), *method)).empty();
    const bool listed = entries && std::any_of(entries->begin(), entries->end(),
                                               [&](const Entry& entry) { return entry.method == method; });
    EXPECT_EQ(listed, can) << method->name;
    const std::vector<std::string> out = left_out(sample.scene(), sample.model());
    EXPECT_EQ(std::count_if(out.begin(), out.end(),
                            [&](const std::string& text) {
                              return text.starts_with(std::string(method->name) + " lacks ");
                            }),
              can ? 0 : 1);
  }
}

TEST(Entries, WhatIsWrongIsNamed) {
  const Sample sample;
  expect_in(refusal(sample, "newtn"), {"unknown method", "newtn", "did you mean", "newton"});
  expect_in(refusal(sample, ""), {"no name of a method"});
  expect_in(refusal(sample, "newton,,newton"), {"no name of a method"});
  expect_in(refusal(sample, "newton,newton"), {"twice"});
  expect_in(refusal(sample, "newton:linar=pcg"),
            {"newton:linar=pcg", "unknown option", "did you mean", "linear"});
  expect_in(refusal(sample, "newton:zzz=1"),
            {"expected one of", "iterations", "linear_iterations", "inversion"});
  expect_in(refusal(sample, "newton:linear"), {"expected option=value"});
  expect_in(refusal(sample, "newton:"), {"expected option=value"});
  expect_in(refusal(sample, "newton:=1"), {"unknown option"});
  expect_in(refusal(sample, "newton:linear=abacus"), {"linear", "abacus"});
  expect_in(refusal(sample, "newton:iterations=0"), {"iterations", "found 0", "at least one iteration"});
  expect_in(refusal(sample, "newton:iterations=many"), {"iterations", "many"});
  expect_in(refusal(sample, "newton:iterations={}"), {"iterations"});
}

TEST(Entries, MethodsThatLackSomethingAreRefusedTogether) {
  const Sample sample({"bodies.block.elements=averaged"});
  const std::string text =
      refusal(sample, "newton:inversion=clamp,newton,newton:inversion=clamp:iterations=5");
  expect_in(text,
            {"newton:inversion=clamp lacks", "newton:inversion=clamp:iterations=5 lacks", "averaged volume"});
}

TEST(Seconds, WithAndWithoutUnit) {
  EXPECT_EQ(*parse_seconds("1.3"), 1.3);
  EXPECT_EQ(*parse_seconds("1.3s"), 1.3);
  EXPECT_EQ(*parse_seconds("200ms"), 200 * 1e-3);
  EXPECT_EQ(*parse_seconds("1e-3s"), 1e-3);
  for (const char* wrong : {"", "s", "abc", "-1", "-1s", "0", "0ms", "inf", "nan", "1e400", "1 s", "1.3sec",
                            "1m", "100000", "1,3", "5s5s"})
    EXPECT_FALSE(parse_seconds(wrong)) << wrong;
}

}  // namespace
}  // namespace sinew::compare
