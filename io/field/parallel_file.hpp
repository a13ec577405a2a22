// SPDX-License-Identifier: MIT
// A shared file that all ranks write together by parallel HDF5, through MPI-IO.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/file_hints.hpp"
#include "io/field/field_file.hpp"
#include "io/field/shared_field.hpp"

#include <functional>
#include <span>

namespace halotherm::io {

/// What came of it, the same on every rank.
struct ParallelFile {
  FileLayout layout;  ///< of the partial file, which lacks what SharedField::complete writes
  double seconds =
      0;  ///< that the slowest rank took to write its values and bring them to the disk
  comm::FileHints hints;  ///< that the MPI library follows for this file
};

/// What the thread that writes reports of itself, so that another thread of the rank can limit its
/// time.
struct WriteProgress {
  std::function<void()> made = [] {};  ///< all ranks have made the file
  std::function<void(const comm::Error&)> failed = [](const comm::Error&) {
  };  ///< this rank, which now waits for the others
};

/// Collective. Makes the partial file with all its space set aside, writes every rank's `block`
/// with its `values`, x fastest, by collective transfers of at most 256 MiB a rank, and brings all
/// to the disk. The bytes are those of a file that lay_out and the ranks' own writes make. The
/// blocks of the ranks fill the data set; one may be empty.
///
/// Callable from any thread where comm::threads_may_call_mpi, while no other thread calls HDF5;
/// nothing else may use `io` meanwhile. A rank that fails goes on to take part in the calls that
/// others wait in, and then all ranks throw the same CollectiveError (input_output). But where a
/// call of the MPI library fails on one rank alone, others may wait within it for ever: MPI-IO has
/// no way back from that, so the caller needs a limit on the time, for which `progress` is told. A
/// failure may leave the file there.
template <class Real>
ParallelFile write_collectively(const comm::Communicator& io, const SharedField& field,
                                const comm::Box& block, std::span<const Real> values,
                                const comm::FileHints& hints, const WriteProgress& progress = {});

}  // namespace halotherm::io
