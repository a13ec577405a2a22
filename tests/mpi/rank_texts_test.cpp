// SPDX-License-Identifier: MIT
#include "comm/mpi/rank_texts.hpp"

#include "comm/machine/environment.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

using test::world;

TEST(RankTexts, AreThoseOfTheRanksInTheirOrder) {
  for (const int kinds : {1, 2, 3, 100}) {
    const auto text_of = [&](int rank) {
      const int kind = rank % kinds;
      return kind == 1 ? "" : "text 7 " + std::to_string(kind) + "\n";
    };
    const auto texts = gather_alike(world(), text_of(world().rank()));
    EXPECT_EQ(std::ssize(texts.distinct), std::min(kinds, world().size()));
    ASSERT_EQ(std::ssize(texts.of_rank), world().size());
    for (int rank = 0; rank < world().size(); ++rank) EXPECT_EQ(texts.of(rank), text_of(rank));
    EXPECT_EQ(texts.of_rank.front(), 0);
  }
}

TEST(RankTexts, DistinctOnesLeaveOutWhatIsEmpty) {
  EXPECT_TRUE(distinct_texts(world(), "").empty());
  const int last = world().size() - 1;
  const auto mine = world().rank() == last ? "b" : world().rank() == last / 2 ? "a" : "";
  const auto found = distinct_texts(world(), mine);
  EXPECT_EQ(found,
            last == 0 ? std::vector<std::string>{"b"} : std::vector<std::string>({"a", "b"}));
}

TEST(RankTexts, NodesAreFoundOnce) {
  const auto& node = world().node();
  EXPECT_EQ(&node, &world().node());
  EXPECT_EQ(std::ssize(world().nodes()), world().size());
  EXPECT_LE(world().nodes()[static_cast<std::size_t>(world().rank())], world().rank());
}

TEST(RankTexts, PlacesAreKnownOnRank0) {
  const auto all = places(world());
  ASSERT_EQ(all.ranks(), world().is_root() ? world().size() : 0);
  for (int rank = 0; rank < all.ranks(); ++rank) {
    EXPECT_EQ(all.host(rank), host_name());
    EXPECT_EQ(all.device(rank).find(all.model(rank)), 0U);
  }
}

}  // namespace
}  // namespace halotherm::comm
