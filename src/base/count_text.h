#pragma once
// Counts as people read them.
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew {

std::string count_text(int64_t number);                         // "148,955"
std::string count_text(int64_t number, std::string_view noun);  // "1 node", "148,955 nodes"

}  // namespace sinew
