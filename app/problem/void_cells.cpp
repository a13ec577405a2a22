// SPDX-License-Identifier: MIT
#include "app/problem/void_cells.hpp"

#include "app/config/material_tables.hpp"
#include "app/domain/exact_sums.hpp"
#include "app/problem/region_map.hpp"
#include "app/problem/region_sampler.hpp"
#include "app/problem/side_parts.hpp"
#include "comm/mpi/error.hpp"

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

class Cutter {
 public:
  Cutter(const FieldSampler& sampler, const Config& config, const comm::Box& box,
         const comm::Box& owned, const std::shared_ptr<const Owners>& materials)
      : sampler_(sampler),
        config_(config),
        faces_(config.void_faces.value_or(SurfaceConfig{})),
        heats_(void_faces_heat_cells(config)),
        box_(box),
        owned_(owned),
        materials_(materials),
        condition_(comm::agreed(sampler.world,
                                [&] { return void_condition(sampler, config, box, materials); })) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!sampler.grid.even(axis))
        shares_[static_cast<std::size_t>(axis)] = sampler.grid.shares(axis);
    }
  }

  VoidCells cut(solver::AnyMaterial& material) const {
    VoidCells result;
    std::int64_t body_cells = 0;
    std::vector<double> shares;
    for_owned([&](std::size_t n, const comm::Int3& cell) {
      if (!is_void(n)) {
        ++body_cells;
        if (!sampler_.grid.even()) shares.push_back(share(cell));
        return;
      }
      include(n, result.bounds);
      if (has_temperature()) result.temperatures.emplace_back(place_in_block(cell), temperature(n));
    });
    body_cells = sampler_.world.sum(body_cells);
    result.exist = body_cells < sampler_.grid.cell_count();
    result.body_volume =
        sampler_.grid.even() ? static_cast<double>(body_cells) : exact_sum(sampler_.world, shares);
    std::visit([&](auto& any) { set_coefficients(any); }, material);
    if (heats_) {
      std::visit([&](auto& any) { (void)in_cells(any.source, cells()); }, material);
      result.heating = condition_;
      add_faces(material, result);
    } else if (flux_is_source(faces_)) {
      std::visit([&](auto& any) { add_flux(any.source, result); }, material);
    }
    return result;
  }

 private:
  /// Calls `work(place in the box, cell)` for this rank's cells, x fastest.
  template <class Work>
  void for_owned(const Work& work) const {
    for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
      if (owned_.contains(cell[0], cell[1], cell[2])) work(n, cell);
    });
  }
  /// The volume of a cell in units of the largest one's.
  double share(const comm::Int3& cell) const {
    double share = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto& along = shares_[static_cast<std::size_t>(axis)];
      if (!along.empty()) share *= along[static_cast<std::size_t>(cell[axis])];
    }
    return share;
  }
  std::size_t cells() const { return materials_->size(); }
  bool is_void(std::size_t n) const { return (*materials_)[n] == void_owner; }
  std::size_t place_in_block(const comm::Int3& cell) const {
    const auto row =
        std::int64_t{cell[2] - owned_.lower[2]} * owned_.extent(1) + (cell[1] - owned_.lower[1]);
    return static_cast<std::size_t>(row * owned_.extent(0) + (cell[0] - owned_.lower[0]));
  }

  void include(std::size_t n, solver::TemperatureBounds& bounds) const {
    if (condition_.is_fixed()) return bounds.include(condition_.temperature(n));
    bounds.include_flows(condition_.flows(n));
  }

  bool has_temperature() const { return condition_.is_fixed() || faces_.convection; }
  /// What the condition drives the face to; of convection with a flux, where the two balance.
  double temperature(std::size_t n) const {
    if (condition_.is_fixed()) return condition_.temperature(n);
    const auto flows = condition_.flows(n);
    return flows.coefficient > 0 ? flows.ambient + flows.flux / flows.coefficient : flows.ambient;
  }

  /// What is far beyond the body's K counts as infinite or nothing in sums of resistances, but
  /// stays finite in products.
  double infinite(double largest_of_body) const {
    return largest_of_body * (is_double() ? 1e30 : 1e10);
  }
  double nothing() const { return is_double() ? 1e-200 : 1e-30; }
  bool is_double() const { return config_.grid.precision == Precision::float64; }

  /// Of half a void cell and the condition together: coefficient · h/2, which with the half of the
  /// body's cell, h/(2K), makes h/(2K) + 1/coefficient.
  double conductivity(std::size_t n, double h, double largest_of_body) const {
    if (heats_) return nothing();
    if (condition_.is_fixed()) return infinite(largest_of_body);
    return std::max(nothing(), condition_.flows(n).coefficient * h / 2);
  }

  void set_coefficients(solver::Material& material) const {
    const auto axes = static_cast<std::size_t>(sampler_.grid.dimensions);
    auto& of_axes = material.conductivity;
    if (faces_.convection && !heats_ && !has_cubic_cells(config_) && of_axes.size() == 1)
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
      auto& values = in_cells(of_axes[axis], cells());
      for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
        if (!is_void(n)) return;
        const double h = sampler_.grid.width(static_cast<int>(axis), cell[axis]);
        values[n] = conductivity(n, h, largest);
      });
    }
    auto& capacity = in_cells(material.volumetric_heat_capacity, cells());
    for (std::size_t n = 0; n < cells(); ++n) {
      if (is_void(n)) capacity[n] = std::numeric_limits<double>::infinity();
    }
  }

  /// The void cells' material, the last one, conducts everything, behind a contact that conducts as
  /// the condition; or nothing, where the condition does not depend on the temperature of the face.
  void set_coefficients(solver::TabulatedMaterial& material) const {
    double largest = 0;
    for (const auto& of_material : material.materials) {
      for (const auto& table : of_material.conductivity)
        largest = std::max(
            largest, std::ranges::max_element(table, {}, &solver::PropertyPoint::value)->value *
                         of_material.conductivity_factor.largest);
    }
    auto& [conductivity, capacity, factor] = material.materials.back();
    // products with a step, and sums of the heat of a body, stay finite
    const double of_double = 1e60, of_float = 1e33;
    capacity = {{0, is_double() ? of_double : of_float}};
    const bool fixed = condition_.is_fixed() && !heats_;
    const double coefficient = fixed || heats_ ? 0 : condition_.flows(0).coefficient;
    const bool conducts = fixed || coefficient > least_coefficient;
    conductivity = {{{0, conducts ? largest * (is_double() ? 1e20 : 1e10) : nothing()}}};
    if (coefficient <= least_coefficient) return;
    const auto last = static_cast<std::uint16_t>(material.materials.size() - 1);
    for (std::uint16_t n = 0; n < last; ++n)
      material.contacts.push_back({{n, last}, 1 / coefficient});
  }

  /// Calls `work(axis, way, place of the void cell in the box)` for the faces of a cell towards
  /// void cells of the box; `way` is -1 or 1.
  template <class Work>
  void for_void_faces(std::size_t n, const comm::Int3& cell, const Work& work) const {
    const std::array<std::ptrdiff_t, 3> stride{
        1, box_.extent(0), static_cast<std::ptrdiff_t>(box_.extent(0)) * box_.extent(1)};
    for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
      for (const int way : {-1, 1}) {
        const int index = cell[axis] + way;
        if (index < box_.lower[axis] || index >= box_.upper[axis]) continue;
        const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(n) +
                                                    way * stride[static_cast<std::size_t>(axis)]);
        if (is_void(other)) work(axis, way, other);
      }
    }
  }

  /// The flux through the void faces of a cell of the body that have no convection, per volume
  /// [W/m³]. The outermost ghost cells lack the flux from beyond the box; no step reads it.
  double flux_into(std::size_t n, const comm::Int3& cell) const {
    double flux = 0;
    for_void_faces(n, cell, [&](int axis, int, std::size_t other) {
      const auto flows = condition_.flows(other);
      if (!(flows.coefficient > 0)) flux += flows.flux / sampler_.grid.width(axis, cell[axis]);
    });
    return flux;
  }

  /// A flow falls with T by at most the conductance of half a cell, 2K/h.
  void add_faces(const solver::AnyMaterial& material, VoidCells& result) const {
    const auto centres = sampler_.points_of_cells(box_).coordinates;
    for_owned([&](std::size_t n, const comm::Int3& cell) {
      if (is_void(n)) return;
      double fall = 0;
      for_void_faces(n, cell, [&](int axis, int way, std::size_t) {
        const double width = sampler_.grid.width(axis, cell[axis]),
                     half = 2 * largest_conductivity(material, n, axis) / width;
        const bool tables = std::holds_alternative<solver::TabulatedMaterial>(material);
        solver::VoidFace face{cell, axis, width, tables ? 2 / width : half, {}};
        for (std::size_t along = 0; along < 3; ++along) {
          const int a = static_cast<int>(along);
          face.position[along] = centres[along][static_cast<std::size_t>(cell[a] - box_.lower[a])] +
                                 (a == axis ? 0.5 * way * width : 0);
        }
        result.faces.push_back(face);
        fall += half / width;
      });
      if (fall > 0) result.fall = std::max(result.fall, fall / smallest_capacity(material, n));
    });
  }

  /// Collective.
  void add_flux(solver::Coefficient& source, VoidCells& result) const {
    auto& values = in_cells(source, cells());
    result.flux.assign(cells(), 0.0);
    std::vector<double> mine;
    for_places(box_, [&](std::size_t n, const comm::Int3& cell) {
      if (is_void(n)) return;
      result.flux[n] = flux_into(n, cell);
      values[n] += result.flux[n];
      if (owned_.contains(cell[0], cell[1], cell[2])) mine.push_back(result.flux[n] * share(cell));
    });
    result.power_of_flux = exact_sum(sampler_.world, mine) * sampler_.grid.largest_volume();
  }

  static constexpr double least_coefficient = 1e-12;  ///< that counts, beside tables [W/(m² K)]

  const FieldSampler& sampler_;
  const Config& config_;
  SurfaceConfig faces_;
  bool heats_;  ///< the flows are a source of the cells of the body
  comm::Box box_, owned_;
  std::shared_ptr<const Owners> materials_;
  SampledSide condition_;
  std::array<std::vector<double>, 3> shares_;  ///< of volumes, along axes that are not even
};

}  // namespace

VoidCells cut_out(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                  const comm::Box& owned, const std::shared_ptr<const Owners>& materials,
                  solver::AnyMaterial& material) {
  if (!config.has_void() || !has_shapes(config))
    return {.exist = false,
            .body_volume = sampler.grid.volume_in_cells(),
            .power_of_flux = 0,
            .flux = {},
            .heating = {},
            .faces = {},
            .fall = 0,
            .temperatures = {},
            .bounds = {}};
  return Cutter(sampler, config, box, owned, materials).cut(material);
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
