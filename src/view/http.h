#pragma once
// Decides the reply to an HTTP request from its head alone. There are no sockets here.
//
//     Reply reply = gate.answer(head, page);   // 200 the page, 101 the socket, 400, 403, 404, 405, 426
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::view {

struct Head {
  std::string method;
  std::string target;                       // path and query
  std::vector<std::string> hosts, origins;  // every field of the name
  std::string accept_encoding;
  bool upgrade = false;  // to a WebSocket
};

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct Reply {
  int status = 200;
  HttpFields fields;
  std::string body;
};

struct Gate {
  int port = 0;
  std::string token;

  Reply answer(const Head& head, std::string_view page) const;
};

// Header fields of every answer: nothing is stored, framed or guessed, and the page talks to this server alone.
HttpFields security_fields(int port);

// The value of a key in a query "a=1&b=2", as it stands; empty: none.
std::string_view query_value(std::string_view query, std::string_view key);

}  // namespace sinew::view
