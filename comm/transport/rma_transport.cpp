// SPDX-License-Identifier: MIT
#include "comm/transport/rma_transport.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/mpi_transport.hpp"
#include "comm/transport/neighbour_exchange.hpp"
#include "comm/transport/persistent_requests.hpp"

#include <array>
#include <exception>

namespace halotherm::comm {

namespace {

/// Host memory that all ranks may put into, from its beginning to its end. MPI allocates it, so
/// that ranks of a node share it.
class HostWindow {
 public:
  using MemorySpace = PinnedMemory;
  using Bytes = Kokkos::View<std::byte*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Collective. Throws CollectiveError (usage) if there is none.
  HostWindow(const Communicator& communicator, std::size_t bytes) : bytes_(whole_pages(bytes)) {
    agree(communicator, [&] {
      const auto status = MPI_Win_allocate(static_cast<MPI_Aint>(bytes_), 1, MPI_INFO_NULL,
                                           communicator.handle(), &data_, &handle_);
      if (status == MPI_SUCCESS) return;
      throw Error(ExitCode::usage, Problem{"parallel.transport: rma cannot be used",
                                           "MPI gives no memory that other ranks can write into",
                                           "set it to auto, device or staged"});
    });
    check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN));
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, handle_));
    lock_pages();
  }

  /// Freeing is collective: while an exception unwinds, the other ranks may never come here.
  ~HostWindow() {
    if (std::uncaught_exceptions() > 0) return;
    unlock_pages();
    MPI_Win_unlock_all(handle_);
    MPI_Win_free(&handle_);
  }
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  MPI_Win handle() const { return handle_; }
  Bytes part(std::size_t first, std::size_t bytes) const { return Bytes(data_ + first, bytes); }

 private:
  /// Ranks that share memory do not share pages.
  static std::size_t whole_pages(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    return (bytes + page - 1) / page * page;
  }

  // a device copies from locked pages at full speed; where they cannot be locked it is slower, and
  // right
  void lock_pages() {
    if constexpr (!kernels_run_on_host)
      pages_locked_ = bytes_ > 0 && gpu::lock_pages(data_, bytes_);
  }
  void unlock_pages() {
    if constexpr (!kernels_run_on_host) {
      gpu::synchronize();  // what was last copied from them
      if (pages_locked_) gpu::unlock_pages(data_);
    }
  }

  std::size_t bytes_;
  std::byte* data_ = nullptr;
  MPI_Win handle_ = MPI_WIN_NULL;
  bool pages_locked_ = false;
};

/// Puts messages into the neighbours' windows. `Window` says in which memory they are.
template <class Window>
class PutCarrier {
 public:
  using MemorySpace = typename Window::MemorySpace;

  PutCarrier(const Communicator& communicator, const std::vector<Channel>& channels,
             const MessageLayout& layout)
      : channels_(channels),
        layout_(layout),
        outgoing_(Kokkos::view_alloc("halo outgoing", Kokkos::WithoutInitializing), layout.total()),
        window_(communicator, 2 * layout.total()) {
    std::vector<Places> mine;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      mine.push_back({static_cast<MPI_Aint>(layout.start(c)),
                      static_cast<MPI_Aint>(layout.total() + layout.start(c))});
      auto notice = channels[c];
      notice.elements = 0;
      notices_sent_.add_send(communicator, notice, nullptr);
      notices_received_.add_receive(communicator, notice, nullptr);
    }
    places_ = exchange_with_neighbours(communicator, channels, mine);
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
                    places_[c][half_], channel.elements, type, window_.handle()));
    }
    check(MPI_Win_flush_all(window_.handle()));  // the messages are there before the notices
    notices_sent_.start();
  }
  void await_arrivals() {
    notices_received_.wait();
    check(MPI_Win_sync(window_.handle()));
  }
  void await_departures() { notices_sent_.wait(); }
  std::vector<int> awaited() const { return notices_received_.awaited(); }

 private:
  using Places =
      std::array<MPI_Aint, 2>;  ///< where a message goes in the neighbour's window, by turns

  std::vector<Channel> channels_;
  MessageLayout layout_;
  Kokkos::View<std::byte*, MemorySpace> outgoing_;
  Window window_;
  std::vector<Places> places_;
  std::size_t half_ = 0;  ///< of the window, in which the last messages are
  PersistentRequests notices_sent_;
  PersistentRequests notices_received_;
};

}  // namespace

std::unique_ptr<Transport> make_rma_transport(const Communicator& communicator,
                                              const std::vector<Channel>& channels) {
  return std::make_unique<MpiTransport<PutCarrier<HostWindow>>>(communicator, channels);
}

}  // namespace halotherm::comm
