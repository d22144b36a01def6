#include "base/count_text.h"

namespace sinew {

std::string count_text(int64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<size_t>(at), 1, ',');
  return text;
}

std::string count_text(int64_t number, std::string_view noun) {
  return count_text(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

}  // namespace sinew
