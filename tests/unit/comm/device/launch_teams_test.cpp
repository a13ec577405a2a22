// SPDX-License-Identifier: MIT
#include "comm/device/launch_teams.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

constexpr int teams = 37;
constexpr int threads = 128;
using Bounds = Kokkos::LaunchBounds<threads, 4>;
using Counts = Kokkos::View<int*, Memory>;

struct CountCalls {
  Counts calls;
  KOKKOS_INLINE_FUNCTION void operator()(int team, int thread) const {
    Kokkos::atomic_inc(&calls(team * threads + thread));
  }
};

/// The number of threads that were not called exactly once.
int wrong_calls(const Counts& calls) {
  int wrong = 0;
  const auto counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), calls);
  for (std::size_t n = 0; n < counts.size(); ++n) wrong += counts(n) == 1 ? 0 : 1;
  return wrong;
}

TEST(LaunchTeams, BothLaunchesCallEachThreadOnce) {
  const Space space;
  const Counts ours("calls", teams * threads);
  for_each_thread<Bounds>(space, "test", teams, threads, CountCalls{ours});
  const Counts kokkos("calls", teams * threads);
  for_each_thread_by_kokkos<Bounds>(space, "test", teams, threads, CountCalls{kokkos});
  space.fence("test");
  EXPECT_EQ(wrong_calls(ours), 0);
  EXPECT_EQ(wrong_calls(kokkos), 0);
}

TEST(LaunchTeams, NoTeamsAreNoLaunch) {
  const Counts calls("calls", 1);
  for_each_thread<Bounds>(Space(), "test", 0, threads, CountCalls{calls});
  EXPECT_EQ(wrong_calls(calls), 1);
}

}  // namespace
}  // namespace halotherm::comm
