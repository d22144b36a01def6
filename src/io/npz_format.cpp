#include "io/npz_format.h"

#include <fmt/format.h>
#include <zlib.h>

namespace sinew::io {
namespace {

constexpr uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr uint32_t wide_end_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr uint16_t first_day = 0x21;  // 1980-01-01, the zero of zip's calendar
constexpr uint32_t elsewhere = 0xffffffff;
constexpr size_t local_size = 30, wide_local_extra = 20, wide_central_extra = 28;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

uint16_t version(bool wide) { return wide ? 45 : 20; }

// The fields that local and central record share.
void put_shared(std::string& out, const ZipEntry& entry, bool wide, size_t extra) {
  put<uint16_t>(out, version(wide));
  put<uint16_t>(out, 0);
  put<uint16_t>(out, entry.method);
  put<uint16_t>(out, 0);
  put<uint16_t>(out, first_day);
  put<uint32_t>(out, entry.crc);
  put<uint32_t>(out, wide ? elsewhere : static_cast<uint32_t>(entry.packed));
  put<uint32_t>(out, wide ? elsewhere : static_cast<uint32_t>(entry.plain));
  put<uint16_t>(out, static_cast<uint16_t>(entry.name.size()));
  put<uint16_t>(out, static_cast<uint16_t>(wide ? extra : 0));
}

// The 64-bit numbers, up to what `extra` has room for.
void put_extra(std::string& out, const ZipEntry& entry, size_t extra) {
  put<uint16_t>(out, 1);
  put<uint16_t>(out, static_cast<uint16_t>(extra - 4));
  put<uint64_t>(out, entry.plain);
  put<uint64_t>(out, entry.packed);
  if (extra == wide_central_extra) put<uint64_t>(out, entry.offset);
}

}  // namespace

std::string_view npy_descr(NpyType type) {
  constexpr std::string_view descr[] = {"<f8", "<f4", "<i8", "<i4", "|u1"};
  return descr[static_cast<int>(type)];
}

int64_t npy_size(NpyType type) { return npy_descr(type)[2] - '0'; }

std::string npy_header(NpyType type, std::span<const int64_t> shape) {
  std::string lengths;
  for (int64_t length : shape) lengths += fmt::format("{},", length);
  if (shape.size() > 1) lengths.pop_back();
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", npy_descr(type), lengths);
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, static_cast<uint16_t>(header.size()));
  return bytes + header;
}

uint32_t checksum(std::string_view bytes, uint32_t so_far) {
  uLong crc = so_far;
  for (size_t at = 0; at < bytes.size(); at += size_t{1} << 30) {
    const std::string_view piece = bytes.substr(at, size_t{1} << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
  }
  return static_cast<uint32_t>(crc);
}

size_t local_record_size(const ZipEntry& entry, bool wide) {
  return local_size + entry.name.size() + (wide ? wide_local_extra : 0);
}

void put_local_record(std::string& out, const ZipEntry& entry, bool wide) {
  put(out, local_mark);
  put_shared(out, entry, wide, wide_local_extra);
  out += entry.name;
  if (wide) put_extra(out, entry, wide_local_extra);
}

void put_central_record(std::string& out, const ZipEntry& entry, bool wide) {
  put(out, central_mark);
  put<uint16_t>(out, version(wide));
  put_shared(out, entry, wide, wide_central_extra);
  out.append(10, '\0');  // no comment, first disk, no attributes
  put<uint32_t>(out, wide ? elsewhere : static_cast<uint32_t>(entry.offset));
  out += entry.name;
  if (wide) put_extra(out, entry, wide_central_extra);
}

void put_end_records(std::string& out, size_t count, uint64_t begin, uint64_t length, bool wide) {
  if (wide) {
    put(out, wide_end_mark);
    put<uint64_t>(out, 44);  // bytes that follow
    put<uint16_t>(out, version(true));
    put<uint16_t>(out, version(true));
    put<uint64_t>(out, 0);  // disks
    put<uint64_t>(out, count);
    put<uint64_t>(out, count);
    put<uint64_t>(out, length);
    put<uint64_t>(out, begin);
    put(out, locator_mark);
    put<uint32_t>(out, 0);
    put<uint64_t>(out, begin + length);
    put<uint32_t>(out, 1);
  }
  put(out, end_mark);
  put<uint32_t>(out, 0);
  put<uint16_t>(out, static_cast<uint16_t>(count));
  put<uint16_t>(out, static_cast<uint16_t>(count));
  put<uint32_t>(out, wide ? elsewhere : static_cast<uint32_t>(length));
  put<uint32_t>(out, wide ? elsewhere : static_cast<uint32_t>(begin));
  put<uint16_t>(out, 0);
}

}  // namespace sinew::io
