// SPDX-License-Identifier: MIT
// Chunks put together from what the plans of all ranks say are the field in the order of the file.
#include "comm/decomposition.hpp"
#include "comm/error.hpp"
#include "io/chunk_assembly.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halotherm::io {
namespace {

std::vector<comm::Box> blocks_of(const comm::Int3& extent, const comm::Int3& dims) {
  const comm::Decomposition cut(extent, {false, false, false}, dims);
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < cut.ranks(); ++rank) blocks.push_back(cut.owned(rank));
  return blocks;
}

/// The place of every cell of the box in the file.
std::vector<double> places_of(const comm::Int3& extent, const comm::Box& box) {
  std::vector<double> places;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        places.push_back(static_cast<double>((std::int64_t{k} * extent[1] + j) * extent[0] + i));
      }
    }
  }
  return places;
}

class Job {
 public:
  Job(const FileChunks& chunks, std::vector<comm::Box> blocks) : chunks_(chunks), blocks_(std::move(blocks)) {
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      plans_.push_back(make_write_plan(chunks, blocks_, static_cast<int>(rank)));
      values_.push_back(places_of(chunks.extent, blocks_[rank]));
    }
  }

  /// The whole file, as the ranks write it.
  std::vector<double> file() const {
    std::vector<double> file(static_cast<std::size_t>(chunks_.values()), -1);
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
      const auto received = messages_to(rank);
      ChunkAssembly<double> assembly(plans_[rank], values_[rank], received);
      for (const auto chunk : plans_[rank].written_by(static_cast<int>(rank))) {
        const auto values = assembly.chunk(chunk);
        std::ranges::copy(values, file.begin() + chunks_.first(chunk));
      }
    }
    return file;
  }

  std::int64_t travelling() const {
    std::int64_t values = 0;
    for (const auto& plan : plans_) values += plan.travelling();
    return values / 2;
  }
  const WritePlan& plan(std::size_t rank) const { return plans_[rank]; }

 private:
  std::vector<std::vector<double>> messages_to(std::size_t rank) const {
    std::vector<std::vector<double>> messages;
    for (const auto& transfer : plans_[rank].receives) {
      const auto from = static_cast<std::size_t>(transfer.rank);
      for (const auto& send : plans_[from].sends) {
        if (send.rank != static_cast<int>(rank)) continue;
        EXPECT_EQ(send.values, transfer.values);
        messages.emplace_back(static_cast<std::size_t>(send.values));
        pack<double>(plans_[from], values_[from], send, messages.back());
      }
    }
    return messages;
  }

  FileChunks chunks_;
  std::vector<comm::Box> blocks_;
  std::vector<WritePlan> plans_;
  std::vector<std::vector<double>> values_;
};

TEST(WritePlan, chunks_become_the_file_whatever_the_cut) {
  const comm::Int3 extent{12, 9, 10};
  std::vector<double> wanted(12 * 9 * 10);
  std::iota(wanted.begin(), wanted.end(), 0.0);
  for (const comm::Int3& dims : {comm::Int3{1, 1, 1}, {1, 1, 3}, {1, 3, 1}, {4, 1, 1}, {2, 3, 2}, {12, 1, 1}}) {
    for (const std::int64_t length : {1, 7, 12, 50, 108, 111, 400, 2000}) {
      EXPECT_EQ(Job({extent, length}, blocks_of(extent, dims)).file(), wanted) << dims[0] << dims[1] << dims[2] << " " << length;
    }
  }
}

TEST(WritePlan, blocks_may_be_uneven_and_in_any_order) {
  const comm::Int3 extent{12, 9, 10};
  std::vector<double> wanted(12 * 9 * 10);
  std::iota(wanted.begin(), wanted.end(), 0.0);
  const auto cut = comm::Decomposition({{{0, 1, 12}, {0, 7, 9}, {0, 10}}}, {false, false, false}).placed({2, 0, 3, 1});
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < cut.ranks(); ++rank) blocks.push_back(cut.owned(rank));
  for (const std::int64_t length : {1, 7, 50, 111, 2000}) EXPECT_EQ(Job({extent, length}, blocks).file(), wanted) << length;
}

TEST(WritePlan, little_travels_where_blocks_are_cut_across_the_slow_axis) {
  const comm::Int3 extent{16, 16, 16};
  const FileChunks chunks{extent, 512};  // two planes
  EXPECT_EQ(Job(chunks, blocks_of(extent, {1, 1, 4})).travelling(), 0);
  EXPECT_LE(Job(chunks, blocks_of(extent, {1, 1, 3})).travelling(), 2 * 256);  // the chunks that two blocks share
  EXPECT_EQ(Job(chunks, blocks_of(extent, {2, 1, 1})).travelling(), 16 * 16 * 16 / 2);
}

TEST(WritePlan, ranks_with_equal_shares_take_turns) {
  const comm::Int3 extent{16, 16, 16};
  const Job job({extent, 256}, blocks_of(extent, {2, 1, 1}));
  EXPECT_EQ(job.plan(0).written_by(0).size(), 8U);
  EXPECT_EQ(job.plan(0).written_by(1).size(), 8U);
  const Job nearly({{65, 16, 16}, 1040}, blocks_of({65, 16, 16}, {2, 1, 1}));
  EXPECT_EQ(nearly.plan(0).written_by(1).size(), 8U);
}

TEST(WritePlan, blocks_that_leave_gaps_are_a_defect) {
  const comm::Int3 extent{8, 1, 1};
  EXPECT_THROW(make_write_plan({extent, 8}, {{{0, 0, 0}, {4, 1, 1}}, {{5, 0, 0}, {8, 1, 1}}}, 0), comm::Error);
}

}  // namespace
}  // namespace halotherm::io
