#pragma once
// A scene that runs while it is watched. A thread of its own steps it, applies edits between frames, and publishes every
// frame for whoever makes messages of it. It begins paused and runs no faster than the scene's frames a second.
//
//     Result<OpenedLive> opened = open_live("scene.json", {}, {});
//     opened->live->play();
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "view/show.h"

namespace sinew::view {

struct LiveOptions {
  std::filesystem::path session = "session.json";   // where save() writes the edits
  std::function<void(const std::string&)> on_note;  // told what was saved; on the thread of the simulation
};

// The source shows what the simulation publishes; each may be destroyed first.
struct OpenedLive {
  std::unique_ptr<Source> source;
  std::unique_ptr<Live> live;
};

// Refuses what cannot be built or stepped, with all problems of the scene.
Result<OpenedLive> open_live(const std::string& path, const std::vector<std::string>& overrides,
                             LiveOptions options);

}  // namespace sinew::view
