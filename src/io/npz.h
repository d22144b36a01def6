#pragma once
// NumPy's .npz: a zip archive of .npy arrays (NEP 1, "A simple file format for NumPy arrays", 2007).
// Little-endian f8, f4, i8, i4 and u1, C order, entries stored or deflated; no zip64, so up to 4 GiB.
// What is written depends on the arrays alone: names in ascending order, no time stamps.
//
//     Npz arrays;
//     arrays["x"] = npy_array<double>(x, {n, 3});
//     write_npz(path, arrays);
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"

namespace sinew::io {

enum class NpyType { f8, f4, i8, i4, u1 };

template <class T>
constexpr NpyType npy_type() {
  if constexpr (std::is_same_v<T, double>)
    return NpyType::f8;
  else if constexpr (std::is_same_v<T, float>)
    return NpyType::f4;
  else if constexpr (std::is_same_v<T, int64_t>)
    return NpyType::i8;
  else if constexpr (std::is_same_v<T, int32_t>)
    return NpyType::i4;
  else {
    static_assert(std::is_same_v<T, uint8_t>, "double, float, int64_t, int32_t or uint8_t");
    return NpyType::u1;
  }
}

struct NpyArray {
  NpyType type = NpyType::f8;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;

  // The numbers where T is the array's own type, else nothing.
  template <class T>
  std::span<const T> view() const {
    if (type != npy_type<T>()) return {};
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

using Npz = std::map<std::string, NpyArray>;

template <class T>
NpyArray npy_array(std::span<const T> values, std::vector<int64_t> shape) {
  NpyArray array{npy_type<T>(), std::move(shape), std::vector<std::byte>(values.size_bytes())};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), values.size_bytes());
  return array;
}

constexpr int64_t default_npz_limit = int64_t{4} << 30;  // [bytes], unpacked

Result<Npz> parse_npz(std::string_view bytes, const std::string& name, int64_t max_bytes = default_npz_limit);
Result<Npz> read_npz(const std::string& path, int64_t max_bytes = default_npz_limit);
Result<std::string> format_npz(const Npz& arrays, bool deflate = true);
Result<void> write_npz(const std::string& path, const Npz& arrays, bool deflate = true);

}  // namespace sinew::io
