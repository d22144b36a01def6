#include "view/http.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "view/page.h"

namespace sinew::view {
namespace {

// As long for a wrong token as for the right one.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Reply text(int status, std::string what) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(what) + "\n"};
}

// Another site's page, and a name that another site made point here, say so themselves.
bool is_here(const Head& head, int port) {
  const std::string numeric = fmt::format("127.0.0.1:{}", port), named = fmt::format("localhost:{}", port);
  if (head.hosts.size() != 1) return false;
  const std::string host = lower(head.hosts[0]);
  if (host != numeric && host != named) return false;
  if (head.origins.empty()) return true;
  return head.origins.size() == 1 && lower(head.origins[0]) == "http://" + host;
}

Reply page_reply(const Head& head, std::string_view page) {
  Reply reply{200, {{"Content-Type", "text/html; charset=utf-8"}, {"Vary", "Accept-Encoding"}}, {}};
  if (is_gzip(page) && lower(head.accept_encoding).find("gzip") != std::string::npos) {
    reply.fields.emplace_back("Content-Encoding", "gzip");
    reply.body = page;
  } else {
    reply.body = page_html(page);
  }
  return reply;
}

}  // namespace

std::string_view query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == key) return pair.substr(equals + 1);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return {};
}

Reply Gate::answer(const Head& head, std::string_view page) const {
  if (!is_here(head, port))
    return text(403,
                "Refused: this server answers its own page alone, at the address that `sinew view` prints.");
  if (head.method != "GET" && head.method != "HEAD") {
    Reply reply = text(405, "Only GET and HEAD.");
    reply.fields.emplace_back("Allow", "GET, HEAD");
    return reply;
  }
  const std::string_view target = head.target;
  const size_t mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, mark),
                         query = target.substr(std::min(mark + 1, target.size()));
  if (path != "/" && path != "/ws") return text(404, "Nothing is here.");
  if (token.empty() || !same(query_value(query, "token"), token))
    return text(403,
                "Refused: the token is missing or wrong. Use the whole address that `sinew view` printed.");
  if (path == "/") return page_reply(head, page);
  if (!head.upgrade || head.method != "GET") {
    Reply reply = text(426, "This address is for a WebSocket.");
    reply.fields.emplace_back("Upgrade", "websocket");
    return reply;
  }
  return {101, {}, {}};
}

HttpFields security_fields(int port) {
  return {{"Content-Security-Policy",
           fmt::format("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                       "img-src data: blob:; font-src data:; worker-src blob:; "
                       "connect-src ws://127.0.0.1:{0} ws://localhost:{0}; "
                       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                       port)},
          {"Cache-Control", "no-store"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

}  // namespace sinew::view
