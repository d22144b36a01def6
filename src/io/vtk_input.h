#pragma once
// The bytes of a VTK legacy file as lines of words and arrays of numbers, ASCII or big-endian binary. A
// keyword and its parameters stand on one line; numbers start on the next. The first failure is kept with
// its line, or its byte in binary files. What an array needs is checked against what is left before it is
// allocated.
//
//     VtkInput in(text, "bunny.vtk");
//     std::vector<double> x;
//     if (!in.numbers("float", 12, x)) return in.error();
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sinew::io {

class VtkInput {
 public:
  VtkInput(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  bool binary = false;

  bool at_end();  // nothing but blanks left
  std::string_view line();
  // The first words of the next line that is not blank, at most eight; none at the end.
  std::vector<std::string_view> words();
  // Whether the next line opens with this keyword (lower case); then it is taken.
  bool take(std::string_view keyword);
  bool integer(std::string_view word, int64_t low, int64_t high, const char* what, int64_t& out);
  bool numbers(std::string_view type, int64_t count, std::vector<double>& out);  // finite ones
  // Arrays of texts: a line each, or a length of one to eight bytes and the bytes.
  bool skip_texts(int64_t count);

  // The place of an array in the file, so that a number found wrong later can be named.
  struct Place {
    size_t begin = 0;
    int size = 0;  // [bytes] of a number in a binary file
  };
  Place last_array() const { return array_; }
  std::string where(const Place& array, int64_t index) const;  // "bunny.vtk: line 7"

  bool fail(std::string what);  // always false
  bool fail_at(const Place& array, int64_t index, std::string what);
  const Error& error() const { return *error_; }
  int64_t remaining() const { return static_cast<int64_t>(text_.size() - at_); }

 private:
  struct NumberType;
  static const NumberType number_types[];

  std::string where(size_t byte) const;
  bool packed(const NumberType& kind, int64_t count, std::vector<double>& out);
  bool ascii(int64_t count, std::vector<double>& out);

  std::string_view text_;
  std::string name_;
  size_t at_ = 0, start_ = 0;  // start_: of what is being read, for messages
  Place array_;
  std::optional<Error> error_;
};

bool is_vtk_blank(char c);
std::string in_lower_case(std::string_view s);  // keywords and types come in any

}  // namespace sinew::io
