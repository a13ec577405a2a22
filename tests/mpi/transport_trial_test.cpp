// SPDX-License-Identifier: MIT
#include "comm/transport/transport_trial.hpp"

#include "comm/machine/environment.hpp"
#include "comm/transport/peer_reachability.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

/// A message to each neighbour in a ring, both ways.
std::vector<Channel> ring(const Communicator& world, int elements) {
  const int up = (world.rank() + 1) % world.size();
  const int down = (world.rank() + world.size() - 1) % world.size();
  return {{.neighbour = up, .send_tag = 1, .receive_tag = 2, .elements = elements},
          {.neighbour = down, .send_tag = 2, .receive_tag = 1, .elements = elements}};
}

TEST(TransportTrial, HostMemoryWorksWithEveryMpi) {
  const auto& world = test::world();
  const TransportKind kinds[] = {TransportKind::staged, TransportKind::rma};
  for (const int elements : {1, 1000, 300000}) {
    const auto trials = try_transports(world, ring(world, elements), kinds);
    ASSERT_EQ(trials.size(), 2u);
    for (const auto& trial : trials) {
      EXPECT_FALSE(trial.unavailable.exists()) << trial.unavailable.text;
      EXPECT_GT(trial.seconds, 0);
    }
  }
}

/// Some ranks may have no channels of a class.
TEST(TransportTrial, RanksWithoutChannelsTakePart) {
  const auto& world = test::world();
  const TransportKind kinds[] = {TransportKind::staged, TransportKind::rma};
  std::vector<Channel> channels;
  if (world.rank() < 2)
    channels.push_back(
        {.neighbour = 1 - world.rank(), .send_tag = 1, .receive_tag = 1, .elements = 100});
  for (const auto& trial : try_transports(world, channels, kinds))
    EXPECT_FALSE(trial.unavailable.exists()) << trial.unavailable.text;
}

TEST(TransportTrial, UnusableTransportsHaveAReasonAndAreNotChosen) {
  if (!kernels_run_on_host) GTEST_SKIP() << "p2p may work here";
  const auto& world = test::world();
  const TransportKind kinds[] = {TransportKind::p2p, TransportKind::staged};
  const auto trials = try_transports(world, ring(world, 10), kinds);
  EXPECT_EQ(trials[0].unavailable.kind, UnavailableReason::Kind::unavailable);
  EXPECT_EQ(trials[0].unavailable.reason, "this program has no CUDA");
  EXPECT_EQ(fastest(trials).kind, TransportKind::staged);
}

/// All ranks choose the same transport, though each measures its own time.
TEST(TransportTrial, AllRanksChooseAlike) {
  const auto& world = test::world();
  std::vector<TransportKind> kinds{TransportKind::staged, TransportKind::rma};
  if (mpi_claims_device_support()) kinds.push_back(TransportKind::device);
  if (!kernels_run_on_host) kinds.push_back(TransportKind::p2p);
  const auto chosen =
      static_cast<int>(fastest(try_transports(world, ring(world, 5000), kinds)).kind);
  EXPECT_EQ(world.min(chosen), world.max(chosen));
}

TEST(TransportTrial, BothEndsFindAChannelAccessible) {
  const auto& world = test::world();
  const auto channels = ring(world, 1);
  const auto found = find_reachable_peers(world, channels);
  const std::vector<char> accessible(found.accessible.begin(), found.accessible.end());
  EXPECT_EQ(exchange_with_neighbours(world, channels, accessible), accessible);
  if (!kernels_run_on_host || world.node().size() < world.size()) return;  // depends on the machine
  EXPECT_EQ(accessible, std::vector<char>(channels.size(), 1));
  EXPECT_EQ(found.unavailable_reason, "");
}

}  // namespace
}  // namespace halotherm::comm
