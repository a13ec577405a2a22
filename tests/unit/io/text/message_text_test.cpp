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

TEST(MessageText, long_texts_are_cut_between_letters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer", 5), "longe...");
  EXPECT_EQ(shortened("K\xc3\xb6ln", 2), "K...");
  EXPECT_EQ(shortened("a\nb\x1b", 5), "a b ");
}

}  // namespace
}  // namespace halotherm::io
