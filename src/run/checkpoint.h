#pragma once
// A checkpoint is a State in a file, with what it belongs to. Written atomically:
//
//     "sinew checkpoint 1\n"      8 bytes: length of the header
//     header, JSON: scene_hash, binary_id, frame, note, columns [{name, type, width, on, rows}]
//     the columns' numbers one after the other, little endian      8 bytes: hash of all before
//
// Reading believes nothing: lengths are checked against the file before anything is allocated.
//
//     write_checkpoint(path, {scene_hash, binary_id(), frame, note, state});
#include <cstdint>
#include <string>

#include "base/result.h"
#include "json/json.h"
#include "model/state.h"

namespace sinew::run {

struct Checkpoint {
  std::string scene_hash;
  std::string binary_id;
  int64_t frame = 0;
  json::Json note;  // what the writer wants back, such as statistics not yet in their file
  model::State state;
};

std::string format_checkpoint(const Checkpoint& checkpoint);  // the bytes of the file
Result<void> write_checkpoint(const std::string& path, const Checkpoint& checkpoint);
// `name` stands in messages.
Result<Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& name);
Result<Checkpoint> read_checkpoint(const std::string& path);
// Whether the bytes begin as a checkpoint does.
bool is_checkpoint(std::string_view bytes);

// Whether a method with these columns can go on from the state.
Result<void> check_columns(const model::State& state, const model::StateLayout& layout,
                           const model::Counts& counts, const std::string& name);

}  // namespace sinew::run
