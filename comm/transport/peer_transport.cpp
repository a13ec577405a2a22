// SPDX-License-Identifier: MIT
#include "comm/transport/peer_transport.hpp"

#include "comm/device/gpu_runtime.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/peer_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <optional>

namespace halotherm::comm {

namespace {

/// The parts of a rank's window that one neighbour accesses, by their offsets [bytes].
struct Invitation {
  PeerMemory::Handle memory;          ///< the whole window
  std::array<std::uint64_t, 2> data;  ///< the neighbour's messages, in turn
  std::uint64_t arrived;              ///< the flag that the neighbour signals
};

/// Reads flags while kernels wait for them. Any thread may call it, one at a time.
class FlagMonitor {
 public:
  FlagMonitor() = default;
  ~FlagMonitor() { gpu::destroy(stream_); }
  FlagMonitor(const FlagMonitor&) = delete;
  FlagMonitor& operator=(const FlagMonitor&) = delete;

  /// Empty if they cannot be read.
  std::vector<Flag> read(const Flag* first, std::size_t count) const {
    std::vector<Flag> flags(count);
    // CUDA's current device is a property of the thread
    const bool good = gpu::use_device(device_) &&
                      gpu::copy_to_host(flags.data(), first, count * sizeof(Flag), stream_);
    return good ? flags : std::vector<Flag>{};
  }

 private:
  int device_ = gpu::current_device();
  gpu::Stream stream_ = gpu::make_stream();
};

struct SetFlag {
  Flag* flag;
  Flag value;
  KOKKOS_INLINE_FUNCTION void operator()(int, int thread) const {
    if (thread == 0) *flag = value;
  }
};

class PeerTransport final : public Transport {
 public:
  PeerTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : communicator_(communicator),
        channels_(channels),
        layout_(channels),
        window_(window_bytes()) {
    // all ranks complete the exchange before any failure is thrown
    const auto invitations = exchange_invitations();
    agree(communicator_, [&] {
      for (std::size_t c = 0; c < channels_.size(); ++c)
        peers_.push_back(accept(invitations[c], channels_[c].neighbour));
    });
  }

  ~PeerTransport() override {
    if (std::uncaught_exceptions() > 0) return;  // the process ends, maybe without the neighbours
    gpu::synchronize();
    meet_neighbours();  // after this no kernel writes into a window
    peers_.clear();
    memories_.clear();
    meet_neighbours();  // after this no rank maps a window
  }

  void prepare(const Space&) override {
    if (recorded_) {
      ++*recorded_;
    } else {
      ++exchange_;
    }
  }
  std::byte* send_buffer(std::size_t channel) override { return peers_[channel].data[half()]; }
  Signals signals() const override {
    Signals signals{.count = static_cast<int>(channels_.size()),
                    .number = number(),
                    .base = base(),
                    .teams_done = flag(channels_.size())};
    for (std::size_t c = 0; c < channels_.size(); ++c) signals.flags[c] = peers_[c].arrived;
    return signals;
  }
  bool host_takes_part() const override { return false; }
  void start(const Space&) override {}
  void finish(const Space&) override {}
  const std::byte* receive_buffer(std::size_t channel) override {
    return window_.data() + data_offset(half(), channel);
  }
  Waits waits() const override {
    Waits waits{.count = static_cast<int>(channels_.size()), .number = number(), .base = base()};
    for (std::size_t c = 0; c < channels_.size(); ++c) waits.flags[c] = flag(c);
    return waits;
  }
  bool can_be_recorded() const override { return true; }
  void begin_recording() override { recorded_ = 0; }
  void end_recording() override { recorded_.reset(); }
  void begin_submission(const Space& space, int exchanges) override {
    using Bounds = Kokkos::LaunchBounds<32, 1>;
    for_each_thread<Bounds>(space, "number exchanges", 1, 32,
                            SetFlag{flag(channels_.size() + 1), exchange_});
    exchange_ += static_cast<Flag>(exchanges);
  }
  int phase() const override { return static_cast<int>(exchange_ % 2); }
  /// The ranks whose last message is the oldest, unless it is of the newest exchange. The host runs
  /// ahead of the device and has no better information.
  std::vector<int> awaited() const override {
    const auto flags = monitor_.read(flag(0), channels_.size());
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

  /// Of the present exchange: absolute, or relative to `base`.
  Flag number() const { return recorded_ ? *recorded_ : exchange_.load(); }
  const Flag* base() const { return recorded_ ? flag(channels_.size() + 1) : nullptr; }
  std::size_t half() const { return (exchange_ + recorded_.value_or(0)) % 2; }

  // a window holds both halves of the receive buffer, a flag per channel, the counter of teams and
  // the number that recorded exchanges count from
  std::size_t data_offset(std::size_t half, std::size_t channel) const {
    return half * layout_.total() + layout_.start(channel);
  }
  std::size_t flag_offset(std::size_t n) const { return 2 * layout_.total() + n * sizeof(Flag); }
  std::size_t window_bytes() const { return flag_offset(channels_.size() + 2); }
  Flag* flag(std::size_t n) const {
    return reinterpret_cast<Flag*>(window_.data() + flag_offset(n));
  }

  std::vector<Invitation> exchange_invitations() {
    std::vector<Invitation> mine;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const std::array<std::uint64_t, 2> data{data_offset(0, c), data_offset(1, c)};
      mine.push_back({window_.handle(), data, flag_offset(c)});
    }
    return exchange_with_neighbours(communicator_, channels_, mine);
  }

  Peer accept(const Invitation& invitation, int neighbour) {
    auto& memory = memories_[neighbour];
    if (!memory) memory = std::make_unique<MappedMemory>(invitation.memory, neighbour);
    std::byte* window = memory->data();
    return {{window + invitation.data[0], window + invitation.data[1]},
            reinterpret_cast<Flag*>(window + invitation.arrived)};
  }

  /// Blocks until all neighbours call it. Ignores failures, since it runs in the destructor.
  void meet_neighbours() const {
    try {
      exchange_with_neighbours(communicator_, channels_, std::vector<char>(channels_.size()));
    } catch (const Error&) {
    }
  }

  const Communicator& communicator_;
  std::vector<Channel> channels_;
  MessageLayout layout_;
  PeerMemory window_;
  std::map<int, std::unique_ptr<MappedMemory>> memories_;  ///< windows of the neighbours
  std::vector<Peer> peers_;
  FlagMonitor monitor_;
  std::atomic<Flag> exchange_ = 0;  ///< the number of exchanges, modulo 2^32
  std::optional<Flag> recorded_;    ///< the number of those that are being recorded
};

}  // namespace

std::unique_ptr<Transport> make_peer_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels) {
  return std::make_unique<PeerTransport>(communicator, channels);
}

}  // namespace halotherm::comm
