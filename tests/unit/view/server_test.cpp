#include "view/server.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "raw_client.h"
#include "sample_show.h"
#include "view/message.h"

namespace sinew::view {
namespace {

struct Running {
  explicit Running(ServerOptions options = {.page = "<html>the page</html>"}, int panes = 1)
      : show(growing_show(panes)) {
    auto started = Server::start(show, options);
    if (!started)
      ADD_FAILURE() << started.error().text();
    else
      server = std::move(*started);
  }
  std::string get(const std::string& target, const std::string& more = {},
                  const std::string& method = "GET") {
    RawClient client(server->port());
    client.send(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server->port()) +
                "\r\n" + more + "\r\n");
    return client.rest();
  }
  int status(const std::string& target, const std::string& more = {}, const std::string& method = "GET") {
    const std::string reply = get(target, more, method);
    return reply.size() > 12 ? std::stoi(reply.substr(9, 3)) : 0;
  }
  bool alive() { return status("/?token=" + server->token()) == 200; }

  Show show;
  std::unique_ptr<Server> server;
};

TEST(Server, tokens_are_random) {
  const std::string a = *make_token(), b = *make_token();
  EXPECT_EQ(a.size(), 32u);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(a, b);
}

TEST(Server, the_page) {
  Running running;
  const std::string reply = running.get("/?token=" + running.server->token());
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
  EXPECT_TRUE(reply.ends_with("<html>the page</html>"));
  for (const char* field : {"Content-Security-Policy: default-src 'none'", "Cache-Control: no-store",
                            "X-Content-Type-Options: nosniff", "Content-Type: text/html"})
    EXPECT_NE(reply.find(field), std::string::npos) << field;
  EXPECT_EQ(running.server->url("&frame=3"), "http://127.0.0.1:" + std::to_string(running.server->port()) +
                                                 "/?token=" + running.server->token() + "&frame=3");
  const std::string head = running.get("/?token=" + running.server->token(), "", "HEAD");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_NE(head.find("Content-Length: 21"), std::string::npos);
}

TEST(Server, refusals) {
  Running running;
  const std::string good = "/?token=" + running.server->token();
  EXPECT_EQ(running.status("/"), 403);
  EXPECT_EQ(running.status("/?token=wrong"), 403);
  EXPECT_EQ(running.status("/../../etc/passwd"), 404);
  EXPECT_EQ(running.status(good, "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(running.status(good, "Host: evil.example\r\n"), 403);
  EXPECT_EQ(running.status(good, "", "POST"), 405);
  EXPECT_EQ(running.status("/ws?token=" + running.server->token()), 426);
  EXPECT_EQ(running.status(good, "A: " + std::string(100000, 'a') + "\r\n"), 431);
  EXPECT_EQ(running.status(good, "Content-Length: 5\r\n"), 413);
  RawClient without_host(running.server->port());
  without_host.send("GET " + good + " HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(without_host.rest().starts_with("HTTP/1.1 403"));
  RawClient nonsense(running.server->port());
  nonsense.send(std::string("\0\1\2\3 nonsense\r\n\r\n", 16));
  EXPECT_TRUE(nonsense.rest().starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(running.alive());
}

TEST(Server, a_socket_needs_the_token_and_the_origin) {
  Running running;
  const int port = running.server->port();
  RawClient wrong(port), foreign(port), own(port);
  EXPECT_FALSE(wrong.open_socket(port, "0"));
  EXPECT_FALSE(foreign.open_socket(port, running.server->token(), "Origin: http://evil.example\r\n"));
  EXPECT_TRUE(own.open_socket(port, running.server->token(),
                              "Origin: http://127.0.0.1:" + std::to_string(port) + "\r\n"));
  EXPECT_EQ(own.next()->payload.substr(0, 14), R"({"say":"hello")");
}

TEST(Server, two_pages_see_different_frames) {
  Running running;
  const int port = running.server->port();
  RawClient a(port), b(port);
  ASSERT_TRUE(a.open_socket(port, running.server->token()));
  ASSERT_TRUE(b.open_socket(port, running.server->token()));
  for (RawClient* client : {&a, &b}) EXPECT_EQ(client->next()->opcode, 1);
  a.say(R"({"do": "frame", "index": 2})");
  b.say(R"({"do": "frame", "index": 8})");
  for (const auto& [client, index] : {std::pair(&a, 2), std::pair(&b, 8)}) {
    EXPECT_EQ(parse_message(client->next()->payload)->header["say"].text(), "topology");
    const auto frame = client->next();
    EXPECT_EQ(parse_message(frame->payload)->header["index"].number(), index);
  }
}

TEST(Server, a_malformed_message_closes_its_connection_alone) {
  Running running;
  const int port = running.server->port();
  RawClient other(port);
  ASSERT_TRUE(other.open_socket(port, running.server->token()));
  other.next();
  std::mt19937 random(1);
  std::string noise(500, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  const struct {
    std::string bytes;
    int code;  // of the closing frame; 0: any end
  } cases[] = {
      {RawClient::frame("nonsense"), 1008},
      {RawClient::frame("{}"), 1008},
      {RawClient::frame(R"({"do": "frame", "index": "x"})"), 1008},
      {RawClient::frame("abc", 2), 1003},
      {RawClient::frame(std::string(100000, ' ')), 1009},
      {RawClient::frame("\xff\xfe"), 1007},
      {RawClient::frame("x", 3), 1002},      // a reserved opcode
      {std::string("\x81\x02{}", 4), 1002},  // not masked
      {std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\1\2\3\4", 14), 1009},
      {RawClient::frame("x", 0), 1002},  // goes on with nothing
      {RawClient::frame("", 8), 0},
      {noise, 0},
  };
  for (const auto& c : cases) {
    RawClient client(port);
    ASSERT_TRUE(client.open_socket(port, running.server->token()));
    client.next();
    client.send(c.bytes);
    const auto frame = client.next();
    if (c.code) {
      ASSERT_TRUE(frame) << c.code;
      EXPECT_EQ(frame->opcode, 8);
      EXPECT_EQ(frame->close_code(), c.code);
    }
  }
  RawClient half(port);
  half.open_socket(port, running.server->token());
  half.send(RawClient::frame(R"({"do": "ready"})").substr(0, 7));
  other.say(R"({"do": "ready"})");
  EXPECT_EQ(parse_message(other.next()->payload)->header["say"].text(), "topology");
}

// A browser keeps connections open that ask for nothing; what goes to all pages does not go there.
TEST(Server, connections_that_ask_for_nothing) {
  Running running;
  const int port = running.server->port();
  RawClient idle(port), page(port);
  ASSERT_TRUE(page.open_socket(port, running.server->token()));
  page.next();
  page.say(R"({"do": "show", "field": "displacement", "range": "run"})");
  for (bool known = false; !known;) {
    const auto frame = page.next();
    ASSERT_TRUE(frame);
    known = parse_message(frame->payload)->header["field"]["over"].text() == "run";
  }
  EXPECT_TRUE(running.alive());
}

TEST(Server, at_most_so_many_connections) {
  Running running({.page = "page", .connections = 3});
  const int port = running.server->port();
  std::vector<std::unique_ptr<RawClient>> clients;
  int open = 0;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<RawClient>(port));
    open += clients.back()->open_socket(port, running.server->token());
  }
  EXPECT_EQ(open, 3);
  clients.clear();
  for (int i = 0; i < 100 && !running.alive(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(running.alive());
}

TEST(Server, a_port_in_use_is_named) {
  Running running;
  Show show = growing_show();
  const auto second = Server::start(show, {.port = running.server->port(), .page = "page"});
  ASSERT_FALSE(second);
  const std::string text = second.error().text();
  EXPECT_NE(text.find("port " + std::to_string(running.server->port()) + " is in use"), std::string::npos)
      << text;
  EXPECT_NE(text.find("--port"), std::string::npos);
}

TEST(Server, stopping_tells_the_pages) {
  Running running;
  const int port = running.server->port();
  RawClient client(port);
  ASSERT_TRUE(client.open_socket(port, running.server->token()));
  client.next();
  std::thread stop([&] { running.server->stop(); });
  const auto frame = client.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->close_code(), 1001);
  stop.join();
  EXPECT_FALSE(RawClient(port).connected());
}

TEST(Server, pictures) {
  Running running({.page = "page", .pictures = true});
  const int port = running.server->port();
  std::thread page([&] {
    RawClient client(port);
    ASSERT_TRUE(client.open_socket(port, running.server->token()));
    client.next();
    client.say(R"({"do": "ready"})");
    while (const auto frame = client.next()) {
      if (frame->opcode != 1) continue;
      const auto text = json::parse_json(frame->payload, "text");
      if ((*text)["say"].text() != "capture") continue;
      Json header = Json::object();
      header.set("say", "picture");
      header.set("frame", (*text)["frame"]);
      MessageWriter message(header);
      const std::string png = "not a picture, but bytes";
      message.add("png", ArrayType::u1, png, {static_cast<int64_t>(png.size())});
      client.send(RawClient::frame(message.bytes(), 2));
    }
  });
  Json request = Json::object();
  request.set("say", "capture");
  request.set("frame", 2);
  const auto picture = running.server->capture(request, std::chrono::seconds(10), nullptr);
  ASSERT_TRUE(picture) << picture.error().text();
  EXPECT_EQ(*picture, "not a picture, but bytes");
  running.server->stop();
  page.join();
}

TEST(Server, no_page_no_picture) {
  Running running({.page = "page", .pictures = true});
  const auto picture = running.server->capture(Json::object(), std::chrono::milliseconds(50), nullptr);
  ASSERT_FALSE(picture);
  EXPECT_NE(picture.error().text().find("no picture"), std::string::npos);
}

}  // namespace
}  // namespace sinew::view
