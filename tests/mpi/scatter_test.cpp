// SPDX-License-Identifier: MIT
// Values on their way from bricks to blocks: each block gets what it needs, in any number of
// rounds.
#include "io/distribution/scatter.hpp"

#include "io/distribution/file_order.hpp"
#include "io/distribution/redistribution.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm {
namespace {

using comm::Communicator;

constexpr comm::Int3 cells{13, 11, 17};
constexpr comm::Int3 shapes[] = {{13, 11, 3}, {13, 4, 1}, {5, 6, 7}, {13, 11, 17}};

std::vector<int> some_ranks(const Communicator& world, std::int64_t most) {
  std::vector<int> ranks;
  const auto count = std::min<std::int64_t>(most, (world.size() + 1) / 2);
  for (int n = 0; n < count; ++n) ranks.push_back(n * world.size() / static_cast<int>(count));
  return ranks;
}

/// Gives every block its values; how many were read by all ranks.
std::int64_t expect_block(const Communicator& world, const comm::Box& block,
                          const comm::Int3& shape, const comm::Int3& periodic,
                          bool everything = false) {
  const io::Bricks bricks(cells, shape, some_ranks(world, io::Bricks(cells, shape, {0}).count()));
  io::Scatter<double> scatter(bricks, io::gather_blocks(world, block), world.rank(), periodic);
  comm::PendingMessages messages(world);
  std::vector<double> values(static_cast<std::size_t>(block.size()), -1);
  std::int64_t read = 0;
  scatter.prepare(everything, {1, 2, 3});
  for (int round = 0; round < scatter.rounds(); ++round) {
    for (const auto& [box, values_read, skip] : scatter.boxes(round)) {
      std::ranges::copy(test::places_of(cells, box), values_read.begin());
      read += box.size();
    }
    scatter.send(round, messages);
    messages.wait();
    scatter.unpack(round, values);
  }
  EXPECT_EQ(values, test::places_of(cells, block));
  return world.sum(read);
}

TEST(Scatter, brings_every_value_to_all_blocks_that_need_it) {
  const Communicator world(MPI_COMM_WORLD);
  const auto all = comm::Box{{0, 0, 0}, cells}.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto block = test::slab(world, cells, axis);
    for (const auto& shape : shapes) {
      EXPECT_EQ(expect_block(world, block, shape, {0, 0, 0}), all);
      EXPECT_EQ(expect_block(world, grown(block, {2, 2, 2}, {1, 1, 1}), shape, {1, 1, 1}), all);
      EXPECT_EQ(expect_block(world, grown(block, {20, 0, 0}, {30, 0, 40}), shape, {1, 0, 1}), all);
    }
  }
}

TEST(Scatter, only_what_blocks_need_is_read) {
  const Communicator world(MPI_COMM_WORLD);
  const comm::Box cell{{4, 5, 7}, {5, 6, 8}}, plane{{0, 0, 16}, {13, 11, 17}};
  for (const auto& shape : {shapes[0], shapes[3]}) {
    EXPECT_EQ(expect_block(world, cell, shape, {0, 0, 0}), 1 * 2 * 3)
        << "the grain around the cell";
    EXPECT_EQ(expect_block(world, world.is_root() ? cell : plane, shape, {0, 0, 0}),
              world.size() > 1 ? 6 + 2 * 143 : 6);
    EXPECT_EQ(expect_block(world, cell, shape, {0, 0, 0}, true), 13 * 11 * 17);
    EXPECT_EQ(expect_block(world, {}, shape, {0, 0, 0}), 0);
  }
}

TEST(Scatter, a_block_without_cells_is_no_hindrance) {
  const Communicator world(MPI_COMM_WORLD);
  const comm::Box all{{0, 0, 0}, cells};
  for (const auto& shape : shapes)
    expect_block(world, world.rank() == world.size() - 1 ? all : comm::Box{}, shape, {0, 0, 0});
}

}  // namespace
}  // namespace halotherm
