// SPDX-License-Identifier: MIT
#include "app/measure/oversubscription.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

TEST(SharedDevices, AreNamedWithTheirRanks) {
  const auto text = shared_devices_text({{0, "a", "GPU-1", true},
                                         {1, "a", "GPU-1", true},
                                         {2, "a", "GPU-2", false},
                                         {3, "b", "GPU-3", true},
                                         {4, "b", "GPU-3", true}});
  EXPECT_EQ(text.find("ranks 0, 1 share GPU-1 of a; ranks 3, 4 share GPU-3 of b: "), 0U) << text;
  EXPECT_EQ(text.find("GPU-2"), std::string::npos);
  EXPECT_NE(text.find("MPS"), std::string::npos);
}

TEST(SharedDevices, OneRankADeviceIsNoMatter) {
  EXPECT_EQ(shared_devices_text({{0, "a", "GPU-1", false},
                                 {1, "b", "GPU-1", false},
                                 {2, "c", "2 OpenMP threads", false}}),
            "");
}

}  // namespace
}  // namespace halotherm::app
