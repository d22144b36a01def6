// Boost.Beast is only seen here.
#include "view/server.h"

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/random.h>
#include <thread>

#include "view/http.h"
#include "view/message.h"
#include "view/viewer.h"

namespace sinew::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr uint32_t longest_head = 16 << 10;                     // [bytes] of an HTTP request
constexpr size_t longest_picture = size_t{256} << 20;           // [bytes]
constexpr std::chrono::seconds head_limit(10), close_limit(2);  // for a request, for a closing handshake
constexpr std::chrono::milliseconds grow_every(1000);           // looks for new frames of runs

class Connection;

class BeastServer final : public Server {
 public:
  BeastServer(Show& show, const ServerOptions& options)
      : show_(show), options_(options), acceptor_(io_), timer_(io_) {}
  ~BeastServer() override { stop(); }

  Result<void> open();
  int port() const override { return gate_.port; }
  const std::string& token() const override { return gate_.token; }
  Result<std::string> capture(const Json& request, std::chrono::milliseconds limit,
                              const std::function<bool()>& give_up) override;
  void stop() override;

  const Gate& gate() const { return gate_; }
  const ServerOptions& options() const { return options_; }
  Show& show() { return show_; }
  asio::io_context& work() { return work_; }
  // Both on the thread that moves bytes.
  void enter(const std::shared_ptr<Connection>& connection) { connections_.insert(connection); }
  void leave(const std::shared_ptr<Connection>& connection) {
    connections_.erase(connection);
    if (stopping_ && connections_.empty()) io_.stop();
  }
  // A page has answered with a picture. False: it was not asked.
  bool take_picture(const std::string& bytes);
  // On the working thread: ranges go on while there is nothing else to do.
  void advance_later();
  void note_ready() { ready_pages_ = true; }

 private:
  void accept();
  void watch_growth();
  // f(connection) for all pages, on the working thread.
  template <class F>
  void for_all(F f);

  Show& show_;
  const ServerOptions options_;
  Gate gate_;
  asio::io_context io_{1}, work_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> busy_;
  std::thread io_thread_, work_thread_;
  std::set<std::shared_ptr<Connection>> connections_;
  bool advancing_ = false;
  std::atomic<bool> ready_pages_{false};
  bool stopping_ = false;

  std::mutex picture_mutex_;
  std::condition_variable picture_here_;
  bool picture_wanted_ = false;
  std::optional<std::string> picture_;
};

// A socket: first an HTTP request, then, if it asks so, a WebSocket. The members are touched by the thread that moves
// bytes, viewer_ by the working thread alone.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, BeastServer& server)
      : server_(server), stream_(std::move(socket)), viewer_(server.show()) {}

  void begin() {
    stream_.expires_after(head_limit);
    parser_.emplace();
    parser_->header_limit(longest_head);
    parser_->body_limit(0);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code code, size_t) { self->answer(code); });
  }

  void close(websocket::close_code code, std::string_view why) {
    if (!socket_) return end();
    if (closing_) return;
    closing_ = true;
    std::string reason(why.substr(0, 120));  // a close frame holds 123 bytes
    for (char& c : reason)
      if (c < ' ' || c > '~') c = '?';
    socket_->async_close({code, beast::string_view(reason)},
                         [self = shared_from_this()](error_code) { self->end(); });
  }

  // On the working thread.
  void pump() {
    if (sending_) return;
    auto messages = std::make_shared<std::vector<Outgoing>>(viewer_.due());
    if (viewer_.was_ready()) server_.note_ready();
    server_.advance_later();
    if (messages->empty()) return;
    sending_ = true;
    on_io([this, messages] { send(messages, 0); });
  }
  Viewer& viewer() { return viewer_; }
  bool is_page() const { return is_page_; }  // and not just an HTTP request

  void end() {
    error_code ignored;
    auto& socket = socket_ ? beast::get_lowest_layer(*socket_).socket() : stream_.socket();
    socket.close(ignored);
    server_.leave(shared_from_this());
  }

 private:
  template <class F>
  void on_work(F f) {
    asio::post(server_.work(), [self = shared_from_this(), f = std::move(f)]() mutable { f(); });
  }
  template <class F>
  void on_io(F f) {
    asio::post(stream_executor(), [self = shared_from_this(), f = std::move(f)]() mutable { f(); });
  }
  asio::any_io_executor stream_executor() { return executor_; }

  void answer(error_code code) {
    if (code == http::error::header_limit || code == http::error::body_limit)
      return reply({code == http::error::header_limit ? 431 : 413, {}, {}});
    if (code == http::error::end_of_stream || code == beast::error::timeout) return end();
    if (code)
      return code.category() == http::make_error_code(http::error::bad_method).category()
                 ? reply({400, {}, {}})
                 : end();
    const auto& request = parser_->get();
    Head head;
    head.method = request.method_string().to_string();
    head.target = request.target().to_string();
    for (const auto& field : request) {
      if (field.name() == http::field::host) head.hosts.push_back(field.value().to_string());
      if (field.name() == http::field::origin) head.origins.push_back(field.value().to_string());
      if (field.name() == http::field::accept_encoding) head.accept_encoding = field.value().to_string();
    }
    head.upgrade = websocket::is_upgrade(request);
    Reply told = server_.gate().answer(head, server_.options().page);
    if (told.status != 101) return reply(std::move(told));
    upgrade();
  }

  void reply(Reply told) {
    auto response =
        std::make_shared<http::response<http::string_body>>(static_cast<http::status>(told.status), 11);
    response->set(http::field::server, "sinew");
    for (const auto& [name, value] : told.fields) response->set(name, value);
    for (const auto& [name, value] : security_fields(server_.port())) response->set(name, value);
    response->keep_alive(false);
    response->content_length(told.body.size());
    const bool head_only = parser_ && parser_->get().method() == http::verb::head;
    if (!head_only) response->body() = std::move(told.body);
    stream_.expires_after(head_limit);
    auto serializer = std::make_shared<http::response_serializer<http::string_body>>(*response);
    auto done = [self = shared_from_this(), response, serializer](error_code, size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->end();
    };
    if (head_only)
      http::async_write_header(stream_, *serializer, std::move(done));
    else
      http::async_write(stream_, *serializer, std::move(done));
  }

  void upgrade() {
    error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    stream_.expires_never();  // the WebSocket has time limits of its own
    socket_.emplace(std::move(stream_));
    auto limits = websocket::stream_base::timeout::suggested(beast::role_type::server);
    limits.handshake_timeout = close_limit;
    limits.idle_timeout = std::chrono::seconds(60);
    limits.keep_alive_pings = true;
    socket_->set_option(limits);
    socket_->set_option(websocket::stream_base::decorator(
        [](websocket::response_type& response) { response.set(http::field::server, "sinew"); }));
    socket_->read_message_max(server_.options().pictures ? longest_picture : longest_request);
    socket_->auto_fragment(false);
    socket_->async_accept(parser_->get(), [self = shared_from_this()](error_code code) {
      if (code) return self->end();
      self->is_page_ = true;
      self->parser_.reset();
      self->buffer_.consume(self->buffer_.size());
      self->on_work([self] { self->pump(); });
      self->read();
    });
  }

  // The next message is read when this one is done with: a page cannot fill the memory.
  void read() {
    socket_->async_read(buffer_, [self = shared_from_this()](error_code code, size_t) {
      if (code) return self->end();
      std::string bytes = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (self->socket_->got_text())
        self->take(std::move(bytes));
      else if (self->server_.take_picture(bytes))
        self->read();
      else
        self->close(websocket::close_code::unknown_data, "no binary message was asked for");
    });
  }

  void take(std::string text) {
    if (text.size() > longest_request) return close(websocket::close_code::too_big, "too long for a request");
    on_work([this, text = std::move(text)] {
      std::string why;
      try {
        if (const Result<void> ok = viewer_.take(text); !ok) why = ok.error().text();
        if (why.empty()) pump();
      } catch (const std::bad_alloc&) {
        why = "out of memory";
      }
      on_io([this, why] { why.empty() ? read() : close(websocket::close_code::policy_error, why); });
    });
  }

  void send(const std::shared_ptr<std::vector<Outgoing>>& messages, size_t next) {
    if (closing_) return;
    if (next == messages->size()) {
      on_work([this] {
        sending_ = false;
        pump();
      });
      return;
    }
    const Outgoing& message = (*messages)[next];
    socket_->binary(message.binary);
    socket_->async_write(asio::buffer(message.bytes),
                         [self = shared_from_this(), messages, next](error_code code, size_t) {
                           if (code) return self->end();
                           self->send(messages, next + 1);
                         });
  }

  BeastServer& server_;
  beast::tcp_stream stream_;
  asio::any_io_executor executor_ = stream_.get_executor();
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<websocket::stream<beast::tcp_stream>> socket_;
  bool is_page_ = false, closing_ = false;
  Viewer viewer_;
  bool sending_ = false;  // of the working thread
};

Result<void> BeastServer::open() {
  Result<std::string> token = make_token();
  if (!token) return token.error();
  gate_.token = std::move(*token);
  const tcp::endpoint here(asio::ip::address_v4::loopback(), static_cast<uint16_t>(options_.port));
  const std::string name = fmt::format("127.0.0.1:{}", options_.port);
  error_code code;
  acceptor_.open(here.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor_.bind(here, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (code == asio::error::address_in_use)
    return io_error(name,
                    fmt::format("port {} is in use; name another with --port, or leave it out for a free one",
                                options_.port));
  if (code == asio::error::access_denied)
    return io_error(
        name, fmt::format("port {} may not be used here; name one above 1023 with --port", options_.port));
  if (code) return io_error(name, "cannot listen: " + code.message());
  gate_.port = acceptor_.local_endpoint(code).port();

  busy_.emplace(work_.get_executor());
  accept();
  watch_growth();
  // A request that runs out of memory is dropped with its handler; the others go on.
  const auto run = [](asio::io_context& context) {
    while (true) try {
        context.run();
        return;
      } catch (const std::exception&) {
      }
  };
  io_thread_ = std::thread([this, run] { run(io_); });
  work_thread_ = std::thread([this, run] { run(work_); });
  if (show_.live)
    show_.live->listen(
        {[this] { for_all([](Connection& c) { c.viewer().newer(); }); },
         [this](const Json& text) { for_all([text](Connection& c) { c.viewer().tell(text); }); }});
  return {};
}

void BeastServer::accept() {
  acceptor_.async_accept([this](error_code code, tcp::socket socket) {
    if (code == asio::error::operation_aborted) return;
    if (!code && static_cast<int>(connections_.size()) < options_.connections) {
      const auto connection = std::make_shared<Connection>(std::move(socket), *this);
      enter(connection);
      connection->begin();
    }
    accept();
  });
}

template <class F>
void BeastServer::for_all(F f) {
  asio::post(io_, [this, f = std::move(f)] {
    for (const std::shared_ptr<Connection>& connection : connections_) {
      if (!connection->is_page()) continue;
      asio::post(work_, [connection, f] {
        f(*connection);
        connection->pump();
      });
    }
  });
}

void BeastServer::watch_growth() {
  timer_.expires_after(grow_every);
  timer_.async_wait([this](error_code code) {
    if (code || stopping_) return;
    asio::post(work_, [this] {
      for (size_t p = 0; p < show_.panes.size(); ++p) {
        Json grown = show_.panes[p]->grow();
        if (grown.is(Json::Kind::null)) continue;
        grown.set("pane", p);
        for_all([grown](Connection& c) { c.viewer().tell(grown); });
      }
    });
    watch_growth();
  });
}

void BeastServer::advance_later() {
  if (advancing_) return;
  advancing_ = true;
  asio::post(work_, [this] {
    advancing_ = false;
    bool more = false;
    for (const std::unique_ptr<Source>& pane : show_.panes) more |= pane->advance();
    if (!more) return;
    for_all([](Connection& c) { c.viewer().ranges_changed(); });
    advance_later();
  });
}

bool BeastServer::take_picture(const std::string& bytes) {
  const std::lock_guard lock(picture_mutex_);
  if (!picture_wanted_) return false;
  const Result<Message> message = parse_message(bytes);
  if (!message || message->header["say"].text() != "picture") return false;
  const Message::Array* png = message->find("png");
  if (!png || png->type != ArrayType::u1) return false;
  picture_ = std::string(png->bytes);
  picture_wanted_ = false;
  picture_here_.notify_all();
  return true;
}

Result<std::string> BeastServer::capture(const Json& request, std::chrono::milliseconds limit,
                                         const std::function<bool()>& give_up) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit;
  constexpr std::chrono::milliseconds pace(20);
  const auto over = [&] { return Clock::now() >= end || (give_up && give_up()); };
  while (!ready_pages_ && !over()) std::this_thread::sleep_for(pace);
  std::unique_lock lock(picture_mutex_);
  picture_.reset();
  picture_wanted_ = true;
  if (ready_pages_)
    for_all([request](Connection& c) {
      if (c.viewer().was_ready()) c.viewer().tell(request);
    });
  while (!picture_ && !over()) picture_here_.wait_for(lock, pace);
  picture_wanted_ = false;
  if (picture_) return std::move(*picture_);
  return io_error(
      "page", fmt::format("no picture came within {:.0f} s", std::chrono::duration<double>(limit).count()));
}

void BeastServer::stop() {
  if (!io_thread_.joinable()) return;
  if (show_.live) show_.live->listen({});
  asio::post(io_, [this] {
    error_code ignored;
    stopping_ = true;
    acceptor_.close(ignored);
    // Pages get a moment to be told.
    timer_.expires_after(std::chrono::milliseconds(200));
    timer_.async_wait([this](error_code) { io_.stop(); });
    const auto all = connections_;
    for (const std::shared_ptr<Connection>& connection : all)
      connection->close(websocket::close_code::going_away, "the server has ended");
    if (connections_.empty()) io_.stop();
  });
  io_thread_.join();
  work_.stop();
  work_thread_.join();
  // The connections that have not answered.
  const auto all = connections_;
  for (const std::shared_ptr<Connection>& connection : all) connection->end();
}

}  // namespace

std::string Server::url(std::string_view query) const {
  return fmt::format("http://127.0.0.1:{}/?token={}{}", port(), token(), query);
}

Result<std::string> make_token() {
  unsigned char bytes[16];
  size_t have = 0;
  while (have < sizeof bytes) {
    const ssize_t got = ::getrandom(bytes + have, sizeof bytes - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("random numbers", std::strerror(errno));
    have += static_cast<size_t>(got);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Result<std::unique_ptr<Server>> Server::start(Show& show, const ServerOptions& options) {
  auto server = std::make_unique<BeastServer>(show, options);
  if (auto ok = server->open(); !ok) return ok.error();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace sinew::view
