#include "io/scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sinew::io {
namespace {

constexpr int64_t window_size = int64_t{1} << 18;  // [bytes]
constexpr size_t longest_word = size_t{1} << 17;   // [bytes], of a word or line in a window

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

}  // namespace

std::string in_quotes(std::string_view word) {
  std::string s = "'";
  for (char c : word.substr(0, 40)) s += c >= 32 && c < 127 ? c : '?';
  return s + (word.size() > 40 ? "...'" : "'");
}

Scanner::Scanner(const Source& source, std::string name, int64_t begin, int64_t end, int64_t line)
    : name_(std::move(name)), line_(line), source_(&source), begin_(begin), next_(begin), end_(end) {
  end_ = std::clamp(end, begin, std::max(begin, source.size()));
  window_.resize(static_cast<size_t>(std::min(end_ - next_, window_size)));
}

Scanner::Scanner(const Scanner& other)
    : text_(other.text_),
      name_(other.name_),
      at_(other.at_),
      line_(other.line_),
      in_bytes_(other.in_bytes_),
      error_(other.error_),
      source_(other.source_),
      window_(other.window_),
      begin_(other.begin_),
      next_(other.next_),
      end_(other.end_) {
  if (source_) text_ = {window_.data(), other.text_.size()};
}

bool Scanner::more(size_t& mark) {
  if (next_ >= end_ || error_) return false;
  const size_t keep = mark, kept = text_.size() - keep;
  if (kept > longest_word) return fail(fmt::format("more than {} bytes without a blank", longest_word));
  if (kept) std::memmove(window_.data(), text_.data() + keep, kept);
  const size_t wanted = std::min(window_.size() - kept, static_cast<size_t>(end_ - next_));
  const size_t got = source_->read(next_, window_.data() + kept, wanted);
  begin_ += static_cast<int64_t>(keep);
  next_ += static_cast<int64_t>(got);
  at_ -= keep;
  mark = 0;
  text_ = {window_.data(), kept + got};
  if (got == 0) return fail("the file cannot be read on");
  return true;
}

bool Scanner::bytes_slowly(char* out, size_t count) {
  while (count > 0) {
    if (error_) return false;
    if (!available()) return fail("the file ends here, more was expected");
    const size_t here = std::min(count, text_.size() - at_);
    std::memcpy(out, text_.data() + at_, here);
    at_ += here;
    out += here;
    count -= here;
  }
  return true;
}

int Scanner::get() {
  const int c = peek();
  if (c >= 0) ++at_;
  line_ += c == '\n';
  return c;
}

bool Scanner::skip_to(char c) {
  while (available()) {
    const size_t found = std::min(text_.find(c, at_), text_.size());
    line_ += std::count(text_.begin() + at_, text_.begin() + found, '\n');
    at_ = found;
    if (at_ < text_.size()) return true;
  }
  return false;
}

bool Scanner::skip_past(std::string_view literal) {
  while (skip_to(literal[0])) {
    size_t mark = at_;
    while (text_.size() - at_ < literal.size() && more(mark)) {
    }
    const bool found = text_.substr(at_, literal.size()) == literal;
    at_ += found ? literal.size() : 1;
    if (found) return true;
    line_ += literal[0] == '\n';
  }
  return false;
}

std::string Scanner::where(int64_t place) const {
  return fmt::format("{}: {} {}", name_, in_bytes_ ? "byte" : "line", place);
}

bool Scanner::fail(std::string what) { return fail_at(place(), std::move(what)); }

bool Scanner::fail_at(int64_t place, std::string what) {
  if (!error_) error_ = input_error(where(place), std::move(what));
  return false;
}

void Scanner::skip_blanks() {
  while (available()) {
    const char c = text_[at_];
    if (c == '#') {
      while (available() && text_[at_] != '\n') ++at_;
    } else if (is_blank(c)) {
      line_ += c == '\n';
      ++at_;
    } else {
      return;
    }
  }
}

bool Scanner::at_end() {
  skip_blanks();
  return !available();
}

bool Scanner::at_line_end() {
  while (available() && text_[at_] != '\n' && is_blank(text_[at_])) ++at_;
  return !available() || text_[at_] == '\n' || text_[at_] == '#';
}

std::string_view Scanner::rest_of_line() {
  size_t begin = at_;
  while ((at_ < text_.size() || more(begin)) && text_[at_] != '\n') ++at_;
  std::string_view line = text_.substr(begin, at_ - begin);
  if (at_ < text_.size()) {
    ++at_;
    ++line_;
  }
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

bool Scanner::word(std::string_view& out) {
  if (error_) return false;
  if (at_end()) return fail("the file ends here, more was expected");
  size_t begin = at_;
  while ((at_ < text_.size() || more(begin)) && !is_blank(text_[at_]) && text_[at_] != '#') ++at_;
  out = text_.substr(begin, at_ - begin);
  return !error_;
}

bool Scanner::real(double& out) {
  std::string_view w;
  if (!word(w)) return false;
  const std::string_view digits = without_plus(w);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (code == std::errc::result_out_of_range)
    return fail(fmt::format("{} is out of range for a number", in_quotes(w)));
  if (code != std::errc() || end != digits.data() + digits.size())
    return fail(fmt::format("found {}, expected a number", in_quotes(w)));
  if (!std::isfinite(out)) return fail(fmt::format("found {}, expected a finite number", in_quotes(w)));
  return true;
}

bool Scanner::integer(int64_t& out, int64_t low, int64_t high, std::string_view what) {
  std::string_view w;
  if (!word(w)) return false;
  const std::string_view digits = without_plus(w);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (code == std::errc::result_out_of_range ||
      (code == std::errc() && (out < low || out > high) && end == digits.data() + digits.size()))
    return fail(fmt::format("{} {} is not in {}..{}", what, in_quotes(w), low, high));
  if (code != std::errc() || end != digits.data() + digits.size())
    return fail(fmt::format("found {}, expected {} (a whole number)", in_quotes(w), what));
  return true;
}

bool Scanner::count(int64_t& out, int64_t bytes_each, std::string_view what) {
  return integer(out, 0, INT32_MAX, what) && fits(out, bytes_each, what);
}

bool Scanner::fits(int64_t count, int64_t bytes_each, std::string_view what) {
  if (count <= remaining() / bytes_each + 1) return true;
  return fail(fmt::format("{} {} is more than the remaining {} bytes of the file can hold", what, count,
                          remaining()));
}

bool Scanner::expect(std::string_view literal) {
  std::string_view w;
  if (!word(w)) return false;
  if (w != literal) return fail(fmt::format("found {}, expected '{}'", in_quotes(w), literal));
  return true;
}

}  // namespace sinew::io
