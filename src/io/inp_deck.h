#pragma once
// An Abaqus or CalculiX deck as keywords with their parameters and data lines. A line that starts with one
// asterisk opens a keyword, two make a comment; a keyword line that ends with a comma goes on in the next
// line, if that starts with a letter. Case counts nowhere.
//
//     InpLines lines(text);
//     InpBlock block;
//     while (lines.next_block(block)) ...
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::io {

std::string_view trimmed(std::string_view s);
std::string in_upper_case(std::string_view s);
std::string_view take_field(std::string_view& rest);  // what stands before the next comma

struct InpBlock {
  std::string keyword;                                          // upper case, one blank between words
  std::vector<std::pair<std::string, std::string>> parameters;  // names in upper case, values as they are
  std::string group;      // the name that a comment of ours gives to the set; empty: the set's own
  bool no_group = false;  // such a comment says that the set is none
  std::string_view data;  // from the next line on
  int64_t line = 0, data_line = 0;

  const std::string* find(std::string_view name) const;  // null: there is no such parameter
};

class InpLines {
 public:
  explicit InpLines(std::string_view text, int64_t first_line = 1) : text_(text), next_number_(first_line) {}

  bool next(std::string_view& line);          // trimmed, blank lines and comments included
  bool next_block(InpBlock& block);           // passes over what stands before its keyword
  int64_t number() const { return number_; }  // of the last line given

  // Calls visit(line, number) for each data line until one is false.
  template <class Visit>
  static bool for_data(const InpBlock& block, const Visit& visit) {
    InpLines lines(block.data, block.data_line);
    for (std::string_view line; lines.next(line);)
      if (!line.empty() && !line.starts_with("**") && !visit(line, lines.number_)) return false;
    return true;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  int64_t number_ = 0, next_number_;
  std::string_view comment_;  // the line before, if it is one
};

}  // namespace sinew::io
