#pragma once
// The journal of an unfinished shard: what became of each sample so far, so that a process that dies loses only what it
// had not finished. Records are added at the end and never changed:
//
//     "sinew journal 1 " 16 digits of the study's hash "\n"
//     8 bytes: length of the record      a checkpoint (run/checkpoint.h) with its own checksum: State in full, and a
//     note {index, solved, residual, iterations, rung, reason}            and so on
//
// A record that was torn, and all after it, are left out and cut off. Nothing is synced: the journal outlives a process,
// not a power failure, after which the checksums tell what is whole.
//
//     Result<Journal> journal = Journal::open(path, hash);
//     for (const Entry& entry : journal->entries()) ...
//     journal->add(entry);
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "model/state.h"

namespace sinew::batch {

// The outcome of one sample.
struct Entry {
  int64_t index = 0;
  bool solved = false;
  double residual = 0;  // relative
  int iterations = 0;
  std::string rung;    // that solved it
  std::string reason;  // why it was not
  model::State state;  // of a solved sample
};

struct JournalContent {
  std::vector<Entry> entries;  // one for each sample, the last that was written
  size_t whole = 0;            // bytes that hold them; 0: the journal belongs to another study, or is none
};
JournalContent parse_journal(std::string_view bytes, const std::string& study_hash);
// Counts records without reading their content, and so without being sure of it.
int64_t count_records(std::string_view bytes);

class Journal {
 public:
  static Result<Journal> open(const std::string& path, const std::string& study_hash);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  std::vector<Entry>& entries() { return entries_; }  // what was there before
  Result<void> add(const Entry& entry);

 private:
  Journal() = default;

  std::string path_, hash_;
  std::vector<Entry> entries_;
  int fd_ = -1;
  int64_t size_ = 0;  // [bytes] that are whole
};

}  // namespace sinew::batch
