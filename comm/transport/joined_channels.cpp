// SPDX-License-Identifier: MIT
#include "comm/transport/joined_channels.hpp"

#include <algorithm>
#include <limits>

namespace halotherm::comm {

namespace {

/// Of a message with the space behind it [bytes].
std::size_t room_of(const Channel& channel) {
  return MessageLayout(std::vector{channel}).total();
}

bool alike(const Channel& a, const Channel& b) {
  return a.neighbour == b.neighbour && a.element_bytes == b.element_bytes;
}

/// Whether one message can hold those of all channels to this neighbour.
bool can_join(const std::vector<Channel>& channels, const Channel& one) {
  std::size_t bytes = 0;
  for (const auto& other : channels) bytes += alike(other, one) ? room_of(other) : 0;
  return bytes / static_cast<std::size_t>(one.element_bytes) <=
         static_cast<std::size_t>(std::numeric_limits<int>::max());
}

std::vector<Channel> joined(const std::vector<Channel>& channels) {
  std::vector<Channel> found;
  for (const auto& channel : channels) {
    const auto earlier =
        std::ranges::find_if(found, [&](const auto& one) { return alike(one, channel); });
    if (earlier == found.end() || !can_join(channels, channel)) {
      found.push_back(channel);
      continue;
    }
    const auto bytes = room_of(*earlier) + room_of(channel);
    earlier->elements = static_cast<int>(bytes / static_cast<std::size_t>(channel.element_bytes));
    earlier->send_tag = std::min(earlier->send_tag, channel.send_tag);
    earlier->receive_tag = std::min(earlier->receive_tag, channel.receive_tag);
  }
  return found;
}

/// Where each channel's message begins; those of a neighbour by ascending `tag`.
std::vector<std::size_t> starts(const std::vector<Channel>& channels,
                                const std::vector<Channel>& all, const MessageLayout& layout,
                                int Channel::*tag) {
  std::vector<std::size_t> found;
  for (const auto& channel : channels) {
    const bool together = can_join(channels, channel);
    const auto holds = [&](const Channel& one) {
      return alike(one, channel) && (together || one.*tag == channel.*tag);
    };
    const auto place = std::ranges::find_if(all, holds) - all.begin();
    auto start = layout.start(static_cast<std::size_t>(place));
    for (const auto& other : channels) {
      if (together && alike(other, channel) && other.*tag < channel.*tag) start += room_of(other);
    }
    found.push_back(start);
  }
  return found;
}

}  // namespace

JoinedChannels::JoinedChannels(const std::vector<Channel>& channels)
    : channels_(joined(channels)),
      layout_(channels_),
      sends_(starts(channels, channels_, layout_, &Channel::send_tag)),
      receives_(starts(channels, channels_, layout_, &Channel::receive_tag)) {}

}  // namespace halotherm::comm
