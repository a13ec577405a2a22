// SPDX-License-Identifier: MIT
// Copies of a level that each rank has as a whole.
#include "app/linear/replication.hpp"

#include "app/domain/geometry.hpp"
#include "app/linear/separation.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

constexpr comm::Int3 cells{13, 9, 11};

Config config() {
  return parse_config(R"(
grid: {cells: [13, 9, 11], upper: [1, 1, 1]}
materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}
initial: {temperature: 0}
time: {steps: 1}
)",
                      "test", {});
}

comm::TransportKind by_host(int) {
  return comm::TransportKind::staged;
}

/// A number that no other cell has, in each cell of the box, x fastest.
std::vector<float> numbers_in(const comm::Box& box) {
  std::vector<float> numbers;
  for (int k = box.lower[2]; k < box.upper[2]; ++k)
    for (int j = box.lower[1]; j < box.upper[1]; ++j)
      for (int i = box.lower[0]; i < box.upper[0]; ++i)
        numbers.push_back(static_cast<float>(1 + i + cells[0] * (j + cells[1] * k)));
  return numbers;
}

std::vector<float> values_of(const solver::Field<float>& field, const comm::Box& box) {
  std::vector<float> values(static_cast<std::size_t>(box.size()));
  solver::copy_to_host<float>(field, box, values);
  return values;
}

/// Blocks differ in size, so messages from and to a rank do.
class Replication : public testing::Test {
 protected:
  Replication() {
    level.to_all.emplace(exchange_with_all(level));
    solver::copy_from_host<float>(numbers_in(level.owned), level.owned, level.b);
  }

  const Domain<double> domain{world(), config(), make_partition(config(), world().size())};
  const comm::Communicator alone = comm::this_rank_alone();
  comm::Streams streams;
  Level level{world(), streams, level_grid(domain), domain.partition, by_host};
  Level copy{alone, streams, level_grid(domain),
             comm::Partition(cells, {false, false, false}, {1, 1, 1}), by_host};
};

TEST_F(Replication, EachRankGetsAllBlocks) {
  replicate(level, level.b, copy, copy.b);
  streams.fence();
  EXPECT_EQ(values_of(copy.b, copy.owned), numbers_in(copy.owned));
  copy_block(level, copy.b, level.x);
  streams.fence();
  EXPECT_EQ(values_of(level.x, level.owned), numbers_in(level.owned));
}

TEST_F(Replication, SumsGiveTheSame) {
  level.to_all.reset();
  replicate(level, level.b, copy, copy.b);
  EXPECT_EQ(values_of(copy.b, copy.owned), numbers_in(copy.owned));
}

TEST_F(Replication, FewRanksSendToAll) {
  EXPECT_EQ(sends_to_all(world()), world().size() > 1 && world().size() <= 8);
  EXPECT_FALSE(sends_to_all(alone));
}

}  // namespace
}  // namespace halotherm::app
