#pragma once
// The content of a server: one pane or two, and the simulation behind a live one.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "json/json.h"
#include "view/source.h"

namespace sinew::view {

// A scene that runs while it is watched. All calls may come from any thread and return at once.
class Live {
 public:
  virtual ~Live() = default;
  virtual void play() = 0;
  virtual void pause() = 0;
  virtual void step() = 0;
  virtual void save() = 0;
  // grab, move, release, pose, input, set, method or reset, as the page sends them; done between two steps.
  virtual void edit(json::Json edit) = 0;
  virtual bool playing() const = 0;
  virtual json::Json describe() const = 0;  // method, methods, inputs, numbers, attachments

  // Called on the simulation's thread: there is a newer frame; a text message for every page.
  struct Ears {
    std::function<void()> on_frame;
    std::function<void(const json::Json&)> on_text;
  };
  virtual void listen(Ears ears) = 0;
};

struct Show {
  std::string kind;                            // scene, run or mesh
  std::string title;                           // of the window
  std::vector<std::string> names;              // of what is shown, as the command line gave them
  std::vector<std::unique_ptr<Source>> panes;  // at least one
  std::unique_ptr<Live> live;                  // null unless a scene is live

  bool playing() const { return live && live->playing(); }
  // The first message to every page.
  json::Json hello();
};

}  // namespace sinew::view
