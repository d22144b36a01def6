#pragma once
// Pictures of frames of a run: bodies in the colours of plots, colliders seen through, one camera for all. Planes have no
// end; a square of each below or beside the bodies is drawn. Up is the axis of gravity, and y where there is none.
//
//     Result<std::vector<Picture>> pictures = pictures_of(run);
#include <string>
#include <vector>

#include "base/result.h"
#include "run/run_reader.h"

namespace sinew::report {

struct Picture {
  int64_t frame = 0;
  double time = 0;      // [s]
  std::string png;      // at most `max_png_bytes`; empty: the frame cannot be drawn
  std::string problem;  // why
};

inline constexpr size_t max_png_bytes = 73000;  // under 100 KB as text

// Draws the first, the middle and the last frame that are there. A frame whose file is broken has a problem and no picture.
Result<std::vector<Picture>> pictures_of(const run::RunReader& run);

// One state as PNG, of that many pixels, from the same side.
std::string picture_of(const model::Model& model, const model::Skins& skins, const model::State& state,
                       int width, int height);

}  // namespace sinew::report
