// SPDX-License-Identifier: MIT
#include "io/distribution/field_block.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

TEST(FieldBlock, files_have_the_slowest_axis_first) {
  EXPECT_EQ((FieldAxes{3, {4, 5, 6}}.file_extents()), (std::vector<hsize_t>{6, 5, 4}));
  EXPECT_EQ((FieldAxes{2, {4, 5, 1}}.file_extents()), (std::vector<hsize_t>{5, 4}));
  EXPECT_EQ((FieldAxes{1, {4, 1, 1}}.file_extents()), (std::vector<hsize_t>{4}));
}

}  // namespace
}  // namespace halotherm::io
