#pragma once
// One page that is connected: what it wants to see, and the messages that are due to it. It knows nothing of sockets.
//
//     Viewer viewer(show);
//     if (auto ok = viewer.take(text); !ok) close(ok.error());
//     for (Outgoing& message : viewer.due()) send(message);
//
// Requests for a frame, a field or a clip plane are answered at once; newer frames of a live scene wait until the page
// has said that it is ready for one, so a slow page gets fewer frames and never a queue of them.
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/frame_message.h"
#include "view/request.h"
#include "view/show.h"

namespace sinew::view {

struct Outgoing {
  std::string bytes;
  bool binary = false;
};

class Viewer {
 public:
  explicit Viewer(Show& show);

  // An Error closes the connection: what came is no request. What cannot be done is told to the page instead.
  Result<void> take(std::string_view text);
  void newer();                 // the live scene has a newer frame
  void tell(const Json& text);  // a text message
  // To be called after Source::advance(): sends frames again whose range has become known.
  void ranges_changed();
  std::vector<Outgoing> due();
  bool was_ready() const { return was_ready_; }

 private:
  struct Pane {
    int64_t frame = -1;           // that is shown; -1: the first, or the newest of a live scene
    std::deque<int64_t> to_come;  // frames that were asked for
    FieldChoice field;
    std::optional<ClipPlane> clip;
    bool asked = false;  // an answer is due
    bool fresh = false;  // there is a newer frame
    bool range_pending = false;
    int64_t generation = 0;
    mesh::Bounds box;                    // that the page knows
    std::shared_ptr<const Stage> stage;  // of the topology
    std::vector<char> kept;              // behind the clip plane; empty: all
    Topology topology;
  };

  void complain(const std::string& text);
  void make(int index, std::vector<Outgoing>& out);
  void update_box(int index, const Moment& moment, std::vector<Outgoing>& out);
  void update_topology(int index, const Moment& moment, std::vector<Outgoing>& out);
  void add_field(Pane& pane, Source& source, Moment& moment, MessageWriter& message,
                 std::vector<float>& values);

  Show& show_;
  std::vector<Pane> panes_;
  std::deque<Json> texts_;
  bool ready_ = false, was_ready_ = false;
  bool greeted_ = false;
};

}  // namespace sinew::view
