// SPDX-License-Identifier: MIT
// Writes fields into shared files in the background, while the caller goes on computing.
#pragma once

#include "comm/mpi/error.hpp"
#include "comm/mpi/file_hints.hpp"
#include "io/distribution/redistribution.hpp"
#include "io/field/shared_field.hpp"

#include <memory>
#include <vector>

namespace halotherm::io {

template <class Real>
class BackgroundWrite;

enum class WriteMethod {
  background,     ///< each rank writes its file domain, after an exchange of messages
  parallel_hdf5,  ///< collective transfers of parallel HDF5 through MPI-IO
};

struct WriteSettings {
  WriteMethod method = WriteMethod::background;
  comm::FileHints hints = {};  ///< for MPI-IO
  double stall_limit = 300;    ///< [s] see WriteProgress::stall
  int threads =
      0;  ///< that write or read a domain at once; 0: chosen from the rank's share of CPUs
};

/// What a rank does for every file.
struct WriterRole {
  int verified = 0;            ///< the rank whose file domain it reads back
  bool first_on_node = false;  ///< verifies that its node sees the file that rank 0 made
};

/// The result of a write, the same on every rank.
struct WriteOutcome {
  WrittenFile file;
  /// If set, the file does not exist, or may not survive a crash of the machine.
  std::optional<comm::CollectiveError> failure;
};

/// A queue of writes of fields by all ranks of a communicator, which proceed as
/// docs/file_formats.md describes while the caller does something else: rank 0 lays the file out
/// under a partial name, values travel to the ranks that own their file domains, each rank writes
/// and flushes its domain by threads of its own, a rank of another node reads it back, checksums
/// are compared, and rank 0 gives the file its name. A thread makes every call that may wait for a
/// disk. The failing disk of one rank cannot make others wait for ever. Only `poll` moves messages
/// on: threads do not call MPI.
///
/// With WriteMethod::parallel_hdf5, which needs comm::threads_may_call_mpi, a thread of each rank
/// makes and writes the file collectively (io/field/parallel_file.hpp); the rest is the same, and
/// so are the file's bytes. There a rank that fails alone may leave others in a call of MPI-IO that
/// never returns: after `stall_limit`, `poll` or `collect` ends the job.
///
/// One thread of a rank at a time calls HDF5; the caller must not while a write is under way.
/// Instantiated for float and double.
template <class Real>
class FieldWriter {
 public:
  /// Returns the values of this rank's block, x fastest, of one field after another. A thread calls
  /// it, so it may wait for a copy that is under way.
  using Values = std::function<std::span<const Real>()>;

  /// Collective.
  explicit FieldWriter(const comm::Communicator& communicator, WriteSettings settings = {});
  /// Waits for its threads.
  ~FieldWriter();
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;

  /// Local, but called in the same order on every rank: queues the file. `redistribution` and the
  /// values must outlive the write.
  void start(SharedField field, Redistribution<Real>& redistribution, Values values);

  /// Local and cheap: moves the first unfinished write on. Call it often.
  void poll();
  /// Local: whether all writes have ended on this rank.
  bool idle() const;

  /// Collective. Waits for all writes; returns their results in the order of their starts.
  std::vector<WriteOutcome> collect();

 private:
  std::string state() const;

  comm::Communicator communicator_;
  comm::Communicator io_;  ///< for what threads call
  WriteSettings settings_;
  WriterRole role_;
  std::vector<std::unique_ptr<BackgroundWrite<Real>>> writes_;
};

/// Collective. Writes this rank's block of one field after another and waits for the end. Throws
/// CollectiveError: input_output, or numerics if a value is not finite.
template <class Real>
WrittenFile write_shared_field(const comm::Communicator& communicator, SharedField field,
                               const comm::Box& block, std::span<const Real> values,
                               const WriteSettings& settings = {});

}  // namespace halotherm::io
