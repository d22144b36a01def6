#include "base/field.h"

#include <charconv>

namespace sinew {

FieldValues::FieldValues(Fields fields) {
  for (const Field& field : fields) {
    const std::string_view text = field.initial;
    if (text.empty()) continue;
    if (text == "true" || text == "false") {
      set(field.name, text == "true");
    } else if (text.front() == '"') {
      set(field.name, std::string(text.substr(1, text.size() - 2)));
    } else {
      double number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      set(field.name, number);
    }
  }
}

}  // namespace sinew
