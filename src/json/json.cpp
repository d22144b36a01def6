#include "json/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sinew::json {

Json Json::numbers(std::span<const double> values) {
  Json list = Json::list();
  for (double value : values) list.add(value);
  return list;
}

const Json* Json::find(std::string_view key) const {
  for (size_t i = 0; i < keys_.size(); ++i)
    if (keys_[i].text == key) return &items_[i];
  return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

const Json& Json::operator[](std::string_view key) const {
  static const Json null;
  const Json* value = find(key);
  return value ? *value : null;
}

Json& Json::set(std::string_view key, Json value, Place key_place) {
  if (Json* old = find(key)) return *old = std::move(value);
  keys_.push_back({std::string(key), key_place});
  items_.push_back(std::move(value));
  return items_.back();
}

void Json::set_place_deep(Place place) {
  place_ = place;
  for (Key& key : keys_) key.place = place;
  for (Json& item : items_) item.set_place_deep(place);
}

bool Json::operator==(const Json& other) const {
  if (kind_ != other.kind_ || number_ != other.number_ || text_ != other.text_ || items_ != other.items_)
    return false;
  for (size_t i = 0; i < keys_.size(); ++i)
    if (keys_[i].text != other.keys_[i].text) return false;
  return true;
}

std::string_view name_of(Json::Kind kind) {
  constexpr std::string_view names[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
  return names[static_cast<int>(kind)];
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  // 1e+09 and 1e-06 as 1e9 and 1e-6.
  if (const size_t e = text.find('e'); e != std::string::npos) {
    size_t digits = e + 2;
    while (digits + 1 < text.size() && text[digits] == '0') ++digits;
    text = text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + text.substr(digits);
  }
  if (value != std::floor(value) || std::abs(value) >= 1e15 || value == 0) return text;
  const std::string whole(buffer,
                          std::to_chars(buffer, buffer + sizeof buffer, static_cast<int64_t>(value)).ptr);
  return whole.size() <= std::max<size_t>(7, text.size()) ? whole : text;
}

namespace {

// Bytes of the UTF-8 character that starts here; 0 where there is none.
int utf8_length(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  if (byte(0) < 0x80) return 1;
  const int length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || s.size() < static_cast<size_t>(length)) return 0;
  for (int i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if ((byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f)) return 0;
  if ((byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

}  // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const int length = utf8_length(text.substr(i));
    constexpr char hex[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += "\\u00";
      out += hex[static_cast<unsigned char>(c) >> 4];
      out += hex[c & 15];
    } else if (length == 0) {
      out += "\\ufffd";
    } else {
      out += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out + '"';
}

namespace {

struct Writer {
  bool spaced;  // a blank after ':' and ','
  std::string out;

  void scalar(const Json& value) {
    switch (value.kind()) {
      case Json::Kind::boolean:
        out += value.boolean() ? "true" : "false";
        break;
      case Json::Kind::number:
        out += number_text(value.number());
        break;
      case Json::Kind::text:
        out += quote(value.text());
        break;
      default:
        out += "null";
    }
  }

  void key(const Json& value, size_t i) {
    if (!value.is(Json::Kind::object)) return;
    out += quote(value.key(i));
    out += spaced ? ": " : ":";
  }

  void line(const Json& value) {
    if (!value.is(Json::Kind::list) && !value.is(Json::Kind::object)) return scalar(value);
    out += value.is(Json::Kind::list) ? '[' : '{';
    for (size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += spaced ? ", " : ",";
      key(value, i);
      line(value.item(i));
    }
    out += value.is(Json::Kind::list) ? ']' : '}';
  }

  // Whether the value takes no more than `budget` characters; looks no further than that.
  static bool fits(const Json& value, int& budget) {
    budget -= value.is(Json::Kind::text) ? static_cast<int>(value.text().size()) + 2 : 4;
    for (size_t i = 0; i < value.size() && budget >= 0; ++i) {
      if (value.is(Json::Kind::object)) budget -= static_cast<int>(value.key(i).size()) + 4;
      fits(value.item(i), budget);
    }
    return budget >= 0;
  }

  void block(const Json& value, int indent) {
    int budget = 100 - indent;
    if (value.size() == 0 || fits(value, budget)) return line(value);
    const bool is_list = value.is(Json::Kind::list);
    out += is_list ? '[' : '{';
    for (size_t i = 0; i < value.size(); ++i) {
      out += i > 0 ? ",\n" : "\n";
      out.append(indent + 2, ' ');
      key(value, i);
      block(value.item(i), indent + 2);
    }
    out += '\n';
    out.append(indent, ' ');
    out += is_list ? ']' : '}';
  }
};

}  // namespace

std::string Json::compact() const {
  Writer writer{false, {}};
  writer.line(*this);
  return std::move(writer.out);
}

std::string Json::pretty() const {
  Writer writer{true, {}};
  writer.block(*this, 0);
  return writer.out + '\n';
}

}  // namespace sinew::json
