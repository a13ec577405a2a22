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

void fail(const std::string& action, const std::filesystem::path& file, int reason,
          const std::string& advice) {
  throw comm::Error(comm::ExitCode::input_output, action + " '" + file.string() + "' (" +
                                                      std::generic_category().message(reason) +
                                                      ") " + advice);
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

/// Repeats `transfer(bytes done so far)`, one system call, until all bytes are through or it gives
/// 0 or fails; the bytes done.
template <class Call>
std::size_t repeated(std::size_t size, const Call& transfer) {
  std::size_t done = 0;
  while (done < size) {
    const auto count = transfer(done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
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
  struct stat status {};
  if (::fstat(value_, &status) != 0) fail("cannot inspect", file_, errno, "check the file system");
  return status.st_size;
}

std::string FileDescriptor::kind() const {
  struct stat status {};
  if (::fstat(value_, &status) != 0) fail("cannot inspect", file_, errno, "check the file system");
  return kind_of(status.st_mode);
}

void FileDescriptor::write(std::span<const std::byte> bytes, std::int64_t offset) const {
  errno = 0;
  const auto done = repeated(bytes.size(), [&](std::size_t begin) {
    return ::pwrite(value_, bytes.data() + begin, bytes.size() - begin,
                    offset + static_cast<std::int64_t>(begin));
  });
  if (done < bytes.size()) fail("cannot write", file_, errno != 0 ? errno : EIO, advice_for(errno));
}

void FileDescriptor::read(std::span<std::byte> bytes, std::int64_t offset) const {
  errno = 0;
  const auto done = repeated(bytes.size(), [&](std::size_t begin) {
    return ::pread(value_, bytes.data() + begin, bytes.size() - begin,
                   offset + static_cast<std::int64_t>(begin));
  });
  if (done < bytes.size())
    fail("cannot read back", file_, errno != 0 ? errno : EIO, "check the file system");
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
