// SPDX-License-Identifier: MIT
// One write of a FieldWriter, from its first value to its final name.
#pragma once

#include "comm/mpi/error.hpp"
#include "comm/mpi/pending_messages.hpp"
#include "comm/system/stopwatch.hpp"
#include "io/field/field_file.hpp"
#include "io/field/field_writer.hpp"
#include "io/field/parallel_file.hpp"
#include "io/field/polled_task.hpp"
#include "io/field/range_file.hpp"
#include "io/files/checksum.hpp"
#include "io/files/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <new>
#include <vector>

namespace halotherm::io {

/// The steps of the write, as docs/file_formats.md lists them, in one coroutine. Work that may wait
/// for a disk runs in a thread; messages are moved on by `poll`. After each agreement all ranks
/// take the same branch.
template <class Real>
class BackgroundWrite {
 public:
  /// Nothing happens before the first poll. Threads use `io`. References must outlive the write.
  BackgroundWrite(const comm::Communicator& communicator, const comm::Communicator& io,
                  SharedField field, Redistribution<Real>& redistribution,
                  typename FieldWriter<Real>::Values values, const WriterRole& role,
                  const WriteSettings& settings)
      : communicator_(communicator),
        io_(io),
        field_(std::move(field)),
        redistribution_(redistribution),
        values_(std::move(values)),
        role_(role),
        settings_(settings),
        layout_{partial_path(field_.path), 0, {}},
        chunks_(chunks_of(field_.axes.extent)),
        messages_(communicator),
        begun_(field_.fields.size() + 2, 0),
        sums_(field_.fields.size() * static_cast<std::size_t>(chunks_.count()) + 1, 0),
        found_(sums_.size(), 0),
        task_(write()) {}
  ~BackgroundWrite() {
    if (thread_.valid()) thread_.wait();
  }
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;

  /// Local. Moves the write on; whether it has ended on this rank, successfully or not.
  bool poll() { return task_.poll(); }
  bool ended() const { return task_.done(); }
  /// Any thread: the file and what happens to it, "'out/a.h5' is read back (pread)".
  std::string state() const { return "'" + field_.path.string() + "' " + stage_.load(); }
  bool waits_for_others() const { return stage_.load() == for_others; }

  /// Collective, after the end on all ranks.
  WriteOutcome outcome() {
    try {
      comm::agree(communicator_, [&] {
        if (failure_) throw *failure_;
      });
    } catch (const comm::CollectiveError& failure) {  // rank 0 has discarded the file by now
      return {{field_.path, 0, 0, 0, {}, {}}, failure};
    }
    return {{field_.path, layout_.bytes, communicator_.max(seconds_), communicator_.max(latency_),
             communicator_.broadcast(remark_), hints_},
            std::nullopt};
  }

 private:
  PolledTask write() {
    auto values =
        settings_.method == WriteMethod::parallel_hdf5 ? write_together() : write_domains();
    co_await until([&values] { return values.poll(); });
    if (begun_.back() + sums_.back() == 0) {
      stage_ = "is read back (pread)";
      co_await attempted([this] { read_back(); });
      co_await agreement(found_);
    }
    co_await in_thread([this] { redistribution_.release(); });  // freeing much memory takes a while
    if (communicator_.is_root()) {
      stage_ = "is completed and named (HDF5, fsync, rename)";
      const auto failures = [this] { return begun_.back() + sums_.back() + found_.back(); };
      if (failures() == 0) co_await attempted([this] { complete(); });
      if (failures() > 0 || failure_) co_await in_thread([this] { discard_file(layout_.partial); });
    }
    latency_ = since_start_.seconds();
    stage_ = "has ended on this rank";
  }

  PolledTask write_domains() {
    stage_ = "is made, and its space set aside";
    co_await attempted([this] { begin(); });
    co_await agreement(begun_);
    if (begun_.back() > 0) co_return;
    layout_.bytes = static_cast<std::int64_t>(begun_[0]);
    layout_.values_begin.assign(begun_.begin() + 1, begun_.end() - 1);
    co_await attempted([this] { open(); });
    for (std::size_t field = 0; field < field_.fields.size(); ++field) {
      for (int round = 0; round < redistribution_.rounds(); ++round) {
        // even after a failure of this rank, since others need the values
        co_await in_thread([this, field, round] { redistribution_.pack(round, values_of(field)); });
        stage_ = for_others;
        redistribution_.send(round, messages_);
        co_await until([this] { return messages_.arrived(); });
        stage_ = "is written (pwrite)";
        co_await attempted([this, field, round] { write_piece(field, round); });
      }
    }
    stage_ = "is flushed (fsync)";
    co_await attempted([this] { flush(); });
    co_await agreement(sums_);
  }

  PolledTask write_together() {
    stage_ = "is checked for values that are not finite";
    co_await attempted([this] {
      take_values();
      for (std::size_t field = 0; field < field_.fields.size(); ++field)
        chunks_.add_checksums<Real>(redistribution_.block(), values_of(field),
                                    chunks_.of_field(field, std::span(sums_)));
    });
    co_await agreement(begun_);
    if (begun_.back() > 0) co_return;
    stage_ = "is made, written and flushed by parallel HDF5 (MPI-IO)";
    progress_.emplace();
    const auto thread = attempted([this] { write_all_together(); });
    co_await until([this, ended = thread.condition] {
      if (ended()) return true;
      end_if_others_stall();
      return false;
    });
    co_await agreement(sums_);
  }

  // The members from here to `attempt` run in a thread.

  /// All that may fail before ranks wait for each other's values.
  void begin() {
    if (communicator_.is_root()) {
      layout_ = lay_out<Real>(field_);
      begun_[0] = static_cast<std::uint64_t>(layout_.bytes);
      std::ranges::copy(layout_.values_begin, begun_.begin() + 1);
    }
    redistribution_.prepare();
    take_values();
  }

  void take_values() {
    block_ = values_();
    const auto& block = redistribution_.block();
    if (block_.size() != field_.fields.size() * static_cast<std::size_t>(block.size()))
      throw comm::Error(
          comm::ExitCode::internal,
          {fmt::format("cannot write the block {} with {} values", to_string(block), block_.size()),
           "it has other cells", "report this"});
    for (std::size_t field = 0; field < field_.fields.size(); ++field)
      require_finite<Real>("the " + field_.fields[field].description, field_.grid, block,
                           values_of(field));
  }

  /// One field's part of the values.
  std::span<const Real> values_of(std::size_t field) const {
    const auto cells = static_cast<std::size_t>(redistribution_.block().size());
    return block_.subspan(field * cells, cells);
  }

  void open() {
    const bool writes = !redistribution_.domains().range_of(communicator_.rank()).empty();
    if (writes || role_.first_on_node) file_.emplace(layout_, chunks_, settings_.threads, O_WRONLY);
  }

  void write_piece(std::size_t field, int round) {
    const comm::Stopwatch watch;
    if (file_)
      file_->write(field, redistribution_.piece(round),
                   redistribution_.unpack_piece(round, values_of(field)), sums_);
    seconds_ += watch.seconds();
  }

  void flush() {
    const comm::Stopwatch watch;
    if (file_) file_->flush();
    file_.reset();
    seconds_ += watch.seconds();
  }

  void write_all_together() {
    auto file = write_collectively<Real>(io_, field_, redistribution_.block(), block_,
                                         settings_.hints, *progress_);
    layout_ = file.layout;
    seconds_ = file.seconds;
    hints_ = std::move(file.hints);
  }

  /// Reads what another rank wrote: what this node finds in the file, a restart will find.
  void read_back() {
    const auto domain = redistribution_.domains().range_of(role_.verified);
    for (std::size_t field = 0; field < field_.fields.size() && !domain.empty(); ++field)
      RangeFile<Real>(layout_, chunks_, settings_.threads, O_RDONLY)
          .read_back(field, domain, found_);
  }

  void complete() {
    const auto [written, found] = std::ranges::mismatch(sums_, found_);
    if (written != sums_.end())
      fail("the disk gave back other data than were written to", layout_.partial,
           fmt::format("chunk {} has the checksum {} instead of {}", written - sums_.begin(),
                       to_hex(*found), to_hex(*written)),
           "check the file system and the memory");
    complete_description(layout_, field_, std::span(sums_).first(sums_.size() - 1));
    if (field_.publishing) field_.publishing();
    publish(layout_.partial, field_.path);
    if (field_.published) remark_ = field_.published();
  }

  /// Keeps the first failure. After it, this rank does only what others need to reach the end.
  void attempt(const std::function<void()>& work) {
    if (failure_) return;
    try {
      work();
    } catch (const comm::Error& error) {
      failure_ = error;
    } catch (const std::bad_alloc&) {
      failure_.emplace(comm::ExitCode::internal,
                       comm::ErrorText{"out of memory while writing '" + field_.path.string() + "'",
                                       "an allocation failed", "use more nodes or a smaller grid"});
    } catch (const std::exception& error) {
      failure_.emplace(comm::ExitCode::internal, comm::ErrorText{error.what(), "", ""});
    }
  }

  // The members from here on run where `poll` is called.

  PolledTask::Until in_thread(std::function<void()> work) {
    thread_ = std::async(std::launch::async, std::move(work));
    return until(
        [this] { return thread_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  }

  PolledTask::Until attempted(std::function<void()> work) {
    return in_thread([this, work = std::move(work)] { attempt(work); });
  }

  /// Adds `numbers` up over the ranks; the last one becomes the number of ranks that have failed.
  PolledTask::Until agreement(std::span<std::uint64_t> numbers) {
    numbers.back() = failure_ ? 1 : 0;
    stage_ = for_others;
    messages_.sum(numbers);
    return until([this] { return messages_.arrived(); });
  }

  /// If other ranks seem stuck in MPI-IO. Throwing would wait for a thread that is within MPI.
  void end_if_others_stall() const {
    const auto failure =
        progress_->stall(communicator_.is_root(), settings_.stall_limit, layout_.partial);
    if (!failure) return;
    discard_file(layout_.partial);
    comm::end_job(communicator_, *failure);
  }

  static constexpr auto for_others = "waits until other ranks are as far (MPI_Isend, MPI_Irecv)";
  const comm::Communicator &communicator_, &io_;
  SharedField field_;
  Redistribution<Real>& redistribution_;
  typename FieldWriter<Real>::Values values_;
  WriterRole role_;
  const WriteSettings& settings_;
  FileLayout layout_;
  FileChunks chunks_;
  std::span<const Real> block_;          ///< the values of all fields
  std::optional<RangeFile<Real>> file_;  ///< open for writing, if this rank owns a domain
  comm::PendingMessages messages_;
  std::future<void> thread_;
  std::atomic<const char*> stage_ = "waits for its turn";
  // The last number in each of these becomes the number of ranks that have failed.
  std::vector<std::uint64_t> begun_;       ///< the layout's size and begins of values
  std::vector<std::uint64_t> sums_;        ///< the chunks' checksums as written, field by field
  std::vector<std::uint64_t> found_;       ///< the chunks' checksums as read back
  std::optional<comm::Error> failure_;     ///< of this rank
  std::optional<WriteProgress> progress_;  ///< in MPI-IO
  comm::Stopwatch since_start_;
  double seconds_ = 0;
  double latency_ = 0;
  comm::FileHints hints_;  ///< that MPI-IO follows
  std::string remark_;
  PolledTask task_;
};

}  // namespace halotherm::io
