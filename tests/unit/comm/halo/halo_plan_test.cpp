// SPDX-License-Identifier: MIT
// The plan without MPI: each ghost cell that is a copy of a cell of the grid is received once, from
// the rank that owns that cell.
#include "comm/halo/halo_plan.hpp"

#include "comm/mpi/error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <tuple>

namespace halotherm::comm {
namespace {

struct Case {
  SplitPoints split_points;
  Periodic periodic;
  int width;
  GhostRegion region;
};

const Int3 cells{13, 11, 12};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::vector<SplitPoints> all_split_points{
      {{{0, 3, 13}, {0, 11}, {0, 5, 8, 12}}},
      {{{0, 7, 10, 13}, {0, 8, 11}, {0, 12}}}};  // and even ones
  for (const auto& dims :
       {Int3{1, 1, 1}, Int3{3, 1, 1}, Int3{1, 2, 1}, Int3{1, 1, 2}, Int3{2, 2, 1}, Int3{3, 3, 3}}) {
    all_split_points.push_back(Partition(cells, {}, dims).split_points());
  }
  for (const auto& split_points : all_split_points) {
    for (int bits = 0; bits < 8; ++bits) {
      for (int width = 1; width <= 3; ++width) {
        for (const auto region : {GhostRegion::faces, GhostRegion::all}) {
          cases.push_back(
              {split_points, {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0}, width, region});
        }
      }
    }
  }
  return cases;
}

/// The last rank has the first block.
Partition partition_of(const Case& c) {
  const Partition partition(c.split_points, c.periodic);
  std::vector<int> blocks(static_cast<std::size_t>(partition.ranks()));
  std::iota(blocks.rbegin(), blocks.rend(), 0);
  return partition.mapped(blocks);
}

using Cell = std::tuple<int, int, int>;

template <class Work>
void for_cells(const Box& box, const Work& work) {
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) work(i, j, k);
    }
  }
}

/// The cell of the grid that a ghost cell copies, if there is one.
std::optional<Int3> behind(Int3 cell, const Periodic& periodic) {
  for (int axis = 0; axis < 3; ++axis) {
    if (cell[axis] >= 0 && cell[axis] < cells[axis]) continue;
    if (!periodic[axis]) return std::nullopt;
    cell[axis] = (cell[axis] + cells[axis]) % cells[axis];
  }
  return cell;
}

/// The cell of the grid that each ghost cell of `rank` receives, from the messages' senders.
std::map<Cell, Cell> arrivals(const Partition& partition, const Case& c, int rank) {
  std::map<Cell, Cell> got;
  const auto add = [&](const Box& ghosts, const Box& source) {
    for_cells(ghosts, [&](int i, int j, int k) {
      const Cell from{i - ghosts.lower[0] + source.lower[0], j - ghosts.lower[1] + source.lower[1],
                      k - ghosts.lower[2] + source.lower[2]};
      EXPECT_TRUE(got.emplace(Cell{i, j, k}, from).second) << "a ghost cell is filled twice";
    });
  };
  const auto plan = make_halo_plan(partition, rank, c.width, c.region);
  for (const auto& message : plan.local) add(message.receive, message.send);
  for (const auto& message : plan.messages) {
    int senders = 0;
    for (const auto& theirs :
         make_halo_plan(partition, message.neighbour, c.width, c.region).messages) {
      if (theirs.neighbour != rank || theirs.send_tag != message.receive_tag) continue;
      ++senders;
      EXPECT_EQ(theirs.send.size(), message.receive.size());
      add(message.receive, theirs.send);
    }
    EXPECT_EQ(senders, 1) << "exactly one message must carry that tag";
  }
  return got;
}

TEST(HaloPlan, EveryGhostCellComesOnceFromItsOwner) {
  for (const auto& c : all_cases()) {
    const auto partition = partition_of(c);
    for (int rank = 0; rank < partition.ranks(); ++rank) {
      const auto owned = partition.owned(rank);
      const auto got = arrivals(partition, c, rank);
      std::size_t expected = 0;
      const Int3 w{c.width, c.width, c.width};
      for_cells(grown(owned, w, w), [&](int i, int j, int k) {
        if (owned.contains(i, j, k)) return;
        const Int3 cell{i, j, k};
        int outside = 0;
        for (int axis = 0; axis < 3; ++axis)
          outside += cell[axis] < owned.lower[axis] || cell[axis] >= owned.upper[axis] ? 1 : 0;
        if (outside > 1 && c.region == GhostRegion::faces) return;
        const auto source = behind(cell, c.periodic);
        if (!source) return;
        ++expected;
        const auto found = got.find({i, j, k});
        ASSERT_NE(found, got.end()) << "no message fills a ghost cell";
        EXPECT_EQ(found->second, (Cell{(*source)[0], (*source)[1], (*source)[2]}));
      });
      EXPECT_EQ(got.size(), expected) << "a message fills cells that copy no cell";
    }
  }
}

TEST(HaloPlan, SendsOwnCellsOnly) {
  for (const auto& c : all_cases()) {
    const auto partition = partition_of(c);
    for (int rank = 0; rank < partition.ranks(); ++rank) {
      for (const auto& message : make_halo_plan(partition, rank, c.width, c.region).messages) {
        EXPECT_EQ(intersection(message.send, partition.owned(rank)), message.send);
        EXPECT_NE(message.neighbour, rank);
      }
    }
  }
}

TEST(HaloPlan, CountsCells) {
  const Partition partition({8, 8, 8}, {false, false, false}, {2, 1, 1});
  EXPECT_EQ(make_halo_plan(partition, 0, 2, GhostRegion::all).sent_cells(), 2 * 8 * 8);
}

TEST(HaloPlan, ADimensionThatTheGridLacksHasNoMessages) {
  const Partition partition({9, 1, 1}, {true, false, false}, {3, 1, 1});
  EXPECT_EQ(make_halo_plan(partition, 1, 1, GhostRegion::all).messages.size(), 2U);
}

TEST(HaloPlan, refuses_faces_that_cannot_be_counted) {
  const auto plan_of = [](const Int3& extent, const Periodic& periodic, const Int3& dims) {
    return make_halo_plan(Partition(extent, periodic, dims), 0, 1, GhostRegion::faces);
  };
  const int large = 1 << 16;
  for (const auto& extent :
       {Int3{2 * large, large, 4}, Int3{large / 2, large, 4}}) {  // 2^33 and 2^31 cells
    EXPECT_THROW(plan_of(extent, {}, {1, 1, 2}), Error);
    EXPECT_THROW(plan_of(extent, {false, false, true}, {1, 1, 1}), Error);
    EXPECT_NO_THROW(plan_of(extent, {}, {1, 2, 1}));
  }
  EXPECT_EQ(plan_of({large / 2 - 1, large, 4}, {}, {1, 1, 2}).sent_cells(),
            std::int64_t{large / 2 - 1} * large);
}

}  // namespace
}  // namespace halotherm::comm
