// SPDX-License-Identifier: MIT
// A few ranks read for all: whatever the cut, the file's bytes are read once, by few who open it,
// and one that fails hangs nobody.
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/field/dataset.hpp"
#include "io/hdf5/values.hpp"
#include "tests/support/hdf5_file.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace halotherm {
namespace {

using comm::Communicator;

constexpr comm::Int3 cells{96, 80, 96};  // 5.9 MB: worth four readers
constexpr comm::Box all{{0, 0, 0}, cells};
constexpr comm::Int3 none{0, 0, 0};
const io::GridShape shape{3, cells, {0, 0, 0}, {1, 1, 1}};

/// Bytes that this process has read by calls of the system so far, from whatever file.
std::int64_t bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  std::int64_t number = 0;
  while (counters >> name >> number) {
    if (name == "rchar:") return number;
  }
  return 0;
}

/// Within it this process can open no file: it has as many as it may. (A lower limit alone would
/// break MPI's waiting for many.)
class NoFiles {
 public:
  NoFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{std::min<rlim_t>(256, before_.rlim_max), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int file = dup(STDERR_FILENO); file >= 0; file = dup(STDERR_FILENO))
      taken_.push_back(file);
  }
  ~NoFiles() {
    for (const int file : taken_) close(file);
    setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

/// Chunked as `chunk` says, slowest axis first, and compressed; numbers that compress badly.
void add_compressed(const std::filesystem::path& path, const std::string& name,
                    const std::vector<hsize_t>& chunk, hid_t stored = H5T_IEEE_F64BE) {
  using namespace io::hdf5;
  const bool there = std::filesystem::exists(path);
  const File file(there ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                        : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
  const std::vector<hsize_t> extents{96, 80, 96};
  const PropertyList creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.get(), 3, chunk.data());
  H5Pset_deflate(creation.get(), 1);
  const Dataspace space(H5Screate_simple(3, extents.data(), nullptr));
  const Dataset dataset(H5Dcreate2(file.get(), name.c_str(), stored, space.get(), H5P_DEFAULT,
                                   creation.get(), H5P_DEFAULT));
  H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
           test::coded_block<double>(all).data());
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Blocks cut along every axis, and, where the ranks allow, along several.
std::vector<comm::Box> cuts(const Communicator& world) {
  std::vector<comm::Box> boxes;
  for (int axis = 0; axis < 3; ++axis) boxes.push_back(test::slab(world, cells, axis));
  if (world.size() == 4)
    boxes.push_back(comm::Partition(cells, {false, false, false}, {2, 2, 1}).owned(world.rank()));
  if (world.size() == 8)
    boxes.push_back(comm::Partition(cells, {false, false, false}, {2, 2, 2}).owned(world.rank()));
  return boxes;
}

io::CheckpointInfo some_info() {
  io::CheckpointInfo info;
  info.grid = shape;
  info.title = info.config = info.version = info.commit = "x";
  return info;
}

std::filesystem::path write_checkpoint(const Communicator& world,
                                       const std::filesystem::path& folder) {
  const auto box = test::slab(world, cells, 2);
  return io::write_checkpoint<double>(world, folder, some_info(), box,
                                      test::coded_block<double>(box), 1)
      .path;
}

/// All ranks' bytes while `work` is done, beside `stored` of them, and what MPI may read for
/// itself.
void expect_read_once(const Communicator& world, std::int64_t stored,
                      const std::function<void()>& work) {
  const auto before = bytes_read();
  work();
  const auto read = world.sum(bytes_read() - before);
  EXPECT_GE(read, stored);
  EXPECT_LE(static_cast<double>(read), 1.1 * static_cast<double>(stored) + 65536.0 * world.size());
}

TEST(SharedRead, a_checkpoint_is_read_once_whatever_the_cut) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write_checkpoint(world, folder.path());
  const auto info = io::read_checkpoint_info(world, file);
  for (const auto& box : cuts(world)) {
    std::vector<double> values(static_cast<std::size_t>(box.size()));
    expect_read_once(world, all.size() * 8,
                     [&] { io::read_checkpoint<double>(world, file, info, box, values); });
    EXPECT_TRUE(same_bits(values, test::coded_block<double>(box)));
  }
  expect_read_once(world, all.size() * 8, [&] { io::verify_checkpoint(world, file, info); });
}

TEST(SharedRead, an_input_field_is_read_once_however_it_is_stored) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto path = [&](const std::string& name) { return folder.path() / (name + ".h5"); };
  const std::vector<std::string> names{"contiguous", "planes", "cubes", "columns", "whole"};
  test::by_root(world, [&] {
    test::add_dataset(path("contiguous"), "k", {96, 80, 96}, test::coded_block<double>(all));
    add_compressed(path("planes"), "k", {1, 80, 96});
    add_compressed(path("cubes"), "k", {20, 30, 40}, H5T_IEEE_F64LE);
    add_compressed(path("columns"), "k", {96, 8, 96});  // each chunk spans all planes
    add_compressed(path("whole"), "k", {96, 80, 96});
  });
  for (const auto& name : names) {
    const auto stored = static_cast<std::int64_t>(std::filesystem::file_size(path(name)));
    for (const auto& box : cuts(world)) {
      std::vector<double> values;
      expect_read_once(world, stored - 20000, [&] {
        values = io::read_dataset(world, path(name), "k", shape, box, none);
      });
      EXPECT_TRUE(same_bits(values, test::coded_block<double>(box))) << name;
    }
  }
}

TEST(SharedRead, at_most_four_ranks_of_a_node_open_the_file) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write_checkpoint(world, folder.path());
  const auto info = io::read_checkpoint_info(world, file);
  const auto box = test::slab(world, cells, 0);
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  const auto read = [&] { io::read_checkpoint<double>(world, file, info, box, values); };
  read();  // what MPI opens, it has open now
  {
    std::optional<NoFiles> no_files;
    const bool reads = world.size() <= 4 || world.rank() % 2 == 0;
    if (!reads) no_files.emplace();
    EXPECT_NO_THROW(read());
    EXPECT_NO_THROW(io::read_dataset(world, file, "T", shape, box, none));
    EXPECT_NO_THROW(io::verify_checkpoint(world, file, info));
  }
  EXPECT_TRUE(same_bits(values, test::coded_block<double>(box)));
}

void expect_error(const std::function<void()>& work, const std::string& text) {
  const auto error = test::collective_error(work);
  ASSERT_TRUE(error) << "nothing was thrown, expected: " << text;
  EXPECT_EQ(error->code(), comm::ExitCode::input_output) << error->what();
  EXPECT_NE(std::string(error->what()).find(text), std::string::npos) << error->what();
}

TEST(SharedRead, a_rank_that_cannot_open_the_file_hangs_nobody) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs a reader that is not the root";
  const test::TemporaryFolder folder(world), other(world);
  const auto file = write_checkpoint(world, folder.path()).filename();
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto info = io::read_checkpoint_info(world, file);
  const auto box = test::slab(world, cells, 0);
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  const auto read = [&] { io::read_checkpoint<double>(world, file, info, box, values); };
  read();
  const int last_reader = world.size() == 8 ? 6 : world.size() - 1;
  const auto rank = " [rank " + std::to_string(last_reader) + "]";
  if (world.rank() == last_reader) std::filesystem::current_path(other.path());
  expect_error(read, rank);
  expect_error([&] { io::verify_checkpoint(world, file, info); }, rank);
  expect_error([&] { io::read_dataset(world, file, "T", shape, box, none); }, rank);
  std::filesystem::current_path(folder.path());
  EXPECT_NO_THROW(read());
  std::filesystem::current_path(before);
}

/// The disk gives the last brick's reader nothing that can be decompressed.
TEST(SharedRead, a_part_that_cannot_be_read_is_an_error_on_all_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = folder.path() / "in.h5";
  test::by_root(world, [&] {
    add_compressed(file, "k", {8, 80, 96});
    const auto bytes = static_cast<std::streamoff>(std::filesystem::file_size(file));
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(bytes - 100000);  // within the last chunk
    stream.write("not what gzip makes, not what gzip makes", 40);
  });
  const auto box = test::slab(world, cells, 0);
  const std::string rank =
      world.size() == 1
          ? ""
          : " [rank " + std::to_string(world.size() == 8 ? 6 : world.size() - 1) + "]";
  expect_error([&] { io::read_dataset(world, file, "k", shape, box, none); },
               "inflate() failed); repair the file or use another one" + rank);
  const comm::Box below{{0, 0, 0}, {96, 80, 80}};
  EXPECT_NO_THROW(io::read_dataset(world, file, "k", shape, below, none))
      << "nobody wants that part";
}

TEST(SharedRead, another_number_of_ranks_reads_the_same_bits) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto most = std::max(world.size() - 1, 1), few = std::min(most, 3);
  for (const auto& [writing, reading] : {std::pair{most, few}, {few, most}}) {
    const auto place = folder.path() / std::to_string(writing);
    const auto writers = test::fewer(world, writing), readers = test::fewer(world, reading);
    if (world.rank() < writing) write_checkpoint(writers, place);
    world.barrier();
    if (world.rank() < reading) {
      const auto file = place / "checkpoint_0000000000.h5";
      const auto box = test::slab(readers, cells, 0);
      std::vector<double> values(static_cast<std::size_t>(box.size()));
      io::read_checkpoint<double>(readers, file, io::read_checkpoint_info(readers, file), box,
                                  values);
      EXPECT_TRUE(same_bits(values, test::coded_block<double>(box)));
    }
    world.barrier();
  }
}

}  // namespace
}  // namespace halotherm
