// SPDX-License-Identifier: MIT
#include "comm/peer_transport.hpp"

#include "comm/error.hpp"

#if defined(KOKKOS_ENABLE_CUDA)

#include "comm/message_layout.hpp"
#include "comm/peer_memory.hpp"
#include "comm/stream_flags.hpp"

#include <exception>

namespace halotherm::comm {

namespace {

/// What a rank tells the neighbour of a channel.
struct Invitation {
  PeerMemory::Handle memory;  ///< of the rank's whole window
  std::uint64_t data[2];      ///< where the neighbour's messages go in it, in turn
  std::uint64_t arrived;      ///< the flag that the neighbour sets when a message is there: its number
  std::uint64_t released;     ///< the flag that the neighbour sets when it needs the rank's message no more
};

class PeerTransport final : public Transport {
 public:
  PeerTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : communicator_(communicator), channels_(channels), layout_(channels), window_(window_bytes()) {
    // every rank takes part to the end, whatever fails on the way
    const auto invitations = exchange_invitations();
    agree(communicator_, [&] {
      for (std::size_t c = 0; c < channels_.size(); ++c) peers_.push_back(accept(invitations[c], channels_[c].neighbour));
    });
  }

  ~PeerTransport() override {
    if (std::uncaught_exceptions() > 0) return;  // a neighbour may be gone; the process ends anyway
    cudaDeviceSynchronize();
    meet_neighbours();  // nobody writes into a window from here on
    peers_.clear();
    memories_.clear();
    meet_neighbours();  // nobody has it mapped
  }

  TransportKind kind() const override { return TransportKind::p2p; }

  void prepare(const Space& edge) override {
    ++exchange_;
    flags_.wait_all(
        edge, channels_.size(), [&](std::size_t c) { return local_flag(released_, c); }, exchange_ - 2);
  }
  std::byte* send_buffer(std::size_t channel) override { return peers_[channel].data[exchange_ % 2]; }
  void start(const Space& edge) override {
    flags_.set_all(
        edge, channels_.size(), [&](std::size_t c) { return peers_[c].arrived; }, exchange_);
  }
  void finish(const Space& edge) override {
    flags_.wait_all(
        edge, channels_.size(), [&](std::size_t c) { return local_flag(arrived_, c); }, exchange_);
  }
  const std::byte* receive_buffer(std::size_t channel) override { return window_.data() + data_offset(exchange_ % 2, channel); }
  void release(const Space& edge) override {
    flags_.set_all(
        edge, channels_.size(), [&](std::size_t c) { return peers_[c].released; }, exchange_);
  }

 private:
  /// The neighbour's side of a channel, as this rank's device sees it.
  struct Peer {
    std::byte* data[2];
    std::byte* arrived;
    std::byte* released;
  };
  enum FlagRow { arrived_, released_ };

  // a window holds both halves of the receive buffer, then the two rows of flags
  std::size_t data_offset(std::size_t half, std::size_t channel) const { return half * layout_.total() + layout_.start(channel); }
  std::size_t flag_offset(FlagRow row, std::size_t channel) const {
    return 2 * layout_.total() + (row * channels_.size() + channel) * StreamFlags::bytes;
  }
  std::size_t window_bytes() const { return flag_offset(released_, channels_.size()) + StreamFlags::bytes; }
  std::byte* local_flag(FlagRow row, std::size_t channel) { return window_.data() + flag_offset(row, channel); }

  std::vector<Invitation> exchange_invitations() {
    std::vector<Invitation> mine(channels_.size());
    std::vector<Invitation> theirs(channels_.size());
    std::vector<MPI_Request> requests(2 * channels_.size());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      mine[c] = {window_.handle(), {data_offset(0, c), data_offset(1, c)}, flag_offset(arrived_, c), flag_offset(released_, c)};
      const auto& channel = channels_[c];
      check(MPI_Irecv(&theirs[c], sizeof(Invitation), MPI_BYTE, channel.neighbour, channel.receive_tag, communicator_.handle(),
                      &requests[2 * c]));
      check(MPI_Isend(&mine[c], sizeof(Invitation), MPI_BYTE, channel.neighbour, channel.send_tag, communicator_.handle(),
                      &requests[2 * c + 1]));
    }
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    return theirs;
  }

  Peer accept(const Invitation& invitation, int neighbour) {
    const auto [memory, fresh] = memories_.try_emplace(neighbour, nullptr);
    if (fresh) memory->second = std::make_unique<MappedMemory>(invitation.memory, neighbour);
    std::byte* window = memory->second->data();
    return {{window + invitation.data[0], window + invitation.data[1]}, window + invitation.arrived, window + invitation.released};
  }

  void meet_neighbours() const {
    std::vector<MPI_Request> requests(2 * channels_.size());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const auto& channel = channels_[c];
      MPI_Irecv(nullptr, 0, MPI_BYTE, channel.neighbour, channel.receive_tag, communicator_.handle(), &requests[2 * c]);
      MPI_Isend(nullptr, 0, MPI_BYTE, channel.neighbour, channel.send_tag, communicator_.handle(), &requests[2 * c + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  const Communicator& communicator_;
  std::vector<Channel> channels_;
  MessageLayout layout_;
  PeerMemory window_;
  std::map<int, std::unique_ptr<MappedMemory>> memories_;  ///< of the neighbours
  std::vector<Peer> peers_;
  StreamFlags flags_;
  std::uint32_t exchange_ = 0;  ///< counts from 1; wraps around, as the flags' comparison allows
};

}  // namespace

std::unique_ptr<Transport> make_peer_transport(const Communicator& communicator, const std::vector<Channel>& channels) {
  return std::make_unique<PeerTransport>(communicator, channels);
}

}  // namespace halotherm::comm

#else

namespace halotherm::comm {

std::unique_ptr<Transport> make_peer_transport(const Communicator&, const std::vector<Channel>&) {
  throw CollectiveError(ExitCode::usage,
                        "parallel.transport: p2p cannot be used (this program has no CUDA) set it to auto, device or staged");
}

}  // namespace halotherm::comm

#endif
