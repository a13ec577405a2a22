// SPDX-License-Identifier: MIT
#include "app/integrate/resource_estimate.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

Config config_of(const std::string& cells, const std::string& source) {
  return parse_config("grid: {cells: " + cells + ", upper: [1, 1]}\n" +
                          "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                          "initial: {temperature: 300}\ntime: {steps: 1}\nregions: [{source: " +
                          source + "}]\n",
                      "test", {});
}

TEST(ThreadsWorth, GrowWithTheCellsOfARank) {
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "0"), 1), 1);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 1), 4);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 2), 2);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 5), 1);
  EXPECT_GT(threads_worth(512.0 * 512 * 512), 1000);
}

TEST(ThreadsWorth, AFormulaInEveryStepIsMoreWork) {
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x\""), 1), 1);
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x*t\""), 1), 1);  // a product
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x*t+y\""), 1), 19);
}

}  // namespace
}  // namespace halotherm::app
