// SPDX-License-Identifier: MIT
// Launches that are recorded once and submitted several times.
#include "comm/device/recording.hpp"

#include "comm/device/launch_teams.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

using Numbers = Kokkos::View<std::int64_t*, PinnedMemory>;
using Bounds = Kokkos::LaunchBounds<64, 1>;

/// Twice the number and one more: the order of launches matters.
struct Grow {
  Numbers numbers;
  std::int64_t added;
  KOKKOS_INLINE_FUNCTION void operator()(int team, int thread) const {
    auto& number = numbers(team * 64 + thread);
    number = 2 * number + added;
  }
};

TEST(Recording, SubmissionsRunTheLaunchesInTheirOrder) {
  const Streams streams;
  const Numbers numbers("numbers", 128);
  Kokkos::deep_copy(numbers, 1);
  int calls = 0;
  const auto grow = [&](const Space& space, std::int64_t added) {
    for_each_thread<Bounds>(space, "grow", 2, 64, Grow{numbers, added});
  };
  const Recording recording(streams, [&] {
    ++calls;
    grow(streams.bulk(), 1);
    streams.mark_bulk();
    streams.edge_awaits_mark();
    grow(streams.edge(), 5);
    streams.bulk_awaits_edge();
    grow(streams.bulk(), 0);
  });
  streams.fence();
  EXPECT_EQ(numbers(0), 1) << "recording runs nothing";
  for (int n = 0; n < 2; ++n) recording.submit();
  grow(streams.edge(), 7);
  recording.submit();
  grow(streams.edge(), 3);
  streams.fence();
  const auto thrice = [](std::int64_t number) { return ((number * 2 + 1) * 2 + 5) * 2; };
  const auto expected = 2 * thrice(2 * thrice(thrice(1)) + 7) + 3;
  for (std::size_t n = 0; n < 128; ++n) EXPECT_EQ(numbers(n), expected);
  EXPECT_EQ(calls, kernels_run_on_host ? 3 : 1);
}

}  // namespace
}  // namespace halotherm::comm
