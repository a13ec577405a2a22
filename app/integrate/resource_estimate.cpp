// SPDX-License-Identifier: MIT
#include "app/integrate/resource_estimate.hpp"

#include "app/domain/domain.hpp"
#include "app/domain/geometry.hpp"
#include "app/integrate/steps_together.hpp"
#include "app/problem/field_sampler.hpp"
#include "app/problem/region_quantities.hpp"
#include "comm/machine/device.hpp"
#include "comm/mpi/error.hpp"
#include "io/distribution/redistribution.hpp"
#include "io/field/dataset.hpp"
#include "io/field/shared_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace halotherm::app {

namespace {

/// Values that a rank keeps for a while as it writes a checkpoint, besides its block. Where that
/// takes very many rounds, fewer and larger ones are counted and scaled down.
template <class Real>
std::int64_t values_to_write(const comm::Int3& cells, const std::vector<comm::Box>& blocks,
                             int rank) {
  using Values = io::Redistribution<Real>;
  constexpr std::int64_t most_rounds = 1 << 12;
  const auto domains = io::domains_to_write(cells, sizeof(Real), static_cast<int>(blocks.size()));
  const auto larger =
      std::max<std::int64_t>(domains.largest() / (most_rounds * Values::default_limit), 1);
  return Values(domains, blocks, rank, larger * Values::default_limit).buffered_values() / larger;
}

std::string node_text(const ResourceEstimate& plan) {
  if (plan.natural_node_bytes == 0) return "";
  auto text = ", " + bytes_text(plan.node_bytes) + " of it between nodes";
  if (plan.node_bytes == plan.natural_node_bytes) return text;
  return text + " (" + bytes_text(plan.natural_node_bytes) +
         " if blocks went by the ranks' numbers)";
}

/// Bytes that this rank needs of the memory that it computes in, and those that it has of it.
struct Room {
  std::int64_t needed = 0;
  std::int64_t available = 0;
};

Room room_for(const ResourceEstimate& plan, int ranks_on_node) {
  return {plan.device.total() + (comm::kernels_run_on_host ? plan.host_bytes : 0),
          comm::available_memory(ranks_on_node)};
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

ResourceEstimate estimate_resources(const Config& config, const comm::Partition& partition,
                                    const std::vector<int>& nodes) {
  const std::int64_t element = config.grid.element_bytes();
  ResourceEstimate plan;
  plan.dims = partition.dims();
  plan.has_stages = config.time.integrator == solver::Method::rk2 ||
                    config.time.integrator == solver::Method::rkl2;
  plan.cells = partition.cells();
  plan.imbalance = partition.imbalance();
  plan.checkpoint_bytes = partition.global().size() * element;
  const comm::Partition natural(partition.split_points(), partition.periodic());
  const auto halo = halo_totals_of(partition, config.parallel.halo, nodes);
  plan.messages = halo.messages;
  plan.message_bytes = halo.cells * element;
  plan.node_bytes = halo.between_nodes * element;
  plan.natural_node_bytes =
      halo_totals_of(natural, config.parallel.halo, nodes).between_nodes * element;
  const int layers = halo_for_steps_together(config, partition).width;
  for (const int rank : comm::kinds_of_blocks(natural)) {
    const auto kind = halo_plan_of(natural, rank, layers);
    const auto memory = device_memory(config, natural.owned(rank), layers, kind.sent_cells());
    if (memory.total() > plan.device.total()) plan.device = memory;
  }
  const auto blocks = comm::blocks_of(partition);
  const auto largest =
      static_cast<int>(std::ranges::max_element(blocks, {}, &comm::Box::size) - blocks.begin());
  plan.largest_block = blocks[static_cast<std::size_t>(largest)];
  const auto quantities = quantities_on_cells(config);
  const auto sampled =
      varying_coefficients(config).count() + (varies(config.initial_temperature) ? 1 : 0);
  plan.snapshot_bytes = plan.largest_block.size() * element;
  plan.write_buffer_bytes =
      element * (element == 8 ? values_to_write<double>(plan.cells, blocks, largest)
                              : values_to_write<float>(plan.cells, blocks, largest));
  const bool reads_doubles =  // as inputs are
      element == 8 || std::ranges::any_of(quantities, [](const auto& q) {
        return std::holds_alternative<FileDataset>(q.second);
      });
  const auto reading = reads_doubles
                           ? 8 * io::values_kept_to_read<double>(plan.cells, blocks, nodes)
                           : 4 * io::values_kept_to_read<float>(plan.cells, blocks, nodes);
  constexpr std::int64_t owners = 3 * sizeof(Owner) + 1;  // of a cell, while regions are mapped
  const auto of_cell = element + 8 * sampled + (has_shapes(config) ? owners : 0);
  const auto at_start = plan.largest_block.size() * of_cell + reading;
  const bool converts = config.output_unit() != io::TemperatureUnit::kelvin;
  const auto converted = converts ? plan.snapshot_bytes : 0;  // a snapshot in another unit
  plan.host_bytes = std::max(at_start, plan.snapshot_bytes + converted + plan.write_buffer_bytes);
  return plan;
}

std::string to_string(const ResourceEstimate& plan) {
  const auto& block = plan.largest_block;
  const auto buffers =
      plan.write_buffer_bytes > 0
          ? fmt::format(" and exchange buffers of {}", bytes_text(plan.write_buffer_bytes))
          : "";
  return fmt::format(
      "grid           {} cells\n"
      "blocks         {} (largest {} cells, {:.1f} % above the mean)\n"
      "memory         {} on a rank's device, at times {} on its host\n"
      "exchange       {} messages, {} a {}{}\n"
      "checkpoint     {} a file, written from a copy of {}{} on a rank's host\n",
      comm::product_text(plan.cells), comm::product_text(plan.dims),
      comm::product_text({block.extent(0), block.extent(1), block.extent(2)}),
      100 * (plan.imbalance - 1), bytes_text(plan.device.total()), bytes_text(plan.host_bytes),
      plan.messages, bytes_text(plan.message_bytes), plan.has_stages ? "stage" : "step",
      node_text(plan), bytes_text(plan.checkpoint_bytes), bytes_text(plan.snapshot_bytes), buffers);
}

bool has_room(const comm::Communicator& world, const ResourceEstimate& plan) {
  const auto& node = world.node();
  const auto [needed, available] = comm::agreed(world, [&] { return room_for(plan, node.size()); });
  return !world.any(needed > available);
}

void check_memory(const comm::Communicator& world, const ResourceEstimate& plan) {
  const auto& node = world.node();
  comm::agree(world, [&] {
    const auto [needed, available] = room_for(plan, node.size());
    if (needed <= available) return;
    throw comm::Error(comm::ExitCode::usage,
                      {"grid.cells: " + comm::product_text(plan.cells) + " cells need " +
                           bytes_text(needed) + " on each rank",
                       bytes_text(available) + " are free there",
                       "use more ranks on more nodes, fewer cells, or float32"});
  });
}

void check_inputs(const comm::Communicator& world, const Config& config) {
  const auto sampler = make_field_sampler(world, config);
  const comm::Box one_cell{{0, 0, 0}, {1, 1, 1}};
  for (const auto& [key, quantity] : quantities_on_cells(config)) {
    if (std::holds_alternative<FileDataset>(quantity))
      sampler.cells(key, quantity, one_cell, Range::any);
  }
}

int threads_worth(double cells_of_a_rank) {
  constexpr double cells_a_thread = 1 << 16;
  return static_cast<int>(std::clamp(cells_of_a_rank / cells_a_thread, 1.0, 1e6));
}

int threads_worth(const Config& config, int ranks) {
  const double slowness = source_changes(config) && !source_factors(config)
                              ? 64
                              : 1;  // of a step that evaluates a formula in every cell
  return threads_worth(slowness * static_cast<double>(make_grid(config).cell_count()) / ranks);
}

}  // namespace halotherm::app
