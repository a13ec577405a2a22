// SPDX-License-Identifier: MIT
#include "io/text/message_text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace halotherm::io {
namespace {

const std::vector<std::string> keys{"time", "title", "grid", "material", "x-", "x+"};

TEST(MessageText, slips_find_what_was_meant) {
  EXPECT_EQ(nearest("tiem", keys), "time");
  EXPECT_EQ(nearest("GRID", keys), "grid");
  EXPECT_EQ(nearest("materail", keys), "material");
  EXPECT_EQ(nearest("titel", keys), "title");
}

TEST(MessageText, other_words_find_nothing) {
  EXPECT_EQ(nearest("linear", keys), std::nullopt);
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(1000, 't'), keys), std::nullopt);
}

}  // namespace
}  // namespace halotherm::io
