// SPDX-License-Identifier: MIT
// Files that are whole under their final name, or not there: write a partial file, make it durable,
// rename it. Everything here is local; failures throw comm::Error (input_output) with the file's
// name and the system's reason.
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

/// Makes the folder and those above it.
void make_folder(const std::filesystem::path& folder);

/// Has the file system set aside `size` bytes for the file, so that a full disk shows here and not
/// in the middle of a write; the file is then left as it was. File systems that cannot do so are
/// left alone.
void reserve_space(const std::filesystem::path& file, std::int64_t size);

/// Makes an empty file, and sets `size` bytes aside for it, so that a full disk shows here. A file
/// or a link of that name is removed before, never followed.
void reserve_new_file(const std::filesystem::path& file, std::int64_t size);

/// Checks that what this process opened as `file`, or just tried to, is what rank 0 made, of `size`
/// bytes: another node may see another folder.
void check_visible(const FileDescriptor& descriptor, const std::filesystem::path& file,
                   std::int64_t size);

/// Waits until the file's content is on the disk.
void flush_to_disk(const std::filesystem::path& file);

/// Gives the file its final name, replacing what has that name, and waits until the folder's new
/// content is on the disk.
void publish(const std::filesystem::path& partial, const std::filesystem::path& final_path);

/// Waits until what was made, moved or removed in the folder is so on the disk.
void flush_folder(const std::filesystem::path& folder);

/// Writes a small text file by the same way. A link planted at the partial name is removed, not
/// followed; a final name that is a device, a pipe or a folder is refused.
void write_text_file(const std::filesystem::path& file, const std::string& text);

/// Checks that write_text_file could make the file: its folder is there and can be written into,
/// and the name is free or that of a regular file, since anything else (a device, a pipe, a link)
/// would be replaced.
void check_text_file(const std::filesystem::path& file);

/// Copies a damaged file that is to be replaced beside itself, as <name>.damaged, <name>.damaged.2,
/// ..., and gives the copy's name.
std::filesystem::path keep_copy(const std::filesystem::path& file);

/// Removes the file, or the link; the system's reason if it is still there, else nothing.
std::string remove_file(const std::filesystem::path& file);

/// Removes a file that was given up, as far as the system lets it. HDF5 keeps open what it could
/// not close: to free the space, the file is emptied first.
void discard_file(const std::filesystem::path& file);

/// A file whose name has a step number: <prefix><digits><suffix>.
struct NumberedFile {
  std::int64_t step = 0;
  std::filesystem::path path;
};

/// The step in a name of the form `prefix`, at least ten digits, `suffix`; none for other names.
std::optional<std::int64_t> numbered_step(std::string_view name, std::string_view prefix,
                                          std::string_view suffix);

/// The regular files of the folder whose name is `prefix`, at least ten digits, `suffix`; by
/// ascending step. Empty if there is no folder.
std::vector<NumberedFile> numbered_files(const std::filesystem::path& folder,
                                         std::string_view prefix, std::string_view suffix);

/// `prefix`, the step in at least ten digits, `suffix`.
std::string numbered_name(std::string_view prefix, std::int64_t step, std::string_view suffix);

/// Removes what killed runs left half-written: partial files of names that `numbered_files` would
/// list.
void remove_stale_partials(const std::filesystem::path& folder, std::string_view prefix,
                           std::string_view suffix);

}  // namespace halotherm::io
