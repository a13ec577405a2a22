// SPDX-License-Identifier: MIT
#include "io/background_write.hpp"

#include "comm/activity.hpp"
#include "io/checksum.hpp"
#include "io/chunk_assembly.hpp"
#include "io/durable_file.hpp"
#include "io/in_parallel.hpp"
#include "io/non_finite.hpp"

#include <fcntl.h>

#include <cerrno>
#include <new>

namespace halotherm::io {

using comm::until;

template <class Real>
BackgroundWrite<Real>::BackgroundWrite(const comm::Communicator& communicator, SharedField field, const WritePlan& plan,
                                       typename FieldWriter<Real>::Values values, int threads)
    : communicator_(communicator),
      field_(std::move(field)),
      plan_(plan),
      values_(std::move(values)),
      threads_(threads),
      layout_{partial_path(field_.path), 0, 0},
      messages_(communicator),
      sums_(static_cast<std::size_t>(plan.chunks.count()) + 1, 0),
      task_(write()) {}

template <class Real>
auto BackgroundWrite<Real>::messages_for(const std::vector<Transfer>& transfers) -> Messages {
  Messages messages;
  for (const auto& transfer : transfers) messages.emplace_back(static_cast<std::size_t>(transfer.values));
  return messages;
}

template <class Real>
BackgroundWrite<Real>::~BackgroundWrite() {
  if (thread_.valid()) thread_.wait();
}

/// The life of a file. After each agreement all ranks take the same way.
template <class Real>
comm::PolledTask BackgroundWrite<Real>::write() {
  stage_ = "is made, and its space set aside";
  co_await by_a_thread([this] { begin(); });
  co_await agreement(begun_);
  if (begun_.back() == 0) {
    layout_.bytes = static_cast<std::int64_t>(begun_[0]);
    layout_.values_begin = static_cast<std::int64_t>(begun_[1]);
    co_await exchange();
    stage_ = "is written and flushed (pwrite, fsync)";
    co_await by_a_thread([this] { write_chunks(); });
    co_await agreement(sums_);
  }
  if (begun_.back() + sums_.back() == 0) {
    stage_ = "is read back (pread)";
    co_await by_a_thread([this] { read_back(); });
    co_await agreement(std::span(sums_).last(1));
  }
  if (communicator_.is_root()) {
    stage_ = "is completed and named (HDF5, fsync, rename)";
    if (begun_.back() + sums_.back() == 0) co_await by_a_thread([this] { complete(); });
    if (begun_.back() + sums_.back() > 0 || failure_) co_await in_thread([this] { discard_file(layout_.partial); });
  }
  latency_ = since_start_.seconds();
  stage_ = "has ended on this rank";
}

template <class Real>
WriteOutcome BackgroundWrite<Real>::outcome() {
  try {
    comm::agree(communicator_, [&] {
      if (failure_) throw *failure_;
    });
  } catch (const comm::CollectiveError& failure) {  // rank 0 has discarded the file before it took part
    return {{field_.path, 0, 0, 0, {}}, failure};
  }
  return {{field_.path, layout_.bytes, communicator_.max(seconds_), communicator_.max(latency_), communicator_.broadcast(remark_)},
          std::nullopt};
}

/// Keeps the first failure; after one, this rank only takes part in what others need to come to the end.
template <class Real>
void BackgroundWrite<Real>::attempt(const std::function<void()>& work) {
  if (failure_) return;
  try {
    work();
  } catch (const comm::Error& error) {
    failure_ = error;
  } catch (const std::bad_alloc&) {
    failure_.emplace(comm::ExitCode::internal, "out of memory while writing '" + field_.path.string() +
                                                   "' (the machine has no more to give) use more nodes or a smaller grid");
  } catch (const std::exception& error) {
    failure_.emplace(comm::ExitCode::internal, error.what());
  }
}

template <class Real>
comm::PolledTask::Until BackgroundWrite<Real>::in_thread(std::function<void()> work) {
  thread_ = std::async(std::launch::async, std::move(work));
  return until([this] { return thread_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
}

template <class Real>
comm::PolledTask::Until BackgroundWrite<Real>::by_a_thread(std::function<void()> work) {
  return in_thread([this, work = std::move(work)] { attempt(work); });
}

/// Everything that may fail before ranks wait for each other's values: the file on rank 0, the memory for what travels.
template <class Real>
void BackgroundWrite<Real>::begin() {
  if (communicator_.is_root()) {
    layout_ = lay_out<Real>(field_);
    begun_[0] = static_cast<std::uint64_t>(layout_.bytes);
    begun_[1] = static_cast<std::uint64_t>(layout_.values_begin);
  }
  sent_ = messages_for(plan_.sends);
  received_ = messages_for(plan_.receives);
  take_values();
}

template <class Real>
void BackgroundWrite<Real>::take_values() {
  block_ = values_();
  if (static_cast<std::int64_t>(block_.size()) != plan_.block.size()) {
    throw comm::Error(comm::ExitCode::internal, "cannot write the block " + to_string(plan_.block) + " with " +
                                                    std::to_string(block_.size()) + " values (it has other cells) report this");
  }
  require_finite<Real>("the temperature", field_.grid, plan_.block, block_);
  for (std::size_t n = 0; n < sent_.size(); ++n) pack<Real>(plan_, block_, plan_.sends[n], sent_[n]);
}

template <class Real>
comm::PolledTask::Until BackgroundWrite<Real>::exchange() {
  stage_ = "waits for values from or for other ranks (MPI_Isend, MPI_Irecv)";
  for (std::size_t n = 0; n < received_.size(); ++n) {
    messages_.receive(plan_.receives[n].rank, std::as_writable_bytes(std::span(received_[n])));
  }
  for (std::size_t n = 0; n < sent_.size(); ++n) messages_.send(plan_.sends[n].rank, std::as_bytes(std::span(sent_[n])));
  return until([this] { return messages_.arrived(); });
}

template <class Real>
std::int64_t BackgroundWrite<Real>::place_of(std::int64_t chunk) const {
  return layout_.values_begin + plan_.chunks.first(chunk) * static_cast<std::int64_t>(sizeof(Real));
}

/// Several threads take turns at what `writer` has to write: `work(chunks)` gets the share of one, ascending.
template <class Real>
template <class Work>
void BackgroundWrite<Real>::for_each_share(int writer, const Work& work) const {
  const auto chunks = plan_.written_by(writer);
  in_parallel(threads_, [&](int thread) {
    std::vector<std::int64_t> share;
    for (auto n = static_cast<std::size_t>(thread); n < chunks.size(); n += static_cast<std::size_t>(threads_)) {
      share.push_back(chunks[n]);
    }
    work(share);
  });
}

template <class Real>
void BackgroundWrite<Real>::write_chunks() {
  const comm::Stopwatch watch;
  const FileDescriptor file(layout_.partial, O_WRONLY);
  check_visible(file, layout_.partial, layout_.bytes);
  for_each_share(communicator_.rank(), [&](const std::vector<std::int64_t>& chunks) {
    ChunkAssembly<Real> assembly(plan_, block_, received_);
    for (const auto chunk : chunks) {
      const auto values = assembly.chunk(chunk);
      sums_[static_cast<std::size_t>(chunk)] = range_checksum<Real>(plan_.chunks.first(chunk), values);
      file.write(std::as_bytes(values), place_of(chunk));
      comm::note_progress();
    }
  });
  file.flush();
  seconds_ = watch.seconds();
}

/// Adds `numbers` up over the ranks; the last one becomes how many of them failed so far.
template <class Real>
comm::PolledTask::Until BackgroundWrite<Real>::agreement(std::span<std::uint64_t> numbers) {
  numbers.back() = failure_ ? 1 : 0;
  stage_ = "waits until every rank is as far (MPI_Iallreduce)";
  messages_.sum(numbers);
  return until([this] { return messages_.arrived(); });
}

/// The chunks of the rank before this one: what another node sees of them is what a restart will see.
template <class Real>
void BackgroundWrite<Real>::read_back() {
  const int size = communicator_.size();
  const FileDescriptor file(layout_.partial, O_RDONLY);
  if (!file.is_open()) fail("cannot open", layout_.partial, errno, "check the file system");
  file.forget();
  for_each_share((communicator_.rank() + size - 1) % size, [&](const std::vector<std::int64_t>& chunks) {
    std::vector<Real> values;
    for (const auto chunk : chunks) {
      values.resize(static_cast<std::size_t>(plan_.chunks.end(chunk) - plan_.chunks.first(chunk)));
      file.read(std::as_writable_bytes(std::span(values)), place_of(chunk));
      comm::note_progress();
      const auto found = range_checksum<Real>(plan_.chunks.first(chunk), values);
      const auto wanted = sums_[static_cast<std::size_t>(chunk)];
      if (found == wanted) continue;
      throw comm::Error(comm::ExitCode::input_output, "the disk gave back other data than were written to '" +
                                                          layout_.partial.string() + "' (chunk " + std::to_string(chunk) +
                                                          " has the checksum " + to_hex(found) + " instead of " + to_hex(wanted) +
                                                          ") check the file system and the memory");
    }
  });
}

template <class Real>
void BackgroundWrite<Real>::flush_file() const {
  const FileDescriptor file(layout_.partial, O_RDONLY);
  if (!file.is_open()) fail("cannot open", layout_.partial, errno, "check the file system");
  file.flush();
  file.forget();
}

template <class Real>
void BackgroundWrite<Real>::complete() {
  const auto checksums = std::span(sums_).first(sums_.size() - 1);
  complete_description(layout_, field_, checksums);
  flush_file();
  verify_description(layout_, field_, checksums);
  if (field_.publishing) field_.publishing();
  publish(layout_.partial, field_.path);
  if (field_.published) remark_ = field_.published();
}

template class BackgroundWrite<float>;
template class BackgroundWrite<double>;

}  // namespace halotherm::io
