// SPDX-License-Identifier: MIT
// The holder of a FolderLock: the content of the lock file, and whether that process still runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::io {

/// The text of a lock file; none if there is no file. Throws comm::Error (input_output) if the file
/// cannot be read.
std::optional<std::string> read_lock(const std::filesystem::path& file);

/// Lines "key: value" about this process. The last line lacks its value, the number of beats.
std::string this_process_as_holder(const std::string& token);

/// What token_of() gives for a text without a token.
constexpr const char* no_token = "unknown";

/// The token in the text; `no_token` if there is none, as in a file that was just created.
std::string token_of(const std::string& text);

/// Whether the holder runs; none if this process cannot find out, which takes the same kernel and
/// container. A holder of an earlier attempt of the same Slurm job counts as ended.
std::optional<bool> life_of(const std::string& text);

/// "host node3, process 4711, Slurm job 123, user anna, since 2026-11-23 03:21:11 +0000"
std::string describe_holder(const std::string& text);

}  // namespace halotherm::io
