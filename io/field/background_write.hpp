// SPDX-License-Identifier: MIT
// One write of a FieldWriter, from its first value to its final name.
#pragma once

#include "comm/mpi/error.hpp"
#include "comm/mpi/pending_messages.hpp"
#include "comm/system/stopwatch.hpp"
#include "io/distribution/polled_task.hpp"
#include "io/field/field_file.hpp"
#include "io/field/field_writer.hpp"
#include "io/field/range_file.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <vector>

namespace halotherm::io {

template <class Real>
class BackgroundWrite {
 public:
  /// On every rank; nothing is done before the first poll. `io` is for calls of threads.
  BackgroundWrite(const comm::Communicator& communicator, const comm::Communicator& io,
                  SharedField field, Redistribution<Real>& redistribution,
                  typename FieldWriter<Real>::Values values, const WriterRole& role,
                  const WriteSettings& settings);
  ~BackgroundWrite();
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;

  /// Local: whether it has come to its end, well or not, on this rank.
  bool poll() { return task_.poll(); }
  bool ended() const { return task_.done(); }
  /// What becomes of the file at the moment: "'out/a.h5' is read back (pread)". Callable by any
  /// thread.
  std::string state() const { return "'" + field_.path.string() + "' " + stage_.load(); }

  /// Collective, after the end on all ranks.
  WriteOutcome outcome();

 private:
  PolledTask write();
  PolledTask write_domains();
  PolledTask write_together();

  // each runs in a thread
  void begin();
  void take_values();
  void write_all_together();
  void open();
  void write_piece(int round);
  void flush();
  void read_back();
  void complete();
  void require_same_sums() const;
  void flush_whole() const;
  void attempt(const std::function<void()>& work);

  // each runs where poll is called
  PolledTask::Until in_thread(std::function<void()> work);
  PolledTask::Until by_a_thread(std::function<void()> work);
  PolledTask::Until exchange();
  PolledTask::Until agreement(std::span<std::uint64_t> numbers);
  void end_if_others_stall() const;

  const comm::Communicator& communicator_;
  const comm::Communicator& io_;
  SharedField field_;
  Redistribution<Real>& redistribution_;
  typename FieldWriter<Real>::Values values_;
  WriterRole role_;
  const WriteSettings& settings_;
  FileLayout layout_;
  FileChunks chunks_;
  std::span<const Real> block_;
  std::optional<RangeFile<Real>> file_;  ///< to write; where this rank owns a domain
  comm::PendingMessages messages_;
  std::future<void> thread_;
  std::atomic<const char*> stage_ = "waits for its turn";
  std::array<std::uint64_t, 3>
      begun_{};  ///< the layout's bytes and begin of values, and the number of ranks that failed
  std::vector<std::uint64_t>
      sums_;  ///< of every chunk as written, and the number of ranks that failed
  std::vector<std::uint64_t> found_;    ///< the same as read back
  std::optional<comm::Error> failure_;  ///< of this rank
  std::optional<comm::Error>
      failed_alone_;  ///< in a collective call of MPI-IO; set by the thread before the flag
  comm::Stopwatch since_failed_alone_;
  std::atomic<bool> has_failed_alone_ = false;
  comm::Stopwatch since_together_;  ///< since the thread calls MPI-IO
  std::atomic<bool> made_ = false;
  comm::Stopwatch since_start_;
  double seconds_ = 0;
  double latency_ = 0;
  comm::FileHints hints_;  ///< that MPI-IO follows
  std::string remark_;
  PolledTask task_;
};

}  // namespace halotherm::io
