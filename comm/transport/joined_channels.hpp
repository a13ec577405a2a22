// SPDX-License-Identifier: MIT
// One message for all channels between two ranks.
#pragma once

#include "comm/transport/channel.hpp"

#include <cstddef>
#include <vector>

namespace halotherm::comm {

/// The channels of each neighbour as one, so that a rank sends at most one message to each in an
/// exchange: blocks that are neighbours across several sides, such as two along a periodic axis,
/// have a channel for each side. Messages of a joined channel follow one another in the order of
/// their tags at the sender, which both ends know, and each begins at a multiple of 256 bytes.
class JoinedChannels {
 public:
  explicit JoinedChannels(const std::vector<Channel>& channels);

  /// One for each neighbour, unless its messages have more elements than MPI's int counts.
  const std::vector<Channel>& channels() const { return channels_; }
  const MessageLayout& layout() const { return layout_; }
  /// Where the message of a channel lies in a buffer with this layout [bytes].
  std::size_t send_start(std::size_t channel) const { return sends_[channel]; }
  std::size_t receive_start(std::size_t channel) const { return receives_[channel]; }

 private:
  std::vector<Channel> channels_;
  MessageLayout layout_;
  std::vector<std::size_t> sends_, receives_;
};

}  // namespace halotherm::comm
