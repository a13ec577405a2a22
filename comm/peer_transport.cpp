// SPDX-License-Identifier: MIT
#include "comm/peer_transport.hpp"

#include "comm/error.hpp"

#if defined(KOKKOS_ENABLE_CUDA)

#include "comm/message_layout.hpp"
#include "comm/peer_memory.hpp"

#include <array>
#include <exception>

namespace halotherm::comm {

namespace {

/// Two of each, which take turns.
template <class Value>
using Turns = std::array<Value, 2>;

/// What a rank tells the neighbour of a channel: where things are in its window.
struct Invitation {
  PeerMemory::Handle memory;      ///< of the rank's whole window
  Turns<std::uint64_t> data;      ///< where the neighbour's messages go
  Turns<std::uint64_t> arrived;   ///< the flag that says that a message is there
  Turns<std::uint64_t> released;  ///< the flag that says that the rank's own message has been read
};

class PeerTransport final : public Transport {
 public:
  PeerTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : communicator_(communicator), channels_(channels), layout_(channels), window_(window_bytes()) {
    release_all();
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

  void prepare(const Space&) override { turn_ = 1 - turn_; }
  std::byte* send_buffer(std::size_t channel) override { return peers_[channel].data[turn_]; }
  Gate send_gate() const override { return gate(released_, &Peer::arrived); }
  bool host_takes_part() const override { return false; }
  void start(const Space&) override {}
  void finish(const Space&) override {}
  const std::byte* receive_buffer(std::size_t channel) override { return window_.data() + data_offset(turn_, channel); }
  Gate receive_gate() const override { return gate(arrived_, &Peer::released); }
  void release(const Space&) override {}

 private:
  /// The neighbour's side of a channel, as this rank's device sees it.
  struct Peer {
    Turns<std::byte*> data;
    Turns<Gate::Flag*> arrived;
    Turns<Gate::Flag*> released;
  };
  enum FlagRow : std::size_t { arrived_, released_, rows_ };

  // a window holds both turns of the receive buffer, then the rows of flags, then the counters of the two gates
  std::size_t data_offset(std::size_t turn, std::size_t channel) const { return turn * layout_.total() + layout_.start(channel); }
  std::size_t flag_offset(FlagRow row, std::size_t turn, std::size_t channel) const {
    return 2 * layout_.total() + ((2 * row + turn) * channels_.size() + channel) * sizeof(Gate::Flag);
  }
  std::size_t counter_offset(FlagRow row) const { return flag_offset(rows_, 0, 0) + row * sizeof(Gate::Flag); }
  std::size_t window_bytes() const { return counter_offset(rows_); }
  Gate::Flag* flag_at(std::size_t offset) const { return reinterpret_cast<Gate::Flag*>(window_.data() + offset); }

  /// Awaits a row of this rank's flags, and tells the neighbours by theirs.
  Gate gate(FlagRow own, Turns<Gate::Flag*> Peer::*theirs) const {
    Gate gate{.flags = static_cast<int>(channels_.size()), .teams_done = flag_at(counter_offset(own))};
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      gate.awaited[c] = flag_at(flag_offset(own, turn_, c));
      gate.told[c] = (peers_[c].*theirs)[turn_];
    }
    return gate;
  }

  std::vector<Invitation> exchange_invitations() {
    std::vector<Invitation> mine(channels_.size());
    std::vector<Invitation> theirs(channels_.size());
    std::vector<MPI_Request> requests(2 * channels_.size());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      mine[c] = {window_.handle(),
                 {data_offset(0, c), data_offset(1, c)},
                 {flag_offset(arrived_, 0, c), flag_offset(arrived_, 1, c)},
                 {flag_offset(released_, 0, c), flag_offset(released_, 1, c)}};
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
    Peer peer;
    std::byte* window = memory->second->data();
    for (std::size_t turn = 0; turn < 2; ++turn) {
      peer.data[turn] = window + invitation.data[turn];
      peer.arrived[turn] = reinterpret_cast<Gate::Flag*>(window + invitation.arrived[turn]);
      peer.released[turn] = reinterpret_cast<Gate::Flag*>(window + invitation.released[turn]);
    }
    return peer;
  }

  /// Nothing is in the way of the first messages.
  void release_all() const {
    const std::vector<Gate::Flag> released(2 * channels_.size(), 1);
    cudaMemcpy(flag_at(flag_offset(released_, 0, 0)), released.data(), released.size() * sizeof(Gate::Flag),
               cudaMemcpyHostToDevice);
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
  std::size_t turn_ = 0;
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
