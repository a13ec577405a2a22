// SPDX-License-Identifier: MIT
#include "comm/system/error_text.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

TEST(ErrorTexts, join_problem_reason_and_remedy) {
  EXPECT_EQ(to_string({"it is wrong", "a rule", "correct it"}), "it is wrong (a rule); correct it");
  EXPECT_EQ(to_string({"it is wrong", "", "", 3}), "it is wrong [rank 3]");
}

TEST(ErrorTexts, long_texts_are_cut_between_letters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer", 5), "longe...");
  EXPECT_EQ(shortened("K\xc3\xb6ln", 2), "K...");
  EXPECT_EQ(shortened("a\nb\x1b", 5), "a b ");
}

}  // namespace
}  // namespace halotherm::comm
