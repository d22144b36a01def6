#pragma once
// The nearest valid word for one that is not: restricted Damerau-Levenshtein distance (insert, delete,
// replace, swap neighbours).
//
//     unknown_word("key", "densty", {"density", "mesh"})  ->  unknown key "densty"; did you mean "density"?
#include <span>
#include <string>
#include <string_view>

namespace sinew::json {

int edit_distance(std::string_view a, std::string_view b);
// Empty where none is near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words);
std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> words);

}  // namespace sinew::json
