#pragma once
// A run as one HTML file that plays it without a server: the viewer's page with the data inside, base64 of a zlib stream of
//
//     u32 length, hello as JSON      u32 length, binary message      u32 length, binary message      ...
//
// the messages being those of view/frame_message.h. In frames, positions and values are u2: sixteen bits over the box of
// all frames, or over the range of the field, as differences to the frame before (mod 65536), all low bytes first, then
// all high ones. The header says how to undo it: "packed": {"origin", "scale", "values": {"origin", "scale"}}; the
// value 65535 is no number.
//
//     Result<PageSize> size = export_page(show, *require_page(), {.path = "twist.html", .field = "von_mises"});
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/control.h"
#include "base/result.h"
#include "view/settings.h"
#include "view/show.h"

namespace sinew::view {

struct PageOptions {
  std::string path;
  std::string field, component;                                   // one field goes along; empty: none
  int64_t first = 0, last = std::numeric_limits<int64_t>::max();  // frames
  Settings settings;                                              // how the page begins
};

struct PageSize {
  int64_t frames = 0;
  int64_t bytes = 0;  // of the file
};

// Two frames lie in memory at a time, however many there are. `page` as in view/page.h.
Result<PageSize> export_page(Show& show, std::string_view page, const PageOptions& options,
                             const Cancel* cancel = nullptr);

}  // namespace sinew::view
