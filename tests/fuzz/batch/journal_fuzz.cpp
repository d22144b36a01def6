// A journal of any bytes: what is whole is read, and what was read ends inside the bytes.
#include <cstdint>
#include <string>

#include "batch/journal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew::batch;
  // The header is given, so that records are reached.
  const std::string study = "0123456789abcdef";
  const std::string bytes =
      "sinew journal 1 " + study + "\n" + std::string(reinterpret_cast<const char*>(data), size);
  const JournalContent content = parse_journal(bytes, study);
  if (content.whole > bytes.size()) __builtin_trap();
  if (count_records(bytes) < static_cast<int64_t>(content.entries.size())) __builtin_trap();
  // Cut where it is whole, it says the same.
  if (parse_journal(bytes.substr(0, content.whole), study).entries.size() != content.entries.size())
    __builtin_trap();
  (void)parse_journal({reinterpret_cast<const char*>(data), size}, study);
  return 0;
}
