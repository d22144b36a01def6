// Frames from the viewer's server to a client on this machine: a sheet of 50K vertices that waves, with one field.
#include <arpa/inet.h>
#include <cmath>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/bench.h"
#include "view/server.h"
#include "view/source.h"

namespace sinew::bench {

namespace {

using math::Vec3d;
using view::Json;

constexpr int side = 224;  // vertices along an edge

struct SheetStage : view::Stage {
  explicit SheetStage(std::shared_ptr<const model::Model> model_) : Stage(*model_), owner(std::move(model_)) {
    fields = {{"height", "m", "Above the ground.", true, 1}};
  }
  std::shared_ptr<const model::Model> owner;
};

class Wave final : public view::Moment {
 public:
  Wave(int64_t index, const std::shared_ptr<const view::Stage>& stage)
      : Moment(index, 0.01 * static_cast<double>(index), stage), x_(stage->model.X) {
    for (Vec3d& x : x_) x[1] = 0.1 * std::sin(10 * x[0] + 0.1 * static_cast<double>(index));
  }
  std::span<const Vec3d> positions() const override { return x_; }

 protected:
  std::vector<double> compute(size_t) override {
    std::vector<double> heights;
    for (const Vec3d& x : x_) heights.push_back(x[1]);
    return heights;
  }

 private:
  std::vector<Vec3d> x_;
};

class Sheet final : public view::Source {
 public:
  Sheet() {
    const auto model = std::make_shared<model::Model>();
    model::Body body;
    body.nodes = {0, side * side};
    for (int32_t i = 0; i < side * side; ++i) {
      model->X.push_back({static_cast<double>(i % side) / side, 0, static_cast<double>(i / side) / side});
      if (i % side == side - 1 || i / side == side - 1) continue;
      body.surface.push_back({i, i + side, i + 1});
      body.surface.push_back({i + 1, i + side, i + side + 1});
    }
    model->bodies.push_back(std::move(body));
    stage_ = std::make_shared<SheetStage>(model);
    for (int64_t i = 0; i < 1000000; ++i) frames_.push_back({i, 0.01 * static_cast<double>(i)});
  }
  Json describe() override { return Json::object(); }
  std::span<const exporting::FrameStamp> frames() const override { return frames_; }
  const std::shared_ptr<const view::Stage>& stage() const override { return stage_; }
  mesh::Bounds box() override { return {{0, 0, 0}, {1, 1, 1}}; }

 protected:
  Result<std::shared_ptr<view::Moment>> load(int64_t index) override {
    return std::shared_ptr<view::Moment>(std::make_shared<Wave>(index, stage_));
  }

 private:
  std::shared_ptr<const view::Stage> stage_;
  std::vector<exporting::FrameStamp> frames_;
};

// As much of a WebSocket as is needed to ask for frames and count them (RFC 6455).
class Client {
 public:
  Client(int port, const std::string& token)
      : fd_(::socket(AF_INET, SOCK_STREAM, 0)), buffer_(1 << 20, '\0') {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    send("GET /ws?token=" + token + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    std::string head;
    while (open_ && !head.ends_with("\r\n\r\n")) head += take(1);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(fd_); }

  bool open() const { return open_; }
  void say(const std::string& text) {
    const std::string head = {static_cast<char>(0x81), static_cast<char>(0x80 | text.size())};
    send(head + std::string(4, '\0') + text);  // a mask of zeros
  }
  // Bytes of the next message.
  size_t next() {
    take(1);
    size_t length = static_cast<unsigned char>(take(1)[0]) & 127;
    if (length >= 126) {
      const std::string digits = take(length == 126 ? 2 : 8);
      length = 0;
      for (const char digit : digits) length = length << 8 | static_cast<unsigned char>(digit);
    }
    for (size_t left = length; left > 0 && open_;) left -= receive(std::min(left, buffer_.size()));
    return length;
  }

 private:
  void send(const std::string& bytes) {
    open_ =
        open_ && ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  size_t receive(size_t count) {
    const ssize_t got = ::recv(fd_, buffer_.data(), count, 0);
    open_ = open_ && got > 0;
    return got > 0 ? static_cast<size_t>(got) : 0;
  }
  std::string take(size_t count) {
    std::string out;
    while (out.size() < count && open_) out.append(buffer_.data(), receive(count - out.size()));
    out.resize(count);
    return out;
  }

  int fd_;
  bool open_ = false;
  std::string buffer_;
};

}  // namespace

void run_view(const Options& options, const Emit& emit) {
  constexpr int frames = 200;
  view::Show show;
  show.kind = "run";
  show.panes.push_back(std::make_unique<Sheet>());
  const auto server = view::Server::start(show, {.page = "bench"});
  if (!server) return;
  Client client((*server)->port(), (*server)->token());
  client.next();  // hello
  client.say(R"({"do":"show","field":"height"})");
  client.next();  // the topology
  size_t bytes = client.next();
  int64_t index = 0;
  std::vector<double> seconds;
  for (int r = 0; r < options.repeats && client.open(); ++r)
    seconds.push_back(seconds_of([&] {
                        for (int k = 0; k < frames && client.open(); ++k) {
                          client.say("{\"do\":\"frame\",\"index\":" + std::to_string(++index) + "}");
                          bytes = client.next();
                        }
                      }) /
                      frames);
  if (!client.open()) return;
  const double s = median(seconds);
  Json row = Json::object();
  row.set("case", "view");
  row.set("vertices", side * side);
  row.set("triangles", 2 * (side - 1) * (side - 1));
  row.set("tets", 0);
  row.set("threads", 1);
  row.set("precision", "single");
  row.set("seconds", s);
  row.set("unit", "frame");
  row.set("frames_per_s", 1 / s);
  row.set("message_kB", static_cast<double>(bytes) / 1e3);
  emit(row);
}

}  // namespace sinew::bench
