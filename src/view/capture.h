#pragma once
// Pictures and films, made by the viewer's own page in a chromium without a window. The page draws, this side asks for
// one frame after the other and writes what comes.
//
//     make_picture(show, page, settings, "twist.png", cancel);
//     make_film(show, page, settings, {.path = "twist.mp4"}, {}, cancel);
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "base/control.h"
#include "base/result.h"
#include "view/settings.h"
#include "view/show.h"

namespace sinew::view {

// The field, component and bodies that the settings name exist; "run" as a range becomes numbers.
Result<Settings> settle(Show& show, Settings settings, int64_t frame);

Result<void> make_picture(Show& show, std::string_view page, const Settings& settings,
                          const std::string& path, const Cancel* cancel);

struct FilmOptions {
  std::string path;  // .mp4 or .gif
  double fps = 0;    // frames a second; 0: that of the run
  int64_t first = 0, last = std::numeric_limits<int64_t>::max();
};

// Told after every frame: how many are done, of how many.
using FilmProgress = std::function<void(int64_t done, int64_t all)>;

Result<void> make_film(Show& show, std::string_view page, const Settings& settings,
                       const FilmOptions& options, const FilmProgress& progress, const Cancel* cancel);

}  // namespace sinew::view
