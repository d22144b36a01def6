#include "run/checkpoint.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/memory.h"
#include "io/file.h"

namespace sinew::run {

using json::Json;
using model::Column;
using model::ColumnSpec;

namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little endian");

constexpr std::string_view magic = "sinew checkpoint ";
constexpr std::string_view opening = "sinew checkpoint 1\n";
constexpr int64_t largest_file = int64_t{64} << 30;  // [bytes]
constexpr std::string_view type_names[] = {"f64", "i64"};
constexpr std::string_view on_names[] = {"node", "tet", "body", "link", "global", "contact"};

std::string_view bytes_of(const uint64_t& number) { return {reinterpret_cast<const char*>(&number), 8}; }
std::string_view bytes_of(const Column& column) {
  return {static_cast<const char*>(column.data()), column.bytes()};
}

Json header_of(const Checkpoint& checkpoint) {
  Json header = Json::object(), columns = Json::list();
  header.set("scene_hash", checkpoint.scene_hash);
  header.set("binary_id", checkpoint.binary_id);
  header.set("frame", checkpoint.frame);
  header.set("note", checkpoint.note);
  for (const Column& column : checkpoint.state.columns()) {
    Json entry = Json::object();
    entry.set("name", column.spec.name);
    entry.set("type", type_names[static_cast<int>(column.spec.type)]);
    entry.set("width", column.spec.width);
    entry.set("on", on_names[static_cast<int>(column.spec.on)]);
    entry.set("rows", column.bytes() / 8 / static_cast<size_t>(column.spec.width));
    columns.add(std::move(entry));
  }
  header.set("columns", std::move(columns));
  return header;
}

template <class Enum>
bool read_word(const Json& json, std::span<const std::string_view> words, Enum& out) {
  for (size_t i = 0; i < words.size(); ++i)
    if (json.is(Json::Kind::text) && json.text() == words[i]) {
      out = static_cast<Enum>(i);
      return true;
    }
  return false;
}

bool read_count(const Json& json, double most, int64_t& out) {
  if (!json.is(Json::Kind::number) || !(json.number() >= 0) || json.number() > most) return false;
  out = static_cast<int64_t>(json.number());
  return static_cast<double>(out) == json.number();
}

// The shape of a column; false where the header makes no sense or asks for more than `left` bytes.
bool read_column(const Json& json, size_t left, Column& column, size_t& numbers) {
  int64_t width = 0, rows = 0;
  if (!json["name"].is(Json::Kind::text) || !read_word(json["type"], type_names, column.spec.type) ||
      !read_word(json["on"], on_names, column.spec.on) || !read_count(json["width"], 1e6, width) ||
      !read_count(json["rows"], 1e12, rows) || width < 1)
    return false;
  column.spec.name = json["name"].text();
  column.spec.width = static_cast<int32_t>(width);
  numbers = static_cast<size_t>(width * rows);
  return numbers <= left / 8;
}

// The bytes before the columns.
std::string front_of(const Checkpoint& checkpoint) {
  const std::string text = header_of(checkpoint).compact();
  const uint64_t length = text.size();
  std::string front(opening);
  front += bytes_of(length);
  return front += text;
}

Result<void> write_columns(const std::string& path, const Checkpoint& checkpoint) {
  const std::string front = front_of(checkpoint);
  Hash hash;
  hash.add(front);
  Result<io::AtomicFile> file = io::AtomicFile::open(path);
  if (!file) return file.error();
  if (auto ok = file->write(front); !ok) return ok;
  for (const Column& column : checkpoint.state.columns()) {
    hash.add(bytes_of(column));
    if (auto ok = file->write(bytes_of(column)); !ok) return ok;
  }
  const uint64_t sum = hash.value();
  if (auto ok = file->write(bytes_of(sum)); !ok) return ok;
  return file->commit();
}

}  // namespace

std::string format_checkpoint(const Checkpoint& checkpoint) {
  std::string bytes = front_of(checkpoint);
  Hash hash;
  hash.add(bytes);
  for (const Column& column : checkpoint.state.columns()) {
    hash.add(bytes_of(column));
    bytes += bytes_of(column);
  }
  const uint64_t sum = hash.value();
  return bytes += bytes_of(sum);
}

Result<void> write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  return unless_out_of_memory(path, [&] { return write_columns(path, checkpoint); });
}

bool is_checkpoint(std::string_view bytes) { return bytes.starts_with(magic); }

Result<Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& name) {
  const auto broken = [&](std::string_view what) {
    return input_error(name,
                       fmt::format("{}; the checkpoint is broken, start the run again with --force", what));
  };
  if (!is_checkpoint(bytes)) return input_error(name, "is not a checkpoint of sinew");
  if (!bytes.starts_with(opening))
    return input_error(name,
                       fmt::format("was written by another version of sinew (format \"{}\", expected \"1\"); "
                                   "start the run again with --force",
                                   json::quote(bytes.substr(magic.size(), 8))));
  if (bytes.size() < opening.size() + 16) return broken("the file ends in its first bytes");
  uint64_t length = 0, sum = 0;
  std::memcpy(&length, bytes.data() + opening.size(), 8);
  if (length > bytes.size() - opening.size() - 16) return broken("the file ends in its header");
  const std::string_view front = bytes.substr(0, opening.size() + 8 + length);
  std::string_view rest = bytes.substr(front.size());
  std::memcpy(&sum, rest.data() + rest.size() - 8, 8);
  rest.remove_suffix(8);

  Result<Json> header = json::parse_json(front.substr(opening.size() + 8), name, {.bytes = size_t{1} << 30});
  if (!header || !header->is(Json::Kind::object)) return broken("its header cannot be read");
  Checkpoint checkpoint;
  const Json& columns = (*header)["columns"];
  if (!(*header)["scene_hash"].is(Json::Kind::text) || !(*header)["binary_id"].is(Json::Kind::text) ||
      !read_count((*header)["frame"], 1e15, checkpoint.frame) || !columns.is(Json::Kind::list))
    return broken("its header lacks what it should say");
  checkpoint.scene_hash = (*header)["scene_hash"].text();
  checkpoint.binary_id = (*header)["binary_id"].text();
  checkpoint.note = (*header)["note"];

  Hash hash;
  hash.add(front);
  for (const Json& entry : columns.items()) {
    Column column;
    size_t numbers = 0;
    if (!read_column(entry, rest.size(), column, numbers))
      return broken("its columns do not fit into the file");
    hash.add(rest.substr(0, 8 * numbers));
    const auto fill = [&](auto& values) {
      values.resize(numbers);
      if (numbers > 0) std::memcpy(values.data(), rest.data(), 8 * numbers);
    };
    if (column.spec.type == model::ColumnType::f64)
      fill(column.f64);
    else
      fill(column.i64);
    rest.remove_prefix(8 * numbers);
    checkpoint.state.mutable_columns().push_back(std::move(column));
  }
  if (!rest.empty()) return broken("it is longer than its columns");
  if (hash.value() != sum) return broken("its checksum does not hold");
  return checkpoint;
}

Result<Checkpoint> read_checkpoint(const std::string& path) {
  return unless_out_of_memory(path, [&]() -> Result<Checkpoint> {
    const Result<std::string> bytes = io::read_text(path, largest_file);
    if (!bytes) return bytes.error();
    return parse_checkpoint(*bytes, path);
  });
}

Result<void> check_columns(const model::State& state, const model::StateLayout& layout,
                           const model::Counts& counts, const std::string& name) {
  const auto columns = state.columns();
  const auto wanted = layout.columns();
  const auto refuse = [&](const std::string& what) {
    return input_error(name,
                       what + ": it belongs to another mesh or method; start the run again with --force");
  };
  int64_t contacts = -1;
  for (const ColumnSpec& spec : wanted) {
    const Column* found = nullptr;
    for (const Column& column : columns)
      if (column.spec.name == spec.name) found = &column;
    if (!found) return refuse(fmt::format("has no column \"{}\"", spec.name));
    const auto rows = static_cast<int64_t>(found->bytes()) / 8 / found->spec.width;
    if (!(found->spec == spec)) return refuse(fmt::format("its column \"{}\" is of another kind", spec.name));
    if (spec.on == model::On::contact && contacts < 0) contacts = rows;
    const int64_t expected = spec.on == model::On::contact ? contacts : counts.rows(spec.on);
    if (rows != expected)
      return refuse(fmt::format("its column \"{}\" has {} rows, expected {}", spec.name, rows, expected));
  }
  if (columns.size() != wanted.size()) return refuse("has columns that this method does not know");
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!(columns[i].spec == wanted[i])) return refuse("its columns are in another order");
  if (!state.finite()) return refuse("holds values that are not numbers");
  return {};
}

}  // namespace sinew::run
