// SPDX-License-Identifier: MIT
#include "app/problem/resource_estimate.hpp"

#include "app/domain/domain.hpp"
#include "app/domain/geometry.hpp"
#include "app/problem/field_sampler.hpp"
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

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

std::string product_text(const comm::Int3& numbers) {
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " +
         std::to_string(numbers[2]);
}

/// Bytes that the rank with this block keeps for a while as it writes a checkpoint, besides its
/// block.
template <class Real>
std::int64_t travelling_bytes(const comm::Partition& partition, const comm::Box& block) {
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < partition.ranks(); ++rank) blocks.push_back(partition.owned(rank));
  const auto place = std::ranges::find(blocks, block) - blocks.begin();
  const auto domains = io::domains_to_write(partition.cells(), sizeof(Real), partition.ranks());
  const io::Redistribution<Real> redistribution(domains, blocks, static_cast<int>(place));
  return redistribution.buffered_values() * static_cast<std::int64_t>(sizeof(Real));
}

/// Bytes that a reader keeps for a while as it reads a field of such values, besides its block.
std::int64_t reading_bytes(const comm::Partition& partition, const std::vector<int>& nodes,
                           std::int64_t value_bytes) {
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < partition.ranks(); ++rank) blocks.push_back(partition.owned(rank));
  const bool is_double = value_bytes == sizeof(double);
  return value_bytes * (is_double
                            ? io::values_kept_to_read<double>(partition.cells(), blocks, nodes)
                            : io::values_kept_to_read<float>(partition.cells(), blocks, nodes));
}

std::string node_text(const ResourceEstimate& plan) {
  if (plan.natural_node_bytes == 0) return "";
  const auto text = ", " + bytes_text(plan.node_bytes) + " of it between nodes";
  if (plan.node_bytes == plan.natural_node_bytes) return text;
  return text + " (" + bytes_text(plan.natural_node_bytes) +
         " if blocks went by the ranks' numbers)";
}

bool varies(const Quantity& quantity) {
  return !std::holds_alternative<double>(quantity);
}

/// Memory that a run takes on a rank's device [bytes]: both temperatures, the coefficients that
/// vary, the exchange's buffers.
std::int64_t device_bytes(const Config& config, const comm::Box& owned,
                          const comm::HaloPlan& plan) {
  const auto grid = make_grid(config.grid);
  const auto field = [&](int width) {
    return config.grid.precision == Precision::float64
               ? solver::Field<double>::bytes_for(owned, grid.ghosts(width))
               : solver::Field<float>::bytes_for(owned, grid.ghosts(width));
  };
  const auto& material = config.material;
  const auto conductivities = std::ranges::any_of(material.conductivity, varies)
                                  ? static_cast<int>(material.conductivity.size())
                                  : 0;
  const int coefficients = conductivities +
                           (varies(material.density) || varies(material.heat_capacity) ? 1 : 0) +
                           (varies(config.source) ? 1 : 0);
  const std::int64_t element = config.grid.precision == Precision::float64 ? 8 : 4;
  return 2 * field(config.parallel.halo) + coefficients * field(1) +
         2 * plan.sent_cells() * element;
}

/// Bytes that this rank needs of the memory that it computes in, and those that it has of it.
struct Room {
  std::int64_t needed = 0;
  std::int64_t available = 0;
};

Room room_for(const ResourceEstimate& plan, int ranks_on_node) {
  return {plan.device_bytes + (comm::kernels_run_on_host ? plan.host_bytes : 0),
          comm::available_memory(ranks_on_node)};
}

}  // namespace

ResourceEstimate estimate_resources(const Config& config, const comm::Partition& partition,
                                    const std::vector<int>& nodes) {
  const std::int64_t element = config.grid.precision == Precision::float64 ? 8 : 4;
  ResourceEstimate plan;
  plan.dims = partition.dims();
  plan.cells = partition.cells();
  plan.imbalance = partition.imbalance();
  plan.checkpoint_bytes = partition.global().size() * element;
  const comm::Partition natural(partition.split_points(), partition.periodic());
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto owned = partition.owned(rank);
    const auto halo = halo_plan_of(partition, rank, config.parallel.halo);
    plan.messages += static_cast<std::int64_t>(halo.messages.size());
    plan.message_bytes += halo.sent_cells() * element;
    const int node = nodes[static_cast<std::size_t>(rank)];
    plan.node_bytes += halo.sent_cells_off(node, nodes) * element;
    plan.natural_node_bytes +=
        halo_plan_of(natural, rank, config.parallel.halo).sent_cells_off(node, nodes) * element;
    plan.device_bytes = std::max(plan.device_bytes, device_bytes(config, owned, halo));
    if (owned.size() > plan.largest_block.size()) plan.largest_block = owned;
  }
  const auto sampled = std::ranges::count_if(quantities_on_cells(config), [](const auto& q) {
    return !std::holds_alternative<double>(*q.second);
  });
  plan.snapshot_bytes = plan.largest_block.size() * element;
  plan.travelling_bytes = config.grid.precision == Precision::float64
                              ? travelling_bytes<double>(partition, plan.largest_block)
                              : travelling_bytes<float>(partition, plan.largest_block);
  const auto is_read = [](const auto& quantity) {
    return std::holds_alternative<FileDataset>(*quantity.second);
  };
  const bool reads_inputs =
      std::ranges::any_of(quantities_on_cells(config), is_read);  // as numbers of 8 bytes
  const auto at_start = plan.largest_block.size() * (element + 8 * sampled) +
                        reading_bytes(partition, nodes, reads_inputs ? 8 : element);
  plan.host_bytes = std::max(at_start, plan.snapshot_bytes + plan.travelling_bytes);
  return plan;
}

std::string to_string(const ResourceEstimate& plan) {
  const auto& block = plan.largest_block;
  const auto balance =
      fmt::format(" (largest {} x {} x {} cells, {:.1f} % above the mean)", block.extent(0),
                  block.extent(1), block.extent(2), 100 * (plan.imbalance - 1));
  return "grid           " + product_text(plan.cells) + " cells\n" +     //
         "blocks         " + product_text(plan.dims) + balance + "\n" +  //
         "memory         " + bytes_text(plan.device_bytes) + " on a rank's device, at times " +
         bytes_text(plan.host_bytes) + " on its host\n" + "exchange       " +
         std::to_string(plan.messages) + " messages, " + bytes_text(plan.message_bytes) +
         " a step" + node_text(plan) + "\n" + "checkpoint     " +
         bytes_text(plan.checkpoint_bytes) + " a file, written from a copy of " +
         bytes_text(plan.snapshot_bytes) + " on a rank's host" +
         (plan.travelling_bytes > 0
              ? ", of which " + bytes_text(plan.travelling_bytes) + " come or go from rank to rank"
              : "") +
         "\n";
}

bool has_room(const comm::Communicator& world, const ResourceEstimate& plan) {
  const auto node = world.node();
  const auto [needed, available] = comm::agreed(world, [&] { return room_for(plan, node.size()); });
  return !world.any(needed > available);
}

void check_memory(const comm::Communicator& world, const ResourceEstimate& plan) {
  const auto node = world.node();
  comm::agree(world, [&] {
    const auto [needed, available] = room_for(plan, node.size());
    if (needed <= available) return;
    throw comm::Error(comm::ExitCode::usage,
                      "grid.cells: " + product_text(plan.cells) + " cells need " +
                          bytes_text(needed) + " on each rank (" + bytes_text(available) +
                          " are free there) use more ranks on more nodes, fewer cells, or float32");
  });
}

void check_inputs(const comm::Communicator& world, const Config& config) {
  const auto sampler = make_field_sampler(world, config);
  const comm::Box one_cell{{0, 0, 0}, {1, 1, 1}};
  for (const auto& [key, quantity] : quantities_on_cells(config)) {
    if (std::holds_alternative<FileDataset>(*quantity))
      sampler.cells(key, *quantity, one_cell, Range::any);
  }
}

int threads_worth(double cells_of_a_rank) {
  constexpr double cells_a_thread = 1 << 16;
  return static_cast<int>(std::clamp(cells_of_a_rank / cells_a_thread, 1.0, 1e6));
}

int threads_worth(const Config& config, int ranks) {
  const double slowness =
      depends_on_time(config.source) ? 64 : 1;  // of a step that evaluates a formula in every cell
  return threads_worth(slowness * static_cast<double>(make_grid(config.grid).cell_count()) / ranks);
}

}  // namespace halotherm::app
