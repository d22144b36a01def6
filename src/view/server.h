#pragma once
// Serves one page and one WebSocket on 127.0.0.1, to whoever has the token.
//
//     /?token=T   the page        /ws?token=T   the socket (view/viewer.h)        anything else: 404
//
// Refused with 403: a wrong or missing token, a Host or an Origin that is not this server. So neither another user of the
// machine nor a page of another site gets in. Two threads: one moves bytes, one makes messages; a slow page or a large
// field holds nobody else up for longer than one message takes. Whatever comes malformed closes its own connection.
//
//     auto server = Server::start(show, {.port = 0, .page = page_gzip()});
//     print((*server)->url(settings.query()));   ...   (*server)->stop();
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "view/show.h"

namespace sinew::view {

struct ServerOptions {
  int port = 0;                // 0: a free one
  std::string_view page = {};  // HTML, packed by gzip or plain; must outlive the server
  bool pictures = false;       // pages may answer with pictures
  int connections = 32;        // at most
};

class Server {
 public:
  // The show must outlive the server.
  static Result<std::unique_ptr<Server>> start(Show& show, const ServerOptions& options);
  virtual ~Server() = default;  // stops it

  virtual int port() const = 0;
  virtual const std::string& token() const = 0;
  // "http://127.0.0.1:PORT/?token=...", followed by `query`, which begins with "&".
  std::string url(std::string_view query = {}) const;

  // Has a page, once one is there and ready, make a picture: `request` is {"say": "capture", "frame": ...}. The PNG.
  // `give_up` is asked now and then, and may be empty.
  virtual Result<std::string> capture(const Json& request, std::chrono::milliseconds limit,
                                      const std::function<bool()>& give_up) = 0;
  virtual void stop() = 0;
};

// 32 hexadecimal digits from the system's source of random numbers.
Result<std::string> make_token();

}  // namespace sinew::view
