#pragma once
// Result<T>: a value or an Error. Nothing in the library throws, exits or prints for bad input; the
// Error says where it was found, what was found and what was expected instead.
//
//     Result<TetMesh> mesh = io::read_tets(path);
//     if (!mesh) return mesh.error();
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinew {

// The kind decides the exit code of the command.
enum class ErrorKind {
  usage,         // wrong command line or scene: exit 2
  input,         // a file's content is not what it should be: exit 2
  io,            // a file cannot be opened, read or written, or memory ran out: exit 4
  not_built_in,  // an optional component is missing in this build: exit 5
};

struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string where;  // "scene.json:12:8", "bunny.mesh: line 3", "block.msh: byte 812"; may be empty
  std::string path;   // JSON path such as /bodies/block/density; empty outside a scene
  std::string what;   // what was found, and what was expected

  // One line: "where: path: what".
  std::string text() const {
    std::string s = where;
    if (!path.empty()) s += (s.empty() ? "" : ": ") + path;
    if (!s.empty()) s += ": ";
    return s + what;
  }
};

inline Error input_error(std::string where, std::string what) {
  return {ErrorKind::input, std::move(where), {}, std::move(what)};
}
inline Error io_error(std::string where, std::string what) {
  return {ErrorKind::io, std::move(where), {}, std::move(what)};
}
inline Error usage_error(std::string what) { return {ErrorKind::usage, {}, {}, std::move(what)}; }

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return v_.index() == 0; }
  T& value() { return std::get<0>(v_); }
  const T& value() const { return std::get<0>(v_); }
  T& operator*() { return std::get<0>(v_); }
  const T& operator*() const { return std::get<0>(v_); }
  T* operator->() { return &std::get<0>(v_); }
  const T* operator->() const { return &std::get<0>(v_); }
  const Error& error() const { return std::get<1>(v_); }

 private:
  std::variant<T, Error> v_;
};

// Result<void>: success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace sinew
