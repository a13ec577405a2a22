// SPDX-License-Identifier: MIT
#include "app/problem/field_sampler.hpp"

#include "app/domain/geometry.hpp"
#include "comm/mpi/error.hpp"
#include "io/field/dataset.hpp"
#include "io/files/checksum.hpp"
#include "io/text/temperature_unit.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace halotherm::app {

namespace {

/// Coordinate for formulas: axes that the grid does not have are at 0.
double coordinate(const solver::Grid& grid, int axis, int index) {
  return axis < grid.dimensions ? grid.centre(axis, index) : 0.0;
}

/// Points of a box whose coordinates are `along(axis, index)`.
template <class Along>
SamplePoints points_of(const comm::Box& box, const Along& along) {
  SamplePoints points{box, {}};
  for (int axis = 0; axis < 3; ++axis) {
    auto& coordinates = points.coordinates[static_cast<std::size_t>(axis)];
    for (int index = box.lower[axis]; index < box.upper[axis]; ++index)
      coordinates.push_back(along(axis, index));
  }
  return points;
}

/// Collective. Distinguishes a missing file, which may not have been made yet, from a damaged one.
void check_made(const comm::Communicator& world, const std::filesystem::path& file,
                const std::string& command) {
  comm::agree(world, [&] {
    std::error_code ignored;
    if (!world.is_root() || std::filesystem::exists(file, ignored)) return;
    throw comm::Error(comm::ExitCode::input_output,
                      {"cannot read the input file '" + file.string() + "'",
                       "No such file or directory", "make it by: " + command});
  });
}

/// Collective. The unit of a data set of temperatures.
io::TemperatureUnit unit_of(const comm::Communicator& world, const std::filesystem::path& path,
                            const FileDataset& file) {
  const auto text = io::read_units(world, path, file.dataset);
  if (!text) return *file.temperature_unit;
  if (const auto unit = io::temperature_unit_of(*text)) return *unit;
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      {"the data set '" + file.dataset + "' of '" + path.string() + "' is in '" + *text + "'",
       "its attribute units says so; temperatures are in K or degC", "write it in one of them"});
}

}  // namespace

int FieldSampler::inside(int axis, int index) const {
  const int cells = grid.cells[axis];
  return periodic[axis] ? ((index % cells) + cells) % cells : std::clamp(index, 0, cells - 1);
}

SamplePoints FieldSampler::points_of_cells(const comm::Box& box) const {
  return points_of(
      box, [&](int axis, int index) { return coordinate(grid, axis, inside(axis, index)); });
}

SampledQuantity FieldSampler::on_cells(const std::string& key, const Quantity& quantity,
                                       const comm::Box& box, Range range) const {
  return {key, quantity, points_of_cells(box), range};
}

SampledQuantity FieldSampler::on_faces(const std::string& key, const Quantity& quantity,
                                       const comm::Box& layer, const solver::Side& side,
                                       Range range) const {
  const auto axis_of_side = static_cast<std::size_t>(side.axis);
  const double plane = side.end == 0 ? grid.lower[axis_of_side] : grid.upper[axis_of_side];
  const auto along = [&](int axis, int index) {
    return axis == side.axis ? plane : coordinate(grid, axis, index);
  };
  return {key, quantity, points_of(layer, along), range};
}

solver::Coefficient FieldSampler::cells(const std::string& key, const Quantity& quantity,
                                        const comm::Box& box, Range range) const {
  if (const auto* file = std::get_if<FileDataset>(&quantity)) {
    const auto path = file->file.is_absolute() ? file->file : folder / file->file;
    if (!file->made_by.empty()) check_made(world, path, file->made_by);
    const comm::Int3 wraps{periodic[0], periodic[1], periodic[2]};
    auto values = io::read_dataset(world, path, file->dataset, shape_of(grid), box, wraps);
    if (file->temperature_unit) {
      const auto unit = unit_of(world, path, *file);
      for (auto& value : values) value = io::to_kelvin(value, unit);
    }
    comm::agree(world, [&] {
      const std::function<std::string()> where = [&] {
        return "in " + path.string() + ":" + file->dataset;
      };
      for (const double value : values)
        checked(key, value, range, comm::ExitCode::input_output, where);
    });
    return values;
  }
  return comm::agreed(world, [&]() -> solver::Coefficient {
    auto sampled = on_cells(key, quantity, box, range);
    const auto values = sampled.at(0.0);
    if (sampled.uniform()) return values.front();
    return std::move(sampled).values();
  });
}

std::vector<double> values_in(const solver::Coefficient& coefficient, const comm::Box& box,
                              const comm::Box& part) {
  if (const auto* number = std::get_if<double>(&coefficient)) return {*number};
  const auto& all = std::get<std::vector<double>>(coefficient);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(part.size()));
  for_cells(part, [&](int i, int j, int k) {
    const auto plane =
        static_cast<std::int64_t>(k - box.lower[2]) * box.extent(1) + (j - box.lower[1]);
    values.push_back(all[static_cast<std::size_t>(plane * box.extent(0) + (i - box.lower[0]))]);
  });
  return values;
}

FieldSampler make_field_sampler(const comm::Communicator& world, const Config& config) {
  return {world, config.folder, make_grid(config), periodic_axes(config)};
}

void add_checksum(const FieldSampler& sampler, const std::string& key, const Quantity& quantity,
                  const solver::Coefficient& sampled, const comm::Box& box, const comm::Box& owned,
                  std::vector<io::InputChecksum>& inputs) {
  if (!std::holds_alternative<FileDataset>(quantity)) return;
  const auto& values = std::get<std::vector<double>>(sampled);
  std::array<std::uint64_t, 1> sum{
      io::field_checksum<double>(sampler.grid.cells, owned, box, values)};
  sampler.world.sum(std::span<std::uint64_t>(sum));
  inputs.push_back({key, sum.front()});
}

}  // namespace halotherm::app
