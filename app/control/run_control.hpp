// SPDX-License-Identifier: MIT
// What the world outside asks of a run: signals, files in the output directory, the end of the
// job's time.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/system/stopwatch.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// How far files are that are written in the background. Of all ranks' answers the greatest holds.
enum class Writing { nothing, ended, under_way };

/// What all ranks do after a step; the same on all of them.
struct RunRequests {
  bool met = false;         ///< the ranks have just agreed: a moment for other collective work
  bool checkpoint = false;  ///< write one
  bool stop = false;        ///< write one and end
  bool writes_ended =
      false;  ///< files begun before this step have come to their end on every rank: collect them
};

/// When the job's time is up, by its own account.
struct WallLimit {
  std::optional<double> after;  ///< [s] from the start of the run
  std::optional<double> at;     ///< [s] since 1970
};

/// The limit of the batch system's environment: SLURM_JOB_END_TIME.
std::optional<double> job_end_time();

/// To keep communication out of the steps, ranks agree only at steps that were agreed on the last
/// time, about five times a second; every rank's signals count (SignalRequests), and rank 0's clock
/// and its view of the output directory.
class RunControl {
 public:
  /// A checkpoint is due every `interval` [s] of real time, if one is given. Files named `stop` or
  /// `checkpoint` in `directory` ask for what they say, and are removed; a `stop` from before the
  /// start is ignored. Local.
  RunControl(const comm::Communicator& world, std::filesystem::path directory,
             std::optional<double> interval, WallLimit limit);

  /// Just before the first step, `step` having been done. Local.
  void begin(std::int64_t step);

  /// After a step; collective at the agreed steps, else local. `writing`: as this rank knows of
  /// files begun before this step. `reserve` [s]: what the last checkpoint will take, on rank 0.
  RunRequests after_step(std::int64_t step, Writing writing, double reserve);

  /// Why it ordered to stop: "SIGTERM", "the job's time is nearly up", "the file 'stop'".
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
  double last_due_ = 0;  ///< [s]
  double last_met_ = 0;  ///< [s]
  std::int64_t met_step_ = 0;
  std::int64_t next_step_ = 0;
  std::string reason_;
};

}  // namespace halotherm::app
