// SPDX-License-Identifier: MIT
// POSIX files: whole reads and writes at a place, with the system's reason where they fail.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace halotherm::io {

/// Throws comm::Error (input_output) "<action> '<file>' (<the reason of this errno>) <advice>".
[[noreturn]] void fail(const std::string& action, const std::filesystem::path& file, int reason,
                       const std::string& advice);

/// What a file of this mode (stat(2)) is: "a regular file", "a directory", "a pipe", "a socket", "a
/// symbolic link", "a device".
std::string kind_of(mode_t mode);

/// Owns an open file. Its members may be called from any thread, and throw comm::Error
/// (input_output).
class FileDescriptor {
 public:
  /// `flags` as open(2) has them; never writes through a link as the last part of the path. Look at
  /// `is_open` and errno, or use the members, which fail on what could not be opened.
  FileDescriptor(const std::filesystem::path& file, int flags);
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool is_open() const { return value_ >= 0; }
  int get() const { return value_; }

  std::int64_t size() const;
  /// As `kind_of` has it.
  std::string kind() const;
  void write(std::span<const std::byte> bytes, std::int64_t offset) const;
  /// All of `bytes`, or an error.
  void read(std::span<std::byte> bytes, std::int64_t offset) const;
  /// Waits until all that was written, through any descriptor of this node, is on the disk.
  void flush() const;
  /// Network file systems say only here that they had no space left, unless `flush` was called
  /// before.
  void close();
  /// Asks the system to forget what it remembers of the file, so that a read shows what the disk
  /// has. A hint.
  void forget() const;

 private:
  std::filesystem::path file_;
  int value_;
};

}  // namespace halotherm::io
