// SPDX-License-Identifier: MIT
#include "io/files/durable_file.hpp"

#include "comm/mpi/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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
  fail(fmt::format("cannot reserve {} bytes for", size), file, errno,
       "free some space or choose another output directory");
}

/// Opens a new file for writing, never the target of a link. Removes what a killed run left under
/// the name.
FileDescriptor open_new(const std::filesystem::path& file) {
  if (::unlink(file.c_str()) != 0 && errno != ENOENT)
    fail("cannot make", file, errno, "remove it, or choose another folder");
  return {file, O_RDWR | O_CREAT | O_EXCL};
}

/// Programs that write the same file at the same time must not publish each other's half-written
/// one.
void check_same(const FileDescriptor& descriptor, const std::filesystem::path& file) {
  struct stat opened {
  }, named{};
  if (::fstat(descriptor.get(), &opened) == 0 && ::lstat(file.c_str(), &named) == 0 &&
      opened.st_dev == named.st_dev && opened.st_ino == named.st_ino) {
    return;
  }
  fail("cannot write", file, "another process replaced it meanwhile", "try again, one at a time");
}

void check_replaceable(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  fail("cannot replace", file, "it is not a regular file", "choose another name, or move it away");
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
    // frees what was reserved; nothing more can be done if that fails
    static_cast<void>(::ftruncate(descriptor.get(), before));
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
  const std::string advice = "use a shared file system, on which every rank sees the same files";
  if (!descriptor.is_open()) fail("cannot open what rank 0 just made,", file, errno, advice);
  if (const auto seen = descriptor.size(); seen != size)
    fail("sees another file than rank 0 as", file,
         fmt::format("{} bytes instead of {}", seen, size), advice);
}

void publish(const std::filesystem::path& partial, const std::filesystem::path& final_path) {
  if (::rename(partial.c_str(), final_path.c_str()) != 0)
    fail("cannot give its name to", final_path, errno, "check the output directory");
  flush_folder(final_path.has_parent_path() ? final_path.parent_path()
                                            : std::filesystem::path("."));
}

void flush_folder(const std::filesystem::path& folder) {
  const FileDescriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  // file systems that cannot flush a folder return EINVAL: there the rename itself must suffice
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
  if (const auto kind = kind_of(status.st_mode); kind != "a regular file")
    fail("cannot write", file, "it is " + kind + ", which would be replaced",
         "name a regular file");
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
  return fmt::format("{}{:010}{}", prefix, step, suffix);
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
  std::ranges::sort(files, {}, &NumberedFile::step);
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
