// SPDX-License-Identifier: MIT
#include "comm/transport/nccl_transport.hpp"

#include "comm/device/stream_state.hpp"
#include "comm/transport/joined_channels.hpp"
#include "comm/transport/nccl.hpp"

#include <algorithm>
#include <atomic>

namespace halotherm::comm {

namespace {

/// A message to or from a neighbour, at this place of its buffer.
struct Message {
  int neighbour;
  int tag;  ///< the sender's, by which both ends order those between them
  std::size_t start, bytes;
};

std::vector<Message> messages_of(const JoinedChannels& joined, int Channel::*tag) {
  std::vector<Message> messages;
  for (std::size_t c = 0; c < joined.channels().size(); ++c) {
    const auto& channel = joined.channels()[c];
    messages.push_back(
        {channel.neighbour, channel.*tag, joined.layout().start(c), bytes_of(channel)});
  }
  std::ranges::sort(messages, {}, &Message::tag);
  return messages;
}

class NcclTransport final : public Transport {
 public:
  NcclTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : nccl_(Nccl::of(communicator)),
        joined_(channels),
        sends_(messages_of(joined_, &Channel::send_tag)),
        receives_(messages_of(joined_, &Channel::receive_tag)),
        outgoing_(Kokkos::view_alloc("halo send", Kokkos::WithoutInitializing),
                  joined_.layout().total()),
        incoming_(Kokkos::view_alloc("halo receive", Kokkos::WithoutInitializing),
                  joined_.layout().total()) {}

  void prepare(const Space& edge) override { stream_ = edge.cuda_stream(); }
  std::byte* send_buffer(std::size_t channel) override {
    return outgoing_.data() + joined_.send_start(channel);
  }
  const std::byte* receive_buffer(std::size_t channel) override {
    return incoming_.data() + joined_.receive_start(channel);
  }
  void start(const Space& edge) override {
    if (sends_.empty()) return;
    const auto stream = edge.cuda_stream();
    nccl_.begin_group();
    for (const auto& [neighbour, tag, start, bytes] : sends_)
      nccl_.send(outgoing_.data() + start, bytes, neighbour, stream);
    for (const auto& [neighbour, tag, start, bytes] : receives_)
      nccl_.receive(incoming_.data() + start, bytes, neighbour, stream);
    nccl_.end_group();
  }
  void finish(const Space&) override {}

  bool can_be_recorded() const override { return true; }
  void begin_recording() override { recording_ = true; }
  void end_recording() override { recording_ = false; }

  /// All neighbours while the stream has work. NCCL does not tell which messages have arrived.
  std::vector<int> awaited() const override {
    const auto stream = stream_.load();
    // CUDA's current device is a property of the thread
    if (recording_ || stream == nullptr || !gpu::use_device(device_) || gpu::is_idle(stream))
      return {};
    std::vector<int> ranks;
    for (const auto& message : receives_) ranks.push_back(message.neighbour);
    return ranks;
  }

 private:
  Nccl& nccl_;
  JoinedChannels joined_;
  std::vector<Message> sends_, receives_;
  Kokkos::View<std::byte*, Memory> outgoing_, incoming_;
  int device_ = gpu::current_device();
  std::atomic<gpu::Stream> stream_ = nullptr;  ///< of the last exchange
  std::atomic<bool> recording_ = false;
};

}  // namespace

std::unique_ptr<Transport> make_nccl_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels) {
  return std::make_unique<NcclTransport>(communicator, channels);
}

}  // namespace halotherm::comm
