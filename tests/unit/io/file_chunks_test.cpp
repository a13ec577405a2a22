// SPDX-License-Identifier: MIT
#include "io/file_chunks.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

/// The boxes of all chunks, cell by cell, are the file's order.
void expect_in_order(const FileChunks& chunks) {
  std::int64_t place = 0;
  for (std::int64_t chunk = 0; chunk < chunks.count(); ++chunk) {
    EXPECT_EQ(place, chunks.first(chunk));
    const auto boxes = chunks.boxes(chunk);
    EXPECT_LE(boxes.size(), 5U);
    for (const auto& box : boxes) {
      for (int k = box.lower[2]; k < box.upper[2]; ++k) {
        for (int j = box.lower[1]; j < box.upper[1]; ++j) {
          for (int i = box.lower[0]; i < box.upper[0]; ++i) {
            ASSERT_EQ((std::int64_t{k} * chunks.extent[1] + j) * chunks.extent[0] + i, place) << "chunk " << chunk;
            ++place;
          }
        }
      }
    }
    EXPECT_EQ(place, chunks.end(chunk));
  }
  EXPECT_EQ(place, chunks.values());
}

TEST(FileChunks, boxes_follow_the_file_without_gaps) {
  for (const comm::Int3& extent : {comm::Int3{7, 5, 6}, {1, 5, 6}, {7, 1, 6}, {7, 5, 1}, {210, 1, 1}, {1, 1, 210}}) {
    for (const std::int64_t length : {1, 2, 3, 7, 11, 20, 35, 36, 70, 100, 209, 210, 1000}) expect_in_order({extent, length});
  }
}

TEST(FileChunks, are_a_MiB_or_more_and_not_too_many) {
  EXPECT_EQ(chunks_of({10, 10, 10}).count(), 1);
  EXPECT_EQ(chunks_of({512, 512, 512}).length, 1 << 17);
  const auto huge = chunks_of({100000, 100000, 100});
  EXPECT_LE(huge.count(), 1 << 16);
  EXPECT_GT(huge.count(), 1 << 14);
}

}  // namespace
}  // namespace halotherm::io
