#pragma once
// A client on plain sockets, so that tests can send what no library would: HTTP requests as text, WebSocket frames byte
// by byte (RFC 6455, "The WebSocket Protocol", 2011).
#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace sinew::view {

class RawClient {
 public:
  explicit RawClient(int port) {
    fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval limit{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(fd_); }

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) {
    return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  // Everything until the server closes.
  std::string rest() {
    std::string all = std::move(buffer_);
    for (std::string piece = some(); !piece.empty(); piece = some()) all += piece;
    return all;
  }

  bool open_socket(int port, const std::string& token, const std::string& more = {}) {
    send("GET /ws?token=" + token + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Version: 13\r\n" +
         more + "\r\n");
    while (buffer_.find("\r\n\r\n") == std::string::npos) {
      const std::string piece = some();
      if (piece.empty()) return false;
      buffer_ += piece;
    }
    const bool ok = buffer_.starts_with("HTTP/1.1 101");
    buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
    return ok;
  }

  // A masked frame; opcode 1 text, 2 binary, 8 close, 9 ping.
  static std::string frame(std::string_view payload, int opcode = 1, bool last = true) {
    std::string out(1, static_cast<char>((last ? 0x80 : 0) | opcode));
    if (payload.size() < 126) {
      out += static_cast<char>(0x80 | payload.size());
    } else if (payload.size() < 65536) {
      out += static_cast<char>(0x80 | 126);
      for (int k = 1; k >= 0; --k) out += static_cast<char>(payload.size() >> (8 * k));
    } else {
      out += static_cast<char>(0x80 | 127);
      for (int k = 7; k >= 0; --k) out += static_cast<char>(uint64_t{payload.size()} >> (8 * k));
    }
    const char mask[] = {1, 2, 3, 4};
    out.append(mask, 4);
    for (size_t i = 0; i < payload.size(); ++i) out += static_cast<char>(payload[i] ^ mask[i % 4]);
    return out;
  }
  bool say(std::string_view text) { return send(frame(text)); }

  struct Frame {
    int opcode = 0;
    std::string payload;
    int close_code() const {
      return payload.size() < 2
                 ? 0
                 : static_cast<unsigned char>(payload[0]) * 256 + static_cast<unsigned char>(payload[1]);
    }
  };
  // Nothing: the connection is gone. Pings of the server are passed over.
  std::optional<Frame> next() {
    while (true) {
      if (!fill(2)) return std::nullopt;
      const int opcode = buffer_[0] & 15;
      uint64_t length = static_cast<unsigned char>(buffer_[1]) & 127;
      size_t head = 2;
      if (length >= 126) {
        const int digits = length == 126 ? 2 : 8;
        if (!fill(head + digits)) return std::nullopt;
        length = 0;
        for (int k = 0; k < digits; ++k) length = length << 8 | static_cast<unsigned char>(buffer_[head + k]);
        head += digits;
      }
      if (!fill(head + length)) return std::nullopt;
      Frame frame{opcode, buffer_.substr(head, length)};
      buffer_.erase(0, head + length);
      if (opcode != 9) return frame;
    }
  }

 private:
  std::string some() {
    std::string piece(1 << 16, '\0');
    const ssize_t got = ::recv(fd_, piece.data(), piece.size(), 0);
    piece.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return piece;
  }
  bool fill(size_t bytes) {
    while (buffer_.size() < bytes) {
      const std::string piece = some();
      if (piece.empty()) return false;
      buffer_ += piece;
    }
    return true;
  }

  int fd_ = -1;
  bool connected_ = false;
  std::string buffer_;
};

}  // namespace sinew::view
