// SPDX-License-Identifier: MIT
// Hints to the MPI library about files that ranks write together, such as striping_factor = 8.
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

/// Lengths [bytes] that every MPI library accepts.
inline constexpr std::size_t longest_hint_name = 31;
inline constexpr std::size_t longest_hint_value = 255;
static_assert(longest_hint_name < MPI_MAX_INFO_KEY && longest_hint_value < MPI_MAX_INFO_VAL);

/// Owns an MPI_Info with these hints. Local. Throws Error (internal) if MPI refuses a hint.
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

/// The hints in effect for an open file, including the library's own, sorted by name. Local. Throws
/// Error (internal).
FileHints hints_of(MPI_File file);

}  // namespace halotherm::comm
