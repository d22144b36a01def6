#pragma once
// Reads words and numbers from text and knows the line it is on. Words are separated by blanks; a
// comment runs from '#' to the end of its line. A failed read keeps the first Error and fails from then
// on, so a parser may check once after several reads. Numbers must be finite. Text in memory is read where
// it lies; a Source is read in windows, and a word then lasts until the next read.
//
//     Scanner in(text, "bunny.mesh");
//     double x;
//     if (!in.real(x)) return in.error();
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"

namespace sinew::io {

class Scanner {
 public:
  Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}
  // The bytes [begin, end) of a source that outlives this; `line` is the one that `begin` is on.
  Scanner(const Source& source, std::string name, int64_t begin, int64_t end, int64_t line = 1);
  // A copy looks ahead: it reads on by itself.
  Scanner(const Scanner& other);
  Scanner(Scanner&&) = default;
  Scanner& operator=(const Scanner& other) { return *this = Scanner(other); }
  Scanner& operator=(Scanner&&) = default;
  ~Scanner() = default;

  bool word(std::string_view& out);  // the next word; fails at the end
  bool real(double& out);
  bool integer(int64_t& out, int64_t low, int64_t high, std::string_view what);
  // How many things follow. Each needs at least `bytes_each` more bytes of text, so a count that the
  // rest of the file cannot hold is refused before anything is allocated.
  bool count(int64_t& out, int64_t bytes_each, std::string_view what);
  bool fits(int64_t count, int64_t bytes_each, std::string_view what);
  bool expect(std::string_view literal);
  std::string_view rest_of_line();  // moves to the next line
  void skip_blanks();
  bool at_end();       // nothing but blanks and comments left
  bool at_line_end();  // no more words on this line

  // Below the level of words.
  int peek() { return available() ? static_cast<unsigned char>(text_[at_]) : -1; }  // -1: the end
  int get();                                 // the next byte, -1: the end
  bool skip_to(char c);                      // stops before it; false at the end
  bool skip_past(std::string_view literal);  // false where it does not come any more
  bool bytes(void* out, size_t count) {
    if (text_.size() - at_ < count || error_) return bytes_slowly(static_cast<char*>(out), count);
    std::memcpy(out, text_.data() + at_, count);
    at_ += count;
    return true;
  }

  // Places in messages are byte offsets from here on: the file holds binary data.
  void say_bytes() { in_bytes_ = true; }
  int64_t line() const { return line_; }
  int64_t position() const { return begin_ + static_cast<int64_t>(at_); }  // [bytes] from the start
  int64_t place() const { return in_bytes_ ? position() : line_; }
  int64_t remaining() const { return static_cast<int64_t>(text_.size() - at_) + end_ - next_; }
  std::string where() const { return where(place()); }
  std::string where(int64_t place) const;
  bool ok() const { return !error_; }
  bool fail(std::string what);  // always false
  bool fail_at(int64_t place, std::string what);
  const Error& error() const { return *error_; }

 private:
  bool available() { return at_ < text_.size() || more(at_); }
  // Slides the window on, keeping what lies behind `mark`, which moves with it; false at the end.
  bool more(size_t& mark);
  bool bytes_slowly(char* out, size_t count);

  std::string_view text_;
  std::string name_;
  size_t at_ = 0;
  int64_t line_ = 1;
  bool in_bytes_ = false;
  std::optional<Error> error_;

  const Source* source_ = nullptr;
  std::vector<char> window_;
  int64_t begin_ = 0;           // offset of the text in the source
  int64_t next_ = 0, end_ = 0;  // what is still to be read
};

// Quotes a word for messages: at most 40 characters, anything unprintable as '?'.
std::string in_quotes(std::string_view word);

}  // namespace sinew::io
