#pragma once
// Options that `view`, `picture` and `film` share: the thing shown, and the view settings --field, --camera, ...
// (view/settings.h).
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "command.h"
#include "view/settings.h"
#include "view/show.h"

namespace sinew::cli {

class ViewOptions {
 public:
  void add_to(Arguments& arguments);
  Result<view::Settings> settings() const;
  // Notes of a live scene go to stderr.
  Result<view::Show> open() const;

 private:
  std::string first_, second_, unit_;
  std::vector<std::string> overrides_;
  std::map<std::string, std::string> values_;
};

// "A:B", either may be left out; an empty text leaves both as they are.
Result<void> parse_frames(const std::string& text, int64_t& first, int64_t& last);

}  // namespace sinew::cli
