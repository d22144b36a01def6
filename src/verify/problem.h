#pragma once
// Problems with known answers. Each file of this folder that defines const Problem& problem_<stem>() adds
// one; the command `sinew verify` and the tests run all of them. A problem makes its own model and compares
// what the program finds with reference numbers that do not come from this program.
//
//     for (const Problem* problem : problems_by_id())
//       for (const Check& check : problem->run(control)) ...
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.h"

namespace sinew::verify {

struct Check {
  std::string id;    // "V01.neo_hookean.stretch_1.5.P11"
  std::string what;  // with the unit in brackets
  double reference = 0;
  double result = 0;  // not a number where the problem could not be solved
  double error = 0;   // |result - reference|, over |reference| if relative
  double tolerance = 0;
  bool relative = true;
  bool ok = false;     // error <= tolerance
  std::string source;  // of the reference
};

struct Problem {
  std::string_view id;  // "V01"
  std::string_view title;
  std::string_view source;  // of the references
  std::string_view doc;     // set-up and what is compared
  // When cancelled, it returns soon; checks of what was not solved are missing or not ok.
  std::vector<Check> (*run)(const Control& control);
};

std::span<const Problem* const> problems();    // by file name
std::vector<const Problem*> problems_by_id();  // in ascending order of id
const Problem* find_problem(std::string_view id);

// Collects the checks of one problem.
class Checks {
 public:
  explicit Checks(const Problem& problem) : problem_(problem.id), source_(problem.source) {}

  void relative(std::string_view id, std::string_view what, double result, double reference,
                double tolerance) {
    add(id, what, result, reference, tolerance, true);
  }
  void absolute(std::string_view id, std::string_view what, double result, double reference,
                double tolerance) {
    add(id, what, result, reference, tolerance, false);
  }
  std::vector<Check> take() { return std::move(checks_); }

 private:
  void add(std::string_view id, std::string_view what, double result, double reference, double tolerance,
           bool relative);
  std::string problem_, source_;
  std::vector<Check> checks_;
};

}  // namespace sinew::verify
