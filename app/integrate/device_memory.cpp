// SPDX-License-Identifier: MIT
#include "app/integrate/device_memory.hpp"

#include "app/config/material_tables.hpp"
#include "app/domain/geometry.hpp"
#include "app/problem/region_quantities.hpp"
#include "solver/cycle/symmetric_cycle.hpp"
#include "solver/field/field.hpp"
#include "solver/integrators/scheme.hpp"
#include "solver/medium/cell_kinds.hpp"
#include "solver/multigrid/joining.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace halotherm::app {

namespace {

/// The cells of all levels of the linear solver as a multiple of those of the finest: at most 2 of
/// equal cells, as joining along one axis alone halves them.
double levels_of(const solver::Grid& grid) {
  if (grid.even()) return 2;
  std::array<std::vector<double>, 3> widths;
  for (int axis = 0; axis < 3; ++axis) {
    for (int index = 0; index < grid.cells[axis]; ++index)
      widths[static_cast<std::size_t>(axis)].push_back(grid.width(axis, index));
  }
  return std::max(2.0, solver::cells_of_all_levels(std::move(widths)));
}

/// Of the linear solver [bytes]: on each level a conductance an axis, an anchor beside void cells
/// or for the mass of a step, three vectors, and at most one for shares; levels of all sizes; three
/// more vectors, the residual, what a step keeps between its parts or for its error, and a
/// nonlinear equation's temperature before a correction.
std::int64_t solver_bytes(const Config& config, const comm::Box& owned, std::int64_t field) {
  const auto method = config.time.integrator;
  const bool steps = solver::is_implicit(method);
  if (method != solver::Method::steady && !steps) return 0;
  const auto grid = make_grid(config);
  const auto single =
      solver::Field<float>::bytes_for(owned, grid.ghosts(solver::SymmetricCycle::layers));
  const bool anchored = config.has_void() || steps || heating_follows_temperature(config);
  const std::int64_t of_level = config.dimensions() + (anchored ? 1 : 0) + 4;
  const bool in_parts =
      steps && (method != solver::Method::backward_euler || config.time.tolerance);
  int fields = in_parts ? 2 : 1;
  if (is_nonlinear(config)) ++fields;
  const auto of_levels = static_cast<std::int64_t>(levels_of(grid) * static_cast<double>(single));
  return of_level * of_levels + 3 * single + fields * field;
}

/// Of the methods among which `auto` chooses, these take the most: the explicit one, and the
/// implicit one.
DeviceMemory most_of_methods(Config config, const comm::Box& owned, int layers,
                             std::int64_t sent_cells) {
  DeviceMemory most;
  config.time.tolerance.reset();
  for (const auto method : {solver::Method::rkl2, solver::Method::tr_bdf2}) {
    config.time.integrator = method;
    const auto memory = device_memory(config, owned, layers, sent_cells);
    if (memory.total() > most.total()) most = memory;
  }
  return most;
}

}  // namespace

DeviceMemory device_memory(const Config& config, const comm::Box& owned, int layers,
                           std::int64_t sent_cells) {
  if (config.time.integrator == solver::Method::automatic)
    return most_of_methods(config, owned, layers, sent_cells);
  const std::int64_t element = config.grid.element_bytes();
  const auto grid = make_grid(config);
  const auto ghosts = grid.ghosts(layers);
  const auto field = element == 8 ? solver::Field<double>::bytes_for(owned, ghosts)
                                  : solver::Field<float>::bytes_for(owned, ghosts);
  const auto varying = varying_coefficients(config);
  // kinds of cells may stand for these, else for none
  const int of_kinds = (grid.even() ? varying.conductivities + varying.faces : 0) +
                       (varying.capacity ? 1 : 0) + (varying.source ? 1 : 0);
  const bool by_kind = varying.few_kinds && solver::kinds_pay(of_kinds);
  const int coefficients = varying.count() - (by_kind ? of_kinds : 0);
  const solver::Scheme scheme(config.time.integrator, {}, config.time.tolerance.has_value());
  const auto cells = owned.size();
  DeviceMemory memory;
  memory.fields = scheme.fields() * cells * element;
  memory.coefficients = coefficients * cells * element;
  memory.ghosts = (scheme.fields() + coefficients) * (field - cells * element);
  const auto add_ids = [&](std::int64_t of_cell, std::int64_t all) {
    memory.coefficients += of_cell * cells;
    memory.ghosts += all - of_cell * cells;
  };
  if (varying.material || by_kind)
    add_ids(sizeof(std::uint8_t), solver::Field<std::uint8_t>::bytes_for(owned, ghosts));
  if (source_changes(config) && has_shapes(config))
    add_ids(sizeof(Owner), comm::grown(owned, ghosts, ghosts).size() * std::int64_t{sizeof(Owner)});
  memory.solver = solver_bytes(config, owned, field);
  memory.buffers = 2 * sent_cells * element;
  return memory;
}

}  // namespace halotherm::app
