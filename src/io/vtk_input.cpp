#include "io/vtk_input.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "io/scanner.h"

namespace sinew::io {
namespace {

constexpr size_t max_words = 8;

template <class T>
double as_real(const char* big_endian) {
  char bytes[sizeof(T)];
  std::reverse_copy(big_endian, big_endian + sizeof(T), bytes);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

struct VtkInput::NumberType {
  std::string_view name;
  int size;  // [bytes]; 0: eight in a byte
  double (*real)(const char*);
};

// The second names are those that some writers use.
const VtkInput::NumberType VtkInput::number_types[] = {
    {"unsigned_char", 1, as_real<uint8_t>},
    {"vtktypeuint8", 1, as_real<uint8_t>},
    {"char", 1, as_real<int8_t>},
    {"vtktypeint8", 1, as_real<int8_t>},
    {"signed_char", 1, as_real<int8_t>},
    {"unsigned_short", 2, as_real<uint16_t>},
    {"vtktypeuint16", 2, as_real<uint16_t>},
    {"short", 2, as_real<int16_t>},
    {"vtktypeint16", 2, as_real<int16_t>},
    {"unsigned_int", 4, as_real<uint32_t>},
    {"vtktypeuint32", 4, as_real<uint32_t>},
    {"int", 4, as_real<int32_t>},
    {"vtktypeint32", 4, as_real<int32_t>},
    {"vtkidtype", 4, as_real<int32_t>},  // VTK stores it as int
    {"unsigned_long", 8, as_real<uint64_t>},
    {"vtktypeuint64", 8, as_real<uint64_t>},
    {"long", 8, as_real<int64_t>},
    {"vtktypeint64", 8, as_real<int64_t>},
    {"float", 4, as_real<float>},
    {"double", 8, as_real<double>},
    {"bit", 0, nullptr},
};

bool is_vtk_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

std::string in_lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string VtkInput::where(size_t byte) const {
  if (binary) return fmt::format("{}: byte {}", name_, byte);
  const auto here = text_.begin() + static_cast<ptrdiff_t>(byte);
  return fmt::format("{}: line {}", name_, 1 + std::count(text_.begin(), here, '\n'));
}

std::string VtkInput::where(const Place& array, int64_t index) const {
  if (binary) return where(array.begin + index * array.size);
  size_t at = array.begin;
  const auto skip = [&](bool blank) {
    while (at < text_.size() && is_vtk_blank(text_[at]) == blank) ++at;
  };
  skip(true);
  for (int64_t i = 0; i < index; ++i) {
    skip(false);
    skip(true);
  }
  return where(at);
}

bool VtkInput::fail(std::string what) {
  if (!error_) error_ = input_error(where(start_), std::move(what));
  return false;
}

bool VtkInput::fail_at(const Place& array, int64_t index, std::string what) {
  if (!error_) error_ = input_error(where(array, index), std::move(what));
  return false;
}

bool VtkInput::at_end() {
  while (at_ < text_.size() && is_vtk_blank(text_[at_])) ++at_;
  return at_ == text_.size();
}

std::string_view VtkInput::line() {
  start_ = at_;
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  return line;
}

std::vector<std::string_view> VtkInput::words() {
  std::vector<std::string_view> list;
  if (at_end()) {
    start_ = at_;
    return list;
  }
  std::string_view rest = line();
  while (list.size() < max_words) {
    while (!rest.empty() && is_vtk_blank(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) break;
    const size_t end = std::find_if(rest.begin(), rest.end(), is_vtk_blank) - rest.begin();
    list.push_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return list;
}

bool VtkInput::take(std::string_view keyword) {
  const size_t at = at_, start = start_;
  const auto found = words();
  if (!found.empty() && in_lower_case(found[0]) == keyword) return true;
  at_ = at;
  start_ = start;
  return false;
}

bool VtkInput::integer(std::string_view word, int64_t low, int64_t high, const char* what, int64_t& out) {
  Scanner in(word, {});
  return in.integer(out, low, high, what) || fail(in.error().what);
}

bool VtkInput::numbers(std::string_view type, int64_t count, std::vector<double>& out) {
  const std::string wanted = in_lower_case(type);
  const auto* kind = std::find_if(std::begin(number_types), std::end(number_types),
                                  [&](const NumberType& t) { return t.name == wanted; });
  if (kind == std::end(number_types)) return fail(fmt::format("unknown number type {}", in_quotes(type)));
  array_ = {at_, kind->size};
  return binary ? packed(*kind, count, out) : ascii(count, out);
}

bool VtkInput::packed(const NumberType& kind, int64_t count, std::vector<double>& out) {
  const int64_t bytes = kind.size ? count * kind.size : (count + 7) / 8;
  if (bytes > remaining())
    return fail(
        fmt::format("{} numbers of {} need {} bytes, {} are left", count, kind.name, bytes, remaining()));
  const size_t begin = at_;
  out.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    start_ = begin + i * kind.size;
    out[i] = kind.size ? kind.real(text_.data() + start_) : (text_[begin + i / 8] >> (7 - i % 8)) & 1;
    if (!std::isfinite(out[i])) return fail(fmt::format("number {} is not finite", i));
  }
  at_ = begin + bytes;
  return true;
}

bool VtkInput::ascii(int64_t count, std::vector<double>& out) {
  if (count > remaining() / 2 + 1)
    return fail(fmt::format("{} numbers do not fit in the {} bytes that are left", count, remaining()));
  out.resize(count);
  for (double& value : out) {
    const bool end = at_end();
    start_ = at_;
    if (end) return fail("the file ends here, a number was expected");
    while (at_ < text_.size() && !is_vtk_blank(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start_, at_ - start_);
    const char* const begin = word.data() + (word.size() > 1 && word[0] == '+' && word[1] != '-');
    const auto [stop, code] = std::from_chars(begin, word.data() + word.size(), value);
    if (code != std::errc() || stop != word.data() + word.size() || !std::isfinite(value))
      return fail(fmt::format("found {}, expected a finite number", in_quotes(word)));
  }
  return true;
}

bool VtkInput::skip_texts(int64_t count) {
  const auto cut_off = [&] { return fail("the file ends within these texts"); };
  if (count > remaining() + 1) return cut_off();
  for (int64_t i = 0; i < count; ++i) {
    if (!binary) {
      line();
      continue;
    }
    if (remaining() < 1) return cut_off();
    const auto byte = [&](size_t k) { return uint64_t{static_cast<unsigned char>(text_[at_ + k])}; };
    const int64_t size =
        int64_t{1} << (3 - (byte(0) >> 6));  // high bits 11: one byte, 10 two, 01 four, 00 eight
    if (remaining() < size) return cut_off();
    uint64_t length = byte(0) & 0x3f;
    for (int64_t k = 1; k < size; ++k) length = length << 8 | byte(k);
    if (length > static_cast<uint64_t>(remaining() - size)) return cut_off();
    at_ += size + length;
  }
  return true;
}

}  // namespace sinew::io
