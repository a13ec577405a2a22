// SPDX-License-Identifier: MIT
#include "comm/mpi/stall_board.hpp"

#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::comm {
namespace {

using test::world;

TEST(NodeMemory, IsZeroAndSharedByTheRanksOfANode) {
  const auto& node = world().node();
  const NodeMemory memory(node, sizeof(int));
  auto* numbers = static_cast<int*>(memory.data());
  EXPECT_EQ(numbers[node.rank()], 0);
  numbers[node.rank()] = 100 + node.rank();
  node.barrier();
  for (int rank = 0; rank < node.size(); ++rank) EXPECT_EQ(numbers[rank], 100 + rank);
  node.barrier();
}

TEST(NodeMemory, LeavesNoNameBehind) {
  const NodeMemory memory(world().node(), 8);
  world().barrier();
  const auto mine = "halotherm-" + std::to_string(getpid()) + "-";
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    EXPECT_NE(entry.path().filename().string().substr(0, mine.size()), mine);
}

TEST(NodeMemory, RanksSeeOnABoardWhatOthersSay) {
  const auto& node = world().node();
  {
    StallBoard board(node, world().rank());
    board.beat();
    if (node.rank() == node.size() - 1) board.set_stalled({"reading", {0}});
    node.barrier();
    const auto ranks = board.read(60);
    ASSERT_EQ(std::ssize(ranks), node.size());
    for (int rank = 0; rank < node.size(); ++rank) {
      const auto& one = ranks[static_cast<std::size_t>(rank)];
      EXPECT_TRUE(one.runs);
      EXPECT_EQ(one.stalled, rank == node.size() - 1);
    }
    EXPECT_EQ(ranks.back().waiting.text, "reading");
    EXPECT_EQ(ranks.back().waiting.ranks, std::vector{0});
    node.barrier();
  }
}

/// A rank that has ended is no rank that stands still.
TEST(NodeMemory, RanksThatAreGoneAreNotExpected) {
  const auto& node = world().node();
  std::optional<StallBoard> board(std::in_place, node, world().rank());
  node.barrier();
  if (!node.is_root()) board.reset();
  node.barrier();
  if (!node.is_root()) return;
  for (const auto& one : board->read(-1)) EXPECT_TRUE(one.runs) << one.rank;
}

}  // namespace
}  // namespace halotherm::comm
