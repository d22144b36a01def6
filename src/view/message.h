#pragma once
// The binary messages between server and page: a JSON header and arrays of numbers, little endian.
//
//     u32 length of the header      header {"say": ..., "arrays": [...]}, padded with blanks
//     array, array, ...             each begins at a multiple of 8 bytes from the start of the message
//
// The header's "arrays" lists {"name", "type": f4 i4 u1 u2, "shape", "offset"}, offsets counted from the end of the
// header. Reading believes nothing: every length is checked before it is used.
//
//     MessageWriter message(header);  message.add<float>("positions", values, {count, 3});
//     std::string bytes = message.bytes();
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "json/json.h"

namespace sinew::view {

using json::Json;

enum class ArrayType { f4, i4, u1, u2 };

template <class T>
constexpr ArrayType array_type() {
  if constexpr (std::is_same_v<T, float>)
    return ArrayType::f4;
  else if constexpr (std::is_same_v<T, int32_t>)
    return ArrayType::i4;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return ArrayType::u2;
  else {
    static_assert(std::is_same_v<T, uint8_t>, "float, int32_t, uint8_t or uint16_t");
    return ArrayType::u1;
  }
}

class MessageWriter {
 public:
  explicit MessageWriter(Json header) : header_(std::move(header)) {}

  // Copied into the message when bytes() is called: the values must live until then.
  template <class T>
  void add(std::string_view name, std::span<const T> values, std::vector<int64_t> shape) {
    add(name, array_type<T>(), {reinterpret_cast<const char*>(values.data()), values.size_bytes()},
        std::move(shape));
  }
  void add(std::string_view name, ArrayType type, std::string_view bytes, std::vector<int64_t> shape);
  Json& header() { return header_; }

  std::string bytes() const;

 private:
  struct Array {
    std::string name;
    ArrayType type;
    std::string_view bytes;
    std::vector<int64_t> shape;
  };
  Json header_;
  std::vector<Array> arrays_;
};

// A message that was read; the arrays refer to its bytes.
struct Message {
  struct Array {
    std::string name;
    ArrayType type = ArrayType::u1;
    std::vector<int64_t> shape;
    std::string_view bytes;
  };
  Json header;
  std::vector<Array> arrays;

  const Array* find(std::string_view name) const;
  // The numbers of an array, copied; empty where it is missing or of another type.
  template <class T>
  std::vector<T> values(std::string_view name) const {
    const Array* array = find(name);
    if (!array || array->type != array_type<T>()) return {};
    std::vector<T> out(array->bytes.size() / sizeof(T));
    copy(out.data(), array->bytes);
    return out;
  }

 private:
  static void copy(void* out, std::string_view bytes);
};

Result<Message> parse_message(std::string_view bytes);

}  // namespace sinew::view
