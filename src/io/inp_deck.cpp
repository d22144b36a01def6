#include "io/inp_deck.h"

#include <algorithm>

namespace sinew::io {
namespace {

constexpr size_t max_parameters = 32;
constexpr std::string_view group_comment = "** sinew group ", no_group_comment = "** sinew no group";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void add_parameters(std::string_view line, InpBlock& block) {
  while (!line.empty() && block.parameters.size() < max_parameters) {
    const std::string_view field = take_field(line);
    const size_t equals = std::min(field.find('='), field.size());
    std::string_view value = trimmed(field.substr(std::min(equals + 1, field.size())));
    if (value.size() > 1 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    block.parameters.emplace_back(in_upper_case(trimmed(field.substr(0, equals))), value);
  }
}

}  // namespace

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string in_upper_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string_view take_field(std::string_view& rest) {
  const size_t comma = std::min(rest.find(','), rest.size());
  const std::string_view field = trimmed(rest.substr(0, comma));
  rest.remove_prefix(std::min(comma + 1, rest.size()));
  return field;
}

const std::string* InpBlock::find(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return &value;
  return nullptr;
}

bool InpLines::next(std::string_view& line) {
  if (at_ == text_.size()) return false;
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  line = trimmed(text_.substr(at_, end - at_));
  at_ = std::min(end + 1, text_.size());
  number_ = next_number_++;
  return true;
}

bool InpLines::next_block(InpBlock& block) {
  std::string_view line;
  const auto opens = [&] { return line.starts_with('*') && !line.starts_with("**"); };
  while (next(line) && !opens()) comment_ = line;
  if (!opens()) return false;
  block = InpBlock{};
  block.line = number_;
  block.no_group = comment_ == no_group_comment;
  if (comment_.starts_with(group_comment)) block.group = comment_.substr(group_comment.size());

  bool more = line.ends_with(',');
  for (char c : take_field(line).substr(1))
    if (!is_blank(c) || (!block.keyword.empty() && block.keyword.back() != ' '))
      block.keyword += is_blank(c) ? ' ' : c;
  block.keyword = in_upper_case(block.keyword);
  add_parameters(line, block);
  for (InpLines ahead = *this; more && ahead.next(line) && !line.empty() && is_letter(line[0]);) {
    more = line.ends_with(',');
    add_parameters(line, block);
    *this = ahead;
  }

  // The data end before the next keyword.
  block.data_line = next_number_;
  const size_t begin = at_;
  comment_ = {};
  for (InpLines ahead = *this; ahead.next(line) && !opens();) {
    ahead.comment_ = line;
    *this = ahead;
  }
  block.data = text_.substr(begin, at_ - begin);
  return true;
}

}  // namespace sinew::io
