#pragma once
// Two blocks "a" and "b", side by side along x with a gap, each 1 m wide with edges of 0.5 m; dynamic, so that nothing
// need hold them.
#include <string>

#include "sample_scene.h"

namespace sinew::scene {

inline std::string block_at(double x, const std::string& more = "") {
  return R"({"mesh": {"box": {"cells": [2, 2, 2], "origin": [)" + json::number_text(x) +
         R"(, 0, 0], "split": "six"}}, "material": {"model": "linear", "young": 1e5, "poisson": 0.25})" +
         more + "}";
}

// `more` are further keys of the scene.
inline std::string two_blocks(const std::string& more, double gap = 0.125, const std::string& more_of_a = "",
                              const std::string& more_of_b = "") {
  return "{\"sinew\": 1, \"bodies\": {\"a\": " + block_at(0, more_of_a) +
         ", \"b\": " + block_at(1 + gap, more_of_b) + "}, \"solve\": {\"mode\": \"dynamic\"}" +
         (more.empty() ? "" : ",\n" + more) + "}";
}

}  // namespace sinew::scene
