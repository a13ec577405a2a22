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

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <vector>

namespace halotherm::io {

template <class Real>
class BackgroundWrite {
 public:
  /// On every rank; nothing is done before the first poll. `threads`: at once, that write or read this rank's chunks.
  BackgroundWrite(const comm::Communicator& communicator, SharedField field, const WritePlan& plan,
                  typename FieldWriter<Real>::Values values, int threads);
  ~BackgroundWrite();
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;

  /// Local: whether it has come to its end, well or not, on this rank.
  bool poll() { return task_.poll(); }
  bool ended() const { return task_.done(); }
  /// What becomes of the file at the moment: "'out/a.h5' is read back (pread)". Callable by any thread.
  std::string state() const { return "'" + field_.path.string() + "' " + stage_.load(); }

  /// Collective, after the end on all ranks.
  WriteOutcome outcome();

 private:
  using Messages = std::vector<std::vector<Real>>;
  static Messages messages_for(const std::vector<Transfer>& transfers);

  comm::PolledTask write();

  // each runs in a thread
  void begin();
  void take_values();
  void write_chunks();
  void read_back();
  void complete();
  void flush_file() const;
  void attempt(const std::function<void()>& work);

  // each runs where poll is called
  comm::PolledTask::Until in_thread(std::function<void()> work);
  comm::PolledTask::Until by_a_thread(std::function<void()> work);
  comm::PolledTask::Until exchange();
  comm::PolledTask::Until agreement(std::span<std::uint64_t> numbers);

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
  std::atomic<const char*> stage_ = "waits for its turn";
  std::array<std::uint64_t, 3> begun_{};  ///< the layout's bytes and begin of values, and the number of ranks that failed
  std::vector<std::uint64_t> sums_;       ///< of every chunk, and the number of ranks that failed
  std::optional<comm::Error> failure_;    ///< of this rank
  comm::Stopwatch since_start_;
  double seconds_ = 0;
  double latency_ = 0;
  std::string remark_;
  comm::PolledTask task_;
};

}  // namespace halotherm::io
