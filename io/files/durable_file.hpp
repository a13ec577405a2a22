// SPDX-License-Identifier: MIT
// Files that are complete under their final name or absent: write a partial file, flush it to the
// disk, rename it. All functions are local; failures throw comm::Error (input_output) with the
// file's name and the system's reason.
#pragma once

#include "io/files/file_descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::io {

/// The name under which `final_path` is written: in the same folder, since a rename is atomic only
/// within one file system, hidden, and matched by no pattern for finished files.
std::filesystem::path partial_path(const std::filesystem::path& final_path);

/// Creates the folder and those above it.
void make_folder(const std::filesystem::path& folder);

/// Makes the file system reserve `size` bytes for the file, so that a full disk shows here and not
/// in the middle of a write; then the file is left as it was. Does nothing where the file system
/// cannot reserve space.
void reserve_space(const std::filesystem::path& file, std::int64_t size);

/// Creates an empty file and reserves `size` bytes for it. Removes a file or link of that name
/// first, and never follows it.
void reserve_new_file(const std::filesystem::path& file, std::int64_t size);

/// Checks that what this process opened as `file`, or failed to open, is the file of `size` bytes
/// that rank 0 created: another node may have another folder of that name.
void check_visible(const FileDescriptor& descriptor, const std::filesystem::path& file,
                   std::int64_t size);

/// Gives the file its final name, replaces an older file of that name, and flushes the folder.
void publish(const std::filesystem::path& partial, const std::filesystem::path& final_path);

/// Waits until files created, moved or removed in the folder are so on the disk.
void flush_folder(const std::filesystem::path& folder);

/// Writes a small text file durably. Removes a link planted at the partial name; refuses a final
/// name that is a device, a pipe or a folder.
void write_text_file(const std::filesystem::path& file, const std::string& text);

/// Checks that write_text_file could write the file: its folder exists and is writable, and the
/// name is free or that of a regular file, since anything else (a device, a pipe, a link) would be
/// replaced.
void check_text_file(const std::filesystem::path& file);

/// Copies a damaged file that is about to be replaced to <name>.damaged, <name>.damaged.2, ... and
/// returns the copy's name.
std::filesystem::path keep_copy(const std::filesystem::path& file);

/// Removes the file or link. Returns the system's reason if it is still there, else an empty text.
std::string remove_file(const std::filesystem::path& file);

/// Removes an abandoned file as far as the system permits. Truncates it first to free its space,
/// since HDF5 keeps open what it could not close.
void discard_file(const std::filesystem::path& file);

/// A file whose name has a step number: <prefix><digits><suffix>.
struct NumberedFile {
  std::int64_t step = 0;
  std::filesystem::path path;
};

/// `prefix`, the step in at least ten digits, `suffix`.
std::string numbered_name(std::string_view prefix, std::int64_t step, std::string_view suffix);

/// The step in such a name; none for other names.
std::optional<std::int64_t> numbered_step(std::string_view name, std::string_view prefix,
                                          std::string_view suffix);

/// The regular files of the folder with such names, by ascending step; empty if there is no folder.
std::vector<NumberedFile> numbered_files(const std::filesystem::path& folder,
                                         std::string_view prefix, std::string_view suffix);

/// Removes the partial files of such names, which killed runs left.
void remove_stale_partials(const std::filesystem::path& folder, std::string_view prefix,
                           std::string_view suffix);

}  // namespace halotherm::io
