#include "batch/shard.h"

#include <cmath>
#include <fmt/format.h>

#include "base/hash.h"
#include "io/file.h"
#include "io/npz.h"
#include "io/npz_writer.h"

namespace sinew::batch {

using json::Json;

namespace {

constexpr int64_t largest_shard = int64_t{64} << 30;  // [bytes]

Json line_of(const Study& study, int64_t shard, int64_t row, const Entry& entry) {
  Json line = Json::object(), values = Json::object();
  line.set("index", entry.index);
  line.set("shard", shard);
  line.set("row", entry.solved ? Json(row) : Json());
  line.set("split", study.held_out(entry.index) ? "validation" : "train");
  const std::vector<double> parameters = study.parameters(entry.index);
  for (size_t k = 0; k < study.vary.size(); ++k)
    values.set(study.vary[k].name, study.vary[k].value(parameters[k]));
  line.set("values", std::move(values));
  line.set("status", entry.solved ? "solved" : "failed");
  line.set("residual", std::isfinite(entry.residual) ? Json(entry.residual) : Json());
  line.set("iterations", entry.iterations);
  line.set("rung", entry.rung);
  if (!entry.solved) line.set("reason", entry.reason);
  return line;
}

// Arrays of a shard with so many solved samples, in the order of write_arrays().
std::vector<io::NpzWriter::Array> arrays_of(const Study& study, const Outputs& outputs, int64_t rows) {
  std::vector<io::NpzWriter::Array> arrays = {
      {"index", io::NpyType::i8, {rows}},
      {"parameters", io::NpyType::f8, {rows, static_cast<int64_t>(study.vary.size())}}};
  for (const OutputField& field : outputs.fields()) {
    std::vector<int64_t> shape = field.shape();
    shape.insert(shape.begin(), rows);
    arrays.push_back({field.name, study.single ? io::NpyType::f4 : io::NpyType::f8, std::move(shape)});
  }
  return arrays;
}

Result<void> write_arrays(const std::string& path, const Study& study, const Outputs& outputs,
                          const std::vector<SampleResult>& results) {
  int64_t rows = 0;
  for (const SampleResult& result : results) rows += result.entry.solved;
  Result<io::NpzWriter> out = io::NpzWriter::open(path, arrays_of(study, outputs, rows));
  if (!out) return out.error();
  for (const SampleResult& result : results) {
    if (!result.entry.solved) continue;
    if (auto ok = out->append<int64_t>(0, std::span(&result.entry.index, 1)); !ok) return ok;
    const std::vector<double> parameters = study.parameters(result.entry.index);
    if (auto ok = out->append<double>(1, parameters); !ok) return ok;
    for (size_t f = 0; f < result.fields.size(); ++f) {
      const std::vector<double>& values = result.fields[f];
      const std::vector<float> narrow(study.single ? values.begin() : values.end(), values.end());
      if (auto ok = study.single ? out->append<float>(f + 2, narrow) : out->append<double>(f + 2, values);
          !ok)
        return ok;
    }
  }
  return out->commit();
}

Result<std::string> file_hash(const std::string& path) {
  const Result<std::string> bytes = io::read_text(path, largest_shard);
  if (!bytes) return bytes.error();
  Hash hash;
  hash.add(*bytes);
  return hash.text();
}

std::string text_hash(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

}  // namespace

std::string shard_file(int64_t shard, const char* ending) { return fmt::format("{:05}.{}", shard, ending); }

Result<void> write_shard(const std::filesystem::path& folder, const Study& study, const Outputs& outputs,
                         int64_t shard, const std::vector<SampleResult>& results) {
  const std::string npz = (folder / shard_file(shard, "npz")).string();
  if (auto ok = write_arrays(npz, study, outputs, results); !ok) return ok;
  const Result<std::string> hash = file_hash(npz);
  if (!hash) return hash.error();
  std::string lines;
  int64_t rows = 0;
  for (const SampleResult& result : results) {
    lines += line_of(study, shard, rows, result.entry).compact() + "\n";
    rows += result.entry.solved;
  }
  Json header = Json::object();
  header.set("shard", shard);
  header.set("first", study.first_of(shard));
  header.set("samples", results.size());
  header.set("solved", rows);
  header.set("npz", *hash);
  header.set("lines", text_hash(lines));
  return io::write_atomically((folder / shard_file(shard, "jsonl")).string(),
                              header.compact() + "\n" + lines);
}

Result<ShardSummary> read_summary(const std::filesystem::path& folder, int64_t shard) {
  const std::string path = (folder / shard_file(shard, "jsonl")).string();
  Result<std::string> text = io::read_text(path, int64_t{1} << 32);
  if (!text) return text.error();
  const size_t end = text->find('\n');
  const auto broken = [&](const char* what) { return input_error(path, what); };
  if (end == std::string::npos) return broken("is cut in its first line");
  const Result<Json> header = json::parse_json(std::string_view(*text).substr(0, end), path);
  if (!header || !header->is(Json::Kind::object)) return broken("its first line is broken");
  const auto count = [&](const char* key) {
    const Json& value = (*header)[key];
    return value.is(Json::Kind::number) && value.number() >= 0 && value.number() < 1e9
               ? static_cast<int64_t>(value.number())
               : int64_t{-1};
  };
  ShardSummary summary{count("samples"), count("solved"), (*header)["npz"].text(), text->substr(end + 1)};
  if (count("shard") != shard || summary.samples < 1 || summary.solved < 0 ||
      summary.solved > summary.samples)
    return broken("its first line does not belong to this shard");
  if (text_hash(summary.lines) != (*header)["lines"].text()) return broken("its checksum does not hold");
  return summary;
}

Result<ShardSummary> verify_shard(const std::filesystem::path& folder, const Study& study,
                                  const Outputs& outputs, int64_t shard) {
  Result<ShardSummary> summary = read_summary(folder, shard);
  if (!summary) return summary;
  const std::string path = (folder / shard_file(shard, "npz")).string();
  if (summary->samples != study.end_of(shard) - study.first_of(shard))
    return input_error((folder / shard_file(shard, "jsonl")).string(),
                       "has another number of samples than the study");
  const Result<std::string> bytes = io::read_text(path, largest_shard);
  if (!bytes) return bytes.error();
  if (text_hash(*bytes) != summary->npz) return input_error(path, "its checksum does not hold");
  if (bytes->size() > static_cast<size_t>(io::default_npz_limit)) return summary;
  const Result<io::Npz> arrays = io::parse_npz(*bytes, path);
  if (!arrays) return arrays.error();
  for (const io::NpzWriter::Array& wanted : arrays_of(study, outputs, summary->solved)) {
    const auto found = arrays->find(wanted.name);
    if (found == arrays->end() || found->second.shape != wanted.shape || found->second.type != wanted.type)
      return input_error(path, "has no array \"" + wanted.name + "\" of the shape that it must have");
  }
  return summary;
}

}  // namespace sinew::batch
