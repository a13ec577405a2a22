// SPDX-License-Identifier: MIT
// Values on their way from blocks to file domains: each arrives where the file's order wants it, in
// any number of rounds.
#include "io/distribution/redistribution.hpp"

#include "comm/mpi/error.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm {
namespace {

using comm::Communicator;
using io::Redistribution;

constexpr comm::Int3 cells{13, 11, 17};
constexpr std::int64_t limits[] = {40, 333, 10000};

void finish(comm::PendingMessages& messages) {
  while (!messages.arrived()) {
  }
}

/// Units small enough for every rank to own some values.
io::FileDomains domains_for(const Communicator& world, int owners) {
  std::vector<int> ranks;
  for (int n = 0; n < owners; ++n) ranks.push_back(n * world.size() / owners);
  return {cells, 10, ranks};
}

void expect_file(const Communicator& world, const comm::Box& block, int owners,
                 std::int64_t limit) {
  Redistribution<double> moving(domains_for(world, owners), io::gather_blocks(world, block),
                                world.rank(), limit);
  comm::PendingMessages messages(world);
  const auto values = test::places_of(cells, block);
  moving.prepare();
  std::int64_t wrong = 0, place = moving.domains().range_of(world.rank()).first;
  for (int round = 0; round < moving.rounds(); ++round) {
    moving.pack(round, values);
    moving.send(round, messages);
    finish(messages);
    for (const double value : moving.unpack_piece(round, values))
      wrong += value != static_cast<double>(place++);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(place, moving.domains().range_of(world.rank()).end);
}

TEST(Redistribution, brings_every_value_to_its_place_in_the_file) {
  const Communicator world(MPI_COMM_WORLD);
  for (int axis = 0; axis < 3; ++axis) {
    for (const int owners : {1, world.size()}) {
      for (const auto limit : limits)
        expect_file(world, test::slab(world, cells, axis), owners, limit);
    }
  }
}

TEST(Redistribution, a_block_without_cells_is_no_hindrance) {
  const Communicator world(MPI_COMM_WORLD);
  const comm::Box all{{0, 0, 0}, cells};
  expect_file(world, world.rank() == world.size() - 1 ? all : comm::Box{}, world.size(), 333);
}

TEST(Redistribution, what_lies_in_one_piece_is_not_copied) {
  const Communicator world(MPI_COMM_WORLD);
  const comm::Int3 extent{13, 11, world.size() * 4};
  std::vector<int> all;
  for (int rank = 0; rank < world.size(); ++rank) all.push_back(rank);
  const Redistribution<double> moving({extent, 13 * 11 * 4, all},
                                      io::gather_blocks(world, test::slab(world, extent, 2)),
                                      world.rank());
  EXPECT_EQ(moving.buffered_values(), 0);
}

TEST(Redistribution, refuses_values_that_are_nowhere) {
  const Communicator world(MPI_COMM_WORLD);
  const comm::Box first{{0, 0, 0}, {13, 11, 16}};
  Redistribution<double> moving(domains_for(world, world.size()),
                                io::gather_blocks(world, world.is_root() ? first : comm::Box{}),
                                world.rank());
  EXPECT_THROW(comm::agree(world, [&] { moving.prepare(); }), comm::CollectiveError);
}

}  // namespace
}  // namespace halotherm
