// SPDX-License-Identifier: MIT
// The kind of file system that a folder is on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace halotherm::io {

struct FileSystem {
  std::string name;       ///< "Lustre", "ext4", "NFS", "tmpfs"; for others a hexadecimal number
  bool parallel = false;  ///< stripes files over servers and is supported by MPI-IO libraries
};

/// The file system with this number (f_type of statfs(2)).
FileSystem file_system_of(std::uint32_t number);

/// Local. The file system of the folder, or of the nearest existing folder above it; "unknown" if
/// the system does not report it.
FileSystem file_system_of(const std::filesystem::path& folder);

}  // namespace halotherm::io
