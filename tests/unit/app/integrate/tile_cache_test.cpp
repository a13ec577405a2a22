// SPDX-License-Identifier: MIT
// Tiles are remembered from run to run, and whatever stands in the file, a run goes on.
#include "app/integrate/tile_cache.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace halotherm::app {
namespace {

using test::world;

TEST(TileCache, RemembersWhatAnyRankFound) {
  const test::TemporaryFolder folder(world());
  const auto file = folder.path() / "deep" / "tiles.json";
  const comm::Tile tile{.rows = 4, .planes = 8, .slab = 96, .non_temporal = true};
  const std::string mine = "block of rank " + std::to_string(world().rank());
  {
    TileCache cache(world(), file);
    EXPECT_FALSE(cache.find(mine));
    cache.add(world(), mine, tile);
    EXPECT_EQ(cache.find(mine), tile);
  }
  const TileCache later(world(), file);
  for (int rank = 0; rank < world().size(); ++rank)
    EXPECT_EQ(later.find("block of rank " + std::to_string(rank)), tile);
  EXPECT_FALSE(later.find("another"));
}

TEST(TileCache, TakesNothingFromWhatItDoesNotUnderstand) {
  const test::TemporaryFolder folder(world());
  const auto file = folder.path() / "tiles.json";
  for (const char* text :
       {"", "{", "[1, 2]",
        R"({"version": "0", "tiles": {"a": {"rows": 1, "planes": 1, "slab": 1}}})",
        R"({"version": 5, "tiles": 7})", R"({"tiles": {"a": {"rows": "x"}}})"}) {
    if (world().is_root()) std::ofstream(file) << text;
    world().barrier();
    EXPECT_FALSE(TileCache(world(), file).find("a")) << text;
    world().barrier();
  }
}

TEST(TileCache, NeedsNoFile) {
  TileCache nowhere(world(), {});
  nowhere.add(world(), "a", comm::Tile{});
  EXPECT_TRUE(nowhere.find("a"));
  TileCache forbidden(world(), "/proc/no/such/folder/tiles.json");
  forbidden.add(world(), "a", comm::Tile{});
  EXPECT_TRUE(forbidden.find("a"));
}

}  // namespace
}  // namespace halotherm::app
