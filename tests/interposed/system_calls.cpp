// SPDX-License-Identifier: MIT
#include "interposition.hpp"

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

using namespace interposed;

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
