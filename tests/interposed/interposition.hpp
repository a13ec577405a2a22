// SPDX-License-Identifier: MIT
// What interposed functions share: the C library's own functions, paths, and effects on calls.
#pragma once

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

namespace interposed {

/// The function that would have been called without this library.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

inline std::string path_of(int descriptor) {
  std::array<char, 4096> path{};
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  const auto length = readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

/// `work(effect)` on the file, unless the call is of no interest.
template <class Path, class Work>
inline auto watched(std::string_view call, const Path& path_if_needed, const Work& work) {
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
inline auto on_descriptor(std::string_view call, int file, const Work& work) {
  return watched(
      call, [file] { return path_of(file); }, work);
}

/// `work()` unless it is to fail.
template <class Work>
inline auto on_path(std::string_view call, const char* path, const Work& work) {
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
inline int unless_it_fails(std::string_view call, int file, const Work& work) {
  return on_descriptor(call, file,
                       [&](Effect effect) { return effect == Effect::failure ? -1 : work(); });
}

inline const char* opening(int flags) {
  return (flags & O_ACCMODE) == O_RDONLY ? "open_read" : "open";
}

/// `transfer(data, bytes)` of what the effect leaves of it.
template <class Transfer>
inline ssize_t altered_write(const char* call, int file, const void* data, std::size_t bytes,
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
inline ssize_t altered_read(const char* call, int file, void* data, std::size_t bytes,
                            const Transfer& transfer) {
  return on_descriptor(call, file, [&](Effect effect) -> ssize_t {
    if (effect == Effect::failure) return -1;
    const auto count = transfer(data, effect == Effect::half ? (bytes + 1) / 2 : bytes);
    auto* middle = static_cast<char*>(data) + count / 2;
    if (effect == Effect::corruption && count > 0) *middle = static_cast<char>(*middle ^ 1);
    return count;
  });
}

inline std::size_t bytes_of(const iovec* pieces, int count) {
  std::size_t bytes = 0;
  for (int n = 0; n < count; ++n) bytes += pieces[n].iov_len;
  return bytes;
}

/// A write of several pieces as one of a copy in one piece, where it is to be altered; else
/// `whole()`.
template <class Whole, class OnePiece>
inline ssize_t altered_writev(const char* call, int file, const iovec* pieces, int count,
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
inline ssize_t altered_readv(const char* call, int file, const iovec* pieces, int count,
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
inline mode_t mode_after(int flags, va_list rest) {
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

}  // namespace interposed
