// SPDX-License-Identifier: MIT
// A lock that admits one run at a time to an output directory.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/files/folder_lock.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>

namespace halotherm::app {

/// Locks the output directory during its lifetime; rank 0 holds the FolderLock. Creates the
/// directory if it is missing, and removes it again at the end if it is still empty.
class RunLock {
 public:
  /// Collective; takes up to 20 s if another machine holds a lock. Throws CollectiveError: usage if
  /// another run uses the directory, input_output if it cannot be locked or if
  /// OutputDirectory::check fails.
  RunLock(const comm::Communicator& world, const std::filesystem::path& directory,
          const io::Log& log);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// The lock on rank 0, null on other ranks.
  const io::FolderLock* on_root() const { return lock_ ? &*lock_ : nullptr; }

 private:
  std::filesystem::path created_;  ///< the directory if this lock created it, else empty
  std::optional<io::FolderLock> lock_;
};

}  // namespace halotherm::app
