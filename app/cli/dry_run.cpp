// SPDX-License-Identifier: MIT
#include "app/cli/dry_run.hpp"

#include "app/cli/measurements.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "app/run/allocation_text.hpp"
#include "io/files/durable_file.hpp"

namespace halotherm::app {

comm::ExitCode run_allocation(const comm::Communicator& world, const Options& options,
                              const io::Log& log) {
  const auto& request = options.allocation;
  if (world.size() > 1)
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {"halotherm run: --ranks is given to a job of " + std::to_string(world.size()) + " ranks",
         "one process counts for all", "start it without mpirun and srun"});
  check_targets(world, {request.json});
  const auto config = load_config(world, options.config, options.overrides);
  check_inputs(world, config);
  const auto allocation = plan_allocation(world, config, request);
  log.line(to_string(allocation));
  comm::agree(world, [&] {
    if (request.json) io::write_text_file(*request.json, allocation_json(allocation));
    check_fit(allocation);
  });
  return comm::ExitCode::done;
}

}  // namespace halotherm::app
