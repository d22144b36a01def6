#pragma once
// A comparison in a few words: who is ahead, and a table of one row a method.
//
//     for (const std::string& sentence : verdict(comparison)) ...
#include <optional>

#include "compare/compare.h"

namespace sinew::compare {

inline constexpr double targets[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

// The first point with at most this relative residual; null: it never came there.
const Point* first_below(const Curve& curve, double relative);
// The point that the method had reached at that time [s].
const Point& at_time(const Curve& curve, double seconds);

// Who is lowest at the end, who is first at which residual, who diverged, stagnated or failed.
std::vector<std::string> verdict(const Comparison& comparison);

struct Table {
  size_t left = 1;  // columns of words, the others are numbers
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // the first cell is the label of the method
};
Table summary_table(const Comparison& comparison);
// Relative residual and position error at the given times [s].
Table table_at(const Comparison& comparison, std::span<const double> times);
// The table as text, with blanks between the columns and a line for each row.
std::string to_text(const Table& table);

std::string target_text(double target);    // "1e-4"
std::string seconds_text(double seconds);  // "1.3 s", "12 ms"
std::string small_text(double value);      // "3.1e-07"; "-" where it is not finite

}  // namespace sinew::compare
