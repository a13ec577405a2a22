// SPDX-License-Identifier: MIT
// Checkpoints: written by one cut of the grid, read by another, bit for bit; kept, retired, never
// half there.
#include "io/field/checkpoint.hpp"
#include "comm/machine/environment.hpp"
#include "io/field/checkpoint_reading.hpp"

#include "io/field/field_writer.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/source_folder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <limits>
#include <thread>

namespace halotherm {
namespace {

using comm::Communicator;
using comm::ExitCode;
using test::coded_block;
using test::collective_error;
using test::slab;

io::CheckpointInfo some_info(int dimensions = 3, comm::Int3 cells = {13, 11, 17}) {
  io::CheckpointInfo info;
  info.grid = {dimensions, cells, {-0.5, 0.25, 1.0}, {0.1, 0.02, 1.0 / 3.0}};
  info.step = 120;
  info.time = 0.1 + 0.2;
  info.dt = 1.0 / 7.0;
  info.title = "Hot sphere, 20 °C";
  info.config = "title: Hot sphere\ngrid: {cells: [13, 11, 17]}\n";
  info.version = "0.1.0";
  info.commit = "0123456789abcdef";
  info.inputs = {{"material.conductivity", 0xfedcba9876543210U}, {"source", 7}};
  return info;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0);
}

template <class Real>
void expect_coded(const Communicator& communicator, const std::filesystem::path& file,
                  const comm::Box& box) {
  const auto info = io::read_checkpoint_info(communicator, file);
  std::vector<Real> values(static_cast<std::size_t>(box.size()), Real{-1});
  io::read_checkpoint<Real>(communicator, file, info, box, values);
  EXPECT_TRUE(same_bits(values, coded_block<Real>(box, info.step))) << to_string(box);
}

/// Writes the coded field with the grid cut along `axis`.
template <class Real = double>
io::WrittenFile write(const Communicator& communicator, const std::filesystem::path& folder,
                      const io::CheckpointInfo& info, int axis = 2, int keep = 2) {
  const auto box = slab(communicator, info.grid.cells, axis);
  return io::write_checkpoint<Real>(communicator, folder, info, box,
                                    coded_block<Real>(box, info.step), keep);
}

template <class Real>
void round_trip(const io::CheckpointInfo& info, int write_axis, int read_axis) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto written = write<Real>(world, folder.path(), info, write_axis);
  EXPECT_EQ(written.remark, "");
  EXPECT_EQ(written.path, folder.path() / "checkpoint_0000000120.h5");
  EXPECT_EQ(written.bytes, static_cast<std::int64_t>(std::filesystem::file_size(written.path)));
  expect_coded<Real>(world, written.path, slab(world, info.grid.cells, read_axis));
  const auto group = test::fewer(world, (world.size() + 1) / 2);
  expect_coded<Real>(group, written.path, slab(group, info.grid.cells, write_axis));
}

TEST(Checkpoint, comes_back_bit_for_bit_on_another_cut) {
  round_trip<double>(some_info(), 2, 0);
  round_trip<double>(some_info(), 1, 2);
  round_trip<float>(some_info(), 0, 1);
}

TEST(Checkpoint, holds_grids_of_one_and_two_dimensions) {
  round_trip<double>(some_info(2, {13, 11, 1}), 1, 0);
  round_trip<float>(some_info(2, {13, 11, 1}), 0, 1);
  round_trip<double>(some_info(1, {29, 1, 1}), 0, 0);
}

TEST(Checkpoint, is_the_same_whoever_writes_it_and_when) {
  const Communicator world(MPI_COMM_WORLD);
  const auto info = some_info(3, {96, 96, 96});
  ASSERT_GT(io::chunks_of(info.grid.cells).count(), 3);
  std::vector<io::WriteSettings> writers{{.threads = 1}, {.threads = 3}};
  if (comm::threads_may_call_mpi()) writers.push_back({.method = io::WriteMethod::parallel_hdf5});
  for (int axis = 0; axis < 3; ++axis) {
    const auto box = slab(world, info.grid.cells, axis);
    const auto values = coded_block<double>(box, info.step);
    std::vector<std::string> files;
    for (const auto& writer : writers) {
      if (axis == 0 && !files.empty())
        std::this_thread::sleep_for(
            std::chrono::milliseconds(600));  // nor does it depend on the time
      const test::TemporaryFolder folder(world);
      const auto path =
          io::write_checkpoint<double>(world, folder.path(), info, box, values, 1, writer).path;
      files.push_back(test::bytes_of(path));
      expect_coded<double>(world, path, slab(world, info.grid.cells, 2));
    }
    for (const auto& file : files)
      EXPECT_TRUE(file == files.front()) << "axis " << axis << ", writer " << &file - files.data();
  }
}

TEST(Checkpoint, a_rank_without_cells_takes_part) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto info = some_info();
  const comm::Box all{{0, 0, 0}, info.grid.cells};
  const auto box = world.rank() == world.size() - 1 ? all : comm::Box{};
  const auto written = io::write_checkpoint<double>(world, folder.path(), info, box,
                                                    coded_block<double>(box, info.step), 1);
  expect_coded<double>(world, written.path, slab(world, info.grid.cells, 2));
}

TEST(Checkpoint, says_what_was_said_to_it) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto info = some_info();
  const auto file = write(world, folder.path(), info).path;
  const auto read = io::read_checkpoint_info(world, file);
  EXPECT_EQ(read.grid.dimensions, 3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(read.grid.cells[axis], info.grid.cells[axis]);
    EXPECT_EQ(read.grid.lower[axis], info.grid.lower[axis]);
    EXPECT_EQ(read.grid.spacing[axis], info.grid.spacing[axis]);
  }
  EXPECT_EQ(read.precision, "float64");
  EXPECT_EQ(read.step, info.step);
  EXPECT_EQ(read.time, info.time);
  EXPECT_EQ(read.dt, info.dt);
  EXPECT_EQ(read.title, info.title);
  EXPECT_EQ(read.config, info.config);
  EXPECT_EQ(read.version, info.version);
  EXPECT_EQ(read.commit, info.commit);
  EXPECT_EQ(read.inputs, info.inputs);
  EXPECT_TRUE(read.knows_inputs);
}

TEST(Checkpoint, holds_further_numbers_of_the_state) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto info = some_info();
  info.numbers = {{"last_error", 1.0 / 3}, {"tolerance", 1e-3}};
  const auto file = write(world, folder.path(), info).path;
  const auto read = io::read_checkpoint_info(world, file);
  EXPECT_EQ(read.numbers, info.numbers);
  EXPECT_EQ(read.fields, info.fields);
  info.numbers["tolerance"] = 2e-3;
  const auto other = io::read_checkpoint_info(world, write(world, folder.path(), info).path);
  EXPECT_EQ(other.numbers, info.numbers);
}

TEST(Checkpoint, of_an_older_format_knows_no_inputs) {
  const Communicator world(MPI_COMM_WORLD);
  for (const auto* name : {"three_axes.h5", "three_axes_format_1.h5"}) {
    const auto file = test::source_folder() / "tests/fuzz/corpus/checkpoint" / name;
    EXPECT_FALSE(io::read_checkpoint_info(world, file).knows_inputs) << name;
  }
}

TEST(Checkpoint, under_the_name_of_another_step_is_refused) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto file = write(world, folder.path(), some_info()).path;
  const auto other = folder.path() / "checkpoint_0000000999.h5",
             backup = folder.path() / "backup.h5";
  test::by_root(world, [&] {
    for (const auto& copy : {other, backup}) std::filesystem::copy_file(file, copy);
  });
  const auto error = collective_error([&] { io::read_checkpoint_info(world, other); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::input_output);
  EXPECT_NE(std::string(error->what()).find("its name says step 999, and it holds step 120"),
            std::string::npos)
      << error->what();
  EXPECT_EQ(io::read_checkpoint_info(world, backup).step, 120);
}

TEST(Checkpoint, takes_long_and_empty_texts) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto info = some_info();
  info.config.assign(std::size_t{1} << 20, 'c');
  info.title.clear();
  for (int i = 0; i < 3000; ++i) info.title += "°";
  info.commit.clear();
  const auto read = io::read_checkpoint_info(world, write(world, folder.path(), info).path);
  EXPECT_EQ(read.config, info.config);
  EXPECT_EQ(read.title, info.title.substr(0, 4096));
  EXPECT_EQ(read.commit, "");
}

TEST(Checkpoint, the_same_state_gives_the_same_bytes) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto info = some_info();
  const auto by_z = write(world, folder.path() / "z", info, 2).path;
  const auto by_x = write(world, folder.path() / "x", info, 0).path;
  EXPECT_TRUE(test::bytes_of(by_z) == test::bytes_of(by_x));
  const auto group = test::fewer(world, 1);
  if (world.is_root()) write(group, folder.path() / "alone", info, 2);
  world.barrier();
  EXPECT_TRUE(test::bytes_of(by_z) == test::bytes_of(folder.path() / "alone" / by_z.filename()));
}

/// Formats of older programs' files stay readable, and a temperature alone is written as before.
TEST(Checkpoint, of_one_field_has_the_bytes_of_format_3) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const auto written = write(world, folder.path(), some_info(1, {29, 1, 1}), 0).path;
  EXPECT_TRUE(
      test::bytes_of(written) ==
      test::bytes_of(test::source_folder() / "tests/fuzz/corpus/checkpoint/one_axis_format_3.h5"));
}

TEST(Checkpoint, refuses_a_field_that_is_not_finite_and_keeps_the_old_one) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto info = some_info();
  write(world, folder.path(), info);
  const auto before = test::names_in(folder.path(), world);
  info.step = 121;
  const auto box = slab(world, info.grid.cells, 2);
  for (const double poison : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    auto values = coded_block<double>(box);
    // in the middle and at the end of the grid: the first one is to be named
    for (const comm::Int3& cell : {comm::Int3{3, 4, 8}, comm::Int3{12, 10, 16}}) {
      if (!box.contains(cell[0], cell[1], cell[2])) continue;
      values[static_cast<std::size_t>(((cell[2] - box.lower[2]) * 11 + cell[1]) * 13 + cell[0])] =
          poison;
    }
    const auto error = collective_error(
        [&] { io::write_checkpoint<double>(world, folder.path(), info, box, values, 1); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ExitCode::numerics);
    EXPECT_NE(std::string(error->what()).find("cell (3, 4, 8)"), std::string::npos)
        << error->what();
    EXPECT_EQ(test::names_in(folder.path(), world), before);
  }
}

TEST(Checkpoint, keeps_the_newest_ones) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  test::by_root(world, [&] {
    test::write_bytes(folder.path() / ".checkpoint_0000000007.h5.partial", "left by a killed run");
    test::write_bytes(folder.path() / "checkpoint_notes.h5", "somebody's own");
    test::write_bytes(folder.path() / "checkpoint_1.h5", "somebody's own");
  });
  auto info = some_info();
  for (const std::int64_t step : {10L, 20L, 30L, 12345678901L}) {
    info.step = step;
    write(world, folder.path(), info, 2, 2);
  }
  const std::vector<std::string> expected{"checkpoint_0000000030.h5", "checkpoint_1.h5",
                                          "checkpoint_12345678901.h5", "checkpoint_notes.h5"};
  EXPECT_EQ(test::names_in(folder.path(), world), expected);
  const std::vector<std::filesystem::path> latest_first{folder.path() / "checkpoint_12345678901.h5",
                                                        folder.path() / "checkpoint_0000000030.h5"};
  EXPECT_EQ(io::checkpoints_in(world, folder.path()), latest_first);
  world.barrier();
  info.step = 5;  // older than what is there: never removed by its own writing
  write(world, folder.path(), info, 2, 1);
  EXPECT_EQ(test::names_in(folder.path(), world),
            (std::vector<std::string>{"checkpoint_0000000005.h5", "checkpoint_1.h5",
                                      "checkpoint_notes.h5"}));
}

TEST(Checkpoint, there_are_none_in_an_empty_or_missing_folder) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  EXPECT_TRUE(io::checkpoints_in(world, folder.path()).empty());
  EXPECT_TRUE(io::checkpoints_in(world, folder.path() / "none").empty());
}

TEST(Checkpoint, replaces_one_of_the_same_step) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto info = some_info();
  write(world, folder.path(), info);
  info.title = "again";
  const auto file = write(world, folder.path(), info).path;
  EXPECT_EQ(io::read_checkpoint_info(world, file).title, "again");
  expect_coded<double>(world, file, slab(world, info.grid.cells, 1));
}

}  // namespace
}  // namespace halotherm
