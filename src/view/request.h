#pragma once
// A request of the page, as one JSON object: {"do": "show", "pane": 0, "field": "von_mises", "component": ""}.
// parse_request() checks the shape of everything, so that what comes behind reads values without looking twice. Whether
// a pane, frame or field exists is known later, and answered with an error text, not by closing the connection.
//
//     Result<Request> request = parse_request(text, panes);
//     if (!request) close(...);
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/json.h"
#include "math/vec.h"

namespace sinew::view {

// Keeps what has normal . x <= offset.
struct ClipPlane {
  math::Vec3d normal = {0, 0, 1};
  double offset = 0;

  bool keeps(const math::Vec3d& x) const { return dot(normal, x) <= offset; }
};

struct Request {
  enum class Kind { ready, frame, show, clip, play, pause, step, save, edit };
  Kind kind = Kind::ready;
  int pane = 0;
  int64_t frame = 0;
  std::string field, component;  // of show; an empty field: none
  bool over_run = false;         // of show: the range of the colours is that of the whole run
  std::optional<ClipPlane> clip;
  json::Json edit;  // grab, move, release, pose, input, set, method and reset, as they came
};

constexpr size_t longest_request = size_t{64} << 10;  // [bytes]

Result<Request> parse_request(std::string_view text, int panes);

}  // namespace sinew::view
