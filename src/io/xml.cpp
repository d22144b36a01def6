#include "io/xml.h"

#include <charconv>
#include <fmt/format.h>

namespace sinew::io {
namespace {

constexpr size_t longest_name = 256, longest_value = 1 << 16, max_attributes = 256, deepest = 64;

bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool ends_name(int c) {
  return c < 0 || is_blank(c) || c == '>' || c == '/' || c == '=' || c == '<' || c == '"' || c == '\'';
}

// UTF-8 of a character's number; false where there is no such character.
bool append_character(uint32_t code, std::string& text) {
  if (code == 0 || code > 0x10ffff) return false;
  if (code < 0x80) {
    text += static_cast<char>(code);
    return true;
  }
  const int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xf00 >> (tail + 1)) | (code >> (6 * tail)));
  for (int k = tail - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> (6 * k) & 63));
  return true;
}

// Appends the character of an entity, given the text between & and ; in a value.
bool append_entity(std::string_view entity, std::string& text) {
  constexpr std::pair<std::string_view, char> named[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, c] : named)
    if (entity == name) {
      text += c;
      return true;
    }
  if (entity.size() < 2 || entity[0] != '#') return false;
  entity.remove_prefix(1);
  const bool hex = entity[0] == 'x';
  if (hex) entity.remove_prefix(1);
  uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(entity.data(), entity.data() + entity.size(), code, hex ? 16 : 10);
  return error == std::errc() && end == entity.data() + entity.size() && append_character(code, text);
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string s;
  for (char c : text) {
    switch (c) {
      case '&':
        s += "&amp;";
        break;
      case '<':
        s += "&lt;";
        break;
      case '>':
        s += "&gt;";
        break;
      case '"':
        s += "&quot;";
        break;
      default:
        s += static_cast<unsigned char>(c) < 32 ? '?' : c;
    }
  }
  return s;
}

std::string_view XmlTag::value(std::string_view attribute, std::string_view missing) const {
  for (const auto& [key, text] : attributes)
    if (key == attribute) return text;
  return missing;
}

bool XmlReader::fail(const std::string& what) { return in_.fail("not XML: " + what); }

void XmlReader::skip_blanks() {
  while (is_blank(in_.peek())) in_.get();
}

bool XmlReader::next(XmlTag& tag) {
  tag.attributes.clear();
  if (close_next_) {
    close_next_ = false;
    tag.kind = XmlTag::close;
    tag.text_begin = tag.text_end;
    path_.pop_back();
    return true;
  }
  for (bool skipped = true; skipped;) {
    skip_blanks();
    tag.text_begin = in_.position();
    tag.text_line = in_.line();
    const bool found = in_.skip_to('<');
    tag.text_end = in_.position();
    tag.line = in_.line();
    tag.kind = XmlTag::end;
    if (!found) {
      if (!in_.ok()) return false;
      return path_.empty() || fail(fmt::format("the file ends inside <{}>", path_.back()));
    }
    in_.get();
    if (!skip_markup(skipped)) return false;
  }
  tag.kind = in_.peek() == '/' ? XmlTag::close : XmlTag::open;
  if (tag.kind == XmlTag::close) {
    in_.get();
    if (!read_name(tag.name)) return false;
    skip_blanks();
    if (in_.get() != '>') return fail(fmt::format("expected '>' after '</{}'", tag.name));
    if (path_.empty() || path_.back() != tag.name)
      return fail(fmt::format("found </{}>, expected {}", tag.name,
                              path_.empty() ? "no such tag" : "</" + path_.back() + ">"));
    path_.pop_back();
    return true;
  }
  if (!read_name(tag.name) || !read_attributes(tag)) return false;
  if (path_.size() >= deepest) return fail(fmt::format("tags inside each other more than {} deep", deepest));
  path_.push_back(tag.name);
  return true;
}

// Comments, <?...?> and <!...>; the '<' is behind us.
bool XmlReader::skip_markup(bool& skipped) {
  skipped = true;
  if (in_.peek() == '?') return in_.skip_past("?>") || fail("'<?' without '?>'");
  skipped = in_.peek() == '!';
  if (!skipped) return true;
  in_.get();
  if (in_.get() == '-' && in_.get() == '-') return in_.skip_past("-->") || fail("a comment without an end");
  return fail("sections such as CDATA and DOCTYPE are not read");
}

bool XmlReader::read_name(std::string& name) {
  name.clear();
  while (!ends_name(in_.peek()) && name.size() < longest_name) name += static_cast<char>(in_.get());
  return !name.empty() && name.size() < longest_name ? true : fail("expected a name after '<'");
}

bool XmlReader::read_attributes(XmlTag& tag) {
  while (true) {
    skip_blanks();
    const int c = in_.peek();
    if (c == '>') {
      in_.get();
      return true;
    }
    if (c == '/') {
      in_.get();
      close_next_ = true;
      return in_.get() == '>' ? true : fail("expected '>' after '/'");
    }
    if (tag.attributes.size() >= max_attributes) return fail("too many attributes");
    auto& [key, value] = tag.attributes.emplace_back();
    if (!read_name(key)) return false;
    skip_blanks();
    if (in_.get() != '=') return fail(fmt::format("expected '=' after attribute {}", in_quotes(key)));
    skip_blanks();
    if (!read_value(value)) return false;
  }
}

bool XmlReader::read_value(std::string& value) {
  const int quote = in_.get();
  if (quote != '"' && quote != '\'') return fail("expected a value in quotes");
  while (value.size() < longest_value) {
    int c = in_.get();
    if (c == quote) return true;
    if (c < 0 || c == '<') return fail("a value in quotes does not end");
    if (c != '&') {
      value += static_cast<char>(c);
      continue;
    }
    std::string entity;
    while ((c = in_.get()) >= 0 && c != ';' && entity.size() < 12) entity += static_cast<char>(c);
    if (c != ';' || !append_entity(entity, value)) return fail("unknown entity " + in_quotes("&" + entity));
  }
  return fail("a value in quotes is too long");
}

}  // namespace sinew::io
