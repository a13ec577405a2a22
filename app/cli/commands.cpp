// SPDX-License-Identifier: MIT
#include "app/cli/commands.hpp"

#include "app/cli/dry_run.hpp"
#include "app/cli/info.hpp"
#include "app/cli/measurements.hpp"
#include "app/config/config.hpp"
#include "app/config/defaults.hpp"
#include "app/config/schema.hpp"
#include "app/control/signals.hpp"
#include "app/integrate/partition_choice.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "app/measure/oversubscription.hpp"
#include "app/output/material_file.hpp"
#include "app/parts/heat_paths.hpp"
#include "app/results/checkpoint_text.hpp"
#include "app/results/checkpoint_trial.hpp"
#include "app/results/output_directory.hpp"
#include "app/results/restart_note.hpp"
#include "app/results/run_lock.hpp"
#include "app/run/forecast_text.hpp"
#include "app/run/integrator_choice_text.hpp"
#include "app/run/report.hpp"
#include "app/run/simulation.hpp"
#include "app/run/summary.hpp"
#include "comm/machine/environment.hpp"
#include "comm/machine/node_facts.hpp"
#include "comm/system/activity.hpp"
#include "comm/system/host_cpus.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/text/log.hpp"

#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <optional>
#include <system_error>

namespace halotherm::app {

namespace {

using comm::ExitCode;

ResourceEstimate agreed_estimate(const comm::Communicator& world, const Config& config,
                                 const PartitionChoice& choice) {
  return comm::agreed(world,
                      [&] { return estimate_resources(config, choice.partition, choice.nodes); });
}

/// Whether the file has the signature or the name of an HDF5 file.
bool is_checkpoint(const std::filesystem::path& file) {
  return io::hdf5::looks_like_hdf5(file) || file.extension() == ".h5" ||
         file.extension() == ".hdf5";
}

ExitCode check_checkpoint(const comm::Communicator& world, const std::filesystem::path& file,
                          const io::Log& log) {
  try_checkpoint(world, file);
  const auto info = io::read_checkpoint_info(world, file);
  log.line(describe(info));
  io::verify_checkpoint(world, file, info);
  log.line(file.string() + " is complete: all " + std::to_string(info.chunks.count()) +
           " chunks have their checksums");
  return ExitCode::done;
}

/// Collective, within a DeviceScope.
std::string forecast_text(const comm::Communicator& world, const Config& config,
                          const comm::Partition& partition) {
  return to_string(config.grid.precision == Precision::float64
                       ? forecast<double>(world, config, partition)
                       : forecast<float>(world, config, partition));
}

using CheckpointOfRestart = std::function<std::optional<io::CheckpointInfo>()>;

/// Collective, within a DeviceScope. The configuration with a method in the place of `auto`: that
/// of the checkpoint's run if its grid is the same, else the one that is predicted to be the
/// fastest. Gives the text of the choice.
std::string decide_integrator(const comm::Communicator& world, Config& config,
                              const CheckpointOfRestart& of_restart) {
  if (config.time.integrator != solver::Method::automatic) return "";
  if (const auto checkpoint = of_restart()) {
    const auto earlier = comm::agreed(world, [&] {
      return parse_config(checkpoint->config, "the checkpoint's configuration", {});
    });
    if (earlier.grid.cells == config.grid.cells) {
      const auto end = config.time.end;
      config.time = earlier.time;
      config.time.end = end;
      config.time.steps.reset();
      return fmt::format("integrator     {}, as in the run that wrote the checkpoint\n",
                         name_of(config.time.integrator));
    }
  }
  const auto partition = configured_partition(world, config).partition;
  const auto choice = choose_integrator(world, config, partition);
  config = with_choice(config, choice);
  return to_string(choice);
}

/// Collective. Returns the forecast, or the reason why there is none on a login node without
/// devices.
std::string forecast_if_possible(const comm::Communicator& world, Config config,
                                 const PartitionChoice& choice,
                                 const std::optional<std::filesystem::path>& materials) {
  std::optional<comm::DeviceScope> device;
  try {
    device.emplace(world, threads_worth(config, world.size()));
  } catch (const comm::CollectiveError& error) {
    if (materials) throw;
    return std::string(
               "not evaluated  values of formulas and data sets, time step and duration: ") +
           error.what() + "\n";
  }
  auto text = decide_integrator(world, config, [] { return std::nullopt; });
  if (!text.empty()) text += to_string(agreed_estimate(world, config, choice));
  text += forecast_text(world, config, choice.partition);
  if (!materials) return text;
  write_materials(world, config, choice.partition.owned(world.rank()), *materials);
  return text + "materials      " + materials->string() + "\n";
}

ExitCode check(const comm::Communicator& world, const Options& options, const io::Log& log) {
  check_targets(world, {options.materials});
  if (world.any(world.is_root() && is_checkpoint(options.config)))
    return check_checkpoint(world, options.config, log);
  const auto config = load_config(world, options.config, options.overrides);
  check_inputs(world, config);
  const auto choice = configured_partition(world, config);
  // where a method is to be chosen, its needs follow the choice
  const bool chosen = config.time.integrator != solver::Method::automatic;
  const auto plan = chosen ? to_string(agreed_estimate(world, config, choice)) : "";
  log.line(plan + forecast_if_possible(world, config, choice, options.materials) +
           "results        " + config.output.directory.string() + "\n" + options.config.string() +
           " is valid");
  return ExitCode::done;
}

template <class Real>
RunRecord simulate(const comm::Communicator& world, const Config& config, const Options& options,
                   const RunLock& lock, const io::Log& log) {
  std::optional<comm::Activity> activity("preparing the run");
  auto restart = choose_restart_state(world, config, options.restart, log);
  const auto choice = choose_partition<Real>(world, config);
  if (const auto balance = balance_text(choice, config.dimensions()); !balance.empty())
    log.line("balance        " + balance);
  for (const auto& line : check_heat_paths(world, config, choice.partition))
    log.line("warning        " + line);
  const auto owned = choice.partition.owned(world.rank());
  auto temperature = read_restart_field<Real>(world, config, options.restart, owned, restart, log);
  restart.lock = lock.on_root();
  if (const auto note = restart_note(config, restart); !note.empty())
    log.line("note           " + note);
  Simulation<Real> simulation(world, config, choice, restart, std::move(temperature),
                              {options.walltime, job_end_time()}, log);
  activity.reset();
  return simulation.run();
}

/// Collective. `report` is called on rank 0 alone.
void write_report(const comm::Communicator& world, const Config& config, const RunLock& lock,
                  const std::function<std::string()>& report, const io::Log& log) {
  const comm::Activity activity("writing report.json");
  comm::agree(world, [&] {
    if (world.is_root()) lock.on_root()->require();
  });
  try {
    comm::agree(world, [&] {
      if (world.is_root())
        io::write_text_file(OutputDirectory(config.output.directory).report(), report());
    });
  } catch (const comm::CollectiveError& failure) {
    if (config.output.on_failure == OnFailure::stop) throw;
    log.line("warning        " + std::string(failure.what()) + "; there is no report");
  }
}

ExitCode run(const comm::Communicator& world, const Options& options, const io::Log& log) {
  if (options.allocation.ranks > 0) return run_allocation(world, options, log);
  // The set-up may take minutes; requests that arrive meanwhile take effect after the first step.
  SignalRequests::listen();
  auto config = load_config(world, options.config, options.overrides);
  comm::set_stall_timeout(config.watchdog.seconds);
  const auto choice = configured_partition(world, config);
  auto plan = agreed_estimate(world, config, choice);
  comm::DeviceScope device(world, threads_worth(config, world.size()));
  const auto decision = decide_integrator(
      world, config, [&] { return info_of_restart(world, config, options.restart, log); });
  if (!decision.empty()) plan = agreed_estimate(world, config, choice);
  check_memory(world, plan);
  const auto places = comm::places(world);
  log.line(banner(config, places) + decision + to_string(plan));
  const bool take_turns = !comm::node_facts(comm::usable_cpus()).mps;
  if (const auto shared = shared_devices_text(places); take_turns && !shared.empty())
    log.line("warning        " + shared);
  if (options.dry_run) {
    log.line(forecast_text(world, config, choice.partition));
    return ExitCode::done;
  }

  const RunLock lock(world, config.output.directory, log);
  const auto record = config.grid.precision == Precision::float64
                          ? simulate<double>(world, config, options, lock, log)
                          : simulate<float>(world, config, options, lock, log);
  write_report(
      world, config, lock, [&] { return report_json(record, config, places); }, log);
  if (record.steps == 0)
    log.line("nothing to do  the run begins at or beyond the end in the configuration");
  log.line(summary(record, config.output_unit()) + "results        " +
           config.output.directory.string());
  if (record.stopped_by.empty()) return ExitCode::done;
  const auto stopped = "stopped        after step " +
                       std::to_string(record.first_step + record.steps) + " (" + record.stopped_by +
                       "); a good checkpoint is there: go on with --restart latest";
  log.line(stopped);
  if (log.failure() != 0) std::cerr << "halotherm: " + stopped + "\n";  // standard output is broken
  return ExitCode::stopped_early;
}

/// Prints the configuration, and to standard error what has no counterpart in it.
void print_imported(const comm::Communicator& world, const ImportOptions& options,
                    const io::Log& log) {
  const auto stack = comm::agreed(world, [&] { return import_stack(options); });
  log.line(comm::agreed(world, [&] { return to_yaml(stack); }));
  for (const auto& note : stack.notes) {
    if (world.is_root()) std::cerr << "halotherm: note: " + note + "\n";
  }
}

ExitCode carry_out(const comm::Communicator& world, const Options& options, const io::Log& log) {
  switch (options.command) {
    case Options::Command::run:
      return run(world, options, log);
    case Options::Command::check:
      return check(world, options, log);
    case Options::Command::config_defaults:
      log.line(default_yaml());
      break;
    case Options::Command::config_schema:
      log.line(json_schema());
      break;
    case Options::Command::bench:
      return run_bench(world, options.bench, log);
    case Options::Command::probe:
      return run_probe(world, options.probe, log);
    case Options::Command::scale:
      return run_scale(world, options, log);
    case Options::Command::verify:
      return run_verify(world, options.verify, log);
    case Options::Command::import:
      print_imported(world, options.import, log);
      break;
    case Options::Command::info:
      log.line(info(world));
      break;
    case Options::Command::help_or_version:
      log.line(options.text_to_print);
      break;
  }
  return ExitCode::done;
}

}  // namespace

ExitCode carry_out(const comm::Communicator& world, const Options& options) {
  const io::Log log(world, std::cout);
  const auto code = carry_out(world, options, log);
  if (code != ExitCode::done) return code;
  comm::agree(world, [&] {
    if (log.failure() == 0) return;
    throw comm::Error(ExitCode::input_output, {"cannot write to standard output",
                                               std::generic_category().message(log.failure()),
                                               "check where the output goes: it is not complete"});
  });
  return code;
}

}  // namespace halotherm::app
