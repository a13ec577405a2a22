// SPDX-License-Identifier: MIT
// The kind of file system that a folder is on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace halotherm::io {

struct FileSystem {
  std::string
      name;  ///< "Lustre", "ext4", "NFS", "tmpfs"; for others their number in hexadecimal digits
  bool parallel = false;  ///< stripes a file over servers, and MPI-IO libraries are made for it
};

/// The file system with this number (f_type of statfs(2)).
FileSystem file_system_of(std::uint32_t number);

/// Local. That of the folder, or of the nearest folder above it that is there; "unknown" where the
/// system gives none.
FileSystem file_system_of(const std::filesystem::path& folder);

}  // namespace halotherm::io
