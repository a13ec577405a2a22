// SPDX-License-Identifier: MIT
#include "app/problem/void_cells.hpp"

#include "app/domain/exact_sums.hpp"
#include "app/problem/region_map.hpp"
#include "app/problem/side_parts.hpp"
#include "comm/mpi/error.hpp"
#include "solver/diagnostics/flow_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halotherm::app {

namespace {

/// One value a cell.
std::vector<double>& in_cells(solver::Coefficient& coefficient, std::size_t cells) {
  if (const auto* number = std::get_if<double>(&coefficient))
    coefficient = std::vector<double>(cells, *number);
  return std::get<std::vector<double>>(coefficient);
}

/// Calls `work(place in the box, cell)` for its cells, x fastest.
template <class Work>
void for_places(const comm::Box& box, const Work& work) {
  std::size_t n = 0;
  for_cells(box, [&](int i, int j, int k) { work(n++, comm::Int3{i, j, k}); });
}

/// Collective. The sum of all ranks' numbers, which depends neither on their order nor on ranks.
double exact_sum(const comm::Communicator& world, const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  largest = world.max(largest);
  if (largest == 0) return 0;
  const solver::SumScale scale(std::ilogb(largest) + 1);
  solver::RateSum mine;
  for (const double number : numbers) mine.add(number, scale);
  sum_over_ranks(world, std::span(&mine.sum, 1));
  return mine.sum.value(scale);
}

class Cutter {
 public:
  Cutter(const FieldSampler& sampler, const Config& config, const comm::Box& box,
         const comm::Box& owned, const std::shared_ptr<const Owners>& materials)
      : sampler_(sampler),
        config_(config),
        faces_(config.void_faces.value_or(SurfaceConfig{})),
        box_(box),
        owned_(owned),
        materials_(materials),
        condition_(comm::agreed(sampler.world,
                                [&] { return void_condition(sampler, config, box, materials); })) {}

  VoidCells cut(solver::Material& material) const {
    VoidCells result;
    for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
      const bool mine = owned_.contains(cell[0], cell[1], cell[2]);
      if (mine && !is_void(n)) ++result.body_cells;
      if (mine && is_void(n) && has_temperature())
        result.temperatures.emplace_back(place_in_block(cell), temperature(n));
      if (mine && is_void(n)) include(n, result.bounds);
    });
    result.body_cells = sampler_.world.sum(result.body_cells);
    set_conductivity(material);
    auto& capacity = in_cells(material.volumetric_heat_capacity, cells());
    for (std::size_t n = 0; n < cells(); ++n) {
      if (is_void(n)) capacity[n] = std::numeric_limits<double>::infinity();
    }
    add_flux(material, result);
    return result;
  }

 private:
  std::size_t cells() const { return materials_->size(); }
  bool is_void(std::size_t n) const { return (*materials_)[n] == void_owner; }
  std::size_t place_in_block(const comm::Int3& cell) const {
    const auto row =
        std::int64_t{cell[2] - owned_.lower[2]} * owned_.extent(1) + (cell[1] - owned_.lower[1]);
    return static_cast<std::size_t>(row * owned_.extent(0) + (cell[0] - owned_.lower[0]));
  }

  void include(std::size_t n, TemperatureBounds& bounds) const {
    if (condition_.is_fixed()) return bounds.include(condition_.temperature(n));
    bounds.include_flows(condition_.flows(n));
  }

  bool has_temperature() const { return condition_.is_fixed() || faces_.convection; }
  double temperature(std::size_t n) const {
    return condition_.is_fixed() ? condition_.temperature(n) : condition_.flows(n).ambient;
  }

  /// Of half a void cell and the condition together: coefficient · h/2, which with the half of the
  /// body's cell, h/(2K), makes h/(2K) + 1/coefficient. What is far beyond the body's K counts as
  /// infinite or nothing in sums of resistances, but stays finite in products.
  double conductivity(std::size_t n, double h, double largest_of_body) const {
    const bool is_double = config_.grid.precision == Precision::float64;
    if (condition_.is_fixed()) return largest_of_body * (is_double ? 1e30 : 1e10);
    const double nothing = is_double ? 1e-200 : 1e-30;
    return std::max(nothing, condition_.flows(n).coefficient * h / 2);
  }

  void set_conductivity(solver::Material& material) const {
    const auto axes = static_cast<std::size_t>(sampler_.grid.dimensions);
    auto& of_axes = material.conductivity;
    if (faces_.convection && !has_cubic_cells(config_) && of_axes.size() == 1)
      of_axes.resize(axes, solver::Coefficient(of_axes.front()));
    double largest = 0;
    for (auto& coefficient : of_axes) {
      const auto& values = in_cells(coefficient, cells());
      for (std::size_t n = 0; n < cells(); ++n) {
        if (!is_void(n)) largest = std::max(largest, values[n]);
      }
    }
    if (largest == 0) largest = 1;  // a block without a cell of the body
    for (std::size_t axis = 0; axis < of_axes.size(); ++axis) {
      const double h = sampler_.grid.spacing(static_cast<int>(axis));
      auto& values = in_cells(of_axes[axis], cells());
      for (std::size_t n = 0; n < cells(); ++n) {
        if (is_void(n)) values[n] = conductivity(n, h, largest);
      }
    }
  }

  /// The flux through the void faces of each cell of the body, per volume. Beside convection, the
  /// part of it that the resistance of half a cell, h/(2K), does not turn back enters the body. The
  /// outermost ghost cells lack the flux from beyond the box; no step reads it.
  std::vector<double> flux_by_volume(const std::vector<solver::Coefficient>& conductivity) const {
    std::vector<double> flux(cells(), 0.0);
    const std::array<std::ptrdiff_t, 3> stride{
        1, box_.extent(0), static_cast<std::ptrdiff_t>(box_.extent(0)) * box_.extent(1)};
    for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
      if (is_void(n)) return;
      for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
        const auto& of_axis =
            conductivity[conductivity.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        const double h = sampler_.grid.spacing(axis),
                     half = 2 * std::get<std::vector<double>>(of_axis)[n] / h;
        for (const int way : {-1, 1}) {
          const int index = cell[axis] + way;
          if (index < box_.lower[axis] || index >= box_.upper[axis]) continue;
          const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(n) +
                                                      way * stride[static_cast<std::size_t>(axis)]);
          if (!is_void(other)) continue;
          const auto flows = condition_.flows(other);
          flux[n] += flows.flux * half / (half + flows.coefficient) / h;
        }
      }
    });
    return flux;
  }

  /// Collective.
  void add_flux(solver::Material& material, VoidCells& result) const {
    const auto* number = std::get_if<double>(&faces_.flux);
    if (condition_.is_fixed() || (number != nullptr && *number == 0)) return;
    result.flux = flux_by_volume(material.conductivity);
    auto& source = in_cells(material.source, cells());
    std::vector<double> mine;
    for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
      source[n] += result.flux[n];
      if (owned_.contains(cell[0], cell[1], cell[2])) mine.push_back(result.flux[n]);
    });
    result.power_of_flux = exact_sum(sampler_.world, mine) * sampler_.grid.largest_volume();
  }

  const FieldSampler& sampler_;
  const Config& config_;
  SurfaceConfig faces_;
  comm::Box box_, owned_;
  std::shared_ptr<const Owners> materials_;
  SampledSide condition_;
};

}  // namespace

VoidCells cut_out(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                  const comm::Box& owned, const std::shared_ptr<const Owners>& materials,
                  solver::AnyMaterial& material) {
  if (!config.has_void() || !has_shapes(config))
    return {.body_cells = sampler.grid.cell_count(),
            .power_of_flux = 0,
            .flux = {},
            .temperatures = {},
            .bounds = {}};
  return Cutter(sampler, config, box, owned, materials).cut(std::get<solver::Material>(material));
}

void refuse_void_sensors(const FieldSampler& sampler, const Config& config) {
  for (std::size_t n = 0; n < config.output.sensors.size(); ++n) {
    const auto& [name, position] = config.output.sensors[n];
    comm::Box cell{{0, 0, 0}, {1, 1, 1}};
    for (int axis = 0; axis < sampler.grid.dimensions; ++axis) {
      cell.lower[axis] = sampler.grid.cell_at(axis, position[static_cast<std::size_t>(axis)]);
      cell.upper[axis] = cell.lower[axis] + 1;
    }
    if (map_regions(sampler, config, cell).material.front() != void_owner) continue;
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {"output.sensors[" + std::to_string(n) + "]: \"" + name + "\" is in a void cell",
         "void cells are no part of the body", "move the sensor"});
  }
}

}  // namespace halotherm::app
