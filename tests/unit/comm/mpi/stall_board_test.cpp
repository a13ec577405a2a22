// SPDX-License-Identifier: MIT
#include "comm/mpi/stall_board.hpp"

#include "comm/mpi/sub_communicator.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

RankState stalled(int rank, Waiting waiting) {
  return {.rank = rank, .runs = true, .stalled = true, .reported = false, .waiting = waiting};
}

/// Ranks 8 to 15; none has stalled.
std::vector<RankState> node() {
  std::vector<RankState> ranks;
  for (int rank = 8; rank < 16; ++rank) ranks.push_back({.rank = rank, .waiting = {}});
  return ranks;
}

void expect_report(const std::vector<RankState>& ranks, const std::string& middle) {
  EXPECT_EQ(stall_report(ranks, 300, false),
            middle.empty() ? ""
                           : middle +
                                 ". Look at ranks that do not run or wait for no other rank, and "
                                 "at nodes that do not answer");
}

TEST(StallReport, NamesARankThatDoesNotRunAndCountsThoseThatWaitForIt) {
  auto ranks = node();
  for (auto& one : ranks) one = stalled(one.rank, {"taking steps after step 12", {one.rank - 1}});
  ranks[3] = {.rank = 11, .runs = false, .waiting = {}};
  ranks[0] = stalled(8, {"taking steps after step 13", {9}});
  expect_report(ranks,
                "7 of 8 ranks of its node have stalled for 300 s; rank 11 does not run; rank 12: "
                "taking steps after step 12; 6 wait for ranks that are named or wait themselves");
}

TEST(StallReport, NamesARankThatWaitsForNoOther) {
  std::vector<RankState> ranks;
  for (const auto& one : node())
    ranks.push_back(stalled(one.rank, {"reading 'a.h5', in MPI_Allreduce", {}, true}));
  ranks[5] = stalled(13, {"reading 'a.h5'"});
  expect_report(ranks,
                "8 of 8 ranks of its node have stalled for 300 s; rank 13: reading 'a.h5'; 7 at: "
                "reading 'a.h5', in MPI_Allreduce");
}

TEST(StallReport, NamesTheRanksOfOtherNodesOnce) {
  std::vector<RankState> ranks;
  for (const auto& one : node()) ranks.push_back(stalled(one.rank, {"exchanging", {one.rank - 8}}));
  ranks[6] = stalled(14, {"exchanging", {0}});
  expect_report(ranks,
                "8 of 8 ranks of its node have stalled for 300 s; rank 8: exchanging; rank 9: "
                "exchanging; rank 10: exchanging; and 4 more alike; 1 wait for ranks that are "
                "named or wait themselves");
}

TEST(StallReport, NodesThatOnlyWaitUntilAllAreAsFarAreSilent) {
  std::vector<RankState> ranks;
  for (const auto& one : node()) ranks.push_back(stalled(one.rank, {"in MPI_Bcast", {}, true}));
  expect_report(ranks, "");
  EXPECT_NE(stall_report(ranks, 300, true).find("; 8 at: in MPI_Bcast. "), std::string::npos);
}

TEST(StallReport, IsOneShortLineHoweverManyRanksANodeHas) {
  std::vector<RankState> ranks;
  for (int rank = 0; rank < 256; ++rank) ranks.push_back(stalled(rank, {"reading", {}}));
  const auto report = stall_report(ranks, 300, false);
  EXPECT_NE(report.find("; and 253 more alike"), std::string::npos) << report;
  EXPECT_LT(report.size(), 400U);
}

TEST(StallBoard, HoldsWhatARankSays) {
  const auto alone = this_rank_alone();
  StallBoard board(alone, 42);
  EXPECT_FALSE(board.read(1).front().stalled);
  board.set_stalled({"a\n" + std::string(1000, 'b'), {3, 4}, true});
  const auto state = board.read(1).front();
  EXPECT_TRUE(state.runs && state.stalled && !state.reported);
  EXPECT_EQ(state.rank, 42);
  EXPECT_EQ(state.waiting.ranks, (std::vector{3, 4}));
  EXPECT_TRUE(state.waiting.for_all);
  EXPECT_EQ(state.waiting.text.substr(0, 4), "a\nbb");
  board.set_reported();
  EXPECT_TRUE(board.read(1).front().reported);
  board.set_progressing();
  EXPECT_FALSE(board.read(1).front().reported || board.read(1).front().stalled);
}

}  // namespace
}  // namespace halotherm::comm
