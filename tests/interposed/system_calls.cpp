// SPDX-License-Identifier: MIT
#include "system_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

using interposed::Effect;

namespace {

/// The function that would have been called without this library.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  std::array<char, 4096> path{};
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  const auto length = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

/// `work(effect)` on the file, unless the call is of no interest.
template <class Path, class Work>
auto watched(std::string_view call, const Path& path_if_needed, const Work& work) {
  if (!interposed::concerns(call)) return work(Effect::none);
  const int before = errno;
  const std::string path = path_if_needed();
  errno = before;
  const auto result = work(interposed::effect(call, path));
  const int after = errno;
  if constexpr (std::is_pointer_v<std::remove_cv_t<decltype(result)>>) {
    interposed::note(call, path, result != nullptr ? 0 : -1);
  } else {
    interposed::note(call, path, result);
  }
  errno = after;
  return result;
}

template <class Work>
auto on_descriptor(std::string_view call, int file, const Work& work) {
  return watched(
      call, [file] { return path_of(file); }, work);
}

/// `work()` unless it is to fail.
template <class Work>
auto on_path(std::string_view call, const char* path, const Work& work) {
  using Result = decltype(work());
  return watched(
      call, [path] { return std::string(path); },
      [&](Effect effect) -> Result {
        if (effect != Effect::failure) return work();
        if constexpr (std::is_pointer_v<Result>) {
          return nullptr;
        } else {
          return -1;
        }
      });
}

template <class Work>
int unless_it_fails(std::string_view call, int file, const Work& work) {
  return on_descriptor(call, file,
                       [&](Effect effect) { return effect == Effect::failure ? -1 : work(); });
}

const char* opening(int flags) {
  return (flags & O_ACCMODE) == O_RDONLY ? "open_read" : "open";
}

/// `transfer(data, bytes)` of what the effect leaves of it.
template <class Transfer>
ssize_t altered_write(const char* call, int file, const void* data, std::size_t bytes,
                      const Transfer& transfer) {
  const auto* first = static_cast<const char*>(data);
  return on_descriptor(call, file, [&](Effect effect) -> ssize_t {
    if (effect == Effect::failure) return -1;
    if (effect == Effect::half) return transfer(first, (bytes + 1) / 2);
    if (effect == Effect::none || bytes == 0) return transfer(first, bytes);
    std::vector<char> other(first, first + bytes);
    other[bytes / 2] = static_cast<char>(other[bytes / 2] ^ 1);
    return transfer(other.data(), bytes);
  });
}

template <class Transfer>
ssize_t altered_read(const char* call, int file, void* data, std::size_t bytes,
                     const Transfer& transfer) {
  return on_descriptor(call, file, [&](Effect effect) -> ssize_t {
    if (effect == Effect::failure) return -1;
    const auto count = transfer(data, effect == Effect::half ? (bytes + 1) / 2 : bytes);
    auto* middle = static_cast<char*>(data) + count / 2;
    if (effect == Effect::corruption && count > 0) *middle = static_cast<char>(*middle ^ 1);
    return count;
  });
}

std::size_t bytes_of(const iovec* pieces, int count) {
  std::size_t bytes = 0;
  for (int n = 0; n < count; ++n) bytes += pieces[n].iov_len;
  return bytes;
}

/// A write of several pieces as one of a copy in one piece, where it is to be altered; else
/// `whole()`.
template <class Whole, class OnePiece>
ssize_t altered_writev(const char* call, int file, const iovec* pieces, int count,
                       const Whole& whole, const OnePiece& one_piece) {
  std::vector<char> copy;
  return on_descriptor(call, file, [&](Effect effect) -> ssize_t {
    if (effect == Effect::failure) return -1;
    if (effect == Effect::none) return whole();
    for (int n = 0; n < count; ++n) {
      const auto* first = static_cast<const char*>(pieces[n].iov_base);
      copy.insert(copy.end(), first, first + pieces[n].iov_len);
    }
    if (effect == Effect::half) return one_piece(copy.data(), (copy.size() + 1) / 2);
    if (!copy.empty()) copy[copy.size() / 2] = static_cast<char>(copy[copy.size() / 2] ^ 1);
    return one_piece(copy.data(), copy.size());
  });
}

/// A read into several pieces. Half of the bytes: half of the first piece.
template <class Transfer>
ssize_t altered_readv(const char* call, int file, const iovec* pieces, int count,
                      const Transfer& transfer) {
  return on_descriptor(call, file, [&](Effect effect) -> ssize_t {
    if (effect == Effect::failure) return -1;
    if (effect == Effect::none || count == 0 || bytes_of(pieces, count) == 0)
      return transfer(pieces, count);
    iovec first = pieces[0];
    if (effect == Effect::half) first.iov_len = (first.iov_len + 1) / 2;
    const auto moved = effect == Effect::half ? transfer(&first, 1) : transfer(pieces, count);
    auto* byte = static_cast<char*>(first.iov_base);
    if (effect == Effect::corruption && moved > 0) *byte = static_cast<char>(*byte ^ 1);
    return moved;
  });
}

/// The permissions of a new file, which follow only where one may be made.
mode_t mode_after(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

using OfDescriptor = int (*)(int);
using OfPath = int (*)(const char*);
using OfPieces = ssize_t (*)(int, const iovec*, int);
using OfPiecesAt = ssize_t (*)(int, const iovec*, int, off_t);
using Write = ssize_t (*)(int, const void*, std::size_t);
using WriteAt = ssize_t (*)(int, const void*, std::size_t, off_t);
using Read = ssize_t (*)(int, void*, std::size_t);
using ReadAt = ssize_t (*)(int, void*, std::size_t, off_t);

}  // namespace

namespace interposed {

std::string variable(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : otherwise;
}

std::string my_rank() {
  for (const auto* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const auto rank = variable(name);
    if (!rank.empty()) return rank;
  }
  return "0";
}

bool on_main_thread() {
  return syscall(SYS_gettid) == getpid();
}

}  // namespace interposed

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = mode_after(flags, rest);
  va_end(rest);
  return on_path(opening(flags), path,
                 [&] { return real<int (*)(const char*, int, ...)>("open")(path, flags, mode); });
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = mode_after(flags, rest);
  va_end(rest);
  return on_path(opening(flags), path, [&] {
    return real<int (*)(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
  });
}

FILE* fopen(const char* path, const char* mode) {
  const bool writes = std::string_view(mode).find_first_of("wa+") != std::string_view::npos;
  return on_path(writes ? "open" : "open_read", path,
                 [&] { return real<FILE* (*)(const char*, const char*)>("fopen")(path, mode); });
}

ssize_t write(int file, const void* data, std::size_t bytes) {
  return altered_write("write", file, data, bytes, [&](const void* from, std::size_t count) {
    return real<Write>("write")(file, from, count);
  });
}

ssize_t pwrite(int file, const void* data, std::size_t bytes, off_t place) {
  return altered_write("pwrite", file, data, bytes, [&](const void* from, std::size_t count) {
    return real<WriteAt>("pwrite")(file, from, count, place);
  });
}

ssize_t writev(int file, const iovec* pieces, int count) {
  return altered_writev(
      "write", file, pieces, count, [&] { return real<OfPieces>("writev")(file, pieces, count); },
      [&](const void* from, std::size_t bytes) { return real<Write>("write")(file, from, bytes); });
}

ssize_t pwritev(int file, const iovec* pieces, int count, off_t place) {
  return altered_writev(
      "pwrite", file, pieces, count,
      [&] { return real<OfPiecesAt>("pwritev")(file, pieces, count, place); },
      [&](const void* from, std::size_t bytes) {
        return real<WriteAt>("pwrite")(file, from, bytes, place);
      });
}

ssize_t read(int file, void* data, std::size_t bytes) {
  return altered_read("read", file, data, bytes, [&](void* to, std::size_t count) {
    return real<Read>("read")(file, to, count);
  });
}

ssize_t pread(int file, void* data, std::size_t bytes, off_t place) {
  return altered_read("pread", file, data, bytes, [&](void* to, std::size_t count) {
    return real<ReadAt>("pread")(file, to, count, place);
  });
}

ssize_t readv(int file, const iovec* pieces, int count) {
  return altered_readv("read", file, pieces, count, [&](const iovec* to, int number) {
    return real<OfPieces>("readv")(file, to, number);
  });
}

ssize_t preadv(int file, const iovec* pieces, int count, off_t place) {
  return altered_readv("pread", file, pieces, count, [&](const iovec* to, int number) {
    return real<OfPiecesAt>("preadv")(file, to, number, place);
  });
}

int fsync(int file) {
  return unless_it_fails("fsync", file, [&] { return real<OfDescriptor>("fsync")(file); });
}
int fdatasync(int file) {
  return unless_it_fails("fsync", file, [&] { return real<OfDescriptor>("fdatasync")(file); });
}
int fallocate(int file, int mode, off_t begin, off_t bytes) {
  return unless_it_fails("fallocate", file, [&] {
    return real<int (*)(int, int, off_t, off_t)>("fallocate")(file, mode, begin, bytes);
  });
}
int ftruncate(int file, off_t bytes) noexcept {
  return unless_it_fails("ftruncate", file,
                         [&] { return real<int (*)(int, off_t)>("ftruncate")(file, bytes); });
}

/// The file's path is that of its new name.
int rename(const char* from, const char* to) noexcept {
  return on_path("rename", to,
                 [&] { return real<int (*)(const char*, const char*)>("rename")(from, to); });
}

int unlink(const char* path) noexcept {
  return on_path("unlink", path, [&] { return real<OfPath>("unlink")(path); });
}
int remove(const char* path) noexcept {
  return on_path("unlink", path, [&] { return real<OfPath>("remove")(path); });
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return on_path("unlink", path, [&] {
    return real<int (*)(int, const char*, int)>("unlinkat")(folder, path, flags);
  });
}

/// The descriptor is closed all the same, as Linux does.
int close(int file) {
  return on_descriptor("close", file, [&](Effect effect) {
    const int number = errno;
    const int result = real<OfDescriptor>("close")(file);
    if (effect != Effect::failure) return result;
    errno = number;
    return -1;
  });
}

// Where off_t has 64 bits, these are the same functions by another name.
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));
ssize_t pwrite64(int file, const void* data, std::size_t bytes, off64_t place)
    __attribute__((alias("pwrite")));
ssize_t pread64(int file, void* data, std::size_t bytes, off64_t place)
    __attribute__((alias("pread")));
ssize_t pwritev64(int file, const iovec* pieces, int count, off64_t place)
    __attribute__((alias("pwritev")));
ssize_t preadv64(int file, const iovec* pieces, int count, off64_t place)
    __attribute__((alias("preadv")));
int fallocate64(int file, int mode, off64_t begin, off64_t bytes)
    __attribute__((alias("fallocate")));
int ftruncate64(int file, off64_t bytes) noexcept __attribute__((alias("ftruncate")));
}
