// SPDX-License-Identifier: MIT
// One run at a time in an output directory.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/files/folder_lock.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>

namespace halotherm::app {

/// Holds the output directory while it lives: rank 0 has its FolderLock. The directory is made if
/// it is missing, and goes again at the end if it was made here and nothing is in it.
class RunLock {
 public:
  /// Collective; may take 20 s where another machine's lock stands. Throws CollectiveError: usage
  /// if another run is in the directory, input_output if it cannot be locked, or if a link to it or
  /// to something in it leads nowhere.
  RunLock(const comm::Communicator& world, const std::filesystem::path& directory,
          const io::Log& log);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Null on other ranks than 0.
  const io::FolderLock* on_root() const { return lock_ ? &*lock_ : nullptr; }

 private:
  std::filesystem::path made_;  ///< if it was
  std::optional<io::FolderLock> lock_;
};

}  // namespace halotherm::app
