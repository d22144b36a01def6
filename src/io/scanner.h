#pragma once
// Reads words and numbers from text and knows the line it is on. Words are separated by blanks; a
// comment runs from '#' to the end of its line. A failed read keeps the first Error and fails from then
// on, so a parser may check once after several reads. Numbers must be finite.
//
//     Scanner in(text, "bunny.mesh");
//     double x;
//     if (!in.real(x)) return in.error();
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sinew::io {

class Scanner {
 public:
  Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  bool word(std::string_view& out);  // the next word; fails at the end
  bool real(double& out);
  bool integer(int64_t& out, int64_t low, int64_t high, std::string_view what);
  // How many things follow. Each needs at least `bytes_each` more bytes of text, so a count that the
  // rest of the file cannot hold is refused before anything is allocated.
  bool count(int64_t& out, int64_t bytes_each, std::string_view what);
  bool expect(std::string_view literal);
  std::string_view rest_of_line();  // moves to the next line
  void skip_blanks();
  bool at_end();       // nothing but blanks and comments left
  bool at_line_end();  // no more words on this line
  int peek() const {
    return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1;
  }  // -1: the end

  int64_t line() const { return line_; }
  int64_t remaining() const { return static_cast<int64_t>(text_.size() - at_); }
  std::string where() const { return where(line_); }
  std::string where(int64_t line) const;
  bool ok() const { return !error_; }
  bool fail(std::string what);  // always false
  bool fail_at(int64_t line, std::string what);
  const Error& error() const { return *error_; }

 private:
  std::string_view text_;
  std::string name_;
  size_t at_ = 0;
  int64_t line_ = 1;
  std::optional<Error> error_;
};

// For messages: at most 40 characters of a word, anything unprintable as '?'.
std::string in_quotes(std::string_view word);

}  // namespace sinew::io
