// SPDX-License-Identifier: MIT
#include "io/distribution/file_chunks.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace halotherm::io {
namespace {

TEST(FileChunks, a_box_adds_what_its_rows_have_in_each_chunk) {
  const FileChunks chunks{{7, 5, 6}, 11};
  std::vector<double> field(static_cast<std::size_t>(chunks.values()));
  std::iota(field.begin(), field.end(), 0.5);
  std::vector<std::uint64_t> whole(static_cast<std::size_t>(chunks.count()), 0), boxes = whole;
  chunks.add_checksums<double>(0, field, whole);
  for (const comm::Box& box :
       {comm::Box{{0, 0, 0}, {3, 5, 6}}, {{3, 0, 0}, {7, 2, 6}}, {{3, 2, 0}, {7, 5, 6}}}) {
    std::vector<double> values;
    for (int k = box.lower[2]; k < box.upper[2]; ++k) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        for (int i = box.lower[0]; i < box.upper[0]; ++i)
          values.push_back(field[static_cast<std::size_t>((k * 5 + j) * 7 + i)]);
      }
    }
    chunks.add_checksums<double>(box, values, boxes);
  }
  EXPECT_EQ(whole, boxes);
}

TEST(FileChunks, are_a_MiB_or_more_and_not_too_many) {
  EXPECT_EQ(chunks_of({10, 10, 10}).count(), 1);
  EXPECT_EQ(chunks_of({512, 512, 512}).length, 1 << 17);
  const auto huge = chunks_of({100000, 100000, 100});
  EXPECT_LE(huge.count(), 1 << 16);
  EXPECT_GT(huge.count(), 1 << 14);
}

TEST(FileChunks, of_the_largest_grid_count_every_value) {
  const auto chunks = chunks_of({1 << 17, 1 << 17, 1 << 16});
  EXPECT_EQ(chunks.values(), std::int64_t{1} << 50);
  EXPECT_EQ(chunks.count(), 1 << 16);
  EXPECT_EQ(chunks.end(chunks.count() - 1), chunks.values());
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(chunks.count()), 0);
  const std::vector<double> values{1.5, 2.5};
  const comm::Box last{{(1 << 17) - 2, (1 << 17) - 1, (1 << 16) - 1}, chunks.extent};
  chunks.add_checksums<double>(last, values, sums);
  auto expected = sums;
  expected.assign(sums.size(), 0);
  chunks.add_checksums<double>(chunks.values() - 2, values, expected);
  EXPECT_EQ(sums, expected);
  EXPECT_NE(sums.back(), 0U);
}

}  // namespace
}  // namespace halotherm::io
