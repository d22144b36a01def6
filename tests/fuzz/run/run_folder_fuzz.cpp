// A run folder whose run.json and stats.jsonl hold anything, beside a checkpoint that is whole: it is looked at, gone on
// from and compared. The two files are parted by the first byte 0.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "base/machine.h"
#include "run/difference.h"
#include "run/run_folder.h"
#include "run/statistics.h"

namespace {

namespace fs = std::filesystem;
namespace run = sinew::run;

// In memory where there is such a place: every input is written twice. Removed with the object.
struct Folder {
  Folder() {
    path = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
           ("sinew_fuzz_" + std::to_string(::getpid()));
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(bytes.find('\0'), size);
  const Folder made;
  const fs::path& folder = made.path;
  put(folder / "run.json", bytes.substr(0, cut));
  put(folder / "stats.jsonl", bytes.substr(std::min(cut + 1, size)));
  const sinew::model::State state(sinew::model::StateLayout(),
                                  {.nodes = 1, .elements = 1, .bodies = 1, .links = 0});
  if (!run::write_checkpoint((folder / "checkpoint.bin").string(),
                             {"hash", sinew::binary_id(), 3, sinew::json::Json::object(), state}))
    __builtin_trap();
  (void)run::read_run(folder);
  (void)run::compare_runs(folder, folder);
  const auto run = run::RunFolder::open(folder, "hash", {.resume = true, .force = true});
  if (!run) return 0;
  for (const auto& line : run->lines())
    for (const auto& expectation : line["expect"].items()) (void)run::expectation_of(expectation).sentence();
  return 0;
}
