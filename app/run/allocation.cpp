// SPDX-License-Identifier: MIT
#include "app/run/allocation.hpp"

#include "app/domain/domain.hpp"
#include "app/domain/geometry.hpp"
#include "comm/device/execution.hpp"
#include "comm/machine/environment.hpp"
#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace halotherm::app {

namespace {

constexpr double looking_seconds = 2;

/// The first rank on the node of each rank; the last node may have fewer ranks.
std::vector<int> nodes_of(const AllocationRequest& request) {
  std::vector<int> nodes;
  for (int rank = 0; rank < request.ranks; ++rank)
    nodes.push_back(rank - rank % request.ranks_per_node);
  return nodes;
}

comm::RankTraffic busiest_of(const Config& config, const comm::Partition& partition,
                             const std::vector<int>& nodes) {
  comm::RankTraffic busiest;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto plan = halo_plan_of(partition, rank, config.parallel.halo);
    busiest.raise_to(comm::traffic_of(plan, nodes[static_cast<std::size_t>(rank)], nodes));
  }
  return busiest;
}

/// Collective. The steps, from a look at the whole grid by this rank; or why not.
void add_forecast(const comm::Communicator& world, const Config& config, Allocation& result) {
  if (config.time.integrator == solver::Method::automatic) {
    result.not_evaluated =
        "time.integrator: auto is decided by measurements when a run starts; memory is that of the "
        "method that needs the most";
    return;
  }
  const comm::Box grid{{0, 0, 0}, make_grid(config).cells};
  std::optional<comm::DeviceScope> device;
  try {
    device.emplace(world, threads_worth(config, result.request.ranks));
  } catch (const comm::CollectiveError& error) {
    result.not_evaluated = error.what();
    return;
  }
  result.forecast = config.grid.precision == Precision::float64
                        ? forecast_steps<double>(world, config, grid, looking_seconds)
                        : forecast_steps<float>(world, config, grid, looking_seconds);
}

RankLoad load_of(const Allocation& allocation) {
  const auto bytes = [&](std::int64_t cells) {
    return static_cast<double>(cells * allocation.element_bytes);
  };
  const auto& most = allocation.busiest;
  return {.cells = static_cast<double>(allocation.resources.largest_block.size()),
          .received = static_cast<double>(most.cells),
          .near_bytes = bytes(most.cells_on_node),
          .far_bytes = bytes(most.cells_off_node),
          .far_message = bytes(most.longest_off_node)};
}

/// The time of a step by the model, or why there is none.
void add_time(const Config& config, Allocation& result) {
  if (!result.model) {
    result.time_reason =
        "measure it: halotherm scale --strong CONFIG --json study.json on some nodes, then "
        "scripts/predict_scaling.py study.json --nodes N --json model.json, and give --model "
        "model.json";
  } else if (result.model->element_bytes != result.element_bytes) {
    result.time_reason = fmt::format("the model is of {}-byte temperatures, the run's have {}",
                                     result.model->element_bytes, result.element_bytes);
  } else if (!result.forecast) {
    result.time_reason = "the steps are not known";
  } else if (result.forecast->steady || solver::is_implicit(config.time.integrator)) {
    result.time_reason = "the model is of explicit steps, and this run solves systems";
  } else {
    result.step_seconds = result.forecast->stages * result.model->seconds(load_of(result));
  }
}

void add_fit(Allocation& result) {
  const auto& [ranks, of_node, gpu, node, model, json] = result.request;
  const auto& needs = result.resources;
  if (gpu) result.gpu = {needs.device.total(), *gpu};
  const auto of_rank = needs.host_bytes + (gpu ? 0 : needs.device.total());
  if (node) result.node = {std::min(ranks, of_node) * of_rank, *node};
}

[[noreturn]] void end_with(const Allocation& allocation, const char* option, const MemoryFit& fit,
                           const std::string& holder) {
  const auto share = static_cast<double>(fit.needed) / static_cast<double>(fit.available);
  const auto nodes = static_cast<std::int64_t>(share * allocation.nodes) + 1;
  throw comm::Error(
      comm::ExitCode::usage,
      {"the run does not fit: " + holder + " needs " + bytes_text(fit.needed),
       std::string(option) + " gives " + bytes_text(fit.available),
       fmt::format("ask for some {} ranks or more on {} nodes, fewer cells, or float32",
                   nodes * allocation.request.ranks_per_node, nodes)});
}

}  // namespace

Allocation plan_allocation(const comm::Communicator& world, const Config& config,
                           const AllocationRequest& request) {
  Allocation result;
  result.request = request;
  result.element_bytes = config.grid.element_bytes();
  result.nodes = (request.ranks + request.ranks_per_node - 1) / request.ranks_per_node;
  result.has_regions = !config.regions.empty() || config.has_void();
  comm::agree(world, [&] {
    if (request.model) result.model = read_step_model(*request.model);
    const auto nodes = nodes_of(request);
    const auto partition = make_partition(config, nodes);
    result.resources = estimate_resources(config, partition, nodes);
    result.busiest = busiest_of(config, partition, nodes);
  });
  add_forecast(world, config, result);
  add_time(config, result);
  if (const auto& forecast = result.forecast) {
    const auto seconds = result.seconds();
    result.files = files_of_run(config, forecast->steps, forecast->dt,
                                seconds > 0 ? std::optional(seconds) : std::nullopt);
  }
  add_fit(result);
  return result;
}

void check_fit(const Allocation& allocation) {
  if (allocation.gpu && !allocation.gpu->fits())
    end_with(allocation, "--gpu-memory", *allocation.gpu, "a rank's GPU");
  if (allocation.node && !allocation.node->fits())
    end_with(allocation, "--node-memory", *allocation.node, "a node");
}

}  // namespace halotherm::app
