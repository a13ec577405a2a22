// SPDX-License-Identifier: MIT
#include "comm/transport/rma_transport.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/mpi_transport.hpp"
#include "comm/transport/persistent_requests.hpp"

#include <array>
#include <exception>

namespace halotherm::comm {

namespace {

/// Host memory into which all ranks may put messages. MPI allocates it, so that ranks of a node can
/// share it.
class HostWindow {
 public:
  using Bytes = Kokkos::View<std::byte*, PinnedMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Collective. Throws CollectiveError (usage) if MPI provides no window.
  HostWindow(const Communicator& communicator, std::size_t bytes) : bytes_(whole_pages(bytes)) {
    agree(communicator, [&] {
      const auto status = MPI_Win_allocate(static_cast<MPI_Aint>(bytes_), 1, MPI_INFO_NULL,
                                           communicator.handle(), &data_, &handle_);
      if (status == MPI_SUCCESS) return;
      throw Error(ExitCode::usage, {"parallel.transport: rma cannot be used",
                                    "MPI gives no memory that other ranks can write into",
                                    "set it to auto, device or staged"});
    });
    check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN));
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, handle_));
    // devices copy from locked pages at full speed, and more slowly if they cannot be locked
    if constexpr (!kernels_run_on_host)
      pages_locked_ = bytes_ > 0 && gpu::lock_pages(data_, bytes_);
  }

  /// Collective, so it frees nothing while an exception unwinds, when other ranks may not arrive.
  ~HostWindow() {
    if (std::uncaught_exceptions() > 0) return;
    if constexpr (!kernels_run_on_host) {
      gpu::synchronize();  // copies from the window may be in progress
      if (pages_locked_) gpu::unlock_pages(data_);
    }
    MPI_Win_unlock_all(handle_);
    MPI_Win_free(&handle_);
  }
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  MPI_Win handle() const { return handle_; }
  Bytes part(std::size_t first, std::size_t bytes) const { return Bytes(data_ + first, bytes); }

 private:
  /// Ranks that share memory must not share pages.
  static std::size_t whole_pages(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return (bytes + page - 1) / page * page;
  }

  std::size_t bytes_;
  std::byte* data_ = nullptr;
  MPI_Win handle_ = MPI_WIN_NULL;
  bool pages_locked_ = false;
};

/// Puts messages into the neighbours' windows, and sends notices when they have arrived.
class PutCarrier {
 public:
  using MemorySpace = PinnedMemory;

  PutCarrier(const Communicator& communicator, const std::vector<Channel>& channels,
             const MessageLayout& layout)
      : channels_(channels),
        layout_(layout),
        outgoing_(Kokkos::view_alloc("halo outgoing", Kokkos::WithoutInitializing), layout.total()),
        window_(communicator, 2 * layout.total()) {
    std::vector<Offsets> mine;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      mine.push_back({static_cast<MPI_Aint>(layout.start(c)),
                      static_cast<MPI_Aint>(layout.total() + layout.start(c))});
      auto notice = channels[c];
      notice.elements = 0;
      notices_sent_.add_send(communicator, notice, nullptr);
      notices_received_.add_receive(communicator, notice, nullptr);
    }
    offsets_ = exchange_with_neighbours(communicator, channels, mine);
  }

  const auto& outgoing() const { return outgoing_; }
  auto incoming() const { return window_.part(half_ * layout_.total(), layout_.total()); }

  void start() {
    half_ = 1 - half_;
    notices_received_.start();
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const auto& channel = channels_[c];
      const auto type = mpi_type_of(channel);
      check(MPI_Put(outgoing_.data() + layout_.start(c), channel.elements, type, channel.neighbour,
                    offsets_[c][half_], channel.elements, type, window_.handle()));
    }
    check(MPI_Win_flush_all(window_.handle()));  // messages arrive before their notices
    notices_sent_.start();
  }
  void wait_for_arrivals() {
    notices_received_.wait();
    check(MPI_Win_sync(window_.handle()));
  }
  void wait_for_sends() { notices_sent_.wait(); }
  std::vector<int> awaited() const { return notices_received_.awaited(); }

 private:
  using Offsets = std::array<MPI_Aint, 2>;  ///< of a message in the neighbour's window, in turn

  std::vector<Channel> channels_;
  MessageLayout layout_;
  Kokkos::View<std::byte*, MemorySpace> outgoing_;
  HostWindow window_;
  std::vector<Offsets> offsets_;
  std::size_t half_ = 0;  ///< the half of the window with the last messages
  PersistentRequests notices_sent_;
  PersistentRequests notices_received_;
};

}  // namespace

std::unique_ptr<Transport> make_rma_transport(const Communicator& communicator,
                                              const std::vector<Channel>& channels) {
  return std::make_unique<MpiTransport<PutCarrier>>(communicator, channels);
}

}  // namespace halotherm::comm
