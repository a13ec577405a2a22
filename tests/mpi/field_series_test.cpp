// SPDX-License-Identifier: MIT
// Field output: the series file always lists what is there, restarts go on where they must. What
// VTK makes of the files: tests/vtk.
#include "io/field/field_series.hpp"

#include "io/files/durable_file.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/values.hpp"
#include "tests/support/hdf5_file.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

namespace halotherm {
namespace {

using comm::Communicator;

constexpr comm::Int3 cells{12, 9, 10};

io::GridShape shape() {
  return {3, cells, {-1, 0, 2}, {0.5, 0.25, 1}};
}

io::FieldSeries series(const Communicator& world, const std::filesystem::path& folder,
                       std::optional<std::int64_t> restart = {}) {
  return {world, folder, "temperature", io::SnapshotFormat::vtkhdf, shape(), "title: x\n", restart};
}

void write(io::FieldSeries& series, const Communicator& world, std::int64_t step, int axis = 2) {
  const auto box = test::slab(world, cells, axis);
  const auto written = test::write_snapshot(world, series, step, 0.1 * static_cast<double>(step),
                                            box, test::coded_block<double>(box, step));
  EXPECT_EQ(written.remark, "");
}

/// Names and times, as the series file lists them.
std::vector<std::pair<std::string, double>> listed(const std::filesystem::path& folder) {
  std::vector<std::pair<std::string, double>> entries;
  const auto content = nlohmann::json::parse(test::bytes_of(folder / "temperature.hdf.series"));
  EXPECT_EQ(content.at("file-series-version"), "1.0");
  for (const auto& entry : content.at("files"))
    entries.emplace_back(entry.at("name"), entry.at("time"));
  return entries;
}

const std::vector<std::string> two_and_list{"temperature.hdf.series", "temperature_0000000000.hdf",
                                            "temperature_0000000010.hdf"};

TEST(FieldSeries, lists_every_snapshot_with_its_time) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto fields = series(world, folder.path() / "fields");
  write(fields, world, 0);
  write(fields, world, 10);
  EXPECT_EQ(test::names_in(folder.path() / "fields", world), two_and_list);
  const std::vector<std::pair<std::string, double>> expected{{"temperature_0000000000.hdf", 0.0},
                                                             {"temperature_0000000010.hdf", 1.0}};
  EXPECT_EQ(listed(folder.path() / "fields"), expected);
}

TEST(FieldSeries, holds_the_field_whatever_the_cut) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto by_z = series(world, folder.path() / "z"), by_x = series(world, folder.path() / "x");
  write(by_z, world, 3, 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // nor does it depend on the time
  write(by_x, world, 3, 0);
  const auto name = "temperature_0000000003.hdf";
  EXPECT_TRUE(test::bytes_of(folder.path() / "z" / name) ==
              test::bytes_of(folder.path() / "x" / name));
  EXPECT_EQ(test::values_of(folder.path() / "z" / name, "/VTKHDF/PointData/T"),
            test::coded_block<double>({{0, 0, 0}, cells}, 3));
}

TEST(FieldSeries, holds_several_fields) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const io::GridShape flat{2, {12, 9, 1}, {0, 0, 0}, {0.5, 0.25, 1}};
  for (const auto& grid : {shape(), flat}) {
    io::FieldSeries fields(world, folder.path(), "several", io::SnapshotFormat::vtkhdf, grid, "",
                           {}, {comm::temperature, {"E", "J/m3", "enthalpy"}});
    const auto box = test::slab(world, grid.cells, 1);
    auto values = test::coded_block<double>(box, 3);
    std::ranges::copy(test::coded_block<double>(box, 4), std::back_inserter(values));
    const auto file = test::write_snapshot(world, fields, grid.dimensions, 0.5, box, values).path;
    for (const auto& [name, step] : {std::pair("T", 3), {"E", 4}}) {
      auto expected = test::coded_block<double>({{0, 0, 0}, grid.cells}, step);
      if (grid.dimensions == 2) expected.insert(expected.end(), expected.begin(), expected.end());
      EXPECT_EQ(test::values_of(file, std::string("/VTKHDF/PointData/") + name), expected) << name;
    }
  }
}

/// A fixed-length ASCII text, as VTK's own examples write it; VTK 9.2 and later (ParaView 5.11)
/// refuse UTF-8 here.
TEST(FieldSeries, has_a_type_that_every_vtk_reads) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto fields = series(world, folder.path());
  write(fields, world, 0);
  const auto file =
      io::hdf5::open_to_read(folder.path() / "temperature_0000000000.hdf", "snapshot");
  const io::hdf5::Group group(H5Gopen2(file.get(), "VTKHDF", H5P_DEFAULT));
  const io::hdf5::Attribute attribute(H5Aopen(group.get(), "Type", H5P_DEFAULT));
  const io::hdf5::Datatype type(H5Aget_type(attribute.get()));
  EXPECT_EQ(H5Tget_class(type.get()), H5T_STRING);
  EXPECT_EQ(H5Tis_variable_str(type.get()), 0);
  EXPECT_EQ(H5Tget_cset(type.get()), H5T_CSET_ASCII);
  EXPECT_EQ(io::hdf5::read_text_attribute(group.get(), "Type"), "ImageData");
}

TEST(FieldSeries, stretches_flat_grids_to_two_layers) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  const io::GridShape flat{2, {12, 9, 1}, {0, 0, 0}, {0.5, 0.25, 1}};
  io::FieldSeries fields(world, folder.path(), "flat", io::SnapshotFormat::vtkhdf, flat, "", {});
  const auto box = test::slab(world, flat.cells, 1);
  const auto file =
      test::write_snapshot(world, fields, 1, 0.5, box, test::coded_block<double>(box)).path;
  const auto layer = test::coded_block<double>({{0, 0, 0}, flat.cells});
  auto both = layer;
  both.insert(both.end(), layer.begin(), layer.end());
  EXPECT_EQ(test::values_of(file, "/VTKHDF/PointData/T"), both);
}

TEST(FieldSeries, holds_coordinates_in_netcdf) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  io::GridShape grid{2, {12, 9, 1}, {0, 0, 0}, {0.5, 0.25, 1}};
  std::vector<double> faces;
  for (int face = 0; face <= 9; ++face) faces.push_back(0.5 * face * face);
  grid.faces[1] = std::make_shared<const std::vector<double>>(faces);
  io::FieldSeries fields(world, folder.path(), "temperature", io::SnapshotFormat::netcdf, grid,
                         "title: x\n", {});
  const auto box = test::slab(world, grid.cells, 0);
  const auto file =
      test::write_snapshot(world, fields, 1, 0.5, box, test::coded_block<double>(box)).path;
  EXPECT_EQ(file.filename(), "temperature_0000000001.nc");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "temperature.nc.series"));
  EXPECT_EQ(test::values_of(file, "/T"), test::coded_block<double>({{0, 0, 0}, grid.cells}));
  EXPECT_EQ(test::values_of(file, "/halotherm/faces_y"), faces);
  const auto y = test::values_of(file, "/y");
  ASSERT_EQ(y.size(), 9u);
  for (std::size_t n = 0; n < 9; ++n) EXPECT_DOUBLE_EQ(y[n], (faces[n] + faces[n + 1]) / 2);
}

/// The snapshots and the list of the format that the stopped run wrote.
TEST(FieldSeries, a_restart_in_another_format_drops_what_is_later) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  {
    auto fields = series(world, folder.path());
    write(fields, world, 0);
    write(fields, world, 10);
    write(fields, world, 20);
  }
  io::FieldSeries fields(world, folder.path(), "temperature", io::SnapshotFormat::netcdf, shape(),
                         "title: x\n", 10);
  EXPECT_FALSE(fields.has(0));
  write(fields, world, 20);
  EXPECT_EQ(listed(folder.path()).size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "temperature_0000000020.hdf"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "temperature_0000000020.nc"));
  world.barrier();
}

TEST(FieldSeries, a_restart_drops_what_is_later) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  {
    auto fields = series(world, folder.path());
    for (const std::int64_t step : {0, 10, 20, 30}) write(fields, world, step);
  }
  auto fields = series(world, folder.path(), 19);
  EXPECT_EQ(test::names_in(folder.path(), world), two_and_list);
  write(fields, world, 25);
  ASSERT_EQ(listed(folder.path()).size(), 3U);
  EXPECT_EQ(listed(folder.path()).back().first, "temperature_0000000025.hdf");
}

TEST(FieldSeries, a_restart_takes_up_what_a_killed_run_could_not_list) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  {
    auto fields = series(world, folder.path());
    write(fields, world, 0);
    const auto listing = test::bytes_of(fields.series_file());
    world.barrier();
    write(fields, world, 10);
    test::by_root(world, [&] {
      test::write_bytes(fields.series_file(), listing);
      test::write_bytes(folder.path() / "temperature_0000000005.hdf", "somebody else's");
      test::write_bytes(folder.path() / ".temperature_0000000020.hdf.partial", "half a snapshot");
    });
  }
  auto fields = series(world, folder.path(), 10);
  std::vector<std::pair<std::string, double>> expected{{"temperature_0000000000.hdf", 0.0},
                                                       {"temperature_0000000010.hdf", 1.0}};
  EXPECT_EQ(listed(folder.path()), expected);  // at once, as the run may have come to its end
  world.barrier();
  write(fields, world, 20);
  expected.emplace_back("temperature_0000000020.hdf", 2.0);
  EXPECT_EQ(listed(folder.path()), expected);
}

TEST(FieldSeries, a_damaged_list_is_refused_on_restart_only) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  test::by_root(
      world, [&] { test::write_bytes(folder.path() / "temperature.hdf.series", "{\"files\": 3"); });
  const auto error = test::collective_error([&] { series(world, folder.path(), 10); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), comm::ExitCode::input_output);
  EXPECT_NE(std::string(error->what()).find("temperature.hdf.series"), std::string::npos)
      << error->what();
  auto fields = series(world, folder.path());
  write(fields, world, 10);
  EXPECT_EQ(listed(folder.path()).size(), 1U);
}

TEST(FieldSeries, refuses_what_is_not_finite) {
  const Communicator world(MPI_COMM_WORLD);
  const test::TemporaryFolder folder(world);
  auto fields = series(world, folder.path());
  const auto box = test::slab(world, cells, 2);
  auto values = test::coded_block<double>(box);
  if (!values.empty()) values.back() = std::nan("");
  const auto error =
      test::collective_error([&] { test::write_snapshot(world, fields, 1, 0, box, values); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), comm::ExitCode::numerics);
  EXPECT_TRUE(test::names_in(folder.path(), world).empty());
}

}  // namespace
}  // namespace halotherm
