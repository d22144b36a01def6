#include "batch/inspect.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/hash.h"
#include "batch/journal.h"
#include "batch/shard_lock.h"
#include "batch/worker.h"
#include "io/file.h"
#include "io/json_file.h"
#include "io/npz.h"
#include "math/random.h"

namespace sinew::batch {

namespace fs = std::filesystem;
using json::Json;

namespace {

template <class F>
void for_each_line(std::string_view text, F f) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (const Result<Json> line = json::parse_json(text.substr(begin, end - begin), "line")) f(*line);
    begin = end + 1;
  }
}

// Drops the numbers of a reason and keeps its words, so that similar reasons are counted together.
std::string kind_of(const std::string& reason) {
  std::string kind;
  const char* const end = reason.data() + reason.size();
  for (const char* c = reason.data(); c < end;) {
    double number;
    const bool may_be_one = *c == '-' || (*c >= '0' && *c <= '9');  // not nan or infinite
    const char* const next = may_be_one ? std::from_chars(c, end, number).ptr : c;
    kind += next > c ? '#' : *c;
    c = std::max(next, c + 1);
  }
  return kind;
}

// Whether the numbers of one sample in an array are those given, bit for bit in the array's own type.
bool same_row(const io::NpyArray& array, int64_t row, const std::vector<double>& values) {
  const auto same = [&](auto view) {
    using T = std::remove_const_t<typename decltype(view)::element_type>;
    if (view.size() < static_cast<size_t>(row + 1) * values.size()) return false;
    for (size_t i = 0; i < values.size(); ++i) {
      const T expected = static_cast<T>(values[i]);
      if (std::memcmp(&expected, &view[static_cast<size_t>(row) * values.size() + i], sizeof(T)) != 0)
        return false;
    }
    return true;
  };
  return array.type == io::NpyType::f4 ? same(array.view<float>()) : same(array.view<double>());
}

}  // namespace

Status status_of(const DataFolder& folder) {
  const Study& study = folder.study();
  Status status;
  status.samples = study.samples;
  status.shards = study.shards();
  std::map<std::string, std::pair<int64_t, std::string>> reasons;
  for (int64_t s = 0; s < study.shards(); ++s) {
    const Result<ShardSummary> summary = read_summary(folder.shards_path(), s);
    if (summary) {
      ++status.complete;
      status.solved += summary->solved;
      status.failed += summary->samples - summary->solved;
      if (summary->solved < summary->samples)
        for_each_line(summary->lines, [&](const Json& line) {
          if (line["status"].text() != "failed") return;
          auto& [count, example] = reasons[kind_of(line["reason"].text())];
          if (count++ == 0) example = line["reason"].text();
        });
      continue;
    }
    const Result<std::string> journal =
        io::read_text((folder.shards_path() / shard_file(s, "journal")).string(), int64_t{64} << 30);
    if (journal) status.journalled += count_records(*journal);
    const fs::path lock = folder.shards_path() / shard_file(s, "lock");
    std::error_code code;
    if (fs::exists(lock, code) && !is_stale(lock)) ++status.working;
  }
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (auto& [kind, entry] : reasons) sorted.emplace_back(-entry.first, entry.second);
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [count, example] : sorted)
    status.reasons.push_back(fmt::format("{} x {}", -count, example));
  status.hash = folder.dataset_hash();
  return status;
}

Json to_json(const Status& status) {
  Json json = Json::object(), reasons = Json::list();
  json.set("samples", status.samples);
  json.set("solved", status.solved);
  json.set("failed", status.failed);
  json.set("journalled", status.journalled);
  json.set("shards", status.shards);
  json.set("complete", status.complete);
  json.set("working", status.working);
  for (const std::string& reason : status.reasons) reasons.add(reason);
  json.set("reasons", std::move(reasons));
  json.set("hash", status.hash.empty() ? Json() : Json(status.hash));
  return json;
}

std::vector<Damage> find_damage(const DataFolder& folder) {
  std::vector<Damage> damage;
  const Study& study = folder.study();
  std::map<int64_t, std::string> hashes;
  for (int64_t s = 0; s < study.shards(); ++s) {
    if (!folder.is_complete(s)) {
      damage.push_back({s, "shard " + std::to_string(s) + " is missing"});
      continue;
    }
    const Result<ShardSummary> summary =
        verify_shard(folder.shards_path(), study, folder.scenes().outputs(), s);
    if (!summary)
      damage.push_back({s, summary.error().text()});
    else
      hashes[s] = summary->npz;
  }
  const Result<Json> dataset = io::read_json(folder.path() / "dataset.json", {.bytes = size_t{1} << 30});
  if (!dataset || !dataset->is(Json::Kind::object)) {
    damage.push_back({-1, dataset ? "dataset.json is broken" : dataset.error().text()});
    return damage;
  }
  for (const char* key : {"rest", "manifest", "failed", "study"}) {
    const std::string path = (folder.path() / (*dataset)[key]["file"].text()).string();
    const Result<std::string> text = io::read_text(path, int64_t{1} << 36);
    Hash hash;
    if (text) hash.add(*text);
    if (!text)
      damage.push_back({-1, text.error().text()});
    else if (hash.text() != (*dataset)[key]["hash"].text())
      damage.push_back({-1, path + ": its checksum does not hold"});
  }
  for (const auto& [s, hash] : hashes) {
    const Json& shards = (*dataset)["shards"];
    if (static_cast<size_t>(s) >= shards.size() || shards.item(static_cast<size_t>(s))["hash"].text() != hash)
      damage.push_back({-1, fmt::format("dataset.json: shard {} has another checksum there", s)});
  }
  return damage;
}

Result<SpotCheck> spot_check(const DataFolder& folder, int64_t count, const Control& control) {
  const Study& study = folder.study();
  const math::Random random(study.seed ^ 0x0c4ec4);
  std::map<int64_t, std::set<int64_t>> chosen;  // samples by shard
  SpotCheck check;
  for (int64_t k = 0; k < count; ++k) {
    const auto i =
        static_cast<int64_t>(random.bits(static_cast<uint64_t>(k)) % static_cast<uint64_t>(study.samples));
    chosen[i / study.shard].insert(i);
  }
  for (const auto& [s, samples] : chosen) {
    std::vector<char> wanted(static_cast<size_t>(study.end_of(s) - study.first_of(s)), 0);
    for (int64_t i : samples) wanted[static_cast<size_t>(i - study.first_of(s))] = 1;
    auto results = solve_shard(folder, s, wanted, nullptr, {}, control);
    if (!results) return results.error();
    if (control.cancelled()) return check;
    const std::string path = (folder.shards_path() / shard_file(s, "npz")).string();
    const Result<ShardSummary> summary = read_summary(folder.shards_path(), s);
    if (!summary) return summary.error();
    const Result<io::Npz> arrays = io::read_npz(path);
    if (!arrays) return arrays.error();
    std::map<int64_t, Json> lines;
    for_each_line(summary->lines,
                  [&](const Json& line) { lines[static_cast<int64_t>(line["index"].number())] = line; });
    for (int64_t i : samples) {
      const SampleResult& now = (*results)[static_cast<size_t>(i - study.first_of(s))];
      const Json& line = lines[i];
      check.samples.push_back(i);
      const auto different = [&](const std::string& what) {
        check.different.push_back(fmt::format("sample {}: {}", i, what));
      };
      if ((line["status"].text() == "solved") != now.entry.solved || line["rung"].text() != now.entry.rung ||
          line["iterations"].number() != now.entry.iterations) {
        different("was " + line["status"].text() + " by " + line["rung"].text() + ", now " +
                  (now.entry.solved ? "solved by " + now.entry.rung : "failed: " + now.entry.reason));
        continue;
      }
      for (size_t f = 0; f < now.fields.size(); ++f) {
        const std::string& name = folder.scenes().outputs().fields()[f].name;
        const auto array = arrays->find(name);
        if (array == arrays->end() ||
            !same_row(array->second, static_cast<int64_t>(line["row"].number()), now.fields[f]))
          different(name + " is not the same to the last bit");
      }
    }
  }
  return check;
}

}  // namespace sinew::batch
