// SPDX-License-Identifier: MIT
#include "io/files/durable_file.hpp"

#include "comm/mpi/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <system_error>

namespace halotherm::io {

namespace {

void reserve(const FileDescriptor& descriptor, const std::filesystem::path& file,
             std::int64_t size) {
  if (size == 0 || ::fallocate(descriptor.get(), 0, 0, size) == 0) return;
  if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINTR) return;
  fail("cannot reserve " + std::to_string(size) + " bytes for", file, errno,
       "free some space or choose another output directory");
}

/// Opens a new file for writing, and never what a link points to; what a killed run left under the
/// name goes first.
FileDescriptor open_new(const std::filesystem::path& file) {
  if (::unlink(file.c_str()) != 0 && errno != ENOENT)
    fail("cannot make", file, errno, "remove it, or choose another folder");
  return {file, O_RDWR | O_CREAT | O_EXCL};
}

/// Programs that write the same file at the same time must not publish each other's halves.
void check_same(const FileDescriptor& descriptor, const std::filesystem::path& file) {
  struct stat opened {
  }, named{};
  if (::fstat(descriptor.get(), &opened) == 0 && ::lstat(file.c_str(), &named) == 0 &&
      opened.st_dev == named.st_dev && opened.st_ino == named.st_ino) {
    return;
  }
  throw comm::Error(comm::ExitCode::input_output,
                    "cannot write '" + file.string() +
                        "' (another process replaced it meanwhile) try again, one at a time");
}

void check_replaceable(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw comm::Error(comm::ExitCode::input_output,
                    "cannot replace '" + file.string() +
                        "' (it is no regular file) choose another name, or move it away");
}

constexpr std::string_view partial_suffix = ".partial";

template <class Visit>
void for_each_name(const std::filesystem::path& folder, Visit&& visit) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    visit(*entry);
  if (error && error != std::errc::no_such_file_or_directory)
    fail("cannot list the folder", folder, error.value(), "check its permissions");
}

}  // namespace

std::filesystem::path partial_path(const std::filesystem::path& final_path) {
  return final_path.parent_path() /
         ("." + final_path.filename().string() + std::string(partial_suffix));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    fail("cannot make the folder", folder, error.value(), "choose another output directory");
  if (!std::filesystem::is_directory(folder, error))
    fail("cannot write into", folder, ENOTDIR, "choose another output directory");
}

void reserve_space(const std::filesystem::path& file, std::int64_t size) {
  const FileDescriptor descriptor(file, O_RDWR);
  if (!descriptor.is_open()) fail("cannot open", file, errno, "check the output directory");
  const auto before = descriptor.size();
  try {
    reserve(descriptor, file, size);
  } catch (const comm::Error&) {
    static_cast<void>(::ftruncate(
        descriptor.get(), before));  // gives back what was set aside; if it cannot, nothing can
    throw;
  }
}

void reserve_new_file(const std::filesystem::path& file, std::int64_t size) {
  const auto descriptor = open_new(file);
  if (!descriptor.is_open()) fail("cannot make", file, errno, "choose another output directory");
  reserve(descriptor, file, size);
}

void check_visible(const FileDescriptor& descriptor, const std::filesystem::path& file,
                   std::int64_t size) {
  const std::string advice =
      "every rank must see the same output directory: use a shared file system";
  if (!descriptor.is_open()) fail("cannot open what rank 0 just made,", file, errno, advice);
  const std::int64_t seen = descriptor.size();
  if (seen == size) return;
  throw comm::Error(comm::ExitCode::input_output, "sees another file than rank 0 as '" +
                                                      file.string() + "' (" + std::to_string(seen) +
                                                      " bytes instead of " + std::to_string(size) +
                                                      ") " + advice);
}

void flush_to_disk(const std::filesystem::path& file) {
  const FileDescriptor descriptor(file, O_RDONLY);
  if (!descriptor.is_open() || ::fsync(descriptor.get()) != 0)
    fail("cannot bring to the disk", file, errno, "check the file system");
}

void publish(const std::filesystem::path& partial, const std::filesystem::path& final_path) {
  if (::rename(partial.c_str(), final_path.c_str()) != 0)
    fail("cannot give its name to", final_path, errno, "check the output directory");
  flush_folder(final_path.has_parent_path() ? final_path.parent_path()
                                            : std::filesystem::path("."));
}

void flush_folder(const std::filesystem::path& folder) {
  const FileDescriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  // some file systems cannot flush a folder and say EINVAL: there the rename itself has to do
  if (!descriptor.is_open() || (::fsync(descriptor.get()) != 0 && errno != EINVAL)) {
    fail("cannot bring to the disk the folder", folder, errno, "check the file system");
  }
}

void write_text_file(const std::filesystem::path& file, const std::string& text) {
  check_replaceable(file);
  const auto partial = partial_path(file);
  auto stream = open_new(partial);
  if (!stream.is_open()) fail("cannot write", partial, errno, "check the output directory");
  try {
    stream.write(std::as_bytes(std::span(text)), 0);
    stream.flush();
    check_same(stream, partial);
    stream.close();
    publish(partial, file);
  } catch (const comm::Error&) {
    remove_file(partial);
    throw;
  }
}

void check_text_file(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail("cannot write into the folder", folder, errno, "choose another one");
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) return;
  if (const auto kind = kind_of(status.st_mode); kind != "a regular file") {
    throw comm::Error(comm::ExitCode::input_output,
                      "cannot write '" + file.string() + "' (it is " + kind +
                          ", which would be replaced) name a regular file");
  }
}

std::filesystem::path keep_copy(const std::filesystem::path& file) {
  for (int number = 1;; ++number) {
    std::error_code error;
    const std::filesystem::path copy =
        file.string() + ".damaged" + (number > 1 ? "." + std::to_string(number) : "");
    std::filesystem::copy_file(file, copy, error);
    if (!error) return copy;
    if (error != std::errc::file_exists)
      fail("cannot copy to", copy, error.value(), "check the output directory");
  }
}

std::string remove_file(const std::filesystem::path& file) {
  return ::unlink(file.c_str()) == 0 || errno == ENOENT ? std::string()
                                                        : std::generic_category().message(errno);
}

void discard_file(const std::filesystem::path& file) {
  const FileDescriptor descriptor(file, O_WRONLY | O_TRUNC);
  remove_file(file);
}

std::string numbered_name(std::string_view prefix, std::int64_t step, std::string_view suffix) {
  auto digits = std::to_string(step);
  if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
  return std::string(prefix) + digits + std::string(suffix);
}

std::optional<std::int64_t> numbered_step(std::string_view name, std::string_view prefix,
                                          std::string_view suffix) {
  if (name.size() < prefix.size() + 10 + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix))
    return std::nullopt;
  const auto digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  std::int64_t step = -1;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (failure != std::errc{} || end != digits.data() + digits.size() || step < 0)
    return std::nullopt;
  return step;
}

std::vector<NumberedFile> numbered_files(const std::filesystem::path& folder,
                                         std::string_view prefix, std::string_view suffix) {
  std::vector<NumberedFile> files;
  for_each_name(folder, [&](const std::filesystem::directory_entry& entry) {
    const auto step = numbered_step(entry.path().filename().string(), prefix, suffix);
    std::error_code error;
    if (step && entry.is_regular_file(error)) files.push_back({*step, entry.path()});
  });
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.step < b.step; });
  return files;
}

void remove_stale_partials(const std::filesystem::path& folder, std::string_view prefix,
                           std::string_view suffix) {
  std::vector<std::filesystem::path> stale;
  const auto hidden_prefix = "." + std::string(prefix);
  const auto hidden_suffix = std::string(suffix) + std::string(partial_suffix);
  for_each_name(folder, [&](const std::filesystem::directory_entry& entry) {
    if (numbered_step(entry.path().filename().string(), hidden_prefix, hidden_suffix))
      stale.push_back(entry.path());
  });
  for (const auto& file : stale) remove_file(file);
}

}  // namespace halotherm::io
