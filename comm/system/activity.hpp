// SPDX-License-Identifier: MIT
// What this rank is doing, for the report of a rank that stands still (comm/mpi/watchdog.hpp). A
// process has one record of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halotherm::comm {

/// A part of the program's work, for as long as it lives; parts may contain others. Made and ended
/// by the main thread, and not in steps, since it takes memory. Its begin and its end count as
/// progress.
///
///     const Activity activity("reading '" + file.string() + "'");
class Activity {
 public:
  /// `detail` adds to the text what holds at the moment, such as what is waited for; it is called
  /// by the watchdog's thread.
  explicit Activity(std::string text, std::function<std::string()> detail = {});
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
};

/// A call of MPI in which all ranks wait for each other, for as long as it lives; `name` is kept.
/// Cheap. Counts as progress. Reports name those of the main thread only.
class CollectiveCall {
 public:
  explicit CollectiveCall(const char* name);
  ~CollectiveCall();
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

 private:
  const char* outer_ = nullptr;
};

/// Something was done: a step, a chunk of a file. Cheap; callable by any thread.
void note_progress();
/// Changes with every progress.
std::uint64_t progress_count();

/// All activities, the outermost first, and the collective call: "taking steps (12 are done), in
/// MPI_Allreduce, a call that all ranks make". Callable by any thread.
std::string current_activity();

/// Seconds without progress after which a rank is reported; 300 unless set.
void set_stall_timeout(double seconds);
double stall_timeout();

/// Every rank's process, in the order of the ranks, once they are known.
void set_processes(std::vector<std::string> processes);
/// "rank 3 (node2, process 4711)", or "rank 3". Callable by any thread.
std::string process_of(int rank);

}  // namespace halotherm::comm
