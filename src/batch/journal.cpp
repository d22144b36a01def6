#include "batch/journal.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "io/file.h"
#include "run/checkpoint.h"

namespace sinew::batch {
namespace {

using json::Json;

constexpr std::string_view opening = "sinew journal 1 ";
constexpr size_t header_size = opening.size() + 16 + 1;
constexpr int64_t largest_file = int64_t{64} << 30;  // [bytes]

std::string header_of(const std::string& hash) { return std::string(opening) + hash + "\n"; }

std::string record_of(const Entry& entry, const std::string& hash) {
  Json note = Json::object();
  note.set("index", entry.index);
  note.set("solved", entry.solved);
  note.set("residual", std::isfinite(entry.residual) ? Json(entry.residual) : Json());
  note.set("iterations", entry.iterations);
  note.set("rung", entry.rung);
  note.set("reason", entry.reason);
  std::string bytes = run::format_checkpoint({hash, "", 0, std::move(note), entry.state});
  const uint64_t length = bytes.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + bytes;
}

bool read_entry(std::string_view bytes, const std::string& hash, Entry& entry) {
  Result<run::Checkpoint> read = run::parse_checkpoint(bytes, "journal");
  if (!read || read->scene_hash != hash) return false;
  const Json& note = read->note;
  const auto whole = [&](const char* key, double most) {
    const Json& value = note[key];
    return value.is(Json::Kind::number) && value.number() >= 0 && value.number() <= most &&
           value.number() == std::floor(value.number());
  };
  if (!whole("index", 1e15) || !whole("iterations", 1e9)) return false;
  entry.index = static_cast<int64_t>(note["index"].number());
  entry.solved = note["solved"].boolean();
  entry.residual = note["residual"].is(Json::Kind::number) ? note["residual"].number() : NAN;
  entry.iterations = static_cast<int>(note["iterations"].number());
  entry.rung = note["rung"].text();
  entry.reason = note["reason"].text();
  entry.state = std::move(read->state);
  return !entry.solved || (entry.state.has("x") && entry.state.finite());
}

// f(record) for each one that lies within the bytes, until it returns false. Where the last of these ends.
template <class F>
size_t for_each_record(std::string_view bytes, F f) {
  size_t at = header_size;
  while (bytes.size() >= at + 8) {
    uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, 8);
    if (length > bytes.size() - at - 8 || !f(bytes.substr(at + 8, length))) break;
    at += 8 + length;
  }
  return at;
}

Error failure(const std::string& path, const char* what) {
  return io_error(path, std::string("cannot ") + what + ": " + std::generic_category().message(errno));
}

}  // namespace

JournalContent parse_journal(std::string_view bytes, const std::string& study_hash) {
  JournalContent content;
  if (!bytes.starts_with(header_of(study_hash))) return content;
  std::map<int64_t, size_t> known;  // place of each sample
  content.whole = for_each_record(bytes, [&](std::string_view record) {
    Entry entry;
    if (!read_entry(record, study_hash, entry)) return false;
    const auto [at, added] = known.try_emplace(entry.index, content.entries.size());
    if (added)
      content.entries.push_back(std::move(entry));
    else
      content.entries[at->second] = std::move(entry);
    return true;
  });
  return content;
}

int64_t count_records(std::string_view bytes) {
  int64_t count = 0;
  if (bytes.starts_with(opening)) for_each_record(bytes, [&](std::string_view) { return ++count > 0; });
  return count;
}

Result<Journal> Journal::open(const std::string& path, const std::string& study_hash) {
  Journal journal;
  journal.path_ = path;
  journal.hash_ = study_hash;
  journal.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal.fd_ < 0) return failure(path, "open for writing");
  const Result<std::string> bytes = io::read_text(path, largest_file);
  if (!bytes) return bytes.error();
  JournalContent content = parse_journal(*bytes, study_hash);
  journal.entries_ = std::move(content.entries);
  journal.size_ = static_cast<int64_t>(content.whole);
  if (::ftruncate(journal.fd_, journal.size_) != 0) return failure(path, "cut");
  if (journal.size_ > 0) return journal;
  const std::string header = header_of(study_hash);
  if (::write(journal.fd_, header.data(), header.size()) != static_cast<ssize_t>(header.size()))
    return failure(path, "write");
  journal.size_ = static_cast<int64_t>(header.size());
  return journal;
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      hash_(std::move(other.hash_)),
      entries_(std::move(other.entries_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_) {}

Journal::~Journal() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> Journal::add(const Entry& entry) {
  const std::string record = record_of(entry, hash_);
  for (size_t done = 0; done < record.size();) {
    const ssize_t put = ::write(fd_, record.data() + done, record.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const Error error = failure(path_, "write");
      [[maybe_unused]] const int cut =
          ::ftruncate(fd_, size_);  // a torn record would be left out all the same
      return error;
    }
    done += static_cast<size_t>(put);
  }
  size_ += static_cast<int64_t>(record.size());
  return {};
}

}  // namespace sinew::batch
