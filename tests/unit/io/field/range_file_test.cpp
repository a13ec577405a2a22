// SPDX-License-Identifier: MIT
#include "io/field/range_file.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/input_file.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

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

/// A checkpoint's layout of 2^50 values, 9 PB, in a file without blocks: the last values are found
/// where HDF5 looks for them. Most disks' file systems end earlier, such as ext4 at 16 TiB.
TEST(LargestFile, has_its_last_values_where_HDF5_reads_them) {
  const std::filesystem::path folder = "/dev/shm";
  const auto path = folder / ("halotherm_largest_" + std::to_string(getpid()));
  const FieldAxes axes{3, {1 << 17, 1 << 17, 1 << 16}};
  SharedField field;
  field.path = path;
  field.fields = {comm::temperature};
  field.axes = axes;
  field.describe = [](hid_t, std::span<const hdf5::Dataset>, bool) {};
  const hdf5::QuietErrors quiet;
  FileLayout layout{path, 0, {}};
  try {
    hdf5::File file(create_file(path, new_file_access()));
    layout.values_begin = begin_of_values(describe_in<double>(file, field, true));
    hdf5::checked(file.close(), "cannot close");
  } catch (const hdf5::CallError& error) {
    std::filesystem::remove(path);
    GTEST_SKIP() << "no file of 9 PB in " << folder << ": " << error.reason();
  }
  layout.bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  EXPECT_GE(layout.bytes, std::int64_t{1} << 53);
  const auto chunks = chunks_of(axes.extent);
  std::vector<std::uint64_t> written(static_cast<std::size_t>(chunks.count()));
  auto found = written;
  const std::vector<double> values{1.5, 2.5, 3.5};
  const ValueRange last{chunks.values() - 3, chunks.values()};
  RangeFile<double>(layout, chunks, 1, O_WRONLY).write(0, last, values, written);
  RangeFile<double>(layout, chunks, 1, O_RDONLY).read_back(0, last, found);
  EXPECT_EQ(written, found);
  std::vector<double> read(3);
  {
    const hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, hdf5::unlocked_access().get()));
    const hdf5::Dataset dataset(H5Dopen2(file.get(), "T", H5P_DEFAULT));
    const comm::Box box{{(1 << 17) - 3, (1 << 17) - 1, (1 << 16) - 1}, axes.extent};
    const auto place = hdf5::file_selection(axes, box);
    const auto memory = hdf5::memory_row(3);
    EXPECT_GE(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), place.get(), H5P_DEFAULT,
                      read.data()),
              0);
  }
  std::filesystem::remove(path);
  EXPECT_EQ(read, values);
}

}  // namespace
}  // namespace halotherm::io
