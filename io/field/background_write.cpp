// SPDX-License-Identifier: MIT
#include "io/field/background_write.hpp"

#include "comm/system/activity.hpp"
#include "io/field/parallel_file.hpp"
#include "io/files/checksum.hpp"
#include "io/files/durable_file.hpp"
#include "io/text/non_finite.hpp"
#include "io/text/number_text.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace halotherm::io {

template <class Real>
BackgroundWrite<Real>::BackgroundWrite(const comm::Communicator& communicator,
                                       const comm::Communicator& io, SharedField field,
                                       Redistribution<Real>& redistribution,
                                       typename FieldWriter<Real>::Values values,
                                       const WriterRole& role, const WriteSettings& settings)
    : communicator_(communicator),
      io_(io),
      field_(std::move(field)),
      redistribution_(redistribution),
      values_(std::move(values)),
      role_(role),
      settings_(settings),
      layout_{partial_path(field_.path), 0, 0},
      chunks_(chunks_of(field_.axes.extent)),
      messages_(communicator),
      sums_(static_cast<std::size_t>(chunks_.count()) + 1, 0),
      found_(sums_.size(), 0),
      task_(write()) {}

template <class Real>
BackgroundWrite<Real>::~BackgroundWrite() {
  if (thread_.valid()) thread_.wait();
}

/// The life of a file. After each agreement all ranks take the same way.
template <class Real>
PolledTask BackgroundWrite<Real>::write() {
  auto values = settings_.method == WriteMethod::parallel_hdf5 ? write_together() : write_domains();
  co_await until([&values] { return values.poll(); });
  if (begun_.back() + sums_.back() == 0) {
    stage_ = "is read back (pread)";
    co_await by_a_thread([this] { read_back(); });
    co_await agreement(found_);
  }
  co_await in_thread([this] { redistribution_.release(); });  // hundreds of megabytes take a while
  if (communicator_.is_root()) {
    stage_ = "is completed and named (HDF5, fsync, rename)";
    const auto failures = [this] { return begun_.back() + sums_.back() + found_.back(); };
    if (failures() == 0) co_await by_a_thread([this] { complete(); });
    if (failures() > 0 || failure_) co_await in_thread([this] { discard_file(layout_.partial); });
  }
  latency_ = since_start_.seconds();
  stage_ = "has ended on this rank";
}

template <class Real>
PolledTask BackgroundWrite<Real>::write_domains() {
  stage_ = "is made, and its space set aside";
  co_await by_a_thread([this] { begin(); });
  co_await agreement(begun_);
  if (begun_.back() == 0) {
    layout_.bytes = static_cast<std::int64_t>(begun_[0]);
    layout_.values_begin = static_cast<std::int64_t>(begun_[1]);
    co_await by_a_thread([this] { open(); });
    for (int round = 0; round < redistribution_.rounds(); ++round) {
      co_await in_thread([this, round] {
        redistribution_.pack(round, block_);
      });  // others need it, though this rank may have failed
      co_await exchange();
      stage_ = "is written (pwrite)";
      co_await by_a_thread([this, round] { write_piece(round); });
    }
    stage_ = "is flushed (fsync)";
    co_await by_a_thread([this] { flush(); });
    co_await agreement(sums_);
  }
}

template <class Real>
PolledTask BackgroundWrite<Real>::write_together() {
  stage_ = "is checked for values that are not finite";
  co_await by_a_thread([this] {
    take_values();
    chunks_.add_checksums<Real>(redistribution_.block(), block_, sums_);
  });
  co_await agreement(begun_);
  if (begun_.back() > 0) co_return;
  stage_ = "is made, written and flushed by parallel HDF5 (MPI-IO)";
  since_together_ = {};
  const auto thread = by_a_thread([this] { write_all_together(); });
  co_await until([this, ended = thread.condition] {
    if (ended()) return true;
    end_if_others_stall();
    return false;
  });
  co_await agreement(sums_);
}

template <class Real>
WriteOutcome BackgroundWrite<Real>::outcome() {
  try {
    comm::agree(communicator_, [&] {
      if (failure_) throw *failure_;
    });
  } catch (
      const comm::CollectiveError& failure) {  // rank 0 has discarded the file before it took part
    return {{field_.path, 0, 0, 0, {}, {}}, failure};
  }
  return {{field_.path, layout_.bytes, communicator_.max(seconds_), communicator_.max(latency_),
           communicator_.broadcast(remark_), hints_},
          std::nullopt};
}

/// Keeps the first failure; after one, this rank only takes part in what others need to come to the
/// end.
template <class Real>
void BackgroundWrite<Real>::attempt(const std::function<void()>& work) {
  if (failure_) return;
  try {
    work();
  } catch (const comm::Error& error) {
    failure_ = error;
  } catch (const std::bad_alloc&) {
    failure_.emplace(comm::ExitCode::internal,
                     "out of memory while writing '" + field_.path.string() +
                         "' (the machine has no more to give) use more nodes or a smaller grid");
  } catch (const std::exception& error) {
    failure_.emplace(comm::ExitCode::internal, error.what());
  }
}

template <class Real>
PolledTask::Until BackgroundWrite<Real>::in_thread(std::function<void()> work) {
  thread_ = std::async(std::launch::async, std::move(work));
  return until(
      [this] { return thread_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
}

template <class Real>
PolledTask::Until BackgroundWrite<Real>::by_a_thread(std::function<void()> work) {
  return in_thread([this, work = std::move(work)] { attempt(work); });
}

/// Everything that may fail before ranks wait for each other's values: the file on rank 0, the
/// memory for what travels.
template <class Real>
void BackgroundWrite<Real>::begin() {
  if (communicator_.is_root()) {
    layout_ = lay_out<Real>(field_);
    begun_[0] = static_cast<std::uint64_t>(layout_.bytes);
    begun_[1] = static_cast<std::uint64_t>(layout_.values_begin);
  }
  redistribution_.prepare();
  take_values();
}

template <class Real>
void BackgroundWrite<Real>::take_values() {
  block_ = values_();
  const auto& block = redistribution_.block();
  if (static_cast<std::int64_t>(block_.size()) != block.size()) {
    throw comm::Error(comm::ExitCode::internal, "cannot write the block " + to_string(block) +
                                                    " with " + std::to_string(block_.size()) +
                                                    " values (it has other cells) report this");
  }
  require_finite<Real>("the temperature", field_.grid, block, block_);
}

template <class Real>
void BackgroundWrite<Real>::write_all_together() {
  const WriteProgress progress{.made = [this] { made_ = true; },
                               .failed =
                                   [this](const comm::Error& error) {
                                     if (has_failed_alone_) return;
                                     failed_alone_ = error;
                                     since_failed_alone_ = {};
                                     has_failed_alone_ = true;
                                   }};
  auto file = write_collectively<Real>(io_, field_, redistribution_.block(), block_,
                                       settings_.hints, progress);
  layout_ = file.layout;
  seconds_ = file.seconds;
  hints_ = std::move(file.hints);
}

template <class Real>
void BackgroundWrite<Real>::open() {
  const bool writes = !redistribution_.domains().range_of(communicator_.rank()).empty();
  if (!writes && !role_.first_on_node) return;
  file_.emplace(layout_, chunks_, settings_.threads, O_WRONLY);
}

template <class Real>
PolledTask::Until BackgroundWrite<Real>::exchange() {
  stage_ = "waits for values from or for other ranks (MPI_Isend, MPI_Irecv)";
  redistribution_.send_to_domains(messages_);
  return until([this] { return messages_.arrived(); });
}

template <class Real>
void BackgroundWrite<Real>::write_piece(int round) {
  const comm::Stopwatch stopwatch;
  if (file_)
    file_->write(redistribution_.piece(round), redistribution_.unpack_piece(round, block_), sums_);
  seconds_ += stopwatch.seconds();
}

template <class Real>
void BackgroundWrite<Real>::flush() {
  const comm::Stopwatch stopwatch;
  if (file_) file_->flush();
  file_.reset();
  seconds_ += stopwatch.seconds();
}

/// Adds `numbers` up over the ranks; the last one becomes how many of them failed so far.
template <class Real>
PolledTask::Until BackgroundWrite<Real>::agreement(std::span<std::uint64_t> numbers) {
  numbers.back() = failure_ ? 1 : 0;
  stage_ = "waits until every rank is as far (MPI_Iallreduce)";
  messages_.sum(numbers);
  return until([this] { return messages_.arrived(); });
}

/// A rank that failed waits for the others to come out of the collective call of MPI-IO in which
/// they may be for ever. Where even the rank that failed is in there, rank 0 waits twice as long
/// for the file to be made. Ends the job rather than throw: a thread of this rank is within MPI,
/// and would be waited for.
template <class Real>
void BackgroundWrite<Real>::end_if_others_stall() const {
  const auto end = [this](comm::ExitCode code, const std::string& text) {
    discard_file(layout_.partial);
    comm::end_job(communicator_, {code, text});
  };
  const auto advice =
      "the job ends here; output.writer: background goes on where the disk of one rank fails";
  if (has_failed_alone_ && since_failed_alone_.seconds() > settings_.stall_limit) {
    end(failed_alone_->code(),
        std::string(failed_alone_->what()) + "; other ranks have not come out of MPI-IO for " +
            to_text(settings_.stall_limit) + " s, and cannot be called back: " + advice);
  }
  const double stall_timeout = 2 * settings_.stall_limit;
  if (communicator_.is_root() && !has_failed_alone_ && !made_ &&
      since_together_.seconds() > stall_timeout) {
    end(comm::ExitCode::input_output,
        "cannot make '" + layout_.partial.string() + "' (ranks have not come out of MPI-IO for " +
            to_text(stall_timeout) + " s, one may have failed there) " + advice);
  }
}

/// What another rank wrote: what another node sees of it is what a restart will see.
template <class Real>
void BackgroundWrite<Real>::read_back() {
  const auto domain = redistribution_.domains().range_of(role_.verified);
  if (!domain.empty())
    RangeFile<Real>(layout_, chunks_, settings_.threads, O_RDONLY).read_back(domain, found_);
}

template <class Real>
void BackgroundWrite<Real>::require_same_sums() const {
  const auto [written, found] = std::ranges::mismatch(sums_, found_);
  if (written == sums_.end()) return;
  throw comm::Error(comm::ExitCode::input_output,
                    "the disk gave back other data than were written to '" +
                        layout_.partial.string() + "' (chunk " +
                        std::to_string(written - sums_.begin()) + " has the checksum " +
                        to_hex(*found) + " instead of " + to_hex(*written) +
                        ") check the file system and the memory");
}

template <class Real>
void BackgroundWrite<Real>::flush_whole() const {
  const FileDescriptor file(layout_.partial, O_RDONLY);
  if (!file.is_open()) fail("cannot open", layout_.partial, errno, "check the file system");
  file.flush();
  file.forget();
}

template <class Real>
void BackgroundWrite<Real>::complete() {
  require_same_sums();
  const auto checksums = std::span(sums_).first(sums_.size() - 1);
  complete_description(layout_, field_, checksums);
  flush_whole();
  verify_description(layout_, field_, checksums);
  if (field_.publishing) field_.publishing();
  publish(layout_.partial, field_.path);
  if (field_.published) remark_ = field_.published();
}

template class BackgroundWrite<float>;
template class BackgroundWrite<double>;

}  // namespace halotherm::io
