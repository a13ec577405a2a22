// SPDX-License-Identifier: MIT
// The current activity and the progress of this rank, for the watchdog (comm/mpi/watchdog.hpp). One
// record per process; everything here is local.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::comm {

/// What is waited for at a moment.
struct Waiting {
  Waiting(std::string the_text = {}, std::vector<int> the_ranks = {}, bool is_for_all = false)
      : text(std::move(the_text)), ranks(std::move(the_ranks)), for_all(is_for_all) {}

  std::string text;
  std::vector<int> ranks;  ///< that are waited for, as far as they are known
  bool for_all;            ///< until every rank is as far
};

/// A part of the program's work, for as long as the object lives; parts may be nested. For the main
/// thread only, and outside of steps, since it allocates memory. Its start and its end count as
/// progress.
///
///     const Activity activity("reading '" + file.string() + "'");
class Activity {
 public:
  /// `detail` says what is waited for at the present moment; its text is appended to `text`. The
  /// watchdog's thread calls it.
  explicit Activity(std::string text, std::function<Waiting()> detail = {});
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
};

/// A collective MPI call, for as long as the object lives. `name` must outlive it. Cheap. Its end
/// counts as progress. Reports name the calls of the main thread only.
class CollectiveCall {
 public:
  explicit CollectiveCall(const char* name);
  ~CollectiveCall();
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

 private:
  const char* outer_ = nullptr;
};

/// Records progress: a step, a chunk of a file. Cheap; any thread may call it.
void note_progress();
/// A number that changes with each progress.
std::uint64_t progress_count();

/// All activities, the outermost first, and the collective call: "taking steps (12 are done), in
/// MPI_Allreduce, a call that all ranks make", and what all of them wait for. Any thread may call
/// it.
Waiting current_activity();

/// The time without progress after which a rank is reported [s]; 300 by default.
void set_stall_timeout(double seconds);
double stall_timeout();

/// The processes of all ranks.
struct Processes {
  std::vector<std::string> hosts;
  std::vector<int> host_of_rank;  ///< the place in `hosts`
  std::vector<int> ids;           ///< of the ranks
};
void set_processes(Processes processes);
/// "rank 3 (node2, process 4711)", or "rank 3" if not set. Any thread may call it.
std::string process_of(int rank);

}  // namespace halotherm::comm
