// The hash at the end would stop nearly every input: it is made right for a checkpoint of one column, so that
// what lies behind it is reached.
#include <cstdint>
#include <cstring>

#include "base/hash.h"
#include "run/checkpoint.h"

namespace {

std::string with_hash(std::string bytes) {
  constexpr size_t fixed = sizeof "sinew checkpoint 1\n" - 1 + 8;
  uint64_t length = 0;
  if (bytes.size() < fixed) return bytes;
  std::memcpy(&length, bytes.data() + fixed - 8, 8);
  if (length > bytes.size() - fixed) return bytes;
  sinew::Hash hash;
  hash.add(std::string_view(bytes).substr(0, fixed + length));
  hash.add(std::string_view(bytes).substr(fixed + length));
  const uint64_t value = hash.value();
  return bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void read(const std::string& bytes) {
  const auto checkpoint = sinew::run::parse_checkpoint(bytes, "fuzz");
  if (!checkpoint) return;
  checkpoint->state.hash();
  const sinew::model::StateLayout layout;
  (void)sinew::run::check_columns(checkpoint->state, layout, {.nodes = 2, .elements = 1}, "fuzz");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  read(with_hash(bytes));
  return 0;
}
