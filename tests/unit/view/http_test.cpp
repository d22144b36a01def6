#include "view/http.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "view/page.h"

namespace sinew::view {
namespace {

const Gate gate{4321, "00112233445566778899aabbccddeeff"};
const std::string good = "/?token=00112233445566778899aabbccddeeff";
const std::string socket_target = "/ws?token=00112233445566778899aabbccddeeff";

Head head(const std::string& target) { return {"GET", target, {"127.0.0.1:4321"}, {}, "gzip, br", false}; }

int status(const Head& head) { return gate.answer(head, "<html>").status; }

TEST(Http, who_has_the_token_gets_the_page) {
  const Reply reply = gate.answer(head(good), "<html>");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "<html>");
  EXPECT_EQ(status(head(good + "&field=stress")), 200);
  EXPECT_EQ(status(head("/?field=stress&token=" + gate.token)), 200);
  Head named = head(good);
  named.hosts = {"LocalHost:4321"};
  EXPECT_EQ(status(named), 200);
  named.origins = {"http://localhost:4321"};
  EXPECT_EQ(status(named), 200);
  Head other = head(good);
  other.method = "HEAD";
  EXPECT_EQ(status(other), 200);
}

TEST(Http, tokens) {
  for (const char* target :
       {"/", "/?", "/?token=", "/?token=00112233445566778899aabbccddeefe",
        "/?token=00112233445566778899aabbccddeeff0", "/?tokens=00112233445566778899aabbccddeeff",
        "/?TOKEN=00112233445566778899aabbccddeeff", "/ws",
        "/?token=wrong&token=00112233445566778899aabbccddeeff", "/#token=00112233445566778899aabbccddeeff"})
    EXPECT_NE(status(head(target)), 200) << target;
  const Gate closed{4321, ""};
  EXPECT_EQ(closed.answer(head("/?token="), "<html>").status, 403);
}

TEST(Http, hosts_and_origins) {
  const std::vector<std::vector<std::string>> hosts = {{},
                                                       {""},
                                                       {"127.0.0.1"},
                                                       {"127.0.0.1:4322"},
                                                       {"evil.example:4321"},
                                                       {"127.0.0.1:4321.evil.example"},
                                                       {"localhost"},
                                                       {"0.0.0.0:4321"},
                                                       {"[::1]:4321"},
                                                       {"127.0.0.1:4321", "127.0.0.1:4321"}};
  for (const auto& list : hosts) {
    Head h = head(good);
    h.hosts = list;
    EXPECT_EQ(status(h), 403) << (list.empty() ? "none" : list[0]);
  }
  for (const char* origin : {"null", "", "http://evil.example", "https://127.0.0.1:4321", "http://127.0.0.1",
                             "http://127.0.0.1:4322", "http://localhost:4321"}) {
    Head h = head(good);
    h.origins = {origin};
    EXPECT_EQ(status(h), 403) << origin;
  }
  Head twice = head(good);
  twice.origins = {"http://127.0.0.1:4321", "http://127.0.0.1:4321"};
  EXPECT_EQ(status(twice), 403);
}

TEST(Http, other_paths) {
  for (const char* path : {"/index.html", "/favicon.ico", "/../etc/passwd", "//", "/ws/",
                           "/%2e%2e/etc/passwd", "/?/ws", "*", "", "http://127.0.0.1:4321/", "/ws%00"}) {
    const int told = status(head(path + std::string("?token=") + gate.token));
    EXPECT_TRUE(told == 404 || told == 403) << path << " " << told;
  }
}

TEST(Http, methods) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""}) {
    Head h = head(good);
    h.method = method;
    EXPECT_EQ(status(h), 405) << method;
  }
}

TEST(Http, the_socket) {
  Head h = head(socket_target);
  EXPECT_EQ(status(h), 426);
  h.upgrade = true;
  EXPECT_EQ(status(h), 101);
  h.target = "/ws?token=1";
  EXPECT_EQ(status(h), 403);
  h.target = good;
  EXPECT_EQ(status(h), 200);
}

std::string packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Http, packed_pages) {
  std::string html;
  for (int i = 0; i < 50000; ++i) html += "<p>" + std::to_string(i);
  const std::string page = packed(html);
  EXPECT_EQ(page_html(page), html);
  const Reply as_is = gate.answer(head(good), page);
  EXPECT_EQ(as_is.body, page);
  Head plain = head(good);
  plain.accept_encoding = "";
  EXPECT_EQ(gate.answer(plain, page).body, html);
  const auto encoding = [](const Reply& reply) {
    for (const auto& [name, value] : reply.fields)
      if (name == "Content-Encoding") return value;
    return std::string();
  };
  EXPECT_EQ(encoding(as_is), "gzip");
  EXPECT_EQ(encoding(gate.answer(plain, page)), "");
  EXPECT_EQ(page_html(page.substr(0, page.size() / 2)).substr(0, 100),
            html.substr(0, 100));  // ends all the same
}

}  // namespace
}  // namespace sinew::view
