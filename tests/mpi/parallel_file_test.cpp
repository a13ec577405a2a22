// SPDX-License-Identifier: MIT
// Files that ranks write together through MPI-IO: the same bytes as those of the ranks' own writes,
// whatever the cut.
#include "io/field/parallel_file.hpp"

#include "comm/machine/environment.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/field/field_series.hpp"
#include "io/field/field_writer.hpp"
#include "io/files/durable_file.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <future>
#include <thread>

namespace halotherm {
namespace {

using test::coded_block;
using test::slab;

io::CheckpointInfo some_info(int dimensions, comm::Int3 cells) {
  io::CheckpointInfo info;
  info.grid = {dimensions, cells, {-0.5, 0.25, 1.0}, {0.1, 0.02, 1.0 / 3.0}};
  info.step = 120;
  info.title = "Hot sphere";
  info.config = "title: Hot sphere\n";
  info.inputs = {{"source", 7}};
  return info;
}

int open_files() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return static_cast<int>(std::distance(begin(open), end(open)));
}

/// By a thread where MPI allows it, as a run does.
template <class Real>
io::ParallelFile write_together(const comm::Communicator& io, const io::SharedField& field,
                                const comm::Box& block, const std::vector<Real>& values,
                                const comm::FileHints& hints = {}) {
  const auto how = comm::threads_may_call_mpi() ? std::launch::async : std::launch::deferred;
  const auto write = [&] {
    io::WriteProgress progress;
    return io::write_collectively<Real>(io, field, block, values, hints, progress);
  };
  return std::async(how, write).get();
}

/// What rank 0 does once the values are there; the file then has its final content.
void complete(const comm::Communicator& world, const io::ParallelFile& file,
              const io::SharedField& field, const std::vector<std::uint64_t>& checksums) {
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    io::complete_description(file.layout, field, checksums);
  });
}

template <class Real>
void expect_same_bytes(const io::CheckpointInfo& info, const comm::Box& block) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const auto values = coded_block<Real>(block);
  const auto background =
      io::write_checkpoint<Real>(world, folder.path(), info, block, values, 1).path;
  const auto checksums = io::read_checkpoint_info(world, background).chunk_checksums;
  const auto wanted = test::bytes_of(background);

  const auto field = io::checkpoint_file<Real>(folder.path(), info, 1);
  const auto written = write_together(world, field, block, values);
  EXPECT_EQ(written.layout.partial, io::partial_path(field.path));
  EXPECT_EQ(written.layout.bytes, static_cast<std::int64_t>(wanted.size()));
  complete(world, written, field, checksums);
  EXPECT_TRUE(test::bytes_of(written.layout.partial) == wanted) << to_string(block);
  const auto begin = static_cast<std::size_t>(written.layout.values_begin.front());
  if (!block.empty() && block.lower == comm::Int3{0, 0, 0}) {
    EXPECT_EQ(std::memcmp(wanted.data() + begin, values.data(), sizeof(Real)), 0);
  }
  world.barrier();  // nobody removes what another still reads
}

TEST(ParallelFile, has_the_bytes_of_the_ranks_own_writes_for_every_cut) {
  for (const int axis : {0, 1, 2}) {
    const auto block = slab(test::world(), {13, 11, 17}, axis);
    expect_same_bytes<double>(some_info(3, {13, 11, 17}), block);
    expect_same_bytes<float>(some_info(3, {13, 11, 17}), block);
  }
  // values of more than a MiB begin at a multiple of one
  for (const int axis : {0, 1, 2})
    expect_same_bytes<double>(some_info(3, {63, 65, 67}), slab(test::world(), {63, 65, 67}, axis));
}

TEST(ParallelFile, has_the_same_bytes_for_grids_of_one_and_two_dimensions) {
  const auto& world = test::world();
  for (const int axis : {0, 1})
    expect_same_bytes<double>(some_info(2, {301, 11, 1}), slab(world, {301, 11, 1}, axis));
  expect_same_bytes<float>(some_info(1, {1001, 1, 1}), slab(world, {1001, 1, 1}, 0));
}

TEST(ParallelFile, is_written_by_ranks_without_cells_as_well) {
  const auto& world = test::world();
  const bool last = world.rank() == world.size() - 1;
  expect_same_bytes<double>(some_info(3, {13, 11, 17}),
                            last ? comm::Box{{0, 0, 0}, {13, 11, 17}} : comm::Box{});
}

/// The ranks below `ranks` in one group, the others in another.
comm::Communicator fewer(const comm::Communicator& world, int ranks) {
  MPI_Comm part = MPI_COMM_NULL;
  comm::check(MPI_Comm_split(world.handle(), world.rank() < ranks ? 0 : 1, world.rank(), &part));
  comm::Communicator group(part);
  MPI_Comm_free(&part);
  return group;
}

template <class Real>
void expect_coded(const comm::Communicator& readers, const std::filesystem::path& file, int axis) {
  const auto info = io::read_checkpoint_info(readers, file);
  const auto box = slab(readers, info.grid.cells, axis);
  std::vector<Real> values(static_cast<std::size_t>(box.size()), Real{-1});
  io::read_checkpoint<Real>(readers, file, info, box, values);
  const auto wanted = coded_block<Real>(box, info.step);
  EXPECT_EQ(std::memcmp(values.data(), wanted.data(), wanted.size() * sizeof(Real)), 0)
      << to_string(box);
}

TEST(ParallelFile, made_by_a_writer_has_its_name_and_is_read_by_fewer_and_by_more_ranks) {
  const auto& world = test::world();
  if (!comm::threads_may_call_mpi()) GTEST_SKIP() << "MPI takes calls from one thread only";
  const io::WriteSettings together{.method = io::WriteMethod::parallel_hdf5,
                                   .hints = {{"cb_nodes", "2"}}};
  const test::TemporaryFolder folder(world);
  const auto few = fewer(world, (world.size() + 1) / 2);
  const bool writes = world.rank() < (world.size() + 1) / 2;
  auto info = some_info(3, {13, 11, 17});
  const auto mine = slab(world, info.grid.cells, 0);
  const auto by_all = io::write_checkpoint<double>(
      world, folder.path(), info, mine, coded_block<double>(mine, info.step), 9, together);
  EXPECT_EQ(by_all.path, folder.path() / "checkpoint_0000000120.h5");
  EXPECT_FALSE(by_all.hints.empty());
  expect_coded<double>(few, by_all.path, 2);

  info.step = 121;
  const auto other = folder.path() / (writes ? "few" : "rest");
  const auto part = slab(few, info.grid.cells, 1);
  io::write_checkpoint<double>(few, other, info, part, coded_block<double>(part, info.step), 9,
                               together);
  world.barrier();
  expect_coded<double>(world, folder.path() / "few/checkpoint_0000000121.h5", 2);
}

TEST(ParallelFile, of_a_snapshot_has_the_same_bytes) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const io::GridShape grid{2, {14, 9, 1}};
  const auto cells = slab(world, grid.cells, 0);
  for (const auto format : io::snapshot_formats) {
    io::FieldSeries series(world, folder.path(), "temperature", format, grid, "title: a\n", {});
    const auto values =
        io::values_at_points<double>(series.layout(), cells, coded_block<double>(cells));
    const auto field = series.snapshot(7, 0.5);
    const auto points = io::points_of(series.layout(), cells);
    const auto path = io::write_shared_field<double>(world, field, points, values).path;
    const auto written = write_together(world, field, points, values);
    EXPECT_TRUE(test::bytes_of(written.layout.partial) == test::bytes_of(path))
        << io::suffix_of(format);
    world.barrier();
  }
}

TEST(ParallelFile, follows_no_link_at_the_partial_name) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const auto field = io::checkpoint_file<double>(folder.path(), some_info(3, {13, 11, 17}), 1);
  test::by_root(world, [&] {
    test::write_bytes(folder.path() / "victim", "untouched");
    std::filesystem::create_symlink("victim", io::partial_path(field.path));
  });
  const auto block = slab(world, {13, 11, 17}, 2);
  const auto written = write_together(world, field, block, coded_block<double>(block));
  EXPECT_FALSE(std::filesystem::is_symlink(written.layout.partial));
  EXPECT_EQ(test::bytes_of(folder.path() / "victim"), "untouched");
  world.barrier();
}

TEST(ParallelFile, hands_hints_over_and_gives_those_of_the_library_back) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const auto field = io::checkpoint_file<double>(folder.path(), some_info(3, {13, 11, 17}), 1);
  const auto block = slab(world, {13, 11, 17}, 2);
  const comm::FileHints hints{{"cb_nodes", "1"}, {"no_such_hint", "whatever"}};
  const auto written = write_together(world, field, block, coded_block<double>(block), hints);
  EXPECT_NE(std::ranges::find(written.hints, hints[0]), written.hints.end())
      << written.hints.size();
  for (const auto& hint : written.hints)
    EXPECT_EQ(world.broadcast(hint.value), hint.value) << hint.name;
}

TEST(ParallelFile, without_room_ends_the_same_way_on_every_rank_and_leaves_no_file_open) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const auto field = io::checkpoint_file<double>(folder.path(), some_info(3, {130, 110, 17}), 1);
  const auto block = slab(world, {130, 110, 17}, 2);
  const auto values = coded_block<double>(block);
  write_together(world, field, block, values);  // what libraries open once
  const int before = open_files();
  for (int repeat = 0; repeat < 3; ++repeat) {
    write_together(world, field, block, values);
    const test::FileSizeLimit limit(1 << 20);
    const auto error = test::collective_error([&] { write_together(world, field, block, values); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), comm::ExitCode::input_output);
    EXPECT_NE(std::string(error->what()).find("File too large"), std::string::npos)
        << error->what();
  }
  EXPECT_EQ(open_files(), before);
  world.barrier();
}

TEST(ParallelFile, cannot_be_made_where_there_is_no_folder) {
  const auto& world = test::world();
  const test::TemporaryFolder folder(world);
  const auto field =
      io::checkpoint_file<double>(folder.path() / "none", some_info(3, {13, 11, 17}), 1);
  const auto block = slab(world, {13, 11, 17}, 2);
  const auto error = test::collective_error(
      [&] { write_together(world, field, block, coded_block<double>(block)); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("No such file or directory"), std::string::npos)
      << error->what();
}

}  // namespace
}  // namespace halotherm
