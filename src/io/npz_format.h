#pragma once
// The bytes around the numbers of an .npz: the header of an .npy array, and the records of a zip archive (PKWARE: .ZIP
// File Format Specification, version 6.3.10, 2022). The wide form of a record has sizes and places of 64 bits, for
// archives of 4 GiB and more; an archive has one form throughout.
//
//     put_local_record(bytes, entry, wide);  bytes += content;  ...
//     put_central_record(bytes, entry, wide);  ...  put_end_records(bytes, count, begin, length, wide);
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/npz.h"

namespace sinew::io {

struct ZipEntry {
  std::string name;
  uint16_t method = 0;  // 0: stored, 8: deflated
  uint32_t crc = 0;
  uint64_t packed = 0, plain = 0;  // [bytes]
  uint64_t offset = 0;             // of the local record
};

constexpr uint64_t narrow_limit = 0xfff00000;  // bytes of an archive that is not wide, its directory left out
constexpr size_t max_entries = 0xfffe, longest_name = 0xffff;

std::string_view npy_descr(NpyType type);  // "<f8"
int64_t npy_size(NpyType type);            // [bytes] of a number
std::string npy_header(NpyType type, std::span<const int64_t> shape);

uint32_t checksum(std::string_view bytes, uint32_t so_far = 0);

size_t local_record_size(const ZipEntry& entry, bool wide);
void put_local_record(std::string& out, const ZipEntry& entry, bool wide);
void put_central_record(std::string& out, const ZipEntry& entry, bool wide);
// `begin`, `length`: of the central records [bytes].
void put_end_records(std::string& out, size_t count, uint64_t begin, uint64_t length, bool wide);

}  // namespace sinew::io
