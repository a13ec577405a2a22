// SPDX-License-Identifier: MIT
// How writing is shared among up to 131,072 ranks.
#include "io/distribution/file_domains.hpp"

#include "comm/partition/partition.hpp"
#include "io/distribution/redistribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace halotherm::io {
namespace {

void expect_partition(const FileDomains& domains) {
  std::int64_t place = 0;
  int last = -1;
  for (int domain = 0; domain < domains.count(); ++domain) {
    const auto range = domains.range(domain);
    EXPECT_EQ(range.first, place);
    EXPECT_FALSE(range.empty());
    EXPECT_LE(range.size(), domains.largest());
    EXPECT_GT(domains.owner(domain), last);
    EXPECT_EQ(domains.range_of(domains.owner(domain)), range);
    EXPECT_EQ(domains.overlapping({range.first, range.first + 1}), (std::pair{domain, domain + 1}));
    EXPECT_EQ(domains.overlapping({range.end - 1, range.end}), (std::pair{domain, domain + 1}));
    last = domains.owner(domain);
    place = range.end;
  }
  EXPECT_EQ(place, domains.order().values());
  EXPECT_EQ(domains.overlapping({0, place}), (std::pair{0, domains.count()}));
}

TEST(FileDomains, are_the_whole_file_once) {
  for (const comm::Int3& extent :
       {comm::Int3{64, 64, 64}, {101, 97, 89}, {1000, 1, 1}, {300, 200, 1}}) {
    for (const int ranks : {1, 2, 3, 7, 8, 64})
      expect_partition(domains_to_write(extent, 8, ranks));
  }
}

/// The law: at least 0.95 min(P, parts) write, a part being 256 KiB, and the busiest writes at
/// most 1.25 times the mean.
TEST(FileDomains, every_rank_with_enough_to_write_does_so_evenly) {
  for (const comm::Int3& extent : {comm::Int3{128, 128, 128},
                                   {512, 512, 512},
                                   {509, 511, 513},
                                   {1000, 777, 513},
                                   {8192, 8192, 1},
                                   {8192, 8192, 8192},
                                   {8191, 8193, 8209}}) {
    for (const std::size_t bytes : {4UL, 8UL}) {
      for (const int ranks : {1, 2, 3, 4, 6, 7, 8, 16, 31, 64, 1000, 1024, 16384, 131072}) {
        const auto domains = domains_to_write(extent, bytes, ranks);
        const auto parts = std::max<std::int64_t>(
            FileOrder(extent).values() * static_cast<std::int64_t>(bytes) >> 18, 1);
        EXPECT_GE(domains.count(),
                  0.95 * static_cast<double>(std::min<std::int64_t>(ranks, parts)));
        const double mean = static_cast<double>(FileOrder(extent).values()) / domains.count();
        EXPECT_LE(static_cast<double>(domains.largest()), 1.25 * mean)
            << comm::to_string({{0, 0, 0}, extent}) << ", " << ranks << " ranks";
        EXPECT_EQ(
            domains.range(domains.count() / 2).first * static_cast<std::int64_t>(bytes) % (1 << 16),
            0);
      }
    }
  }
}

TEST(FileDomains, another_node_verifies) {
  const auto expect_other_nodes = [](const std::vector<int>& nodes) {
    std::set<int> verified;
    for (int rank = 0; rank < static_cast<int>(nodes.size()); ++rank) {
      const int other = rank_to_verify(nodes, rank);
      EXPECT_NE(nodes[static_cast<std::size_t>(rank)], nodes[static_cast<std::size_t>(other)])
          << "rank " << rank;
      verified.insert(other);
    }
    EXPECT_EQ(verified.size(), nodes.size());
  };
  expect_other_nodes({0, 1});
  expect_other_nodes({0, 0, 2, 2});
  expect_other_nodes({0, 1, 0, 1, 0, 1});
  expect_other_nodes({0, 0, 0, 3, 3, 5});
  EXPECT_EQ(rank_to_verify({0}, 0), 0);
  EXPECT_EQ(rank_to_verify({0, 0, 0}, 1), 0) << "on one node another rank";
}

TEST(FileDomains, of_the_largest_grid_are_its_file_once) {
  for (const comm::Int3& extent : {comm::Int3{1 << 17, 1 << 17, 1 << 16},
                                   {1 << 30, 1 << 20, 1},
                                   {1 << 16, 1 << 17, 1 << 17}}) {
    for (const int ranks : {1, 8192, 131072}) {
      const auto domains = domains_to_write(extent, 8, ranks);
      EXPECT_EQ(domains.order().values(), std::int64_t{1} << 50);
      EXPECT_EQ(domains.count(), ranks);
      expect_partition(domains);
      const auto last = domains.order().cell(domains.order().values() - 1);
      for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(last[axis], extent[axis] - 1);
    }
  }
}

/// One rank's plan of 131,072: all that it must know of others, their blocks, is gone through once.
TEST(FileDomains, a_plan_of_131072_ranks_is_made_from_few_messages) {
  const comm::Partition cut({8192, 8192, 4096}, {false, false, false}, {64, 64, 32});
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < cut.ranks(); ++rank) blocks.push_back(cut.owned(rank));
  const auto domains = domains_to_write(cut.cells(), 8, cut.ranks());
  for (const int rank : {0, 77777, 131071}) {
    const Redistribution<double> redistribution(domains, blocks, rank);
    const auto owned = blocks[static_cast<std::size_t>(rank)].size();
    EXPECT_EQ(redistribution.piece(0).size(), owned);
    EXPECT_LE(redistribution.buffered_values(), 3 * owned)
        << "what comes, what goes, and the piece";
  }
}

}  // namespace
}  // namespace halotherm::io
