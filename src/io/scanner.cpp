#include "io/scanner.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sinew::io {
namespace {

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

std::string Scanner::where(int64_t line) const { return fmt::format("{}: line {}", name_, line); }

bool Scanner::fail(std::string what) { return fail_at(line_, std::move(what)); }

bool Scanner::fail_at(int64_t line, std::string what) {
  if (!error_) error_ = input_error(where(line), std::move(what));
  return false;
}

void Scanner::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
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
  return at_ == text_.size();
}

bool Scanner::at_line_end() {
  while (at_ < text_.size() && text_[at_] != '\n' && is_blank(text_[at_])) ++at_;
  return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '#';
}

std::string_view Scanner::rest_of_line() {
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
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
  const size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '#') ++at_;
  out = text_.substr(begin, at_ - begin);
  return true;
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
  if (!integer(out, 0, INT32_MAX, what)) return false;
  if (out > remaining() / bytes_each + 1)
    return fail(fmt::format("{} {} is more than the remaining {} bytes of the file can hold", what, out,
                            remaining()));
  return true;
}

bool Scanner::expect(std::string_view literal) {
  std::string_view w;
  if (!word(w)) return false;
  if (w != literal) return fail(fmt::format("found {}, expected '{}'", in_quotes(w), literal));
  return true;
}

}  // namespace sinew::io
