// SPDX-License-Identifier: MIT
#include "app/integrate/partition_choice.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/integrator.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "comm/mpi/error.hpp"
#include "comm/partition/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace halotherm::app {

namespace {

constexpr double worth_moving = 1.05;
constexpr int windows = 8;
constexpr double window_seconds = 0.1;
/// Kernels that run beside the host let it launch the next step meanwhile.
constexpr int steps_in_a_row = comm::kernels_run_on_host ? 1 : 10;

/// This rank's speed [cells/s], the best of some windows, while all other ranks compute as well, so
/// that ranks that share a core or a device measure their share. All measure for equal times, not
/// equal steps, so that no rank ends early and frees a shared device.
template <class Real>
double speed_of(Integrator<Real>& integrator, solver::Field<Real>& temperature) {
  const auto fields = integrator.fields_at_rest(temperature);
  double best = 0;
  for (int window = 0; window <= windows; ++window) {
    const comm::Stopwatch stopwatch;
    double steps = 0;
    do {
      for (int n = 0; n < steps_in_a_row; ++n)
        integrator.compute(integrator.interior(), integrator.shell(), temperature, fields, 0, 0);
      integrator.streams().fence();
      steps += steps_in_a_row;
    } while (stopwatch.seconds() < window_seconds);
    const double cells = steps * static_cast<double>(temperature.owned().size());
    if (window > 0) best = std::max(best, cells / stopwatch.seconds());  // the first warms up
  }
  return best;
}

/// Every rank's speed at the configuration's own step on its block; all memory is given back.
template <class Real>
std::vector<double> measure_speeds(const comm::Communicator& world, const Config& config,
                                   const comm::Partition& partition) {
  const comm::Streams streams;
  Domain<Real> domain(world, config, partition, TransportChoice::staged, halo_settings_of(config));
  Problem<Real> problem(domain, config);
  Integrator<Real> integrator(streams, domain, problem, solver::Scheme(config.time.integrator));
  auto temperature = domain.field("temperature");
  world.barrier();
  return world.gather(speed_of(integrator, temperature));
}

}  // namespace

PartitionChoice configured_partition(const comm::Communicator& world, const Config& config) {
  const auto& nodes = world.nodes();
  auto partition = comm::agreed(world, [&] { return make_partition(config, nodes); });
  return {std::move(partition), nodes, {}};
}

template <class Real>
PartitionChoice choose_partition(const comm::Communicator& world, const Config& config) {
  auto choice = configured_partition(world, config);
  if (config.parallel.balance == Balance::even || world.size() == 1) return choice;
  const comm::Stopwatch stopwatch;
  auto& balance = choice.balance;
  balance.speeds = measure_speeds<Real>(world, config, choice.partition);
  const auto moved = choice.partition.between(
      comm::balanced_split_points(choice.partition, balance.speeds, config.parallel.halo));
  balance.even_imbalance = comm::imbalance(choice.partition, balance.speeds);
  balance.predicted_imbalance = balance.even_imbalance;
  const double after = comm::imbalance(moved, balance.speeds);
  if (balance.even_imbalance >= worth_moving * after) {
    balance.no_room = !has_room(world, estimate_resources(config, moved, choice.nodes));
    if (!balance.no_room) {
      choice.partition = moved;
      balance.predicted_imbalance = after;
    }
  }
  balance.seconds = world.max(stopwatch.seconds());
  return choice;
}

std::string split_points_text(const comm::SplitPoints& split_points, int dimensions) {
  std::string text;
  for (const auto& along : std::span(split_points).first(static_cast<std::size_t>(dimensions))) {
    std::string list;
    for (std::size_t n = 1; n + 1 < along.size(); ++n)
      list += (n > 1 ? ", " : "") + std::to_string(along[n]);
    text += (text.empty() ? "[" : ", [") + list + "]";
  }
  return "[" + text + "]";
}

std::string balance_text(const PartitionChoice& choice, int dimensions) {
  const auto& b = choice.balance;
  if (b.speeds.empty()) return "";
  const auto [slowest, fastest] = std::ranges::minmax(b.speeds);
  const auto text = fmt::format(
      "a rank computes {:.3g} to {:.3g} GCells/s (measured in {:.2g} s); the slowest takes {:.3f} "
      "times "
      "the ideal with even blocks",
      1e-9 * slowest, 1e-9 * fastest, b.seconds, b.even_imbalance);
  if (b.no_room) return text + ", which stay: better ones would not fit the memory";
  if (b.predicted_imbalance == b.even_imbalance)
    return text + ", which stay: others would gain less than 5 %";
  return text + fmt::format(", {:.3f} with split points ", b.predicted_imbalance) +
         split_points_text(choice.partition.split_points(), dimensions);
}

template PartitionChoice choose_partition<float>(const comm::Communicator&, const Config&);
template PartitionChoice choose_partition<double>(const comm::Communicator&, const Config&);

}  // namespace halotherm::app
