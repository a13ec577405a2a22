// SPDX-License-Identifier: MIT
#include "app/run/forecast.hpp"

#include "app/config/material_tables.hpp"
#include "app/domain/geometry.hpp"
#include "app/domain/transport_choice.hpp"
#include "app/integrate/step_range.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/parts/heat_paths.hpp"
#include "app/problem/problem.hpp"
#include "app/run/spread_order.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/contiguous_parts.hpp"
#include "comm/system/best_time.hpp"
#include "solver/integrators/apply_stage.hpp"
#include "solver/kernels/tiles.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace halotherm::app {

namespace {

constexpr std::int64_t piece_cells = 1 << 20;  ///< that are sampled at once
/// Size of the trial steps: more than caches hold, if the block is large enough.
constexpr std::int64_t trial_cells = comm::kernels_run_on_host ? 1 << 22 : 1 << 25;
constexpr std::int64_t formula_cells = 1 << 16;  ///< on which changing formulas are timed
constexpr double trial_seconds = 0.2, formula_seconds = 0.05;

bool varies_somewhere(const Config& config) {
  return has_shapes(config) ||
         std::ranges::any_of(quantities_on_cells(config),
                             [](const auto& quantity) { return varies(quantity.second); });
}

/// Collective. Samples one piece as the start of a run does; gives the bounds of its coefficients.
template <class Real>
StepBounds look_at(const comm::Communicator& world, const Config& config,
                   const FieldSampler& sampler, const comm::Box& piece) {
  auto sampled = Problem<Real>::sample(sampler, config, piece, 1);
  sampler.cells("initial.temperature", config.initial_temperature, piece, Range::any);
  solver::HeatEquation<Real> equation(sampler.grid, piece, sampled.material);
  const double fall = world.max(sampled.fall);
  comm::agree(world, [&] {
    std::optional<DeviceSource<Real>> source;
    if (sampled.changing_source) source.emplace(std::move(*sampled.changing_source), piece);
    std::vector<double> times{0};
    if (config.time.end) times.insert(times.end(), {0.5 * *config.time.end, *config.time.end});
    for (const double time : times) {
      sampled.boundary.update(comm::Space(), time);
      sampled.boundary.check();
      if (!source) continue;
      source->apply(comm::Space(), time, equation);
      source->check();
    }
  });
  return step_bounds(world, equation, sampled.boundary, fall);
}

/// Collective. The bounds of all that was looked at, whose share it fills in. `complete`: with
/// densities of sources.
template <class Real>
StepBounds look(const FieldSampler& sampler, const Config& complete, const comm::Box& owned,
                double budget, Forecast& result) {
  const auto& world = sampler.world;
  const comm::ContiguousParts pieces(owned, piece_cells);
  const auto count = pieces.count();
  const comm::Stopwatch stopwatch;
  double cells = 0;
  constexpr double none = std::numeric_limits<double>::infinity();
  StepBounds bounds{.monotone = none, .stable = none};
  SpreadOrder order(world.max(count));
  while (const auto place = order.next()) {
    const bool mine = *place < count;
    const auto piece = pieces[std::min(*place, count - 1)];
    const auto of_piece = look_at<Real>(world, complete, sampler, piece);
    bounds = {.monotone = std::min(bounds.monotone, of_piece.monotone),
              .stable = std::min(bounds.stable, of_piece.stable)};
    if (mine) cells += static_cast<double>(piece.size());
    if (world.max(stopwatch.seconds()) > budget) break;
  }
  const auto looked_at = world.sum(static_cast<std::int64_t>(cells));
  result.looked_at = static_cast<double>(looked_at) / static_cast<double>(result.cells);
  return bounds;
}

/// Coefficients that make a step move as many bytes, and look up as many tables, as the
/// configuration's do.
solver::AnyMaterial material_like(const Config& config, std::size_t cells) {
  const auto varying = varying_coefficients(config);
  const auto like = [&](bool varies, double value) -> solver::Coefficient {
    if (!varies) return value;
    std::vector<double> values(cells, value);
    for (std::size_t n = varying.few_kinds ? cells : 0; n < cells; ++n)
      values[n] += 1e-3 * static_cast<double>(n % 1000);
    return values;
  };
  const auto source = like(varying.source, 0);
  if (has_tables(config)) {
    solver::TabulatedMaterial result{tables_of_materials(config), {}, source};
    if (varying.material) result.of_cell.assign(cells, 0);
    return result;
  }
  const auto axes =
      std::max(conductivities(config).size(), static_cast<std::size_t>(varying.conductivities));
  solver::Material result{std::vector(axes, like(varying.conductivities > 0, 1)),
                          like(varying.capacity, 1), source};
  if (varying.faces > 0)
    result.contacts = contacts_of(config, std::make_shared<const Owners>(cells, Owner{0}));
  return result;
}

/// A step of so many stages on `box` by itself, all of whose sides are insulated.
template <class Real>
double seconds_of_steps(const Config& config, const solver::Grid& grid, const comm::Box& box,
                        int stages) {
  const auto ghosts = grid.ghosts(1);
  const comm::Space space;
  const auto cells = static_cast<std::size_t>(comm::grown(box, ghosts, ghosts).size());
  const solver::HeatEquation<Real> equation(grid, box, material_like(config, cells));
  std::vector<solver::Side> sides;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    sides.insert(sides.end(), {{axis, 0}, {axis, 1}});
  const solver::Boundary<Real> boundary(box, sides);
  const solver::Scheme scheme(config.time.integrator);
  std::vector<solver::Field<Real>> fields;
  solver::StageViews<Real> views;
  for (std::size_t n = 0; n < static_cast<std::size_t>(scheme.fields()); ++n)
    views[n] = fields.emplace_back("trial", box, ghosts).view();
  comm::Region region(box);
  region.set_tile(tile_for(equation, solver::BlockPart::interior, box.size()));
  const double dt = 0.1 * equation.stable_dt(box);
  const auto one = [&] {
    for (int n = 0; n < stages; ++n) {
      const auto stage = scheme.stage(n, stages);
      const comm::GridView<const Real> in = views[static_cast<std::size_t>(stage.from)];
      apply_stage<Real>(space, region, equation, boundary, stage, dt, in, views);
    }
    if (stages == 1) std::swap(views[0], views[1]);
  };
  return comm::best_time_within(trial_seconds, one, [&] { space.fence("trial"); });
}

/// What a source that changes with time adds to a stage.
template <class Real>
double seconds_of_source(const comm::Communicator& world, const Config& config,
                         const comm::Box& owned) {
  if (!source_changes(config)) return 0;
  const auto sampler = make_field_sampler(world, config);
  const auto part = comm::first_part(owned, formula_cells);
  const auto ghosts = sampler.grid.ghosts(1);
  const auto box = comm::grown(part, ghosts, ghosts);
  RegionSampler regions(sampler, config, box, part);
  const auto material = material_like(config, box.size());
  const auto changing = regions.changing_source(material);
  if (!changing) return 0;
  const comm::Space space;
  solver::HeatEquation<Real> equation(sampler.grid, part, material);
  DeviceSource<Real> source(*changing, part);
  const solver::Field<Real> T("trial", part, ghosts);
  const auto evaluate = [&] {
    source.apply(space, 0, equation);
    source.follow(space, T.view(), equation);
  };
  const double seconds =
      comm::best_time_within(formula_seconds, evaluate, [&] { space.fence("trial"); });
  const bool in_cells = !changing->factors;
  const auto times = static_cast<double>(owned.size()) / static_cast<double>(part.size());
  return in_cells ? seconds * times : seconds;
}

/// What sides that change with time add to a stage, whatever K is.
template <class Real>
double seconds_of_sides(const comm::Communicator& world, const Config& config,
                        const comm::Box& owned) {
  BoundaryConditions<Real> sides(make_field_sampler(world, config), config, owned, owned,
                                 solver::Material{.conductivity = {1.0}});
  if (!sides.change()) return 0;
  const comm::Space space;
  return comm::best_time_within(
      formula_seconds, [&] { sides.update(space, 0); }, [&] { space.fence("trial"); });
}

template <class Real>
StepCost try_steps(const comm::Communicator& world, const Config& config,
                   const comm::Partition& partition, int stages) {
  const auto grid = make_grid(config);
  const auto owned = partition.owned(world.rank());
  const auto box = comm::first_part(owned, trial_cells);
  auto tiny = box;
  for (int axis = 0; axis < 3; ++axis)
    tiny.upper[axis] = std::min(box.upper[axis], box.lower[axis] + (axis == 0 ? 16 : 4));
  world.barrier();
  const double mine = seconds_of_steps<Real>(config, grid, box, stages) *
                      static_cast<double>(owned.size()) / static_cast<double>(box.size());
  StepCost cost;
  const double formulas =
      seconds_of_source<Real>(world, config, owned) + seconds_of_sides<Real>(world, config, owned);
  cost.computation = world.max(mine + stages * formulas);
  cost.launches =
      std::min(cost.computation, world.max(seconds_of_steps<Real>(config, grid, tiny, stages)));
  const auto channels =
      comm::channels_of(halo_plan_of(partition, world.rank(), config.parallel.halo), sizeof(Real));
  if (world.sum(static_cast<std::int64_t>(channels.size())) == 0) return cost;
  const auto transport = choose_transport(world, config.parallel.transport, channels);
  cost.exchange = stages * comm::seconds_of_exchange(world, channels, transport.kinds);
  return cost;
}

/// Numbers are the same in all cells, and conditions at sides are looked at along all of them.
double time_to_look(const Config& config, double budget) {
  return varies_somewhere(config) ? budget : 0.1 * budget;
}

/// Collective. The steps of a run, from the bounds on the cells that are looked at.
template <class Real>
Forecast steps_of_run(const FieldSampler& sampler, const Config& config, const Config& complete,
                      const comm::Box& owned, double budget) {
  Forecast result;
  result.cells = sampler.grid.cell_count();
  result.ranks = sampler.world.size();
  result.dt_is_chosen = config.time.dt.has_value();
  result.steady = config.time.integrator == solver::Method::steady;
  const auto bounds = look<Real>(sampler, complete, owned, time_to_look(config, budget), result);
  if (!varies_somewhere(config)) result.looked_at = 1;
  result.dt_adapts = config.time.tolerance.has_value();
  result.solves = solver::is_implicit(config.time.integrator);
  result.dt_follows = result.dt_is_least = steps_follow(config);
  result.dt = result.dt_adapts ? longest_dt(config.time, bounds) : choose_dt(config.time, bounds);
  result.stages = scheme_of(config.time, bounds).stages(result.dt);
  result.steps =
      solver::Clock(result.dt, end_of(config.time), 0, 0, config.output.fields.every).steps_to_go();
  return result;
}

}  // namespace

template <class Real>
Forecast forecast_steps(const comm::Communicator& world, const Config& config,
                        const comm::Box& cells, double budget) {
  const auto sampler = make_field_sampler(world, config);
  const auto complete = with_source_densities(sampler, config, cells, budget);
  return steps_of_run<Real>(sampler, config, complete, cells, budget);
}

template <class Real>
Forecast forecast(const comm::Communicator& world, const Config& config,
                  const comm::Partition& partition, double budget) {
  const auto owned = partition.owned(world.rank());
  const auto sampler = make_field_sampler(world, config);
  const auto complete = with_source_densities(sampler, config, owned, budget);
  auto result = steps_of_run<Real>(sampler, config, complete, owned, budget);
  if (!config.regions.empty())
    result.regions = count_regions(sampler, complete, owned, budget, true);
  result.contacts = count_contacts(sampler, config, owned, budget);
  result.unheld = check_heat_paths(world, config, partition, budget);
  if (!solver::is_implicit(config.time.integrator))
    result.cost = try_steps<Real>(world, config, partition, result.stages);
  return result;
}

template <class Real>
StepBounds predicted_bounds(const comm::Communicator& world, const Config& config,
                            const comm::Partition& partition, double budget) {
  Forecast unread;
  unread.cells = partition.global().size();
  const auto owned = partition.owned(world.rank());
  const auto sampler = make_field_sampler(world, config);
  const auto complete = with_source_densities(sampler, config, owned, budget);
  return look<Real>(sampler, complete, owned, time_to_look(config, budget), unread);
}

template <class Real>
StepCost trial_cost(const comm::Communicator& world, const Config& config,
                    const comm::Partition& partition, int stages) {
  return try_steps<Real>(world, config, partition, stages);
}

template StepBounds predicted_bounds<float>(const comm::Communicator&, const Config&,
                                            const comm::Partition&, double);
template StepBounds predicted_bounds<double>(const comm::Communicator&, const Config&,
                                             const comm::Partition&, double);
template StepCost trial_cost<float>(const comm::Communicator&, const Config&,
                                    const comm::Partition&, int);
template StepCost trial_cost<double>(const comm::Communicator&, const Config&,
                                     const comm::Partition&, int);
template Forecast forecast_steps<float>(const comm::Communicator&, const Config&, const comm::Box&,
                                        double);
template Forecast forecast_steps<double>(const comm::Communicator&, const Config&, const comm::Box&,
                                         double);
template Forecast forecast<float>(const comm::Communicator&, const Config&, const comm::Partition&,
                                  double);
template Forecast forecast<double>(const comm::Communicator&, const Config&, const comm::Partition&,
                                   double);

}  // namespace halotherm::app
