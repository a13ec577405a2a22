// SPDX-License-Identifier: MIT
#include "app/cli/measurements.hpp"

#include "app/bench/bench_report.hpp"
#include "app/cli/info.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "app/probe/probe_json.hpp"
#include "app/scale/scale_json.hpp"
#include "app/scale/scale_report.hpp"
#include "app/verify/verify_report.hpp"
#include "comm/machine/environment.hpp"
#include "io/files/durable_file.hpp"

namespace halotherm::app {

using comm::ExitCode;

void check_targets(const comm::Communicator& world,
                   const std::vector<std::optional<std::filesystem::path>>& files) {
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    for (const auto& file : files) {
      if (file) io::check_text_file(*file);
    }
  });
}

ExitCode run_bench(const comm::Communicator& world, const BenchOptions& options,
                   const io::Log& log) {
  check_targets(world, {options.json});
  const comm::DeviceScope device(world, threads_worth(largest_cells(options)));
  const auto record = bench(world, options, log);
  comm::agree(world, [&] {
    if (world.is_root() && options.json) io::write_text_file(*options.json, bench_json(record));
  });
  return ExitCode::done;
}

ExitCode run_probe(const comm::Communicator& world, const ProbeOptions& options,
                   const io::Log& log) {
  check_targets(world, {options.json});
  const comm::DeviceScope device(world);
  const auto record = probe(world, options, log);
  comm::agree(world, [&] {
    if (world.is_root() && options.json) io::write_text_file(*options.json, probe_json(record));
  });
  if (!options.expectation) return ExitCode::done;
  if (const auto miss = what_misses(*options.expectation, record))
    throw comm::CollectiveError(ExitCode::check_failed, *miss);
  return ExitCode::done;
}

ExitCode run_scale(const comm::Communicator& world, const Options& options, const io::Log& log) {
  check_targets(world, {options.scale.json, options.scale.csv});
  const auto config = load_config(world, options.config, options.overrides);
  const comm::DeviceScope device(world, threads_worth(config, fewest_ranks(options.scale)));
  log.line(banner(config, comm::places(world)));
  const auto record = scale(world, config, options.scale, log);
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    if (options.scale.json) io::write_text_file(*options.scale.json, scale_json(record));
    if (options.scale.csv) io::write_text_file(*options.scale.csv, scale_csv(record));
  });
  const auto same = world.is_root() ? record.same_bits() : std::nullopt;
  if (world.any(same && !*same)) {
    throw comm::CollectiveError(
        ExitCode::check_failed,
        {"the temperatures differ between numbers of ranks, or ways to take steps",
         "their bits must be equal", "report this"});
  }
  return ExitCode::done;
}

ExitCode run_verify(const comm::Communicator& world, const VerifyOptions& options,
                    const io::Log& log) {
  check_targets(world, {options.json});
  const comm::DeviceScope device(world, 1);
  const auto places = comm::places(world);
  const auto record = verify(world, options, log);
  if (world.is_root()) log.line(verify_text(record));
  comm::agree(world, [&] {
    if (world.is_root() && options.json)
      io::write_text_file(*options.json, verify_json(record, places));
  });
  require_passed(world, record);
  return ExitCode::done;
}

}  // namespace halotherm::app
