#pragma once
// Who works on a shard: a file beside it that names the process. It is made where there is none (O_EXCL), touched every
// few seconds while its owner lives, and removed at the end. A lock is stale, and taken over, when its process is gone (on
// the same system: no process of that number and start time) or, from another system, when it was not touched for a
// minute of the file system's own clock. Claims are made one at a time under a lock of the folder that dies with its
// holder, so that two never take over the same lock.
//
//     Result<std::unique_ptr<ShardLock>> lock = ShardLock::claim(folder, "00003.lock");
//     if (*lock) ...  (*lock)->still_mine()
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"

namespace sinew::batch {

// This process, or one that a lock file names.
struct Owner {
  int64_t pid = 0;
  std::string system;  // host, boot and space of process numbers
  std::string start;   // of the process, in ticks since boot

  static Owner self();
  static std::optional<Owner> parse(const std::string& text);
  std::string text() const;
  bool operator==(const Owner&) const = default;
};

// Whether nobody holds the lock file any more. `silence`: seconds after which another system's lock counts as left.
bool is_stale(const std::filesystem::path& lock, double silence = 60);

class ShardLock {
 public:
  // Nothing where somebody else holds it.
  static Result<std::unique_ptr<ShardLock>> claim(const std::filesystem::path& folder,
                                                  const std::string& name);
  ShardLock(const ShardLock&) = delete;
  ShardLock& operator=(const ShardLock&) = delete;
  ~ShardLock();  // removes the file, if it is still this process's

  // False where another took it over: it was taken for dead.
  bool still_mine() const;

 private:
  ShardLock(std::filesystem::path path, Owner owner);
  void touch();

  std::filesystem::path path_;
  Owner owner_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread heart_;
};

}  // namespace sinew::batch
