// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that makes calls of the C library on chosen files fail, or do something else than they were told. What
// is to happen, by environment variables:
//
//   FAULT_CALL    open (for writing), open_read, write, pwrite, read, pread, fsync, fallocate, ftruncate, rename, unlink or close
//   FAULT_ERROR   ENOSPC, EDQUOT, EIO, EACCES, EROFS, ESTALE or EINVAL; short: half of the bytes, and ENOSPC from the next call on;
//                 half: half of the bytes, which is no error; corrupt: one bit is changed, and success reported; stop: by SIGSTOP
//   FAULT_PATH    of the file, as fnmatch(3) has patterns
//   FAULT_RANK    of MPI_COMM_WORLD, else any
//   FAULT_THREAD  main or other, else any
//   FAULT_AFTER   a call (as in FAULT_CALL) that must have been made on the file before, else none; fallocate:2: twice
//   FAULT_AT      the first of these calls to be hit, counted from 1, else 1; of each rank
//   FAULT_COUNT   how many are hit, else 1; 0: all from there on
//   FAULT_LOG     a file that gets a line for every hit
#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

/// The function that would have been called without this library.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

std::string variable(const char* name, const char* otherwise = "") {
  const char* text = std::getenv(name);
  return text != nullptr ? text : otherwise;
}

/// As the launcher says; a process without one is its own rank 0.
std::string my_rank() {
  for (const auto* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const auto rank = variable(name);
    if (!rank.empty()) return rank;
  }
  return "0";
}

int number_of(std::string_view error) {
  constexpr std::array<std::pair<std::string_view, int>, 8> known{{{"ENOSPC", ENOSPC},
                                                                   {"EDQUOT", EDQUOT},
                                                                   {"EIO", EIO},
                                                                   {"EACCES", EACCES},
                                                                   {"EROFS", EROFS},
                                                                   {"ESTALE", ESTALE},
                                                                   {"EINVAL", EINVAL},
                                                                   {"short", ENOSPC}}};
  for (const auto& [name, number] : known) {
    if (name == error) return number;
  }
  return 0;
}

enum class Effect { none, failure, half, corruption };

/// What the variables say, and how far it has come. Any thread may ask.
class Fault {
 public:
  static Fault& the_one() {
    static Fault fault;
    return fault;
  }

  Effect of(std::string_view call, const std::string& path) {
    if (!mine_ || fnmatch(path_.c_str(), path.c_str(), 0) != 0) return Effect::none;
    const std::lock_guard alone(mutex_);
    const auto name = path.substr(path.rfind('/') + 1);  // calls give paths that begin here or at the root
    if (name != last_) seen_ = 0;
    last_ = name;
    const bool ready = seen_ >= times_;
    if (call == after_) ++seen_;
    if (!ready || call != call_ || !on_thread()) return Effect::none;
    const long hit = ++calls_ - first_;
    if (hit < 0 || hit >= count_) return Effect::none;
    note(call, path);
    if (error_ == "stop") raise(SIGSTOP);
    if (error_ == "corrupt") return Effect::corruption;
    if (error_ == "half" || (error_ == "short" && hit == 0)) return Effect::half;
    errno = number_;
    return error_ == "stop" ? Effect::none : Effect::failure;
  }

  bool fails(std::string_view call, const std::string& path) { return of(call, path) == Effect::failure; }
  /// Spares everybody else the look for a descriptor's path.
  bool concerns(std::string_view call) const { return mine_ && (call == call_ || call == after_); }

 private:
  Fault() {
    const auto rank = variable("FAULT_RANK");
    const long count = std::stol(variable("FAULT_COUNT", "1"));
    if (count > 0) count_ = count;
    const auto colon = after_.find(':');
    if (!after_.empty()) times_ = colon == std::string::npos ? 1 : std::stol(after_.substr(colon + 1));
    after_.resize(std::min(colon, after_.size()));
    mine_ = !call_.empty() && (rank.empty() || rank == my_rank());
  }

  bool on_thread() const {
    const bool main = syscall(SYS_gettid) == getpid();
    return thread_.empty() || main == (thread_ == "main");
  }

  /// By system calls, which this library does not see.
  void note(std::string_view call, const std::string& path) const {
    const auto line = my_rank() + " " + std::string(call) + " " + path + "\n";
    const long log = syscall(SYS_openat, AT_FDCWD, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (log < 0 || syscall(SYS_write, log, line.data(), line.size()) < 0) std::abort();
    syscall(SYS_close, log);
  }

  std::string call_ = variable("FAULT_CALL");
  std::string error_ = variable("FAULT_ERROR");
  std::string path_ = variable("FAULT_PATH", "*");
  std::string thread_ = variable("FAULT_THREAD");
  std::string after_ = variable("FAULT_AFTER");
  std::string log_ = variable("FAULT_LOG");
  int number_ = number_of(error_);
  long first_ = std::stol(variable("FAULT_AT", "1"));
  long count_ = std::numeric_limits<long>::max();
  bool mine_ = false;
  std::mutex mutex_;
  long times_ = 0;    ///< of the call of FAULT_AFTER
  std::string last_;  ///< file that a call concerned
  long seen_ = 0;     ///< calls of FAULT_AFTER on it
  long calls_ = 0;
};

std::string path_of(int descriptor) {
  std::array<char, 4096> path{};
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  const auto length = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

Effect effect(std::string_view call, int descriptor) {
  auto& fault = Fault::the_one();
  return fault.concerns(call) ? fault.of(call, path_of(descriptor)) : Effect::none;
}

bool fails(std::string_view call, int descriptor) {
  return effect(call, descriptor) == Effect::failure;
}

bool open_fails(const char* path, bool writes) {
  return Fault::the_one().fails(writes ? "open" : "open_read", path);
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY;
}

/// `transfer(data, bytes)` of what the fault leaves of it.
template <class Transfer>
ssize_t altered_write(Effect effect, const void* data, std::size_t bytes, const Transfer& transfer) {
  const auto* first = static_cast<const char*>(data);
  if (effect == Effect::failure) return -1;
  if (effect == Effect::half) return transfer(first, (bytes + 1) / 2);
  if (effect == Effect::none || bytes == 0) return transfer(first, bytes);
  std::vector<char> other(first, first + bytes);
  other[bytes / 2] = static_cast<char>(other[bytes / 2] ^ 1);
  return transfer(other.data(), bytes);
}

template <class Transfer>
ssize_t altered_read(Effect effect, void* data, std::size_t bytes, const Transfer& transfer) {
  if (effect == Effect::failure) return -1;
  const auto count = transfer(data, effect == Effect::half ? (bytes + 1) / 2 : bytes);
  auto* middle = static_cast<char*>(data) + count / 2;
  if (effect == Effect::corruption && count > 0) *middle = static_cast<char>(*middle ^ 1);
  return count;
}

/// The permissions of a new file, which follow only where one may be made.
mode_t mode_after(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

using OfDescriptor = int (*)(int);
using OfPath = int (*)(const char*);

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = mode_after(flags, rest);
  va_end(rest);
  return open_fails(path, writes(flags)) ? -1 : real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = mode_after(flags, rest);
  va_end(rest);
  return open_fails(path, writes(flags)) ? -1 : real<int (*)(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  const bool for_writing = std::string_view(mode).find_first_of("wa+") != std::string_view::npos;
  return open_fails(path, for_writing) ? nullptr : real<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

ssize_t write(int file, const void* data, std::size_t bytes) {
  const auto function = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  return altered_write(effect("write", file), data, bytes,
                       [&](const void* from, std::size_t count) { return function(file, from, count); });
}

ssize_t writev(int file, const iovec* pieces, int count) {
  return fails("write", file) ? -1 : real<ssize_t (*)(int, const iovec*, int)>("writev")(file, pieces, count);
}

ssize_t pwrite(int file, const void* data, std::size_t bytes, off_t place) {
  const auto function = real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return altered_write(effect("pwrite", file), data, bytes,
                       [&](const void* from, std::size_t count) { return function(file, from, count, place); });
}

ssize_t read(int file, void* data, std::size_t bytes) {
  const auto function = real<ssize_t (*)(int, void*, std::size_t)>("read");
  return altered_read(effect("read", file), data, bytes, [&](void* to, std::size_t count) { return function(file, to, count); });
}

ssize_t pread(int file, void* data, std::size_t bytes, off_t place) {
  const auto function = real<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  return altered_read(effect("pread", file), data, bytes,
                      [&](void* to, std::size_t count) { return function(file, to, count, place); });
}

int fsync(int file) {
  return fails("fsync", file) ? -1 : real<OfDescriptor>("fsync")(file);
}
int fdatasync(int file) {
  return fails("fsync", file) ? -1 : real<OfDescriptor>("fdatasync")(file);
}
int fallocate(int file, int mode, off_t begin, off_t bytes) {
  return fails("fallocate", file) ? -1 : real<int (*)(int, int, off_t, off_t)>("fallocate")(file, mode, begin, bytes);
}
int ftruncate(int file, off_t bytes) noexcept {
  return fails("ftruncate", file) ? -1 : real<int (*)(int, off_t)>("ftruncate")(file, bytes);
}

/// The file's path is that of its new name.
int rename(const char* from, const char* to) noexcept {
  return Fault::the_one().fails("rename", to) ? -1 : real<int (*)(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  return Fault::the_one().fails("unlink", path) ? -1 : real<OfPath>("unlink")(path);
}
int remove(const char* path) noexcept {
  return Fault::the_one().fails("unlink", path) ? -1 : real<OfPath>("remove")(path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return Fault::the_one().fails("unlink", path) ? -1 : real<int (*)(int, const char*, int)>("unlinkat")(folder, path, flags);
}

/// The descriptor is closed all the same, as Linux does.
int close(int file) {
  const bool failure = fails("close", file);
  const int number = errno;
  const int result = real<OfDescriptor>("close")(file);
  if (!failure) return result;
  errno = number;
  return -1;
}

// Where off_t has 64 bits, these are the same functions by another name.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));
ssize_t pwrite64(int file, const void* data, std::size_t bytes, off64_t place) __attribute__((alias("pwrite")));
ssize_t pread64(int file, void* data, std::size_t bytes, off64_t place) __attribute__((alias("pread")));
int fallocate64(int file, int mode, off64_t begin, off64_t bytes) __attribute__((alias("fallocate")));
int ftruncate64(int file, off64_t bytes) noexcept __attribute__((alias("ftruncate")));
}
