// SPDX-License-Identifier: MIT
// One write of a FieldWriter, from its first value to its final name.
#pragma once

#include "comm/error.hpp"
#include "comm/pending_messages.hpp"
#include "comm/polled_task.hpp"
#include "comm/timers.hpp"
#include "io/field_file.hpp"
#include "io/field_writer.hpp"
#include "io/write_plan.hpp"

#include <future>
#include <vector>

namespace halotherm::io {

template <class Real>
class BackgroundWrite {
 public:
  /// Collective: lays the file out. `threads`: at once, that write or read this rank's chunks.
  BackgroundWrite(const comm::Communicator& communicator, SharedField field, const WritePlan& plan,
                  typename FieldWriter<Real>::Values values, int threads);
  ~BackgroundWrite();
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;

  /// Local: whether it has come to its end, well or not, on this rank.
  bool poll() { return task_.poll(); }
  bool ended() const { return task_.done(); }

  /// Collective, after the end on all ranks.
  WriteOutcome outcome();

 private:
  using Messages = std::vector<std::vector<Real>>;
  static Messages messages_for(const std::vector<Transfer>& transfers);

  comm::PolledTask write();

  // each runs in a thread
  void take_values();
  void write_chunks();
  void read_back();
  void flush_file();
  void publish_file();

  // each runs where poll is called
  comm::PolledTask::Until by_a_thread(void (BackgroundWrite::*work)());
  comm::PolledTask::Until exchange();
  comm::PolledTask::Until agreement(std::span<std::uint64_t> numbers);
  void attempt(const std::function<void()>& work);

  template <class Work>
  void for_each_share(int writer, const Work& work) const;
  std::int64_t place_of(std::int64_t chunk) const;

  const comm::Communicator& communicator_;
  SharedField field_;
  const WritePlan& plan_;
  typename FieldWriter<Real>::Values values_;
  int threads_;
  Messages sent_;
  Messages received_;
  FileLayout layout_;
  std::span<const Real> block_;
  comm::PendingMessages messages_;
  std::future<void> thread_;
  std::vector<std::uint64_t> sums_;     ///< of every chunk, and the number of ranks that failed
  std::optional<comm::Error> failure_;  ///< of this rank
  comm::Stopwatch since_start_;
  double seconds_ = 0;
  double latency_ = 0;
  std::string remark_;
  comm::PolledTask task_;
};

}  // namespace halotherm::io
