// SPDX-License-Identifier: MIT
#include "comm/transport/joined_channels.hpp"

#include "comm/halo/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <set>

namespace halotherm::comm {
namespace {

std::vector<Channel> channels(const Partition& partition, int rank, int width, int fields) {
  const auto region = width > 1 ? GhostRegion::all : GhostRegion::faces;
  return channels_of(make_halo_plan(partition, rank, width, region), 8, fields);
}

TEST(JoinedChannels, EachNeighbourHasOneMessage) {
  for (const auto& dims : {Int3{2, 1, 1}, Int3{2, 2, 2}, Int3{1, 3, 2}, Int3{4, 4, 4}}) {
    for (const int width : {1, 2}) {
      for (const int fields : {1, 3}) {
        const Partition partition({17, 18, 19}, {true, true, true}, dims);
        for (int rank = 0; rank < partition.ranks(); ++rank) {
          std::set<int> neighbours;
          for (const auto& one : channels(partition, rank, width, fields))
            neighbours.insert(one.neighbour);
          const JoinedChannels joined(channels(partition, rank, width, fields));
          EXPECT_EQ(joined.channels().size(), neighbours.size());
        }
      }
    }
  }
}

TEST(JoinedChannels, BothEndsFindAMessageAtTheSamePlace) {
  const Partition partition({17, 18, 19}, {true, true, false}, {2, 2, 1});
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto mine = channels(partition, rank, 2, 2);
    const JoinedChannels here(mine);
    const auto start_of = [](const JoinedChannels& joined, int neighbour) {
      const auto& all = joined.channels();
      const auto found = std::ranges::find(all, neighbour, &Channel::neighbour);
      return std::pair(*found,
                       joined.layout().start(static_cast<std::size_t>(found - all.begin())));
    };
    for (std::size_t c = 0; c < mine.size(); ++c) {
      const auto theirs = channels(partition, mine[c].neighbour, 2, 2);
      const JoinedChannels there(theirs);
      const auto [sent, send_start] = start_of(here, mine[c].neighbour);
      const auto [received, receive_start] = start_of(there, rank);
      EXPECT_EQ(sent.elements, received.elements);
      EXPECT_EQ(sent.send_tag, received.receive_tag);
      const auto match = [&](const Channel& one) {
        return one.neighbour == rank && one.receive_tag == mine[c].send_tag;
      };
      const auto other =
          static_cast<std::size_t>(std::ranges::find_if(theirs, match) - theirs.begin());
      ASSERT_LT(other, theirs.size());
      EXPECT_EQ(here.send_start(c) - send_start, there.receive_start(other) - receive_start);
    }
  }
}

TEST(JoinedChannels, MessagesDoNotOverlap) {
  const Partition partition({17, 18, 19}, {true, true, true}, {2, 2, 2});
  const auto all = channels(partition, 3, 2, 1);
  const JoinedChannels joined(all);
  std::set<std::size_t> bytes_sent, bytes_received;
  std::size_t count = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    count += bytes_of(all[c]);
    for (std::size_t n = 0; n < bytes_of(all[c]); ++n) {
      bytes_sent.insert(joined.send_start(c) + n);
      bytes_received.insert(joined.receive_start(c) + n);
    }
  }
  EXPECT_EQ(bytes_sent.size(), count);
  EXPECT_EQ(bytes_received.size(), count);
  EXPECT_LE(*bytes_sent.rbegin(), joined.layout().total());
}

TEST(JoinedChannels, AreLeftApartWhereOneMessageWouldBeTooLong) {
  const int most = 2147483647;
  const std::vector<Channel> two{{7, 1, 2, most, 8}, {7, 2, 1, most, 8}};
  const JoinedChannels joined(two);
  ASSERT_EQ(joined.channels().size(), 2U);
  EXPECT_EQ(joined.channels()[1].elements, most);
  EXPECT_EQ(joined.send_start(0), joined.layout().start(0));
  EXPECT_EQ(joined.receive_start(0), joined.layout().start(0));
  EXPECT_EQ(joined.send_start(1), joined.layout().start(1));
}

}  // namespace
}  // namespace halotherm::comm
