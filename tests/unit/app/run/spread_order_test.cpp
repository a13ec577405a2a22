// SPDX-License-Identifier: MIT
#include "app/run/spread_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace halotherm::app {
namespace {

std::vector<std::int64_t> first_of(std::int64_t count, std::size_t most) {
  SpreadOrder order(count);
  std::vector<std::int64_t> places;
  while (places.size() < most) {
    const auto place = order.next();
    if (!place) break;
    places.push_back(*place);
  }
  return places;
}

TEST(SpreadOrder, HasEachPlaceOnce) {
  for (std::int64_t count = 0; count <= 300; ++count) {
    auto places = first_of(count, 1000);
    std::ranges::sort(places);
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(places, all) << count;
  }
}

TEST(SpreadOrder, ComesEverywhereSoon) {
  EXPECT_EQ(first_of(5, 5), (std::vector<std::int64_t>{0, 2, 1, 3, 4}));
  const std::int64_t huge = std::int64_t{1} << 40, eighth = huge / 8;
  EXPECT_EQ(first_of(huge, 8),
            (std::vector<std::int64_t>{0, 4 * eighth, 2 * eighth, 6 * eighth, eighth, 3 * eighth,
                                       5 * eighth, 7 * eighth}));
}

}  // namespace
}  // namespace halotherm::app
