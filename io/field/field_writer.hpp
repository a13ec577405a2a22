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
  background,     ///< by each rank's own writes to its file domain, after an exchange of messages
  parallel_hdf5,  ///< by collective transfers of parallel HDF5 through MPI-IO
};

struct WriteSettings {
  WriteMethod method = WriteMethod::background;
  comm::FileHints hints = {};  ///< for MPI-IO
  double stall_limit = 300;  ///< [s] that a rank which failed in a collective call of MPI-IO waits
                             ///< for those that are still within
  int threads = 0;  ///< that write or read a domain at once; 0: as many as suit the rank's share of
                    ///< its node's CPUs
};

/// What a rank does for every file.
struct WriterRole {
  int verified = 0;            ///< the rank whose file domain it reads back
  bool first_on_node = false;  ///< then it sees that its node has the file that rank 0 made
};

/// What came of a write: the same on every rank.
struct WriteOutcome {
  WrittenFile file;
  std::optional<comm::CollectiveError>
      failure;  ///< then the file is not there, or may not outlive a crash of the machine
};

/// A queue of writes of fields by all ranks of a communicator. Files come to be as
/// docs/file_formats.md tells, while the caller does something else: rank 0 lays them out under a
/// partial name, values travel to the ranks that own their file domain, each rank writes its domain
/// by threads of its own and brings it to the disk, a rank of another node reads it back, checksums
/// are compared, and rank 0 gives the file its name. Every call that may wait for a disk is made by
/// a thread. No rank's failing disk can make another wait for ever. Messages are only moved on by
/// `poll`, so threads do not call MPI.
///
/// With WriteMethod::parallel_hdf5, which needs comm::threads_may_call_mpi, a thread of each rank
/// makes and writes the file collectively (io/field/parallel_file.hpp); the rest is the same, and
/// so are the file's bytes. There a rank that fails alone may leave others in a call of MPI-IO that
/// never returns: it waits for them for `stall_limit`, then `poll` or `collect` ends the job.
///
/// One thread of a rank at a time calls HDF5, and the caller must not while something is under way.
/// Instantiated for float and double.
template <class Real>
class FieldWriter {
 public:
  /// The values of this rank's block, x fastest; called by a thread, so it may wait for a copy that
  /// is under way.
  using Values = std::function<std::span<const Real>()>;

  /// Collective.
  explicit FieldWriter(const comm::Communicator& communicator, WriteSettings settings = {});
  /// Waits for its threads.
  ~FieldWriter();
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;

  /// Local, but on every rank in the same order: queues the file. `redistribution` and the values
  /// must stay until the write is collected.
  void start(SharedField field, Redistribution<Real>& redistribution, Values values);

  /// Local and cheap: moves the first of the queue on. Call it often.
  void poll();
  /// Whether nothing is under way here.
  bool idle() const;

  /// Collective. Waits for all that was started; what came of each, in the order of their starts.
  std::vector<WriteOutcome> collect();

 private:
  std::string state() const;

  comm::Communicator communicator_;
  comm::Communicator io_;  ///< for what threads call
  WriteSettings settings_;
  WriterRole role_;
  std::vector<std::unique_ptr<BackgroundWrite<Real>>> writes_;
};

/// Collective. Writes this rank's block and waits for the end. Throws CollectiveError:
/// input_output, or numerics if a value is not finite.
template <class Real>
WrittenFile write_shared_field(const comm::Communicator& communicator, SharedField field,
                               const comm::Box& block, std::span<const Real> values,
                               const WriteSettings& settings = {});

}  // namespace halotherm::io
