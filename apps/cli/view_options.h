#pragma once
// The view settings as options of a command: --field, --camera, ... (view/settings.h).
#include <map>
#include <string>

#include "command.h"
#include "view/settings.h"

namespace sinew::cli {

class ViewOptions {
 public:
  void add_to(Arguments& arguments);
  Result<view::Settings> settings() const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace sinew::cli
