// SPDX-License-Identifier: MIT
// POSIX files: complete reads and writes at an offset; failures carry the system's reason.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace halotherm::io {

/// Throws comm::Error (input_output) "<action> '<file>' (<reason>); <advice>". A number is an
/// errno.
[[noreturn]] void fail(const std::string& action, const std::filesystem::path& file,
                       const std::string& reason, const std::string& advice);
[[noreturn]] void fail(const std::string& action, const std::filesystem::path& file, int reason,
                       const std::string& advice);

/// The kind of a file of this mode (stat(2)): "a regular file", "a directory", "a pipe", "a
/// socket", "a symbolic link", "a device".
std::string kind_of(mode_t mode);

/// Owns an open file. Its members may be called from any thread, and throw comm::Error
/// (input_output).
class FileDescriptor {
 public:
  /// `flags`: as of open(2); never writes through a link as the last part of the path. A failure
  /// shows in `is_open` and errno, or when another member is called.
  FileDescriptor(const std::filesystem::path& file, int flags);
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool is_open() const { return value_ >= 0; }
  int get() const { return value_; }

  std::int64_t size() const;
  std::string kind() const;
  /// Transfer all of `bytes` or throw.
  void write(std::span<const std::byte> bytes, std::int64_t offset) const;
  void read(std::span<std::byte> bytes, std::int64_t offset) const;
  /// Waits until all that was written, through any descriptor of this node, is on the disk.
  void flush() const;
  /// Network file systems report only here, or at `flush`, that they had no space left.
  void close();
  /// A hint to the system to drop its cache of the file, so that a read shows what the disk has.
  void forget() const;

 private:
  std::filesystem::path file_;
  int value_;
};

}  // namespace halotherm::io
