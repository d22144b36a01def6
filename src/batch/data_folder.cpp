#include "batch/data_folder.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/machine.h"
#include "base/memory.h"
#include "batch/shard_lock.h"
#include "io/file.h"
#include "io/json_file.h"
#include "io/source.h"

namespace sinew::batch {

namespace fs = std::filesystem;
using json::Json;

namespace {

constexpr const char* study_file = "study.json";
constexpr const char* dataset_file = "dataset.json";
constexpr const char* log_file = "log.jsonl";
constexpr const char* files_folder = "scene_files";
constexpr json::JsonLimits own_files = {.bytes = size_t{1} << 30, .values = size_t{1} << 26};

// Hashes everything that the samples depend on, but not the number of samples, since a design can be extended.
std::string hash_of(const Json& identity) {
  Hash hash;
  for (const char* key : {"version", "binary", "scene", "scene_hash"}) hash.add(identity[key].compact());
  const Json& study = identity["study"];
  for (size_t i = 0; i < study.size(); ++i) {
    if (study.key(i) == "samples" && study["design"].text() == "halton") continue;
    hash.add(study.key(i));
    hash.add(study.item(i).compact());
  }
  return hash.text();
}

Result<Json> identity_of(const Study& study, const SampleScenes& scenes) {
  const Result<std::string> hash = scene::scene_hash(scenes.scene());
  if (!hash) return hash.error();
  Json identity = Json::object();
  identity.set("sinew_dataset", 1);
  identity.set("version", build_info().version);
  identity.set("binary", binary_id());
  identity.set("study", study.resolved);
  identity.set("scene", scene::portable(scenes.scene(), files_folder).resolved);
  identity.set("scene_hash", *hash);
  return identity;
}

// Whether the folder may be written to for this study; nothing is there: true, without `there`.
Result<void> check_owner(const fs::path& folder, const Json& identity, bool& there) {
  const std::string name = folder.string();
  std::error_code code;
  there = fs::exists(folder / study_file, code);
  if (!there) {
    const io::FolderContent content = io::read_folder(name);
    if (std::all_of(content.files.begin(), content.files.end(), io::unfinished_file) &&
        std::all_of(content.folders.begin(), content.folders.end(),
                    [](const std::string& f) { return f == files_folder || f == "shards"; }))
      return {};
    return usage_error(
        name +
        ": the folder is not empty and holds no data set; name another with -o, or use --force "
        "to write into it");
  }
  const Result<Json> earlier = io::read_json(folder / study_file, own_files);
  if (!earlier && earlier.error().kind == ErrorKind::io) return earlier.error();
  if (!earlier || !earlier->is(Json::Kind::object))
    return usage_error(name + ": its study.json is broken; use --force to start again");
  if (hash_of(*earlier) == hash_of(identity)) {
    const double before = (*earlier)["study"]["samples"].number(),
                 now = identity["study"]["samples"].number();
    if (before == now) return {};
    return usage_error(
        fmt::format("{}: the folder holds {} samples of this study, not {}; `sinew batch topup {} "
                    "--samples N` adds to them, --force starts again",
                    name, before, now, name));
  }
  if ((*earlier)["binary"] == identity["binary"] || !((*earlier)["study"] == identity["study"]))
    return usage_error(
        name +
        ": the folder holds the data set of another study, or of this one before it or its scene "
        "was changed; name another with -o, or use --force to start again");
  return usage_error(name +
                     ": the folder was made by another build of sinew or on another type of processor, whose "
                     "results are not the same to the last bit; go on there, name another folder with -o, or "
                     "use --force to start again");
}

// Everything that a data set has, and nothing else.
Result<void> remove_data(const fs::path& folder) {
  std::error_code code;
  for (const char* name : {dataset_file, "manifest.jsonl", "failed.jsonl", "rest.npz", log_file, "shards",
                           files_folder, study_file}) {
    fs::remove_all(folder / name, code);
    if (code) return io_error((folder / name).string(), "cannot remove: " + code.message());
  }
  return {};
}

Result<void> write_identity(const fs::path& folder, const Json& identity) {
  return io::write_atomically((folder / study_file).string(), identity.pretty());
}

}  // namespace

Result<DataFolder> DataFolder::create(const fs::path& folder, const Study& study, const SampleScenes& scenes,
                                      bool force) {
  const Result<Json> identity = identity_of(study, scenes);
  if (!identity) return identity.error();
  if (auto ok = io::make_folder(folder.string()); !ok) return ok.error();
  run::FolderLock lock;
  const Result<void> alone = lock.take(folder);
  if (!alone)
    if (auto ok = lock.share(folder); !ok) return ok.error();
  bool there = false;
  const Result<void> owned = check_owner(folder, *identity, there);
  if (!owned && (!force || owned.error().kind == ErrorKind::io)) return owned.error();
  if (!owned || !there) {
    if (!alone) return alone.error();
    if (!owned)
      if (auto ok = remove_data(folder); !ok) return ok.error();
    for (const char* name : {files_folder, "shards"})
      if (auto ok = io::make_folder((folder / name).string()); !ok) return ok.error();
    for (const scene::PortableScene::File& file : scene::portable(scenes.scene(), files_folder).files)
      if (auto ok = io::copy_atomically(file.from.string(), (folder / file.name).string()); !ok)
        return ok.error();
    if (auto ok = write_identity(folder, *identity); !ok) return ok.error();
  }
  lock = {};
  Result<DataFolder> data = open(folder, true);
  // Between the two locks another process may have replaced what is here.
  if (data)
    if (auto ok = check_owner(folder, *identity, there); !ok) return ok.error();
  return data;
}

Result<DataFolder> DataFolder::open(const fs::path& folder, bool solving) {
  DataFolder data;
  data.folder_ = folder;
  // A folder that is not there is told of below.
  if (auto ok = data.lock_.share(folder); !ok && ok.error().kind != ErrorKind::io) return ok.error();
  const std::string name = (folder / study_file).string();
  Result<Json> identity = io::read_json(name, own_files);
  if (!identity) {
    if (identity.error().kind != ErrorKind::io) return identity.error();
    return Error{ErrorKind::usage, folder.string(), {}, "is no data set: " + identity.error().text()};
  }
  if (!identity->is(Json::Kind::object) || !(*identity)["study"].is(Json::Kind::object) ||
      !(*identity)["scene"].is(Json::Kind::object))
    return input_error(name, "is not what sinew batch writes");
  if (solving && (*identity)["binary"].text() != binary_id())
    return usage_error(folder.string() +
                       ": the folder was made by another build of sinew or on another type of "
                       "processor; go on there, or start again with --force");
  data.identity_ = std::move(*identity);
  data.hash_ = hash_of(data.identity_);
  json::Diagnostics diagnostics(name);
  std::optional<Study> study = study_of(data.identity_["study"], name, folder, diagnostics);
  if (study) {
    data.study_ = std::make_shared<const Study>(std::move(*study));
    std::optional<SampleScenes> scenes =
        SampleScenes::make(*data.study_, data.identity_["scene"].compact(), name, folder, diagnostics);
    if (scenes) data.scenes_ = std::make_shared<const SampleScenes>(std::move(*scenes));
  }
  if (!diagnostics.empty()) return diagnostics.list()[0];
  return data;
}

Result<void> DataFolder::take() {
  const Result<void> taken = lock_.take(folder_);
  if (taken) return check_unchanged();
  if (auto ok = share(); !ok) return ok;
  return taken;
}

Result<void> DataFolder::share() {
  if (auto ok = lock_.share(folder_); !ok) return ok;
  return check_unchanged();
}

Result<void> DataFolder::check_unchanged() const {
  const Result<Json> now = io::read_json(folder_ / study_file, own_files);
  if (now && *now == identity_) return {};
  return usage_error(folder_.string() +
                     ": another process has changed or replaced the data set; look at it, then start again");
}

bool DataFolder::is_complete(int64_t shard) const {
  std::error_code code;
  return fs::exists(shards_path() / shard_file(shard, "jsonl"), code);
}

int64_t DataFolder::complete_shards() const {
  int64_t count = 0;
  for (int64_t s = 0; s < study().shards(); ++s) count += is_complete(s);
  return count;
}

std::string DataFolder::dataset_hash() const {
  const Result<std::string> text = io::read_text((folder_ / dataset_file).string(), int64_t{1} << 32);
  if (!text) return {};
  Hash hash;
  hash.add(*text);
  return hash.text();
}

void DataFolder::log(const std::string& event, Json details) const {
  Json line = Json::object();
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  line.set("time", std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)));
  line.set("event", event);
  for (size_t i = 0; i < details.size(); ++i) line.set(details.key(i), details.item(i));
  const std::string bytes = line.compact() + "\n";
  const int fd = ::open((folder_ / log_file).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;  // a diary; nothing depends on it
  [[maybe_unused]] const ssize_t put = ::write(fd, bytes.data(), bytes.size());
  ::close(fd);
}

Result<void> DataFolder::remove_shard(int64_t shard) const {
  std::error_code code;
  for (const char* ending : {"jsonl", "npz", "journal"}) {
    const fs::path path = shards_path() / shard_file(shard, ending);
    fs::remove(path, code);
    if (code) return io_error(path.string(), "cannot remove: " + code.message());
  }
  return {};
}

Result<void> DataFolder::remove_shards(std::span<const int64_t> shards) {
  if (auto ok = take(); !ok) return ok;
  for (const int64_t shard : shards)
    if (auto ok = remove_shard(shard); !ok) return ok;
  return share();
}

Result<void> DataFolder::extend(int64_t samples) {
  const std::string name = folder_.string();
  if (study().kind != DesignKind::halton)
    return usage_error(name + ": only a halton design goes on; others are another study when they grow");
  if (samples < study().samples || samples > 100000000)
    return usage_error(fmt::format("--samples: found {}, expected {}, what the data set has, to 1e8", samples,
                                   study().samples));
  if (samples == study().samples) return {};
  if (auto ok = take(); !ok) return ok;
  // The last shard may have room: its first samples come out as they were, and the others are added.
  if (study().samples % study().shard != 0)
    if (auto ok = remove_shard(study().shards() - 1); !ok) return ok;
  Json identity = identity_;
  identity.find("study")->set("samples", samples);
  return change(std::move(identity));
}

Result<void> DataFolder::retry_failed() {
  if (auto ok = take(); !ok) return ok;
  for (int64_t s = 0; s < study().shards(); ++s) {
    const Result<ShardSummary> summary = read_summary(shards_path(), s);
    if (summary && summary->solved == summary->samples) continue;
    if (auto ok = remove_shard(s); !ok) return ok;
  }
  Json identity = identity_;
  identity.set("retry", true);
  return change(std::move(identity));
}

Result<void> DataFolder::change(Json identity) {
  std::error_code code;
  fs::remove(folder_ / dataset_file, code);
  if (auto ok = write_identity(folder_, identity); !ok) return ok;
  lock_ = {};
  Result<DataFolder> again = open(folder_, true);
  if (!again) return again.error();
  *this = std::move(*again);
  return {};
}

Result<void> DataFolder::tidy() {
  if (!lock_.take(folder_)) return share();
  std::error_code code;
  for (const fs::path& folder : {folder_, shards_path(), folder_ / files_folder})
    for (const std::string& file : io::read_folder(folder.string()).files)
      if (io::unfinished_file(file) || file.find(".lock.now.") != std::string::npos)
        fs::remove(folder / file, code);
  // A process that died between writing a shard and its last steps.
  for (const std::string& file : io::read_folder(shards_path().string()).files) {
    const fs::path path = shards_path() / file;
    if (file.ends_with(".lock") && is_stale(path)) fs::remove(path, code);
    if (file.ends_with(".journal") && fs::exists(fs::path(path).replace_extension("jsonl"), code) &&
        !fs::exists(fs::path(path).replace_extension("lock"), code))
      fs::remove(path, code);
  }
  return share();
}

}  // namespace sinew::batch
