// SPDX-License-Identifier: MIT
// Hints to the MPI library about a file that ranks write together, such as striping_factor = 8.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace halotherm::comm {

struct FileHint {
  std::string name;
  std::string value;

  friend bool operator==(const FileHint&, const FileHint&) = default;
};

using FileHints = std::vector<FileHint>;

/// Every MPI library takes names and values of so many bytes.
inline constexpr std::size_t longest_hint_name = 31;
inline constexpr std::size_t longest_hint_value = 255;
static_assert(longest_hint_name < MPI_MAX_INFO_KEY && longest_hint_value < MPI_MAX_INFO_VAL);

/// Owns an MPI_Info with these hints; local. Throws Error (internal) where MPI does not take one.
class HintSet {
 public:
  explicit HintSet(const FileHints& hints);
  ~HintSet();
  HintSet(const HintSet&) = delete;
  HintSet& operator=(const HintSet&) = delete;

  MPI_Info handle() const { return handle_; }

 private:
  MPI_Info handle_ = MPI_INFO_NULL;
};

/// Local. The hints that the library follows for an open file, its own among them, by name. Throws
/// Error (internal).
FileHints hints_of(MPI_File file);

}  // namespace halotherm::comm
