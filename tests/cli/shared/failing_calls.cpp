// A library to preload (LD_PRELOAD) that makes the n-th call of some kinds fail, between the begin and the end of main.
//
//     FAIL_CALLS=open,write,fsync,rename,close,mkdir FAIL_AT=7 FAIL_ERROR=28   the 7th of these, with ENOSPC
//     FAIL_CALLS=malloc FAIL_AT=100 FAIL_LASTING=1                             the 100th allocation and all later ones
//
//     FAIL_CALLS=malloc FAIL_AT=0                                              none; says how many there were
//
// Only files opened for writing count. A write that fails has put half of its bytes. The name of the call that failed
// first goes to stderr as "[failed: write]".
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

std::atomic<bool> active{false};
std::atomic<long> calls{0};
const char* kinds = "";
long fail_at = 0;
int error = ENOSPC;
bool lasting = false;
constexpr int max_files = 1024;
std::atomic<bool> written[max_files];

// Whether this call of the kind is to fail.
bool fails(const char* kind) {
  if (!active) return false;
  const char* at = std::strstr(kinds, kind);
  if (!at) return false;
  const long n = ++calls;
  if (n < fail_at || (n > fail_at && !lasting)) return false;
  if (n == fail_at) {
    syscall(SYS_write, 2, "[failed: ", 9);
    syscall(SYS_write, 2, kind, std::strlen(kind));
    syscall(SYS_write, 2, "]\n", 2);
  }
  errno = error;
  return true;
}

bool no_memory() {
  if (!fails("malloc")) return false;
  errno = ENOMEM;
  return true;
}

bool is_written(int fd) { return fd > 2 && fd < max_files && written[fd]; }

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char *names = std::getenv("FAIL_CALLS"), *number = std::getenv("FAIL_AT"),
             *code = std::getenv("FAIL_ERROR");
  if (names && number) {
    kinds = names;
    fail_at = std::atol(number);
    if (code) error = std::atoi(code);
    lasting = std::getenv("FAIL_LASTING") != nullptr;
    active = true;
  }
  const int result = real_main(argc, argv, environment);
  active = false;
  if (names && fail_at == 0) dprintf(2, "[calls: %ld]\n", calls.load());
  return result;
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes && fails("open")) return -1;
  const int fd = static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
  if (writes && fd >= 0 && fd < max_files) written[fd] = true;
  return fd;
}

mode_t mode_of(int flags, va_list arguments) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  using Start = decltype(&__libc_start_main);
  real_main = main;
  return reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, init, fini,
                                                                        rtld_fini, stack_end);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int fd = open_file(AT_FDCWD, path, flags, mode_of(flags, arguments));
  va_end(arguments);
  return fd;
}

ssize_t write(int fd, const void* bytes, size_t count) {
  if (is_written(fd) && fails("write")) {
    const int code = errno;
    syscall(SYS_write, fd, bytes, count / 2);
    errno = code;
    return -1;
  }
  return syscall(SYS_write, fd, bytes, count);
}

// Also the folder that holds a new name.
int fsync(int fd) { return fails("fsync") ? -1 : static_cast<int>(syscall(SYS_fsync, fd)); }

int rename(const char* from, const char* to) noexcept {
  return fails("rename") ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}

int close(int fd) {
  const bool failing = is_written(fd) && fails("close");
  const int code = errno;
  if (fd >= 0 && fd < max_files) written[fd] = false;
  const auto result = static_cast<int>(syscall(SYS_close, fd));
  if (!failing) return result;
  errno = code;
  return -1;
}

int mkdir(const char* path, mode_t mode) noexcept {
  return fails("mkdir") ? -1 : static_cast<int>(syscall(SYS_mkdir, path, mode));
}

void* malloc(size_t size) noexcept { return no_memory() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept {
  return no_memory() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept { return no_memory() ? nullptr : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) noexcept {
  return no_memory() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  if (no_memory()) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
