// SPDX-License-Identifier: MIT
// Checkpoints of two fields: the same bytes by both writers, the same bits on other ranks, damage
// found in each field.
#include "comm/machine/environment.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>

namespace halotherm {
namespace {

using comm::Communicator;

TEST(SeveralFields, come_back_bit_for_bit_on_other_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  io::CheckpointInfo info;
  info.grid = {3, {96, 96, 96}, {-0.5, 0.25, 1.0}, {0.1, 0.02, 1.0 / 3.0}};
  info.step = 120;
  info.config = "title: two fields\n";
  info.fields = {comm::temperature, {"E", "J/m3", "enthalpy"}};
  const auto values_of = [&](const comm::Box& box) {
    auto values = test::coded_block<double>(box, 120);
    std::ranges::copy(test::coded_block<double>(box, 7), std::back_inserter(values));
    return values;
  };
  std::vector<io::WriteSettings> writers{{}};
  if (comm::threads_may_call_mpi()) writers.push_back({.method = io::WriteMethod::parallel_hdf5});
  std::vector<std::string> files;
  for (const auto& writer : writers) {
    const test::TemporaryFolder folder(world);
    const auto box = test::slab(world, info.grid.cells, 1);
    const auto file =
        io::write_checkpoint<double>(world, folder.path(), info, box, values_of(box), 1, writer)
            .path;
    files.push_back(test::bytes_of(file));
    EXPECT_TRUE(files.back() == files.front());
    const auto group = test::fewer(world, (world.size() + 1) / 2);
    const auto read = io::read_checkpoint_info(group, file);
    EXPECT_EQ(read.fields, info.fields);
    const auto other = test::slab(group, info.grid.cells, 0);
    std::vector<double> values(2 * static_cast<std::size_t>(other.size()));
    io::read_checkpoint<double>(group, file, read, other, values);
    const auto wanted = values_of(other);
    EXPECT_EQ(std::memcmp(values.data(), wanted.data(), wanted.size() * sizeof(double)), 0);

    test::by_root(world, [&] {  // damages the last value of the second field
      auto bytes = files.back();
      const io::hdf5::File open(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      const io::hdf5::Dataset field(H5Dopen2(open.get(), "E", H5P_DEFAULT));
      bytes[H5Dget_offset(field.get()) + H5Dget_storage_size(field.get()) - 3] ^= 1;
      test::write_bytes(file, bytes);
    });
    const auto error = test::collective_error([&] { io::verify_checkpoint(world, file, read); });
    ASSERT_TRUE(error);
    EXPECT_NE(std::string(error->what()).find("of /E, the values"), std::string::npos)
        << error->what();

    test::by_root(world, [&] {
      const io::hdf5::File open(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      H5Ldelete(open.get(), "E", H5P_DEFAULT);
    });
    const auto missing = test::collective_error([&] { io::read_checkpoint_info(world, file); });
    ASSERT_TRUE(missing);
    EXPECT_EQ(missing->code(), comm::ExitCode::input_output);
    EXPECT_NE(std::string(missing->what()).find("(the data set '/E' is missing)"),
              std::string::npos)
        << missing->what();
  }
}

}  // namespace
}  // namespace halotherm
