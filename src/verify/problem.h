#pragma once
// Problems with known answers. Each file of this folder that defines const Problem& problem_<stem>() adds
// one; the command `sinew verify` and the tests run all of them. A problem makes its own model and compares
// what the program finds with reference numbers that do not come from this program.
//
//     for (const Problem* problem : problems_by_id())
//       for (const Check& check : problem->run(control).checks) ...
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

// Errors on a family of meshes or time steps.
struct Series {
  std::string label;         // "neo_hookean, pressure"
  std::string x_label;       // "element size [m]", "nodes", "time step [s]"
  std::vector<double> x, y;  // y: relative error
  double order = 0;          // expected of y as a power of x; 0: none
};

struct Outcome {
  std::vector<Check> checks;
  std::vector<Series> series;
};

struct Problem {
  std::string_view id;  // "V01"
  std::string_view title;
  std::string_view source;  // of the references
  std::string_view doc;     // set-up and what is compared
  // When cancelled, it returns soon; checks of what was not solved are missing or not ok.
  Outcome (*run)(const Control& control);
};

std::span<const Problem* const> problems();    // by file name
std::vector<const Problem*> problems_by_id();  // in ascending order of id
const Problem* find_problem(std::string_view id);

// Collects the checks and series of one problem.
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
  // The errors are |value - reference| / |reference|.
  void series(std::string_view label, std::string_view x_label, std::vector<double> x,
              const std::vector<double>& values, double reference, double order);
  void add(Series series) { outcome_.series.push_back(std::move(series)); }
  Outcome take() { return std::move(outcome_); }

 private:
  void add(std::string_view id, std::string_view what, double result, double reference, double tolerance,
           bool relative);
  std::string problem_, source_;
  Outcome outcome_;
};

}  // namespace sinew::verify
