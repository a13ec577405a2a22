// SPDX-License-Identifier: MIT
#include "io/files/file_descriptor.hpp"

#include "comm/mpi/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace halotherm::io {

void fail(const std::string& action, const std::filesystem::path& file, const std::string& reason,
          const std::string& advice) {
  throw comm::Error(comm::ExitCode::input_output,
                    {action + " '" + file.string() + "'", reason, advice});
}

void fail(const std::string& action, const std::filesystem::path& file, int reason,
          const std::string& advice) {
  fail(action, file, std::generic_category().message(reason), advice);
}

std::string kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "a regular file";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a symbolic link";
  return "a device";
}

namespace {

std::string advice_for(int reason) {
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  return full ? "free some space or choose another output directory" : "check the file system";
}

/// Repeats a system call, pread or pwrite, until all bytes are transferred. False, with errno set,
/// if the call fails or transfers nothing.
template <class Byte, class Call>
bool transfer(int descriptor, std::span<Byte> bytes, std::int64_t offset, const Call& call) {
  while (!bytes.empty()) {
    errno = 0;
    const auto count = call(descriptor, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
  return true;
}

struct stat status_of(int descriptor, const std::filesystem::path& file) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    fail("cannot inspect", file, errno, "check the file system");
  return status;
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& file, int flags)
    : file_(file),
      value_(::open(file.c_str(),
                    flags | O_CLOEXEC | ((flags & O_ACCMODE) == O_RDONLY ? 0 : O_NOFOLLOW), 0666)) {
}

FileDescriptor::~FileDescriptor() {
  if (value_ >= 0) ::close(value_);
}

std::int64_t FileDescriptor::size() const {
  return status_of(value_, file_).st_size;
}

std::string FileDescriptor::kind() const {
  return kind_of(status_of(value_, file_).st_mode);
}

void FileDescriptor::write(std::span<const std::byte> bytes, std::int64_t offset) const {
  if (!transfer(value_, bytes, offset, ::pwrite))
    fail("cannot write", file_, errno, advice_for(errno));
}

void FileDescriptor::read(std::span<std::byte> bytes, std::int64_t offset) const {
  if (!transfer(value_, bytes, offset, ::pread))
    fail("cannot read back", file_, errno, "check the file system");
}

void FileDescriptor::flush() const {
  if (::fsync(value_) != 0) fail("cannot bring to the disk", file_, errno, advice_for(errno));
}

void FileDescriptor::close() {
  const int descriptor = std::exchange(value_, -1);
  if (::close(descriptor) != 0 && errno != EINTR)
    fail("cannot write", file_, errno, advice_for(errno));
}

void FileDescriptor::forget() const {
  ::posix_fadvise(value_, 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace halotherm::io
