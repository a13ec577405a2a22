// SPDX-License-Identifier: MIT
#include "comm/transport/peer_transport.hpp"

#include "comm/device/gpu_runtime.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/message_layout.hpp"
#include "comm/transport/neighbour_exchange.hpp"
#include "comm/transport/peer_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>

namespace halotherm::comm {

namespace {

/// What a rank tells the neighbour of a channel: where things are in its window.
struct Invitation {
  PeerMemory::Handle memory;          ///< of the rank's whole window
  std::array<std::uint64_t, 2> data;  ///< where the neighbour's messages go, in turn
  std::uint64_t arrived;              ///< the flag that the neighbour sets when one is there
};

/// Reads flags while kernels wait for them. Callable by any thread, one at a time.
class FlagMonitor {
 public:
  FlagMonitor() = default;
  ~FlagMonitor() { gpu::destroy(stream_); }
  FlagMonitor(const FlagMonitor&) = delete;
  FlagMonitor& operator=(const FlagMonitor&) = delete;

  /// Nothing if they cannot be read.
  std::vector<Flag> read(const Flag* first, std::size_t count) const {
    std::vector<Flag> flags(count);
    // threads have each their own device
    const bool good = gpu::use_device(device_) &&
                      gpu::copy_to_host(flags.data(), first, count * sizeof(Flag), stream_);
    return good ? flags : std::vector<Flag>{};
  }

 private:
  int device_ = gpu::current_device();
  gpu::Stream stream_ = gpu::make_stream();
};

class PeerTransport final : public Transport {
 public:
  PeerTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : communicator_(communicator),
        channels_(channels),
        layout_(channels),
        window_(window_bytes()) {
    // every rank takes part to the end, whatever fails on the way
    const auto invitations = exchange_invitations();
    agree(communicator_, [&] {
      for (std::size_t c = 0; c < channels_.size(); ++c)
        peers_.push_back(accept(invitations[c], channels_[c].neighbour));
    });
  }

  ~PeerTransport() override {
    if (std::uncaught_exceptions() > 0) return;  // a neighbour may be gone; the process ends anyway
    gpu::synchronize();
    meet_neighbours();  // nobody writes into a window from here on
    peers_.clear();
    memories_.clear();
    meet_neighbours();  // nobody has it mapped
  }

  void prepare(const Space&) override { ++exchange_; }
  std::byte* send_buffer(std::size_t channel) override {
    return peers_[channel].data[exchange_ % 2];
  }
  Departures departures() const override {
    Departures departures{.count = static_cast<int>(channels_.size()),
                          .number = exchange_,
                          .teams_done = flag(channels_.size())};
    for (std::size_t c = 0; c < channels_.size(); ++c) departures.flags[c] = peers_[c].arrived;
    return departures;
  }
  bool host_takes_part() const override { return false; }
  void start(const Space&) override {}
  void finish(const Space&) override {}
  const std::byte* receive_buffer(std::size_t channel) override {
    return window_.data() + data_offset(exchange_ % 2, channel);
  }
  Arrivals arrivals() const override {
    Arrivals arrivals{.count = static_cast<int>(channels_.size()), .number = exchange_};
    for (std::size_t c = 0; c < channels_.size(); ++c) arrivals.flags[c] = flag(c);
    return arrivals;
  }
  /// Those whose last message is the oldest, if it is not the newest one: the host, which runs
  /// ahead, does not know more.
  std::vector<int> awaited() const override {
    const auto flags = watch_.read(flag(0), channels_.size());
    const Flag launched = exchange_;
    Flag most = 0;
    for (const Flag arrived : flags) most = std::max(most, launched - arrived);
    std::vector<int> ranks;
    for (std::size_t c = 0; c < flags.size() && most > 0; ++c) {
      if (launched - flags[c] == most) ranks.push_back(channels_[c].neighbour);
    }
    return ranks;
  }

 private:
  /// The neighbour's side of a channel, as this rank's device sees it.
  struct Peer {
    std::array<std::byte*, 2> data;
    Flag* arrived;
  };

  // a window holds both halves of the receive buffer, then a flag for each channel, then the
  // counter of teams
  std::size_t data_offset(std::size_t half, std::size_t channel) const {
    return half * layout_.total() + layout_.start(channel);
  }
  std::size_t flag_offset(std::size_t n) const { return 2 * layout_.total() + n * sizeof(Flag); }
  std::size_t window_bytes() const { return flag_offset(channels_.size() + 1); }
  Flag* flag(std::size_t n) const {
    return reinterpret_cast<Flag*>(window_.data() + flag_offset(n));
  }

  std::vector<Invitation> exchange_invitations() {
    std::vector<Invitation> mine;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      mine.push_back({window_.handle(), {data_offset(0, c), data_offset(1, c)}, flag_offset(c)});
    }
    return exchange_with_neighbours(communicator_, channels_, mine);
  }

  Peer accept(const Invitation& invitation, int neighbour) {
    const auto [memory, fresh] = memories_.try_emplace(neighbour, nullptr);
    if (fresh) memory->second = std::make_unique<MappedMemory>(invitation.memory, neighbour);
    std::byte* window = memory->second->data();
    return {{window + invitation.data[0], window + invitation.data[1]},
            reinterpret_cast<Flag*>(window + invitation.arrived)};
  }

  void meet_neighbours() const {
    std::vector<MPI_Request> requests(2 * channels_.size());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const auto& channel = channels_[c];
      MPI_Irecv(nullptr, 0, MPI_BYTE, channel.neighbour, channel.receive_tag,
                communicator_.handle(), &requests[2 * c]);
      MPI_Isend(nullptr, 0, MPI_BYTE, channel.neighbour, channel.send_tag, communicator_.handle(),
                &requests[2 * c + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  const Communicator& communicator_;
  std::vector<Channel> channels_;
  MessageLayout layout_;
  PeerMemory window_;
  std::map<int, std::unique_ptr<MappedMemory>> memories_;  ///< of the neighbours
  std::vector<Peer> peers_;
  FlagMonitor watch_;
  std::atomic<Flag> exchange_ = 0;  ///< counts round and round
};

}  // namespace

std::unique_ptr<Transport> make_peer_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels) {
  return std::make_unique<PeerTransport>(communicator, channels);
}

}  // namespace halotherm::comm
