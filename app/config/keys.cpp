// SPDX-License-Identifier: MIT
#include "app/config/keys.hpp"

#include "app/config/key_rules.hpp"

namespace halotherm::app {

namespace {

using solver::Scheme;

using Keys = std::vector<Key>;

/// Its first word stands for no unit of its own.
WordSlot output_unit_slot(UnitsConfig& units) {
  return {[&units] { return units.output ? 1 + static_cast<std::size_t>(*units.output) : 0; },
          [&units](std::size_t word) {
            units.output.reset();
            if (word > 0) units.output = static_cast<io::TemperatureUnit>(word - 1);
          }};
}

// A table: one key a paragraph.
// clang-format off

void add_grid(Keys& keys, Config& c) {
  keys.insert(keys.end(), {
    {.path = "title", .slot = &c.title, .rule = {.kind = Kind::text},
     .help = "title of the run, written into every output"},
    {.path = "units.temperature", .slot = word_slot(c.units.temperature),
     .rule = one_of({"kelvin", "celsius"}),
     .help = "unit of all temperatures in this file: of values, of T in formulas, of tables in T, "
             "and of data sets without an attribute `units`"},
    {.path = "units.output", .slot = output_unit_slot(c.units),
     .rule = one_of({"auto", "kelvin", "celsius"}),
     .help = "unit of the temperatures that are printed and written; auto is that of "
             "units.temperature; checkpoints are always in kelvin"},
    {.path = "grid.cells", .slot = &c.grid.cells, .rule = per_axis(count(1, most_cells_an_axis)),
     .help = "number of cells along x, y, z: 1 to 3 numbers make the grid 1-D, 2-D or 3-D; at most "
             "2^50 cells in all", .example = "[96, 96, 96]", .needs = {"grid.upper"}},
    {.path = "grid.lower", .slot = &c.grid.lower, .rule = position(), .unit = "m",
     .help = "lower corner of the domain; default 0 everywhere", .example = "[0, 0, 0]",
     .not_beside = {"grid.x"}},
    {.path = "grid.upper", .slot = &c.grid.upper, .rule = position(), .unit = "m",
     .help = "upper corner of the domain, above the lower one along each axis",
     .example = "[1, 1, 1]", .not_beside = {"grid.x"}},
    {.path = "grid.x", .slot = map_slot(c.grid.axes[0]), .rule = one_map(),
     .help = "instead of cells, lower and upper: the cells along the x axis, which may differ in "
             "width", .example = "{layers: [[2e-6, 1], [48e-6, 8]]}"},
    {.path = "grid.y", .slot = map_slot(c.grid.axes[1]), .rule = one_map(),
     .help = "the same along the y axis, in two or three dimensions",
     .example = "{cells: 80, upper: 10e-3}", .needs = {"grid.x"}},
    {.path = "grid.z", .slot = map_slot(c.grid.axes[2]), .rule = one_map(),
     .help = "the same along the z axis, in three dimensions",
     .example = "{faces: [0, 1e-6, 3e-6, 7e-6]}", .needs = {"grid.y"}},
    {.path = "grid.precision", .slot = word_slot(c.grid.precision),
     .rule = one_of({"float32", "float64"}), .help = "precision of the temperature field"},
  });
}

void add_problem(Keys& keys, Config& c) {
  keys.insert(keys.end(), {
    {.path = "materials", .slot = map_slot(c.materials), .rule = named_maps(),
     .help = "what the domain is made of; with exactly one, it is everywhere below the regions",
     .required = true,
     .example = "{copper: {conductivity: 401, density: 8960, heat_capacity: 385}}"},
    {.path = "regions", .slot = map_slot(c.regions), .rule = maps(1000),
     .help = "which cells are of which material, and what heats them; later regions lie on top",
     .example = "[{material: copper}, {box: {lower: [0, 0, 0], upper: [0.1, 0.1, 0.1]}, source: "
                "1e6}]"},
    {.path = "contacts", .slot = map_slot(c.contacts), .rule = maps(most_contacts),
     .help = "thermal resistances of the faces between cells of two materials",
     .example = "[{between: [silicon, copper], resistance: 1e-5}]"},
    {.path = "initial.temperature", .slot = &c.initial_temperature,
     .rule = temperature(field_quantity({}, "xyz")), .unit = "K",
     .help = "temperature at the start", .required = true, .example = "300"},
  });
}

void add_time(Keys& keys, Config& c) {
  keys.insert(keys.end(), {
    {.path = "time.end", .slot = &c.time.end, .rule = duration(positive), .unit = "s",
     .help = "simulated time at the end; either this or time.steps", .example = "60"},
    {.path = "time.steps", .slot = &c.time.steps, .rule = count(1, most_steps),
     .help = "number of steps; either this or time.end", .example = "1000"},
    {.path = "time.integrator", .slot = word_slot(c.time.integrator), 
     .rule = one_of({"euler", "rk2", "rkl2", "backward-euler", "crank-nicolson", "tr-bdf2",
                     "steady", "auto"}),
     .help = "time integrator: euler is forward Euler, of first order; rk2 a Runge-Kutta method of "
             "second order whose steps are as long and cost twice as much; rkl2 a "
             "super-time-stepping method of second order, whose steps of s stages are "
             "(s^2+s-2)/4 times as long and may overshoot where the temperature is rough; "
             "backward-euler, of first order, crank-nicolson, of second order, and tr-bdf2, of "
             "second order with damping, solve one or two systems of equations in each "
             "step, whose length time.dt nothing bounds, or which follows from time.tolerance; "
             "steady solves for the temperature that no longer changes, and needs neither time.end "
             "nor time.steps; auto takes the method and the steps that reach time.end soonest with "
             "an error of time.tolerance, and says how it compares them"},
    {.path = "time.stages", .slot = &c.time.stages,
     .rule = or_auto(count(Scheme::fewest_stages, Scheme::most_stages)),
     .help = "stages of a step of rkl2, an odd number, from which dt: auto follows; auto is 15, or "
             "follows from time.dt if that is a number; with time.tolerance the most stages that a "
             "step may take, auto being 99", .example = "25"},
    {.path = "time.dt", .slot = &c.time.dt, .rule = or_auto(duration(positive)), .unit = "s",
     .help = "time step; auto takes time.safety times time.bound, with rkl2 stretched by its "
             "stages, and with euler and rk2 follows properties that depend on the temperature; a "
             "number above the stability bound is refused, except with backward-euler, "
             "crank-nicolson and tr-bdf2, which need a number unless time.tolerance is given"},
    {.path = "time.tolerance", .slot = &c.time.tolerance, .rule = number(positive), .unit = "K",
     .help = "error that a step of rk2, rkl2, backward-euler or tr-bdf2 may make in any cell, as "
             "estimated: steps become as long as it allows, and those with a larger error are "
             "taken again; none gives steps of equal length; with auto the error of the run in any "
             "cell",
     .example = "0.01"},
    {.path = "time.fused_steps", .slot = &c.time.fused_steps,
     .rule = or_auto(count(1, most_fused_steps)),
     .help = "steps of euler that are taken in one pass over memory, or on GPUs after one "
             "exchange, where sides and sources stay as they are: faster, with the same bits; auto "
             "takes the fastest number, as measured at the start of runs of some length",
     .example = "4"},
    {.path = "time.submitted_steps", .slot = &c.time.submitted_steps,
     .rule = or_auto(count(1, most_submitted)),
     .help = "steps of euler at most that the host submits to GPUs by one call, where nothing "
             "changes from step to step; auto takes some passes over memory where steps are short",
     .example = "64"},
    {.path = "time.bound", .slot = word_slot(c.time.bound), .rule = one_of({"monotone", "stable"}),
     .help = "the bound that dt: auto uses, except with rkl2, which always stretches stable: "
             "monotone is the longest step that creates no new extremes without a source; stable "
             "is the longest step whose errors do not grow, up to twice as long, and may oscillate "
             "at fixed or strongly cooled sides"},
    {.path = "time.safety", .slot = &c.time.safety,
     .rule = number({.min = 0, .max = 1, .min_excluded = true}),
     .help = "fraction of the bound that dt: auto takes"},
    {.path = "linear.tolerance", .slot = &c.linear.tolerance,
     .rule = number({.min = 0, .max = 0.1, .min_excluded = true}),
     .help = "norm of the residual, over that of the start, at which a steady state, or the end of "
             "an implicit step, is reached"},
    {.path = "linear.iterations", .slot = &c.linear.iterations, .rule = count(1, 100000),
     .help = "cycles of multigrid after which a steady state, or a step, is given up"},
  });
}

void add_parallel(Keys& keys, Config& c) {
  keys.insert(keys.end(), {
    {.path = "parallel.ranks", .slot = &c.parallel.ranks,
     .rule = or_auto(per_axis(count(1, most_cells_an_axis))),
     .help = "blocks along each axis, whose product is the number of MPI ranks; auto takes the "
             "partition with the least exchanged surface", .example = "[2, 1, 1]"},
    {.path = "parallel.split_points", .slot = &c.parallel.split_points,
     .rule = or_auto(per_axis(count(1, most_cells_an_axis), Shape::list_per_axis)),
     .help = "instead of parallel.ranks: along each axis the cells at which further blocks begin, "
             "so that [[], [], [40]] gives the first of two ranks the 40 lowest planes; auto "
             "divides evenly", .example = "[[], [], [40]]"},
    {.path = "parallel.balance", .slot = word_slot(c.parallel.balance),
     .rule = one_of({"even", "measured"}),
     .help = "even gives all ranks blocks of the same size, measured sizes each block by its "
             "rank's speed at the start"},
    {.path = "parallel.rank_mapping", .slot = word_slot(c.parallel.rank_mapping),
     .rule = one_of({"auto", "natural"}),
     .help = "which rank has which block: auto keeps large faces within nodes where nodes have "
             "equally many ranks, natural follows the ranks' numbers"},
    {.path = "parallel.transport", .slot = word_slot(c.parallel.transport),
     .rule = one_of({"auto", "device", "staged", "p2p", "rma", "nccl"}),
     .help = "how ghost cells travel: device passes device memory to MPI, staged goes through "
             "host buffers, p2p writes into the memory of the node's other GPUs, rma puts into "
             "the neighbour's host memory by one-sided MPI, nccl sends by NVIDIA's library NCCL; "
             "auto takes the fastest that works"},
    {.path = "parallel.overlap", .slot = &c.parallel.overlap, .rule = {.kind = Kind::boolean},
     .help = "compute the interior during the exchange of ghost cells"},
    {.path = "parallel.halo", .slot = &c.parallel.halo, .rule = or_auto(count(1, 8)),
     .help = "ghost cells on each side of a block; auto is 1"},
  });
}

void add_output(Keys& keys, OutputConfig& o) {
  keys.insert(keys.end(), {
    {.path = "output.directory", .slot = &o.directory, .rule = {.kind = Kind::path},
     .help = "folder of everything that the run writes, relative to the working directory; "
             "created if missing"},
    {.path = "output.checkpoint.every", .slot = &o.checkpoint.every, .rule = duration(positive),
     .unit = "s",
     .help = "simulated time between checkpoints, each at the first step that reaches a multiple",
     .example = "10"},
    {.path = "output.checkpoint.steps", .slot = &o.checkpoint.steps, .rule = count(1, most_steps),
     .help = "steps between checkpoints", .example = "1000"},
    {.path = "output.checkpoint.walltime", .slot = &o.checkpoint.walltime,
     .rule = duration(real_seconds), .unit = "s", .help = "real time between checkpoints",
     .example = "15min"},
    {.path = "output.checkpoint.keep", .slot = &o.keep, .rule = count(1, 1000),
     .help = "checkpoints to keep; older ones are removed once a newer one is complete"},
    {.path = "output.fields.every", .slot = &o.fields.every, .rule = duration(positive),
     .unit = "s",
     .help = "simulated time between snapshots; steps are shortened to land on its multiples",
     .example = "1"},
    {.path = "output.fields.steps", .slot = &o.fields.steps, .rule = count(1, most_steps),
     .help = "steps between snapshots", .example = "100"},
    {.path = "output.fields.format", .slot = word_slot(o.fields_format),
     .rule = one_of({"auto", "vtkhdf", "netcdf"}),
     .help = "file format of the snapshots; auto takes vtkhdf where cells have equal widths, else "
             "netcdf, which holds the cells' positions"},
    {.path = "output.diagnostics.steps", .slot = &o.diagnostics_steps, .rule = count(1, most_steps),
     .help = "steps between lines of the diagnostics (heat content, minimum, maximum, mean, "
             "change)"},
    {.path = "output.writer", .slot = word_slot(o.writer),
     .rule = one_of({"auto", "parallel-hdf5", "background"}),
     .help = "how ranks write checkpoints and snapshots, into the same bytes: parallel-hdf5 "
             "together through MPI-IO, background each rank its range of the file; auto takes the "
             "first on parallel file systems where MPI allows calls from any thread"},
    {.path = "output.hints", .slot = &o.hints, .rule = {.kind = Kind::hints},
     .help = "hints of parallel-hdf5 to the MPI library, such as {striping_factor: 8, cb_nodes: "
             "4}; report.json lists those that it followed", .example = "{striping_factor: 8}"},
    {.path = "output.on_failure", .slot = word_slot(o.on_failure),
     .rule = one_of({"stop", "continue"}),
     .help = "reaction to a file that cannot be written, for example on a full disk: stop ends the "
             "run with exit code 4, continue warns and tries again when the next file is due"},
    {.path = "output.sensors", .slot = map_slot(o.sensors), .rule = maps(1000),
     .help = "positions whose temperature the diagnostics list",
     .example = "[{name: centre, at: [0.5, 0.5, 0.5]}]"},
  });
}

void add_watchdog(Keys& keys, WatchdogConfig& w) {
  keys.insert(keys.end(), {
    {.path = "watchdog.steps", .slot = &w.steps, .rule = count(1, most_steps),
     .help = "steps between checks for temperatures that are not finite or beyond 1e12 K, which "
             "end the run"},
    {.path = "watchdog.seconds", .slot = &w.seconds, .rule = duration(real_seconds), .unit = "s",
     .help = "stall timeout: real time without progress after which a rank is reported by name; "
             "the run itself keeps waiting"},
  });
}

}  // namespace

std::vector<Key> keys_of(Config& config) {
  Keys keys;
  add_grid(keys, config);
  add_problem(keys, config);
  add_time(keys, config);
  add_parallel(keys, config);
  add_watchdog(keys, config.watchdog);
  add_output(keys, config.output);
  return keys;
}

std::vector<Key> keys_of(SensorConfig& sensor) {
  return {
    {.path = "name", .slot = &sensor.name, .rule = {.kind = Kind::name},
     .help = "name of its column in the diagnostics; unique", .required = true,
     .example = "centre"},
    {.path = "at", .slot = &sensor.at, .rule = position(), .unit = "m",
     .help = "position inside the domain", .required = true, .example = "[0.5, 0.5, 0.5]"},
  };
}

// clang-format on

}  // namespace halotherm::app
