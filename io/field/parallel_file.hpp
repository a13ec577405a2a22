// SPDX-License-Identifier: MIT
// A shared file that all ranks write together by parallel HDF5, through MPI-IO.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/file_hints.hpp"
#include "comm/system/stopwatch.hpp"
#include "io/field/field_file.hpp"

#include <atomic>
#include <optional>
#include <span>

namespace halotherm::io {

/// The result of write_collectively, the same on every rank.
struct ParallelFile {
  FileLayout layout;      ///< of the partial file, which lacks what SharedField::complete writes
  double seconds = 0;     ///< that the slowest rank took to write its values and flush them
  comm::FileHints hints;  ///< that the MPI library follows for this file
};

/// How far the thread that writes has come, so that another thread of the rank can limit its time.
class WriteProgress {
 public:
  /// All ranks have created the file.
  void set_made() { made_ = true; }
  /// This rank has failed and now waits for the others; the first failure counts.
  void set_failed(const comm::Error& error);

  /// The error that should end the job, if other ranks seem to stay in a collective call for ever:
  /// this rank failed more than `limit` seconds ago, or, on rank 0, twice that time has passed
  /// before the file was created, so that some rank may have failed within that call.
  std::optional<comm::Error> stall(bool is_root, double limit,
                                   const std::filesystem::path& file) const;

 private:
  comm::Stopwatch since_start_, since_failure_;
  std::optional<comm::Error> failure_;  ///< set before the flag
  std::atomic<bool> has_failed_ = false;
  std::atomic<bool> made_ = false;
};

/// Collective. Creates the partial file with all its space reserved, writes every rank's `block`
/// with its `values`, x fastest and one field after another, by collective transfers of at most 256
/// MiB a rank, and flushes the file. The file has the same bytes as one made by lay_out and the
/// ranks' own writes. The blocks of the ranks fill the data set; some may be empty.
///
/// Callable from any thread if comm::threads_may_call_mpi, while no other thread calls HDF5;
/// nothing else may use `io` meanwhile. A rank that fails still takes part in the calls in which
/// others wait; then all ranks throw the same CollectiveError (input_output). But where a call of
/// the MPI library fails on one rank alone, others may wait within it for ever, and MPI-IO has no
/// way back: so the caller needs a time limit, which `progress` provides. A failure may leave the
/// file there.
template <class Real>
ParallelFile write_collectively(const comm::Communicator& io, const SharedField& field,
                                const comm::Box& block, std::span<const Real> values,
                                const comm::FileHints& hints, WriteProgress& progress);

}  // namespace halotherm::io
