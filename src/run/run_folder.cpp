#include "run/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "base/hash.h"
#include "base/machine.h"
#include "exporting/exporter.h"
#include "io/file.h"
#include "io/json_file.h"
#include "io/npz.h"
#include "io/source.h"

namespace sinew::run {

namespace fs = std::filesystem;
using json::Json;

namespace {

constexpr const char* run_file = "run.json";
constexpr const char* stats_file = "stats.jsonl";
constexpr const char* checkpoint_file = "checkpoint.bin";
constexpr const char* report_file = "report.html";  // written after run.json, by the layer report
constexpr const char* in_use = ": another process is writing into this folder; wait for it, or name another";
constexpr std::chrono::seconds share_limit(5);
constexpr json::JsonLimits own_files = {.bytes = size_t{1} << 30, .values = size_t{1} << 26};

// Whether sinew wrote the file; the path is relative to the folder of the run.
bool is_output(const fs::path& path) {
  if (path == run_file || path == stats_file || path == checkpoint_file || path == report_file) return true;
  if (path.parent_path() == "frames" && path.extension() == ".npz") return true;
  if (path.parent_path() == scene_files) {
    const std::string name = path.filename().string();
    const size_t digits = name.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string::npos && name[digits] == '_';
  }
  return std::any_of(exporting::exporters().begin(), exporting::exporters().end(),
                     [&](const exporting::Exporter* e) { return e->owns(path); });
}

// The files of the folder and one folder below, sorted.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  const io::FolderContent content = io::read_folder(folder.string());
  for (const std::string& file : content.files) files.emplace_back(file);
  for (const std::string& below : content.folders)
    for (const std::string& file : io::read_folder((folder / below).string()).files)
      files.push_back(fs::path(below) / file);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string frame_file(int64_t index) { return fmt::format("frames/frame_{:05}.npz", index); }

int64_t frame_of(const Json& line) {
  const double frame = line["frame"].is(Json::Kind::number) ? line["frame"].number() : -1;
  return frame >= 0 && frame < 1e15 ? static_cast<int64_t>(frame) : -1;  // the file may hold anything
}

Result<Json> read_run(const fs::path& folder) { return io::read_json(folder / run_file, own_files); }

Result<std::vector<Json>> read_lines(const fs::path& folder) {
  const std::string name = (folder / stats_file).string();
  std::vector<Json> lines;
  std::error_code code;
  if (!fs::exists(name, code)) return lines;
  const Result<std::string> text = io::read_text(name, int64_t{1} << 32);
  if (!text) return text.error();
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    Result<Json> line = json::parse_json(std::string_view(*text).substr(begin, end - begin), name);
    if (!line) return line.error();
    lines.push_back(std::move(*line));
    begin = end + 1;
  }
  return lines;
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

// The lock is on the folder itself, so that no file is left behind.
Result<void> FolderLock::open(const fs::path& folder) {
  if (fd_ < 0) fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ >= 0) return {};
  return io_error(folder.string(), fmt::format("cannot open the folder: {}", std::strerror(errno)));
}

Result<void> FolderLock::take(const fs::path& folder) {
  if (auto ok = open(folder); !ok) return ok;
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return usage_error(folder.string() + in_use);
  return {};
}

Result<void> FolderLock::share(const fs::path& folder) {
  if (auto ok = open(folder); !ok) return ok;
  const auto end = std::chrono::steady_clock::now() + share_limit;
  while (::flock(fd_, LOCK_SH | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
    if (std::chrono::steady_clock::now() > end) return usage_error(folder.string() + in_use);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

Result<RunFolder> RunFolder::open(const fs::path& folder, const std::string& scene_hash,
                                  const FolderOptions& options) {
  RunFolder run;
  run.folder_ = folder;
  run.scene_hash_ = scene_hash;
  if (auto ok = io::make_folder(folder.string()); !ok) return ok.error();
  if (auto ok = run.lock_.take(folder); !ok) return ok.error();
  const std::string name = folder.string();
  const std::vector<fs::path> files = files_of(folder);
  std::error_code code;
  const bool is_run = fs::exists(folder / run_file, code);
  const bool bare = std::all_of(files.begin(), files.end(), [](const fs::path& file) {
    return io::unfinished_file(file.filename().string());
  });
  if (!is_run && !bare && !options.force)
    return usage_error(
        fmt::format("{}: the folder is not empty and holds no run; name another with -o, or use "
                    "--force to write into it",
                    name));
  if (is_run && !(options.force && !options.resume)) {
    const Result<Json> earlier = read_run(folder);
    if (!earlier && earlier.error().kind == ErrorKind::io) return earlier.error();
    const bool same = earlier && (*earlier)["scene_hash"].text() == scene_hash;
    if (!same && !options.force)
      return usage_error(fmt::format(
          "{}: the folder holds the output of {}; name another with -o, use --force to replace it, or "
          "--resume "
          "--force to go on from it",
          name, earlier ? "another scene or of this one before it was changed" : "an unknown scene"));
    if (same && !options.resume)
      return usage_error(
          fmt::format("{}: the folder holds the output of this scene; use --resume to go on or --force "
                      "to start again",
                      name));
  }
  run.remove_unfinished();
  if (is_run && options.resume) {
    if (auto ok = run.load(options); !ok) return ok.error();
  } else if (auto ok = run.clear(); !ok) {
    return ok.error();
  }
  if (auto ok = io::make_folder((folder / "frames").string()); !ok) return ok.error();
  return run;
}

void RunFolder::remove_unfinished() {
  std::error_code code;
  for (const fs::path& file : files_of(folder_))
    if (const auto name = io::unfinished_file(file.filename().string());
        name && is_output(file.parent_path() / *name))
      fs::remove(folder_ / file, code);
}

Result<void> RunFolder::clear() {
  // The summary last: whatever dies in between leaves a folder that is still known as a run.
  std::vector<fs::path> files = files_of(folder_);
  std::stable_partition(files.begin(), files.end(), [](const fs::path& file) { return file != run_file; });
  for (const fs::path& file : files) {
    if (!is_output(file)) continue;
    std::error_code code;
    fs::remove(folder_ / file, code);
    if (code) return io_error((folder_ / file).string(), "cannot remove: " + code.message());
  }
  return {};
}

Result<void> RunFolder::load(const FolderOptions& options) {
  std::error_code code;
  if (!fs::exists(file(checkpoint_file), code)) {
    warnings_.push_back("there is no checkpoint yet: starting from the beginning");
    return clear();
  }
  Result<Checkpoint> read = read_checkpoint(file(checkpoint_file));
  if (!read) return read.error();
  const auto differs = [&](const std::string& what, const std::string& consequence) -> Result<void> {
    if (!options.force)
      return input_error(file(checkpoint_file),
                         fmt::format("{}; {}. Use --resume --force to go on all the same, or "
                                     "--force alone to start again",
                                     what, consequence));
    warnings_.push_back(what + "; " + consequence);
    return {};
  };
  if (read->scene_hash != scene_hash_)
    if (auto ok = differs("the scene, or a file that it names, has changed since the checkpoint was written",
                          "earlier frames belong to what it was");
        !ok)
      return ok;
  if (read->binary_id != binary_id())
    if (auto ok =
            differs("the checkpoint was written by another build of sinew or on another type of processor",
                    "results will not be the same to the last bit");
        !ok)
      return ok;

  Result<std::vector<Json>> stored = read_lines(folder_);
  if (!stored) return stored.error();
  std::vector<Json>& lines = *stored;
  for (const Json& line : read->note["lines"].items()) lines.push_back(line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Json& a, const Json& b) { return frame_of(a) < frame_of(b); });
  for (Json& line : lines) {
    const bool known = !lines_.empty() && frame_of(lines_.back()) == frame_of(line);
    if (known || frame_of(line) < 0 || frame_of(line) > read->frame) continue;
    text_ += line.compact() + '\n';
    lines_.push_back(std::move(line));
    ++line_count_;
  }
  std::vector<std::string> damaged;
  for (const Json& line : lines_)
    if (line.has("frame_hash") && !is_as_written(line)) damaged.push_back(frame_file(frame_of(line)));
  if (!damaged.empty())
    if (auto ok = differs(
            fmt::format("{}{} is missing, or not what the run wrote", damaged[0],
                        damaged.size() > 1 ? fmt::format(" (and {} other frames)", damaged.size() - 1) : ""),
            "the frames of the run would not belong together");
        !ok)
      return ok;
  checkpoint_ = std::move(*read);
  return {};
}

bool RunFolder::is_as_written(const Json& line) {
  const std::string name = frame_file(frame_of(line));
  return note_file(name) && hashes_[name] == line["frame_hash"].text();
}

Result<void> RunFolder::keep_files(std::span<const scene::PortableScene::File> files) {
  if (files.empty()) return {};
  if (auto ok = io::make_folder((folder_ / scene_files).string()); !ok) return ok;
  std::error_code code;
  for (const scene::PortableScene::File& one : files) {
    if (fs::exists(file(one.name), code)) continue;
    if (auto ok = io::copy_atomically(one.from.string(), file(one.name)); !ok) return ok;
  }
  return {};
}

Result<void> RunFolder::add_line(Json line) {
  text_ += line.compact() + '\n';
  lines_.push_back(std::move(line));
  return rewrite_.due(++line_count_) ? write_lines() : Result<void>();
}

Result<void> RunFolder::write_lines() {
  if (lines_.empty()) return {};
  if (auto ok = io::write_atomically(file(stats_file), text_); !ok) return ok;
  rewrite_.written = line_count_;
  lines_.clear();
  return {};
}

Result<std::string> RunFolder::write_frame(int64_t index, const model::State& state, bool velocities) {
  io::Npz arrays;
  const auto add = [&](const char* name) {
    const std::span<const double> values = state.numbers(name);
    arrays[name] = io::npy_array<double>(values, {static_cast<int64_t>(values.size() / 3), 3});
  };
  add("x");
  if (velocities) add("v");
  if (state.has("contact_key") && !state.integers("contact_key").empty()) {
    const std::span<const int64_t> keys = state.integers("contact_key");
    arrays["contact_key"] = io::npy_array<int64_t>(keys, {static_cast<int64_t>(keys.size() / 6), 6});
    add("contact_force");
    add("contact_node_force");
  }
  const double time = state.time();
  arrays["time"] = io::npy_array<double>({&time, 1}, {});
  const std::string name = frame_file(index);
  if (auto ok = io::write_npz(file(name), arrays, false); !ok) return ok.error();
  if (auto ok = note_file(name); !ok) return ok.error();
  return hashes_[name];
}

Result<void> RunFolder::write_checkpoint(int64_t frame, const model::State& state) {
  Json note = Json::object(), lines = Json::list();
  for (const Json& line : lines_) lines.add(line);
  note.set("lines", std::move(lines));
  return run::write_checkpoint(file(checkpoint_file),
                               {scene_hash_, binary_id(), frame, std::move(note), state});
}

Result<void> RunFolder::write_summary(const Json& run) {
  return io::write_atomically(file(run_file), run.pretty());
}

Result<void> RunFolder::note_file(const std::string& relative) {
  const Result<std::string> bytes = io::read_text(file(relative), int64_t{64} << 30);
  if (!bytes) return bytes.error();
  Hash hash;
  hash.add(*bytes);
  hashes_[relative] = hash.text();
  return {};
}

Result<Json> RunFolder::file_hashes() {
  for (const fs::path& path : files_of(folder_)) {
    const std::string name = path.generic_string();
    if (name == run_file || name == report_file || !is_output(path) ||
        (hashes_.contains(name) && name != checkpoint_file))
      continue;
    if (auto ok = note_file(name); !ok) return ok.error();
  }
  Json hashes = Json::list();
  for (const auto& [name, hash] : hashes_) {
    Json entry = Json::object();
    entry.set("path", name);
    entry.set("hash", hash);
    hashes.add(std::move(entry));
  }
  return hashes;
}

}  // namespace sinew::run
