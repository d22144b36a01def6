#include "io/npz_writer.h"

#include <fmt/format.h>
#include <utility>

namespace sinew::io {

Result<NpzWriter> NpzWriter::open(const std::string& path, std::vector<Array> arrays, uint64_t narrow) {
  std::vector<Entry> entries;
  uint64_t total = 0;
  for (Array& array : arrays) {
    Entry& entry = entries.emplace_back();
    entry.zip.name = array.name + ".npy";
    uint64_t bytes = static_cast<uint64_t>(npy_size(array.type));
    bool fits = true;
    for (int64_t length : array.shape)
      fits = fits && length >= 0 && !__builtin_mul_overflow(bytes, static_cast<uint64_t>(length), &bytes);
    const std::string header = npy_header(array.type, array.shape);
    fits = fits && !__builtin_add_overflow(bytes, header.size(), &bytes) &&
           !__builtin_add_overflow(total, bytes + local_record_size(entry.zip, true), &total);
    if (!fits || total > INT64_MAX)
      return usage_error(fmt::format("{}: array '{}' is too large for any file", path, array.name));
    if (entry.zip.name.size() > longest_name || arrays.size() > max_entries)
      return usage_error(path + ": too many arrays, or too long a name");
    entry.zip.plain = entry.zip.packed = bytes;
    entry.zip.crc = checksum(header);
    entry.array = std::move(array);
  }

  Result<AtomicFile> file = AtomicFile::open(path);
  if (!file) return file.error();
  NpzWriter writer(std::move(*file), path);
  writer.wide_ = total > narrow;
  uint64_t place = 0;
  for (Entry& entry : entries) {
    const std::string header = npy_header(entry.array.type, entry.array.shape);
    entry.zip.offset = place;
    place += local_record_size(entry.zip, writer.wide_);
    if (auto ok = writer.file_.write_at(static_cast<int64_t>(place), header); !ok) return ok.error();
    entry.next = place + header.size();
    entry.end = place += entry.zip.plain;
  }
  writer.directory_ = place;
  writer.entries_ = std::move(entries);
  return writer;
}

Result<void> NpzWriter::append_bytes(size_t array, NpyType type, std::string_view bytes) {
  Entry& entry = entries_[array];
  if (type != entry.array.type || bytes.size() > entry.end - entry.next)
    return usage_error(
        fmt::format("{}: array '{}' gets more numbers than it has room for, or of another type", path_,
                    entry.array.name));
  if (auto ok = file_.write_at(static_cast<int64_t>(entry.next), bytes); !ok) return ok;
  entry.next += bytes.size();
  entry.zip.crc = checksum(bytes, entry.zip.crc);
  return {};
}

Result<void> NpzWriter::commit() {
  std::string directory;
  for (const Entry& entry : entries_) {
    if (entry.next != entry.end)
      return usage_error(
          fmt::format("{}: array '{}' lacks {} bytes", path_, entry.array.name, entry.end - entry.next));
    std::string record;
    put_local_record(record, entry.zip, wide_);
    if (auto ok = file_.write_at(static_cast<int64_t>(entry.zip.offset), record); !ok) return ok;
    put_central_record(directory, entry.zip, wide_);
  }
  const uint64_t length = directory.size();
  put_end_records(directory, entries_.size(), directory_, length, wide_);
  if (auto ok = file_.write_at(static_cast<int64_t>(directory_), directory); !ok) return ok;
  return file_.commit();
}

}  // namespace sinew::io
