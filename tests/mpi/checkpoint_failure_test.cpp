// SPDX-License-Identifier: MIT
// Checkpoints that cannot be written or must not be believed: one clear error on every rank, no
// hang, no half file.
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/field/field_writer.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/values.hpp"

#include "tests/support/file_size_limit.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm {
namespace {

using comm::Communicator;
using comm::ExitCode;
using test::collective_error;

constexpr comm::Int3 cells{24, 24, 24};

io::CheckpointInfo info_of(std::int64_t step) {
  io::CheckpointInfo info;
  info.grid = {3, cells, {0, 0, 0}, {1, 1, 1}};
  info.step = step;
  info.config = "title: x\n";
  info.title = info.version = info.commit = "x";
  return info;
}

std::filesystem::path write(const Communicator& world, const std::filesystem::path& folder,
                            std::int64_t step) {
  const auto box = test::slab(world, cells, 2);
  return io::write_checkpoint<double>(world, folder, info_of(step), box,
                                      test::coded_block<double>(box, step), 3)
      .path;
}

/// So many values that each rank writes some.
std::filesystem::path write_much(const Communicator& world, const std::filesystem::path& folder) {
  auto info = info_of(1);
  info.grid.cells = {96, 96, 96};
  const auto box = test::slab(world, info.grid.cells, 2);
  const auto values = test::coded_block<double>(box);
  return io::write_checkpoint<double>(world, folder, info, box, values, 1).path;
}

void expect_input_output_error(const std::function<void()>& work, const std::string& text) {
  const auto error = collective_error(work);
  ASSERT_TRUE(error) << "nothing was thrown, expected: " << text;
  EXPECT_EQ(error->code(), ExitCode::input_output) << error->what();
  EXPECT_NE(std::string(error->what()).find(text), std::string::npos) << error->what();
}

TEST(CheckpointFailure, a_folder_that_cannot_be_made) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  test::by_root(world, [&] { test::write_bytes(folder.path() / "file", "not a folder"); });
  expect_input_output_error([&] { write(world, folder.path() / "file" / "below", 1); },
                            "Not a directory");
  EXPECT_EQ(test::names_in(folder.path(), world), std::vector<std::string>{"file"});
}

TEST(CheckpointFailure, a_full_disk_leaves_nothing_behind) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  write(world, folder.path(), 1);
  {
    const test::FileSizeLimit limit(20000);
    expect_input_output_error([&] { write(world, folder.path(), 2); }, "File too large");
  }
  EXPECT_EQ(test::names_in(folder.path(), world),
            std::vector<std::string>{"checkpoint_0000000001.h5"});
  write(world, folder.path(), 3);
}

TEST(CheckpointFailure, a_disk_that_fails_on_one_rank_alone) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const int last = world.size() - 1;
  {
    std::optional<test::FileSizeLimit> limit;
    if (world.rank() == last && last > 0) limit.emplace(300000);
    const auto write_it = [&] { write_much(world, folder.path()); };
    if (last > 0) {
      expect_input_output_error(
          write_it, "File too large); free some space or choose another output directory [rank " +
                        std::to_string(last) + "]");
      EXPECT_TRUE(test::names_in(folder.path(), world).empty());
    }
  }
  world.barrier();
  const auto file = write_much(world, folder.path());
  io::verify_checkpoint(world, file, io::read_checkpoint_info(world, file));
}

TEST(CheckpointFailure, a_rank_that_sees_another_folder) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs a rank that is not the root";
  const test::TemporaryFolder folder(world), other(world);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(world.rank() == world.size() - 1 ? other.path() : folder.path());
  expect_input_output_error(
      [&] { write_much(world, "here"); },
      "use a shared file system, on which every rank sees the same files [rank " +
          std::to_string(world.size() - 1));
  std::filesystem::current_path(before);
  EXPECT_TRUE(test::names_in(folder.path() / "here", world).empty());
}

TEST(CheckpointFailure, a_link_at_the_partial_name_is_not_followed) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  test::by_root(world, [&] {
    test::write_bytes(folder.path() / "victim", "precious");
    std::filesystem::create_symlink("victim", folder.path() / ".checkpoint_0000000001.h5.partial");
  });
  const auto box = test::slab(world, cells, 2);
  const auto values = test::coded_block<double>(box, 1);
  const auto field = io::checkpoint_file<double>(folder.path(), info_of(1),
                                                 1);  // as in mid-run: stale ones went at the start
  const auto file = io::write_shared_field<double>(world, field, box, values).path;
  io::verify_checkpoint(world, file, io::read_checkpoint_info(world, file));
  EXPECT_EQ(test::bytes_of(folder.path() / "victim"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(file));
}

TEST(CheckpointFailure, a_checkpoint_that_is_none) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto path = folder.path();
  test::by_root(world, [&] {
    test::write_bytes(path / "text.h5",
                      "this is no HDF5 file, but long enough to have been one, says its author\n");
    test::write_bytes(path / "empty.h5", "");
    std::filesystem::create_directory(path / "folder.h5");
    const io::hdf5::File foreign(
        H5Fcreate((path / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    io::hdf5::write_attribute(foreign.get(), "format", std::string("somebody else's"));
  });
  const auto read = [&](const char* name) {
    return [&, name] { io::read_checkpoint_info(world, path / name); };
  };
  expect_input_output_error(read("missing.h5"), "No such file or directory");
  expect_input_output_error(read("text.h5"), "it is not an HDF5 file");
  expect_input_output_error(read("empty.h5"), "it is empty");
  expect_input_output_error(read("folder.h5"), "it is not a regular file");
  expect_input_output_error(read("foreign.h5"), "it is not a Halotherm checkpoint");
}

TEST(CheckpointFailure, a_checkpoint_cut_off_anywhere) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write(world, folder.path(), 1);
  const auto bytes = test::bytes_of(file);
  for (const std::size_t length :
       {std::size_t{8}, std::size_t{100}, std::size_t{3000}, bytes.size() / 2, bytes.size() - 1}) {
    test::by_root(world, [&] { test::write_bytes(file, bytes.substr(0, length)); });
    expect_input_output_error([&] { io::read_checkpoint_info(world, file); }, file.string());
  }
}

std::size_t first_byte_of_values(const std::filesystem::path& file) {
  const io::hdf5::File handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const io::hdf5::Dataset dataset(H5Dopen2(handle.get(), "T", H5P_DEFAULT));
  return H5Dget_offset(dataset.get());
}

TEST(CheckpointFailure, one_changed_bit_is_found) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write(world, folder.path(), 1);
  const auto bytes = test::bytes_of(file);
  const auto begin = first_byte_of_values(file), data = sizeof(double) * 24 * 24 * 24;
  const auto box = test::slab(world, cells, 0);
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  const auto info = io::read_checkpoint_info(world, file);
  for (const std::size_t place : {begin, begin + data / 2, begin + data - 1}) {
    auto changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 4);
    test::by_root(world, [&] { test::write_bytes(file, changed); });
    expect_input_output_error([&] { io::read_checkpoint<double>(world, file, info, box, values); },
                              "is damaged");
  }
}

TEST(CheckpointFailure, the_wrong_precision_is_named) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write(world, folder.path(), 1);
  const auto info = io::read_checkpoint_info(world, file);
  const auto box = test::slab(world, cells, 0);
  std::vector<float> values(static_cast<std::size_t>(box.size()));
  expect_input_output_error([&] { io::read_checkpoint<float>(world, file, info, box, values); },
                            "set grid.precision: float64");
}

/// A checkpoint in which one attribute was replaced.
template <class Value>
void expect_refused(const std::string& name, const Value& value, const std::string& text) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write(world, folder.path(), 1);
  test::by_root(world, [&] {
    const io::hdf5::File handle(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Adelete(handle.get(), name.c_str());
    if constexpr (!std::is_same_v<Value, std::nullptr_t>)
      io::hdf5::write_attribute(handle.get(), name, value);
  });
  SCOPED_TRACE(name);
  expect_input_output_error([&] { io::read_checkpoint_info(world, file); }, text);
}

TEST(CheckpointFailure, hostile_attributes) {
  using Integers = std::vector<std::int64_t>;
  using Reals = std::vector<double>;
  expect_refused("step", nullptr, "the attribute 'step' is missing");
  expect_refused("step", std::string("one"), "the attribute 'step' is of the wrong type");
  expect_refused("step", std::int64_t{-1}, "makes no sense");
  expect_refused("step", std::int64_t{2}, "their checksum differs");
  expect_refused("time", std::nan(""), "makes no sense");
  expect_refused("format_version", std::int64_t{6},
                 "it has format version 6, and this program reads versions 1 to 5");
  expect_refused("format_version", std::int64_t{4}, "the attribute 'fields' is missing");
  expect_refused("chunk_values", std::int64_t{0}, "'chunk_values' makes no sense");
  expect_refused("chunk_values", std::int64_t{1},
                 "'checksums' is not a row of 13824 whole numbers");
  expect_refused("dimensions", std::int64_t{4000000000},
                 "the attribute 'dimensions' is 4000000000");
  expect_refused("cells", std::span<const std::int64_t>(Integers{24, 24}),
                 "has 2 entries instead of 3");
  expect_refused("cells", std::span<const std::int64_t>(Integers{24, 24, 0}), "holds 0");
  expect_refused("cells", std::span<const std::int64_t>(Integers{24, 24, std::int64_t{1} << 40}),
                 "holds 1099511627776");
  expect_refused("cells",
                 std::span<const std::int64_t>(Integers{2147483647, 2147483647, 2147483647}),
                 "more than 2^53");
  expect_refused("cells", std::span<const std::int64_t>(Integers{24, 24, 25}),
                 "'/T' has another shape");
  expect_refused("spacing", std::span<const double>(Reals{1, 1, -1}), "not positive");
  expect_refused("lower", std::span<const double>(Reals{0, 0, INFINITY}), "not finite");
  expect_refused("precision", std::string("float32"), "not of float32 numbers");
  expect_refused("checksum", std::string("zzz"), "not 16 hexadecimal digits");
  expect_refused("title", 1.0, "not a fixed-length text");
}

}  // namespace
}  // namespace halotherm
