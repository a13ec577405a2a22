// SPDX-License-Identifier: MIT
// Requests to a running simulation: signals, files in the output directory, the job's time limit.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/system/stopwatch.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// State of the files that are written in the background. The greatest value of all ranks counts.
enum class Writing { nothing, ended, under_way };

/// What all ranks do after a step; equal on all ranks.
struct RunRequests {
  bool met = false;         ///< the ranks have just communicated, so other collectives are cheap
  bool checkpoint = false;  ///< write a checkpoint
  bool stop = false;        ///< write a checkpoint and end
  /// Files begun before this step are finished on every rank and can be collected.
  bool writes_ended = false;
};

/// The time limit of the run or of its job; the earlier one counts.
struct WallLimit {
  std::optional<double> after;  ///< [s] from the start of the run
  std::optional<double> at;     ///< [s] since 1970
};

/// The job's end [s since 1970] from SLURM_JOB_END_TIME; none outside a job.
std::optional<double> job_end_time();

/// Collects the requests and makes all ranks act on them after the same step. To keep communication
/// out of the steps, the ranks meet once in `meeting_interval`, each time at a step that they chose
/// at the meeting before. Signals count on every rank (SignalRequests); the clock and the files of
/// the output directory count on rank 0.
class RunControl {
 public:
  /// [s]. Tests that count collectives make it so long that a slow machine changes no count.
  static inline double meeting_interval = 0.2;

  /// Local. Requests a checkpoint every `interval` [s] of real time, if given. A file named `stop`
  /// or `checkpoint` in `directory` is a request too and is removed; a `stop` that is older than
  /// the run is ignored.
  RunControl(const comm::Communicator& world, std::filesystem::path directory,
             std::optional<double> interval, WallLimit limit);

  /// Local. Starts the clock of the meetings just before the first step; `step` steps are done.
  void begin(std::int64_t step);

  /// Called after each step. Collective at the agreed steps, else local. `writing`: this rank's
  /// state of files begun before this step. `reserve`: time for the last checkpoint [s], on rank 0.
  RunRequests after_step(std::int64_t step, Writing writing, double reserve);

  /// Why the run stops: "SIGTERM", "the job's time is nearly up", "the file 'stop'".
  const std::string& reason() const { return reason_; }

 private:
  struct LocalRequests;
  LocalRequests local_requests(std::int64_t step, Writing writing, double reserve);
  bool take_file(const char* name) const;

  const comm::Communicator& world_;
  std::filesystem::path directory_;
  std::optional<double> interval_;
  std::optional<double> end_;  ///< [s] on `clock_`
  comm::Stopwatch clock_;
  int seen_checkpoint_signals_ = 0;
  double last_due_ = 0;  ///< [s] on `clock_`
  double last_met_ = 0;  ///< [s] on `clock_`
  std::int64_t met_step_ = 0;
  std::int64_t next_step_ = 0;
  std::string reason_;
};

}  // namespace halotherm::app
