// The parser is nlohmann's, driven through its SAX interface. Its events carry no positions, so a cursor
// walks the same text token by token; where the parser stops, the cursor tells what stood there.
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "json/json.h"

namespace sinew::json {
namespace {

// Walks the text; after advance() it stands behind the token whose start is `token`.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {
    if (text.starts_with("\xef\xbb\xbf")) at_ = line_start_ = 3;
  }

  Place place() const { return {line_, static_cast<int32_t>(at_ - line_start_) + 1}; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }

  void step() {
    if (at_end()) return;
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }
  void step(size_t count) {
    while (count-- > 0) step();
  }

  // Blanks and comments; false where a comment is not closed, with the cursor at its start.
  bool skip_blanks() {
    for (;;) {
      while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) step();
      if (rest().starts_with("//")) {
        while (!at_end() && peek() != '\n' && peek() != '\r') step();
      } else if (rest().starts_with("/*")) {
        const size_t close = rest().find("*/", 2);
        if (close == std::string_view::npos) return false;
        step(close + 2);
      } else {
        return true;
      }
    }
  }

  // To the start of the next token, commas and colons aside.
  Place seek() {
    skip_blanks();
    while (peek() == ',' || peek() == ':') {
      step();
      skip_blanks();
    }
    return place();
  }

  // Behind a token that the parser has accepted.
  void skip_token() {
    const char first = peek();
    step();
    if (first == '"') {
      while (!at_end() && peek() != '"') step(peek() == '\\' ? 2 : 1);
      step();
    } else if (first == 't' || first == 'n' || first == 'f') {
      step(first == 'f' ? 4 : 3);
    } else if (std::string_view("{}[]").find(first) == std::string_view::npos) {
      const char digit = first == '-' ? peek() : first;
      if (first == '-') step();
      if (digit == '0' && std::isdigit(static_cast<unsigned char>(peek())))
        return;  // "01" is "0" and a mistake
      while (!at_end() && std::string_view("0123456789.eE+-").find(peek()) != std::string_view::npos) step();
    }
  }

 private:
  std::string_view text_;
  size_t at_ = 0, line_start_ = 0;
  int32_t line_ = 1;
};

// Quotes the text at the cursor, for a message.
std::string found(const Cursor& cursor) {
  if (cursor.at_end()) return "the end of the file";
  const unsigned char c = cursor.peek();
  if (std::isalnum(c) || c == '_') {
    size_t length = 1;
    while (length < 40 && (std::isalnum(static_cast<unsigned char>(cursor.peek(length))) ||
                           std::string_view("_.+-").find(cursor.peek(length)) != std::string_view::npos))
      ++length;
    return quote(cursor.rest().substr(0, length));
  }
  if (c == '"') return "a text";
  if (c > 0x20 && c < 0x7f) return std::string("'") + static_cast<char>(c) + "'";
  constexpr char hex[] = "0123456789abcdef";
  return std::string("the byte 0x") + hex[c >> 4] + hex[c & 15];
}

class Handler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(std::string_view text, const std::string& name, const JsonLimits& limits)
      : cursor_(text), name_(name), limits_(limits) {}

  bool null() override { return value(Json()); }
  bool boolean(bool v) override { return value(Json(v)); }
  bool number_integer(int64_t v) override { return value(Json(v)); }
  bool number_unsigned(uint64_t v) override { return value(Json(v)); }
  bool number_float(double v, const std::string&) override { return value(Json(v)); }
  bool string(std::string& v) override { return value(Json(std::move(v))); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::list()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& text) override {
    const Place place = cursor_.seek();
    Frame& frame = stack_.back();
    if (frame.container.has(text))
      return fail(place, "the key " + quote(text) + " stands here a second time");
    if (frame.container.size() >= max_keys)
      return fail(place, "the object has more than " + std::to_string(max_keys) + " keys");
    cursor_.skip_token();
    frame.key = std::move(text);
    frame.key_place = place;
    after_ = After::key;
    return true;
  }

  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    return error.id == 406 ? diagnose_overflow() : diagnose();
  }

  // True at the end of the text after a complete value: the parser takes a zero byte for the end.
  bool at_end() {
    if (cursor_.skip_blanks() && cursor_.at_end()) return true;
    return fail(cursor_.place(),
                "found " + found(cursor_) + " after the end of the value; expected nothing more");
  }

  const std::optional<Error>& error() const { return error_; }
  Json& root() { return root_; }

 private:
  enum class After { nothing, open, key, value };
  struct Frame {
    Json container;
    std::string key;
    Place key_place;
  };
  static constexpr size_t max_keys = 10000;

  bool fail(Place place, std::string what) {
    if (!error_)
      error_ = input_error(name_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column),
                           std::move(what));
    return false;
  }

  bool count(Place place) {
    if (++values_ <= limits_.values) return true;
    return fail(place, "more than " + std::to_string(limits_.values) + " values in one file");
  }

  bool value(Json v) {
    v.set_place(cursor_.seek());
    cursor_.skip_token();
    return count(v.place()) && put(std::move(v));
  }

  bool put(Json v) {
    after_ = After::value;
    if (stack_.empty()) {
      root_ = std::move(v);
      return true;
    }
    Frame& frame = stack_.back();
    if (frame.container.is(Json::Kind::list))
      frame.container.add(std::move(v));
    else
      frame.container.set(frame.key, std::move(v), frame.key_place);
    return true;
  }

  bool open(Json container) {
    container.set_place(cursor_.seek());
    if (static_cast<int>(stack_.size()) >= limits_.depth)
      return fail(container.place(),
                  "lists and objects are nested more than " + std::to_string(limits_.depth) + " deep");
    if (!count(container.place())) return false;
    cursor_.skip_token();
    stack_.push_back({std::move(container), {}, {}});
    after_ = After::open;
    return true;
  }

  bool close() {
    cursor_.seek();
    cursor_.skip_token();
    Json container = std::move(stack_.back().container);
    stack_.pop_back();
    return put(std::move(container));
  }

  bool diagnose_overflow() {
    const Place place = cursor_.seek();
    return fail(place,
                "found the number " + found(cursor_) + ", beyond what a double can hold (about 1.8e308)");
  }

  // The parser refused what comes next. What may come depends on what was last.
  bool diagnose() {
    if (!blanks()) return false;
    const bool in_list = !stack_.empty() && stack_.back().container.is(Json::Kind::list);
    const char closing = in_list ? ']' : '}';
    if (after_ == After::value && stack_.empty()) return at_end();
    if (after_ == After::key) {
      if (cursor_.peek() != ':') return expected("':' after the key " + quote(stack_.back().key));
      cursor_.step();
    } else if (after_ == After::value) {
      if (cursor_.peek() != ',') return expected(std::string("',' or '") + closing + "'");
      const Place comma = cursor_.place();
      cursor_.step();
      if (!blanks()) return false;
      if (cursor_.peek() == closing)
        return fail(comma, std::string("found a comma before '") + closing +
                               "'; expected none: JSON has no trailing commas");
    }
    if (!blanks()) return false;
    if (cursor_.peek() == '"') return diagnose_text();
    if (after_ != After::key && !in_list && !stack_.empty())
      return expected(after_ == After::open ? "a key in double quotes or '}'" : "a key in double quotes");
    return expected_value(after_ == After::open ? " or ']'" : "");
  }

  bool blanks() {
    return cursor_.skip_blanks() || fail(cursor_.place(), "the comment that begins here is not closed by */");
  }

  bool expected(const std::string& what) {
    std::string text = "found " + found(cursor_) + ", expected " + what;
    if (cursor_.at_end() && !stack_.empty()) {
      const Place begin = stack_.back().container.place();
      text += std::string("; the ") + (stack_.back().container.is(Json::Kind::list) ? "list" : "object") +
              " that begins at line " + std::to_string(begin.line) + ", column " +
              std::to_string(begin.column) + " is not closed";
    }
    return fail(cursor_.place(), text);
  }

  bool expected_value(const std::string& alternative) {
    const char c = cursor_.peek();
    const std::string what =
        "a value: a number, a text in double quotes, true, false, null, a list or an object";
    if (c == '\'') return expected("double quotes around a text");
    if (c == '+' || c == '.')
      return expected("a number such as 0.5: no sign '+', and a digit before the point");
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '-')
      return expected("a number such as 12, -0.5 or 1e-6");
    return expected(what + alternative);
  }

  bool diagnose_text() {
    const Place begin = cursor_.place();
    cursor_.step();
    for (;; cursor_.step()) {
      const unsigned char c = cursor_.peek();
      if (cursor_.at_end() || c == '\n' || c == '\r')
        return fail(begin, "the text that begins here has no closing '\"' on its line");
      if (c == '"') return fail(begin, "the text that begins here is not valid UTF-8");
      if (c < 0x20)
        return fail(cursor_.place(),
                    "found " + found(cursor_) + " inside a text; write it as \\t or \\u00XX");
      if (c != '\\') continue;
      const char escape = cursor_.peek(1);
      if (escape == '\0' || std::string_view("\"\\/bfnrtu").find(escape) == std::string_view::npos)
        return fail(cursor_.place(),
                    "unknown escape in a text; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t "
                    "\\uXXXX");
      if (escape == 'u' && !hexadecimal(2))
        return fail(cursor_.place(),
                    "expected four hexadecimal digits after \\u, and a whole surrogate pair");
      cursor_.step();
    }
  }

  bool hexadecimal(size_t ahead) const {
    for (size_t i = 0; i < 4; ++i)
      if (!std::isxdigit(static_cast<unsigned char>(cursor_.peek(ahead + i)))) return false;
    return true;
  }

  Cursor cursor_;
  const std::string& name_;
  const JsonLimits& limits_;
  std::vector<Frame> stack_;
  After after_ = After::nothing;
  size_t values_ = 0;
  Json root_;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& name, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    return input_error(name, "the file has " + std::to_string(text.size()) + " bytes; at most " +
                                 std::to_string(limits.bytes) + " are read");
  Handler handler(text, name, limits);
  const bool parsed = nlohmann::json::sax_parse(text.begin(), text.end(), &handler,
                                                nlohmann::json::input_format_t::json, true, true);
  if (!parsed || !handler.at_end()) return *handler.error();
  return std::move(handler.root());
}

}  // namespace sinew::json
