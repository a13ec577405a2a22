// SPDX-License-Identifier: MIT
#include "comm/mpi/watchdog.hpp"

#include "comm/mpi/error.hpp"
#include "comm/mpi/stall_board.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>

namespace halotherm::comm {

namespace {

std::mutex board_mutex;
/// Of this node, if its ranks report together. Never destroyed at exit, when threads may run.
std::unique_ptr<StallBoard>& board = *new std::unique_ptr<StallBoard>;

void print(const std::string& text) {
  std::cerr << "halotherm: " + text + "\n" << std::flush;  // one write, not mixed with other ranks'
}

std::string report(int rank, double seconds) {
  std::ostringstream text;
  text << process_of(rank) << " has stalled for " << seconds << " s: " << current_activity().text
       << "; look at the ranks that print nothing or wait for no other rank";
  return text.str();
}

/// What this rank knows of its own progress.
class Monitor {
 public:
  explicit Monitor(int rank) : rank_(rank) {}

  /// Called again and again.
  void look() {
    const std::lock_guard alone(board_mutex);
    if (board != nullptr) board->beat();
    if (const auto count = progress_count(); count != seen_) {
      seen_ = count;
      since_progress_ = {};
      if (printed_) print(process_of(rank_) + " continues: " + current_activity().text);
      printed_ = false;
      if (board != nullptr) board->set_progressing();
    }
    const double limit = stall_timeout();
    const bool stalled = since_progress_.seconds() >= limit;
    if (board != nullptr) {
      look_at_node(stalled, limit);
    } else if (stalled && !printed_) {
      printed_ = true;
      print(report(rank_, limit));
    }
  }

 private:
  /// The first stalled rank reports, once no more ranks have stalled since the last look.
  void look_at_node(bool stalled, double limit) {
    if (stalled) board->set_stalled(current_activity());
    const auto ranks = board->read(limit / 2);
    const auto is_stalled = [](const RankState& one) { return one.runs && one.stalled; };
    const auto count = std::ranges::count_if(ranks, is_stalled);
    const bool settled = count == stalled_before_;
    stalled_before_ = count;
    const auto first = std::ranges::find_if(ranks, is_stalled) - ranks.begin();
    const bool is_first = stalled && static_cast<std::size_t>(first) == board->place();
    const bool known = std::ranges::all_of(
        ranks, [&](const auto& one) { return !is_stalled(one) || one.reported; });
    const bool again = printed_ && since_report_.seconds() < limit;  // ranks that stall one by one
    if (!is_first || !settled || known || again) return;
    board->set_reported();
    const auto text = stall_report(ranks, limit, ranks.front().rank == 0);
    if (text.empty()) return;
    printed_ = true;
    since_report_ = {};
    print(process_of(rank_) + ": " + text);
  }

  int rank_;
  std::uint64_t seen_ = progress_count();
  bool printed_ = false;
  std::ptrdiff_t stalled_before_ = 0;
  Stopwatch since_progress_, since_report_;
};

void watch(const std::stop_token& stop, int rank) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopping;
  Monitor monitor(rank);
  const auto stopped_within = [&](double seconds) {
    const std::chrono::duration<double> time(seconds);
    return stopping.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
  };
  while (!stopped_within(std::min(1.0, stall_timeout() / 4))) monitor.look();
}

}  // namespace

Watchdog::Watchdog(int rank) : thread_(watch, rank) {}

void Watchdog::share_reports(const Communicator& node) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::unique_ptr<StallBoard> made;
  try {
    made = std::make_unique<StallBoard>(node, rank);
  } catch (const Error&) {
    return;
  }
  const std::lock_guard alone(board_mutex);
  board = std::move(made);
}

void Watchdog::end_sharing() {
  const std::lock_guard alone(board_mutex);
  board.reset();
}

}  // namespace halotherm::comm
