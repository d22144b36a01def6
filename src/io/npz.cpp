#include "io/npz.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>
#include <zlib.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/npz_format.h"
#include "io/scanner.h"

namespace sinew::io {
namespace {

constexpr uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr size_t local_size = 30, central_size = 46, end_size = 22;
constexpr uint16_t stored = 0, deflated = 8;
constexpr uint64_t deflate_ratio = 1100;
constexpr int max_dimensions = 32;

constexpr NpyType types[] = {NpyType::f8, NpyType::f4, NpyType::i8, NpyType::i4, NpyType::u1};

template <class T>
T little(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// Raw deflate in one call; zip entries carry no zlib header. Sizes stay below 4 GiB.
bool unpack(std::string_view packed, std::string& plain) {
  z_stream z{};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();  // nothing else can be wrong
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(plain.data());
  z.avail_out = static_cast<uInt>(plain.size());
  const int code = inflate(&z, Z_FINISH);
  const bool whole = code == Z_STREAM_END && z.total_out == plain.size();
  inflateEnd(&z);
  return whole;
}

std::optional<std::string> pack(std::string_view plain) {
  z_stream z{};
  if (deflateInit2(&z, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&z, deflateEnd);
  std::string packed(deflateBound(&z, plain.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  z.avail_in = static_cast<uInt>(plain.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  const int code = ::deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  if (code != Z_STREAM_END) return std::nullopt;
  return packed;
}

// The text after `'key':` in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  return rest;
}

bool parse_shape(std::string_view text, std::vector<int64_t>& shape) {
  if (text.empty() || text[0] != '(') return false;
  text.remove_prefix(1);
  while (true) {
    while (!text.empty() && (text[0] == ' ' || text[0] == ',')) text.remove_prefix(1);
    if (text.empty()) return false;
    if (text[0] == ')') return true;
    int64_t length = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (code != std::errc() || length < 0 || shape.size() == max_dimensions) return false;
    shape.push_back(length);
    text.remove_prefix(end - text.data());
  }
}

// The number of elements, or nothing where it does not fit.
std::optional<int64_t> element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t length : shape)
    if (__builtin_mul_overflow(count, length, &count)) return std::nullopt;
  return count;
}

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& where) {
  if (bytes.size() < 12 || bytes.substr(0, 6) != std::string_view("\x93NUMPY", 6))
    return input_error(where, "not a .npy array: it does not start with \\x93NUMPY");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version != 1 && version != 2)
    return input_error(where, fmt::format(".npy version {}, expected 1 or 2", version));
  const size_t start = version == 1 ? 10 : 12;
  const size_t length = version == 1 ? little<uint16_t>(bytes, 8) : little<uint32_t>(bytes, 8);
  if (length > bytes.size() - start) return input_error(where, "the .npy header is cut off");
  const std::string_view header = bytes.substr(start, length), data = bytes.substr(start + length);

  NpyArray array;
  const std::string_view descr = value_of(header, "descr");
  const auto* type = std::find_if(std::begin(types), std::end(types), [&](NpyType t) {
    const std::string_view known = npy_descr(t);
    return descr.size() > known.size() + 1 && descr.substr(1, known.size()) == known;
  });
  if (type == std::end(types))
    return input_error(where, fmt::format("type {} is not read, only <f8 <f4 <i8 <i4 |u1",
                                          in_quotes(descr.substr(0, descr.find(',')))));
  array.type = *type;
  if (!parse_shape(value_of(header, "shape"), array.shape))
    return input_error(where, "the .npy header has no valid shape");
  const std::string_view order = value_of(header, "fortran_order");
  if (!order.starts_with("False") && (!order.starts_with("True") || array.shape.size() > 1))
    return input_error(where, "arrays in Fortran order are not read");
  const auto count = element_count(array.shape);
  if (!count || *count > INT64_MAX / 8 || *count * npy_size(*type) != static_cast<int64_t>(data.size()))
    return input_error(where, fmt::format("{} bytes of data do not match the shape", data.size()));
  array.bytes.resize(data.size());
  if (!data.empty()) std::memcpy(array.bytes.data(), data.data(), data.size());
  return array;
}

// The central directory, found from the end of the file.
Result<std::vector<ZipEntry>> read_directory(std::string_view zip, const std::string& name) {
  if (zip.size() < end_size) return input_error(name, "too short for a zip archive");
  size_t end = zip.size() - end_size;
  const size_t lowest = end > 65535 ? end - 65535 : 0;  // a comment may follow the record
  while (end > lowest && little<uint32_t>(zip, end) != end_mark) --end;
  if (little<uint32_t>(zip, end) != end_mark)
    return input_error(name, "not a zip archive, or cut off at its end");
  const size_t count = little<uint16_t>(zip, end + 10);
  size_t at = little<uint32_t>(zip, end + 16);
  if (count == 0xffff || at == 0xffffffff) return input_error(name, "zip64 archives are not read");
  std::vector<ZipEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    if (at > end || end - at < central_size || little<uint32_t>(zip, at) != central_mark)
      return input_error(name, fmt::format("entry {} of the archive's directory is broken", i));
    const size_t name_size = little<uint16_t>(zip, at + 28);
    const size_t rest = name_size + little<uint16_t>(zip, at + 30) + little<uint16_t>(zip, at + 32);
    if (rest > end - at - central_size)
      return input_error(name, fmt::format("entry {} of the archive's directory is cut off", i));
    ZipEntry& entry = entries.emplace_back();
    if (little<uint16_t>(zip, at + 8) & 1) return input_error(name, "encrypted archives are not read");
    entry.method = little<uint16_t>(zip, at + 10);
    entry.crc = little<uint32_t>(zip, at + 16);
    entry.packed = little<uint32_t>(zip, at + 20);
    entry.plain = little<uint32_t>(zip, at + 24);
    entry.offset = little<uint32_t>(zip, at + 42);
    entry.name = zip.substr(at + central_size, name_size);
    at += central_size + rest;
  }
  return entries;
}

Result<NpyArray> read_entry(std::string_view zip, const ZipEntry& entry, const std::string& where) {
  if (entry.offset > zip.size() || zip.size() - entry.offset < local_size ||
      little<uint32_t>(zip, entry.offset) != local_mark)
    return input_error(where, "the entry does not start where the directory says");
  const size_t start = entry.offset + local_size + little<uint16_t>(zip, entry.offset + 26) +
                       little<uint16_t>(zip, entry.offset + 28);
  if (start > zip.size() || entry.packed > zip.size() - start)
    return input_error(where, "the entry is cut off");
  const std::string_view packed = zip.substr(start, entry.packed);
  std::string unpacked;
  std::string_view plain = packed;
  if (entry.method == deflated) {
    if (entry.plain > (entry.packed + 1) * deflate_ratio)
      return input_error(where, fmt::format("{} bytes cannot unpack to {}", entry.packed, entry.plain));
    unpacked.resize(entry.plain);
    if (!unpack(packed, unpacked)) return input_error(where, "the entry does not decompress");
    plain = unpacked;
  } else if (entry.method != stored) {
    return input_error(
        where, fmt::format("compression method {} is not read, only stored and deflate", entry.method));
  } else if (entry.plain != entry.packed) {
    return input_error(where, "the two sizes of a stored entry differ");
  }
  if (checksum(plain) != entry.crc) return input_error(where, "the checksum is wrong: the file is damaged");
  return parse_npy(plain, where);
}

}  // namespace

Result<Npz> parse_npz(std::string_view zip, const std::string& name, int64_t max_bytes) {
  auto entries = read_directory(zip, name);
  if (!entries) return entries.error();
  Npz arrays;
  for (const ZipEntry& entry : *entries) {
    const std::string where = fmt::format("{}: {}", name, in_quotes(entry.name));
    if (!entry.name.ends_with(".npy")) return input_error(where, "the archive holds more than .npy arrays");
    max_bytes -= static_cast<int64_t>(entry.plain);
    if (max_bytes < 0) return input_error(where, "the arrays are larger than the limit");
    auto array = read_entry(zip, entry, where);
    if (!array) return array.error();
    const std::string key = entry.name.substr(0, entry.name.size() - 4);
    if (!arrays.emplace(key, std::move(*array)).second) return input_error(where, "the name is used twice");
  }
  return arrays;
}

Result<Npz> read_npz(const std::string& path, int64_t max_bytes) {
  return unless_out_of_memory(path, [&]() -> Result<Npz> {
    auto bytes = read_text(path);
    if (!bytes) return bytes.error();
    return parse_npz(*bytes, path, max_bytes);
  });
}

Result<std::string> format_npz(const Npz& arrays, bool deflate) {
  std::string zip, directory;
  for (const auto& [key, array] : arrays) {
    const auto count = element_count(array.shape);
    if (!count || *count * npy_size(array.type) != static_cast<int64_t>(array.bytes.size()))
      return usage_error(fmt::format("array '{}': {} bytes do not match its shape", key, array.bytes.size()));
    std::string npy = npy_header(array.type, array.shape);
    npy.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    if (npy.size() + zip.size() > narrow_limit)
      return usage_error(fmt::format("array '{}' takes the archive over 4 GiB", key));
    std::optional<std::string> packed;
    if (deflate) packed = pack(npy);
    const std::string& content = packed && packed->size() < npy.size() ? *packed : npy;
    const ZipEntry entry{key + ".npy",  &content == &npy ? stored : deflated,
                         checksum(npy), content.size(),
                         npy.size(),    zip.size()};
    if (entry.name.size() > longest_name || arrays.size() > max_entries)
      return usage_error("too many arrays, or too long a name");
    put_local_record(zip, entry, false);
    zip += content;
    put_central_record(directory, entry, false);
  }
  const size_t begin = zip.size();
  zip += directory;
  put_end_records(zip, arrays.size(), begin, directory.size(), false);
  return zip;
}

Result<void> write_npz(const std::string& path, const Npz& arrays, bool deflate) {
  return unless_out_of_memory(path, [&]() -> Result<void> {
    auto bytes = format_npz(arrays, deflate);
    if (!bytes) return bytes.error();
    return write_atomically(path, *bytes);
  });
}

}  // namespace sinew::io
