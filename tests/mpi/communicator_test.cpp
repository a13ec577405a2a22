// SPDX-License-Identifier: MIT
#include "comm/mpi/communicator.hpp"

#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <future>
#include <utility>

namespace halotherm::comm {
namespace {

TEST(Communicator, ReducesOverAllRanks) {
  const auto& world = test::world();
  const int n = world.size();
  EXPECT_EQ(world.sum(std::int64_t{world.rank() + 1}), n * (n + 1) / 2);
  EXPECT_EQ(world.max(world.rank() * 1.5), (n - 1) * 1.5);
  EXPECT_EQ(world.min(10.0 - world.rank()), 11.0 - n);
  EXPECT_TRUE(world.any(world.rank() == n - 1));
  EXPECT_FALSE(world.any(false));
  EXPECT_TRUE(world.all(true));
  EXPECT_EQ(world.all(world.rank() > 0), false);
  const std::int64_t beyond_double = (std::int64_t{1} << 60) + 1;
  EXPECT_EQ(world.max(beyond_double - world.rank()), beyond_double);
  EXPECT_EQ(world.min(-beyond_double + world.rank()), -beyond_double);
  const std::vector<int> ranks = world.gather(world.rank());
  for (int rank = 0; rank < n; ++rank) EXPECT_EQ(ranks[static_cast<std::size_t>(rank)], rank);
}

TEST(Communicator, BroadcastsAndGathersTexts) {
  const auto& world = test::world();
  const int last = world.size() - 1;
  EXPECT_EQ(world.broadcast(world.rank() == last ? "from the last" : "", last), "from the last");
  const auto texts = world.gather(std::string(static_cast<std::size_t>(world.rank()), 'x'));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(world.size()));
  for (std::size_t rank = 0; rank < texts.size(); ++rank) EXPECT_EQ(texts[rank].size(), rank);
}

TEST(Communicator, ThreadsUseTheirOwnConcurrently) {
  const auto& world = test::world();
  if (!threads_may_call_mpi()) GTEST_SKIP() << "MPI takes calls from one thread only";
  const Communicator other(world.handle());
  const auto sums = [](const Communicator& communicator) {
    std::int64_t total = 0;
    for (int n = 0; n < 300; ++n) total += communicator.sum(std::int64_t{n});
    return total;
  };
  auto meanwhile = std::async(std::launch::async, [&] { return sums(other); });
  const auto here = sums(world);
  EXPECT_EQ(here, std::int64_t{world.size()} * 299 * 150);
  EXPECT_EQ(meanwhile.get(), here);
}

TEST(Communicator, CountsBeyond31BitsInParts) {
  for (const std::int64_t total : {std::int64_t{0}, std::int64_t{5}, most_at_once,
                                   (std::int64_t{1} << 31) + 3, std::int64_t{1} << 33}) {
    std::int64_t next = 0;
    for_each_part(total, most_at_once, [&](std::int64_t first, int count) {
      EXPECT_EQ(first, next);
      EXPECT_GE(count, total > 0 ? 1 : 0);
      next += count;
    });
    EXPECT_EQ(next, total);
  }
}

TEST(Communicator, GathersTextsInParts) {
  const auto& world = test::world();
  const auto text_of = [](int rank) {
    std::string text;
    for (int n = 0; n < 7 * (rank % 3); ++n) text += static_cast<char>('a' + (rank + n) % 26);
    return text;
  };
  for (const std::int64_t most : {std::int64_t{1}, std::int64_t{4 * world.size()}, most_at_once}) {
    const auto texts = world.gather(text_of(world.rank()), most);
    ASSERT_EQ(texts.size(), static_cast<std::size_t>(world.size()));
    for (int rank = 0; rank < world.size(); ++rank)
      EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text_of(rank));
  }
}

TEST(Communicator, MovesWithoutLosingItsHandle) {
  Communicator first(test::world().handle());
  const auto handle = first.handle();
  Communicator second(std::move(first));
  EXPECT_EQ(second.handle(), handle);
  Communicator third(test::world().handle());
  third = std::move(second);
  EXPECT_EQ(third.handle(), handle);
  EXPECT_EQ(third.sum(std::int64_t{1}), test::world().size());
}

TEST(Communicator, FindsTheRanksOfItsNode) {
  const auto& node = test::world().node();
  EXPECT_GE(node.size(), 1);
  EXPECT_LE(node.size(), test::world().size());
}

TEST(Communicator, ReportsAFailedCall) {
  EXPECT_THROW(check(MPI_ERR_COMM), Error);
  EXPECT_NO_THROW(check(MPI_SUCCESS));
}

/// What `agree` throws on this rank, or an empty text.
std::string agreed_failure(const std::function<void()>& work, ExitCode code) {
  try {
    agree(test::world(), work);
  } catch (const CollectiveError& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return {};
}

TEST(Agree, IsSilentWhenAllSucceed) {
  EXPECT_EQ(agreed_failure([] {}, ExitCode::done), "");
}

TEST(Agree, AllRanksThrowOneRanksFailure) {
  const auto& world = test::world();
  for (int failing = 0; failing < world.size(); ++failing) {
    const auto text = agreed_failure(
        [&] {
          if (world.rank() == failing) throw Error(ExitCode::input_output, {"disk gone", "", ""});
        },
        ExitCode::input_output);
    const auto expected = world.size() == 1 ? std::string("disk gone")
                                            : "disk gone [rank " + std::to_string(failing) + "]";
    EXPECT_EQ(text, expected);
  }
}

TEST(Agree, KeepsTheReason) {
  const auto& world = test::world();
  const ErrorText text{"cannot write a (large) file", "the disk (of 3) is full", "delete some"};
  try {
    agree(world, [&] {
      if (world.rank() == world.size() - 1) throw Error(ExitCode::input_output, text);
    });
    ADD_FAILURE() << "nothing thrown";
  } catch (const CollectiveError& error) {
    EXPECT_EQ(error.reason(), text.reason);
    EXPECT_EQ(std::string(error.what())
                  .find("cannot write a (large) file (the disk (of 3) is full); delete some"),
              0u);
  }
  EXPECT_EQ(Error(ExitCode::usage, {"all of it", "", ""}).reason(), "all of it");
}

TEST(Agree, RethrowsTheErrorOfTheRoot) {
  const auto& world = test::world();
  const CollectiveError error(ExitCode::numerics, {"75 kelvins too many", "", "cool down"});
  EXPECT_NO_THROW(rethrow_of_root(world, world.is_root() ? std::nullopt : std::optional(error)));
  try {
    rethrow_of_root(world, world.is_root() ? std::optional(error) : std::nullopt);
    ADD_FAILURE() << "nothing thrown";
  } catch (const CollectiveError& caught) {
    EXPECT_EQ(caught.code(), ExitCode::numerics);
    EXPECT_STREQ(caught.what(), "75 kelvins too many; cool down");
  }
}

TEST(Agree, TheLowestRanksTextWins) {
  const auto text = agreed_failure(
      [] {
        throw Error(ExitCode::numerics,
                    {"NaN on rank " + std::to_string(test::world().rank()), "", ""});
      },
      ExitCode::numerics);
  EXPECT_EQ(text, "NaN on rank 0");
}

TEST(Agree, ForeignExceptionsAreInternalErrors) {
  EXPECT_EQ(agreed_failure([] { throw std::runtime_error("surprise"); }, ExitCode::internal),
            "surprise");
}

TEST(Agree, ReturnsTheValue) {
  EXPECT_EQ(agreed(test::world(), [] { return 42; }), 42);
}

TEST(Agree, GuardedReturnsTheExitCode) {
  const int code = guarded(test::world(), [&]() -> ExitCode {
    agree(test::world(), [] {
      throw Error(ExitCode::usage, {"a guarded usage error", "this test expects it", "go on"});
    });
    return ExitCode::done;
  });
  EXPECT_EQ(code, 2);
}

}  // namespace
}  // namespace halotherm::comm
