// SPDX-License-Identifier: MIT
#include "io/field/range_file.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <numeric>

namespace halotherm::io {
namespace {

constexpr std::int64_t begin = 100, count = 700'001;

class RangeFileTest : public testing::Test {
 protected:
  RangeFileTest() : values_(count), sums_(static_cast<std::size_t>(chunks_.count())) {
    std::iota(values_.begin(), values_.end(), 0.5);
    reserve_new_file(layout_.partial, 0);
    std::filesystem::resize_file(layout_.partial, static_cast<std::uintmax_t>(layout_.bytes));
  }

  RangeFile<double> open(int threads, int flags) const {
    return {layout_, chunks_, threads, flags};
  }

  comm::Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
  FileLayout layout_{folder_.path() / "file", begin + 8 * count, {begin}};
  FileChunks chunks_ = chunks_of({static_cast<int>(count), 1, 1});
  std::vector<double> values_;
  std::vector<std::uint64_t> sums_;
};

TEST_F(RangeFileTest, threads_write_and_read_back_every_value_once) {
  auto whole = sums_;
  chunks_.add_checksums<double>(0, values_, whole);
  for (const int threads : {1, 3}) {
    auto written = sums_, found = sums_;
    const ValueRange parts[] = {{0, 300'000}, {300'000, count}};
    for (const auto& part : parts) {
      const auto first = values_.data() + part.first;
      open(threads, O_WRONLY)
          .write(0, part, {first, static_cast<std::size_t>(part.size())}, written);
    }
    open(threads, O_RDONLY).read_back(0, {0, count}, found);
    EXPECT_EQ(written, whole);
    EXPECT_EQ(found, whole);
  }
}

TEST_F(RangeFileTest, throws_what_a_thread_throws) {
  for (const int threads : {1, 3})
    EXPECT_THROW(open(threads, O_RDONLY).write(0, {0, count}, values_, sums_), comm::Error);
}

TEST_F(RangeFileTest, refuses_another_file_than_rank_0_made) {
  ++layout_.bytes;
  EXPECT_THROW(open(1, O_RDONLY), comm::Error);
}

}  // namespace
}  // namespace halotherm::io
