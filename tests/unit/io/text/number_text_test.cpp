// SPDX-License-Identifier: MIT
#include "io/text/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::io {
namespace {

TEST(NumberText, doubles_come_back_exactly) {
  for (const double value :
       {0.1, 1.0 / 3, 1e-310, -0.0, 1.7976931348623157e308, 300.0, 0.30000000000000004}) {
    EXPECT_EQ(parse_number(to_text(value)), value);
  }
  EXPECT_EQ(to_text(300), "300");
  EXPECT_EQ(to_text(0.1), "0.1");
}

TEST(NumberText, only_whole_texts_are_numbers) {
  EXPECT_EQ(parse_number("+1.5"), 1.5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  for (const auto* text : {"", "1.5m", " 1", "1 ", "--1", "+-1", "0x10", "1e999", "1_000"})
    EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_EQ(parse_whole_number("-12"), -12);
  for (const auto* text : {"1.0", "1e3", "99999999999999999999"})
    EXPECT_FALSE(parse_whole_number(text)) << text;
}

TEST(NumberText, durations) {
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("15min"), 900);
  EXPECT_EQ(parse_duration("1h30min"), 5400);
  EXPECT_EQ(parse_duration("2d"), 172800);
  EXPECT_EQ(parse_duration("0.5h"), 1800);
  EXPECT_EQ(parse_duration("42"), 42);
  EXPECT_EQ(parse_duration("7ms"), 0.007);
  EXPECT_EQ(parse_duration("3s250ms"), 3.25);
  EXPECT_EQ(parse_duration("0.3us"), 0.3e-6);
  for (const auto* text : {"15mn", "min", "1h30", "-1h", "1h 30min", "h1"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(NumberText, bounds) {
  const Bounds share{.min = 0, .max = 1, .min_excluded = true};
  EXPECT_FALSE(share.contain(0));
  EXPECT_TRUE(share.contain(1));
  EXPECT_FALSE(share.contain(NAN));
  EXPECT_FALSE(Bounds{}.contain(INFINITY));
  EXPECT_EQ(share.to_text(), " above 0 and at most 1");
  EXPECT_EQ((Bounds{.min = 1, .max = 8}).to_text(), " from 1 to 8");
  EXPECT_EQ((Bounds{.min = 0}).to_text(), " of at least 0");
  EXPECT_EQ(Bounds{}.to_text(), "");
}

}  // namespace
}  // namespace halotherm::io
