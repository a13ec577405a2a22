// SPDX-License-Identifier: MIT
#include "app/output/sensors.hpp"

#include "app/config/description.hpp"
#include "app/problem/region_quantities.hpp"
#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

namespace halotherm::app {

namespace {

constexpr double elsewhere = -std::numeric_limits<double>::infinity();  ///< on another rank

/// The indices of the cells in `block`.
std::vector<std::size_t> places_in(const comm::Box& block, const std::vector<comm::Int3>& cells) {
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < cells.size(); ++n)
    if (block.contains(cells[n][0], cells[n][1], cells[n][2])) places.push_back(n);
  return places;
}

auto picked(const std::vector<comm::Int3>& cells, const std::vector<std::size_t>& places) {
  std::vector<comm::Int3> result;
  for (const auto place : places) result.push_back(cells[place]);
  return result;
}

bool has(int axes, int axis) {
  return (axes >> axis & 1) != 0;
}

/// Whether a point of a side across `axis` lies on the patch with this box.
bool holds_at(const BoxConfig& box, int axis, const SamplePoints& point) {
  for (std::size_t a = 0; a < box.lower.size(); ++a) {
    const double position = point.coordinates[a].front();
    if (static_cast<int>(a) != axis && (position < box.lower[a] || position >= box.upper[a]))
      return false;
  }
  return true;
}

}  // namespace

template <class Real>
double Sensors<Real>::Face::temperature(double inside, double time) {
  values.evaluate(time);
  if (values.is_fixed()) return values.temperature(0);
  const double scale = factor ? factor->at(time).front() : 1;
  if (!table.empty()) return solver::face_temperature(values.flows(0), inside, table, h / scale);
  return solver::face_temperature(values.flows(0), inside, 2 * conductivity / h);
}

template <class Real>
Sensors<Real>::Sensors(const comm::Communicator& world, const Config& config,
                       const solver::HeatEquation<Real>& equation, const comm::Box& owned)
    : world_(world),
      sampler_(make_field_sampler(world, config)),
      config_(config),
      sensors_(comm::agreed(world, [&] { return sensors_of(config.output.sensors); })),
      mine_(places_in(owned, corners_)),
      reader_(picked(corners_, mine_)) {
  set_conductivities(equation, owned);
  leave_out_void(equation);
}

template <class Real>
auto Sensors<Real>::sensors_of(const std::vector<SensorConfig>& configs) -> std::vector<Sensor> {
  std::vector<Sensor> sensors;
  for (const auto& config : configs) {
    Sensor sensor = sensor_at(config.at);
    add_corners(sensor);
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

template <class Real>
auto Sensors<Real>::along(int axis, double position) const -> Along {
  const auto& grid = sampler_.grid;
  const int cells = grid.cells[axis];
  const double place = grid.place(axis, position);
  if (sampler_.periodic[axis]) {
    const double below = std::floor(place);
    const int cell = (static_cast<int>(below) + cells) % cells;
    return {.cells = {cell, (cell + 1) % cells}, .weights = {1 - (place - below), place - below}};
  }
  if (place < 0)
    return {.cells = {0, 0}, .weights = {1, 0}, .end = 0, .share = std::min(1.0, -2 * place)};
  const double beyond = place - (cells - 1);
  if (beyond >= 0)
    return {
        .cells = {cells - 1, 0}, .weights = {1, 0}, .end = 1, .share = std::min(1.0, 2 * beyond)};
  const int cell = static_cast<int>(place);
  return {.cells = {cell, cell + 1}, .weights = {1 - (place - cell), place - cell}};
}

template <class Real>
auto Sensors<Real>::sensor_at(const std::vector<double>& position) const -> Sensor {
  Sensor sensor;
  int near = 0;  // axes along which a side is near
  for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
    auto& here = sensor.along[static_cast<std::size_t>(axis)];
    here = along(axis, position[static_cast<std::size_t>(axis)]);
    const double below = sampler_.grid.width(axis, here.cells[0]),
                 above = sampler_.grid.width(axis, here.cells[1]);
    sensor.cell[axis] = here.cells[here.weights[1] > below / (below + above) ? 1 : 0];
    if (here.end >= 0) near |= 1 << axis;
  }
  for (int axes = 1; axes < 8; ++axes) {
    if ((axes & near) == axes)
      sensor.faces[static_cast<std::size_t>(axes)] = faces_of(sensor, position, axes);
  }
  return sensor;
}

/// The faces that determine the temperature where the sides of these axes meet.
template <class Real>
auto Sensors<Real>::faces_of(const Sensor& sensor, const std::vector<double>& position,
                             int axes) const -> std::vector<Face> {
  SamplePoints point{{sensor.cell, {sensor.cell[0] + 1, sensor.cell[1] + 1, sensor.cell[2] + 1}},
                     {}};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto& here = sensor.along[a];
    double coordinate = axis < sampler_.grid.dimensions ? position[a] : 0.0;
    if (here.end >= 0) coordinate = sampler_.grid.centre(axis, here.cells[0]);
    if (has(axes, axis))
      coordinate = here.end == 0 ? sampler_.grid.lower[a] : sampler_.grid.upper[a];
    point.coordinates[a] = {coordinate};
  }
  std::vector<Face> faces;
  for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
    if (has(axes, axis))
      faces.push_back(face_of(axis, sensor.along[static_cast<std::size_t>(axis)].end, point));
  }
  const auto fixed = [](const Face& face) { return face.values.is_fixed(); };
  if (std::ranges::any_of(faces, fixed))
    std::erase_if(faces, [&](const Face& face) { return !fixed(face); });
  return faces;
}

template <class Real>
auto Sensors<Real>::face_of(int axis, int end, const SamplePoints& point) const -> Face {
  const auto sample = [&](const std::string& key, const Quantity& quantity, Range range) {
    return SampledQuantity(key, quantity, point, range);
  };
  const auto& side = config_.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(end)];
  const auto name = "sides." + side_name(axis, end);
  for (std::size_t n = 0; n < side.patches.size(); ++n) {
    if (holds_at(side.patches[n].box, axis, point))
      return {axis, {fmt::format("{}.patches[{}]", name, n), side.patches[n], sample}};
  }
  return {axis, {name, side, sample}};
}

template <class Real>
void Sensors<Real>::add_corners(Sensor& sensor) {
  sensor.first = corners_.size();
  const auto& [x, y, z] = sensor.along;
  for (std::size_t c = 0; c < 8; ++c) {
    const std::size_t i = c & 1, j = c >> 1 & 1, k = c >> 2;
    const double weight = x.weights[i] * y.weights[j] * z.weights[k];
    if (weight == 0) continue;
    corners_.push_back({x.cells[i], y.cells[j], z.cells[k]});
    weights_.push_back(weight);
  }
  sensor.count = corners_.size() - sensor.first;
}

/// Collective. Combines the values that each rank has read for its `places` into all `count`.
template <class Real>
template <class Value>
std::vector<double> Sensors<Real>::gathered(std::span<const Value> read,
                                            const std::vector<std::size_t>& places,
                                            std::size_t count) const {
  std::vector<double> values(count, elsewhere);
  for (std::size_t n = 0; n < places.size(); ++n) values[places[n]] = static_cast<double>(read[n]);
  if (!values.empty()) world_.max(values);
  return values;
}

/// Collective. The values in these cells, of which those at the places `mine` are this rank's.
template <class Real>
template <class Value, class Source>
std::vector<double> Sensors<Real>::values_in(const std::vector<comm::Int3>& cells,
                                             const std::vector<std::size_t>& mine,
                                             const Source& source) const {
  solver::CellValues<Value> reader(picked(cells, mine));
  return gathered(reader.of(source), mine, cells.size());
}

/// Collective. Sets the size of the cell inside of each face, and K from its medium.
template <class Real>
void Sensors<Real>::set_conductivities(const solver::HeatEquation<Real>& equation,
                                       const comm::Box& owned) {
  std::vector<comm::Int3> cells;
  for (const auto& sensor : sensors_) cells.push_back(sensor.cell);
  const auto mine = places_in(owned, cells);
  const auto for_faces = [&](int axis, const auto& set) {
    for (std::size_t n = 0; n < sensors_.size(); ++n) {
      for (auto& face : sensors_[n].faces | std::views::join)
        if (face.axis == axis) set(face, n);
    }
  };
  const auto& grid = sampler_.grid;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    for_faces(axis, [&](Face& face, std::size_t n) { face.h = grid.width(axis, cells[n][axis]); });
    if (!equation.heat_content().tabulated()) {
      const auto of_cells = values_in<Real>(cells, mine, equation.resistivity(axis));
      for_faces(axis, [&](Face& face, std::size_t n) { face.conductivity = 1 / of_cells[n]; });
    } else {
      const auto tables = tables_of_materials(config_);
      const auto factors = conductivity_factors(config_);
      const auto& of_cell = equation.materials().of_cell;
      const auto material = of_cell.data != nullptr ? values_in<std::uint8_t>(cells, mine, of_cell)
                                                    : std::vector<double>(cells.size(), 0);
      for_faces(axis, [&](Face& face, std::size_t n) {
        const auto position = static_cast<std::size_t>(material[n]);
        const auto& of_axes = tables[position].conductivity;
        face.table = of_axes[of_axes.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        face.factor = factors[position];
      });
    }
  }
}

/// Collective. Void corners have no weight; those of the body share it.
template <class Real>
void Sensors<Real>::leave_out_void(const solver::HeatEquation<Real>& equation) {
  if (!config_.has_void()) return;
  const bool tables = equation.heat_content().tabulated();
  const double of_void = tables ? equation.materials().count - 1 : 0;  // cut_out: the last one
  const auto found = tables ? values_in<std::uint8_t>(corners_, mine_, equation.materials().of_cell)
                            : values_in<Real>(corners_, mine_, equation.inverse_capacity());
  for (const auto& sensor : sensors_) {
    const auto weights = std::span(weights_).subspan(sensor.first, sensor.count);
    double sum = 0;
    for (std::size_t n = 0; n < weights.size(); ++n) {
      if (found[sensor.first + n] == of_void) weights[n] = 0;
      sum += weights[n];
    }
    for (auto& weight : weights) weight /= sum;
  }
}

/// Interpolates between `inside`, the temperature at the nearest centres, and the faces.
template <class Real>
double Sensors<Real>::to_sides(Sensor& sensor, double inside, double time) {
  std::array<double, 8> nodes{inside};  // on the faces of these axes
  double result = 0;
  for (int axes = 0; axes < 8; ++axes) {
    auto& faces = sensor.faces[static_cast<std::size_t>(axes)];
    if (axes > 0 && faces.empty()) continue;
    double sum = 0;
    for (auto& face : faces)
      sum += face.temperature(nodes[static_cast<std::size_t>(axes & ~(1 << face.axis))], time);
    if (!faces.empty())
      nodes[static_cast<std::size_t>(axes)] = sum / static_cast<double>(faces.size());
    double weight = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double share = sensor.along[static_cast<std::size_t>(axis)].share;
      weight *= has(axes, axis) ? share : 1 - share;
    }
    if (weight > 0) result += weight * nodes[static_cast<std::size_t>(axes)];
  }
  return result;
}

template <class Real>
std::vector<double> Sensors<Real>::values(const solver::Field<Real>& temperature, double time) {
  const auto corners = gathered(reader_.of(temperature.view()), mine_, corners_.size());
  std::vector<double> result;
  try {
    for (auto& sensor : sensors_) {
      double inside = 0;
      for (std::size_t n = sensor.first; n < sensor.first + sensor.count; ++n)
        inside += weights_[n] * corners[n];
      result.push_back(to_sides(sensor, inside, time));
    }
  } catch (const comm::Error& error) {
    // all ranks evaluate the same formulas
    throw comm::CollectiveError(comm::ExitCode::numerics, error.text());
  }
  return result;
}

template class Sensors<float>;
template class Sensors<double>;

}  // namespace halotherm::app
