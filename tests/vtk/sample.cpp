// SPDX-License-Identifier: MIT
// halotherm_vtk_sample FOLDER: writes short series of a known field in one, two and three
// dimensions, for reader_test.py.
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/partition.hpp"
#include "tests/support/io_support.hpp"

namespace {

using namespace halotherm;

/// [K]; a number that single precision holds too, so that both precisions can be compared exactly.
double temperature(int i, int j, int k, std::int64_t step) {
  return 256.0 + i + j / 16.0 + k / 256.0 + static_cast<double>(step);
}

template <class Real>
void write_series(const comm::Communicator& world, const std::string& folder,
                  const std::string& name, const io::GridShape& grid,
                  io::SnapshotFormat format = io::SnapshotFormat::vtkhdf) {
  io::FieldSeries series(world, folder, name, format, grid, "title: sample\n", std::nullopt);
  const auto box =
      comm::make_partition(grid.cells, {false, false, false}, world.size(), 1).owned(world.rank());
  for (const std::int64_t step : {0, 40}) {
    std::vector<Real> values;
    for (int k = box.lower[2]; k < box.upper[2]; ++k) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        for (int i = box.lower[0]; i < box.upper[0]; ++i)
          values.push_back(static_cast<Real>(temperature(i, j, k, step)));
      }
    }
    test::write_snapshot(world, series, step, 0.125 * static_cast<double>(step), box, values);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Environment environment(argc, argv);
  const auto& world = environment.world();
  return comm::guarded(world, [&] {
    if (argc != 2)
      throw comm::CollectiveError(comm::ExitCode::usage,
                                  {"the folder is missing", "", "use halotherm_vtk_sample FOLDER"});
    const std::string folder = argv[1];
    write_series<double>(world, folder, "solid", {3, {7, 6, 5}, {-1, 0.5, 2}, {0.25, 0.5, 1}});
    write_series<float>(world, folder, "single", {3, {7, 6, 5}, {-1, 0.5, 2}, {0.25, 0.5, 1}});
    write_series<double>(world, folder, "sheet", {2, {7, 6, 1}, {-1, 0.5, 0}, {0.25, 0.5, 1}});
    write_series<double>(world, folder, "rod", {1, {7, 1, 1}, {-1, 0, 0}, {0.25, 1, 1}});
    write_series<double>(world, folder, "slice", {3, {7, 6, 1}, {-1, 0.5, 2}, {0.25, 0.5, 1}});
    // cells of widths that double along x and z
    io::GridShape layers{3, {7, 6, 5}, {-1, 0.5, 2}, {0.25, 0.5, 1}};
    for (const std::size_t axis : {0u, 2u}) {
      std::vector<double> faces{layers.lower[axis]};
      for (int n = 0; n < layers.cells[axis]; ++n)
        faces.push_back(faces.back() + 0.125 * static_cast<double>(1 << n));
      layers.faces[axis] = std::make_shared<const std::vector<double>>(std::move(faces));
    }
    write_series<double>(world, folder, "layers", layers, io::SnapshotFormat::netcdf);
    auto sheet = layers;
    sheet.dimensions = 2;
    sheet.cells[2] = 1;
    sheet.faces[2] = nullptr;
    write_series<float>(world, folder, "layered_sheet", sheet, io::SnapshotFormat::netcdf);
    return comm::ExitCode::done;
  });
}
