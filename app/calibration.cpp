// SPDX-License-Identifier: MIT
#include "app/calibration.hpp"

#include "comm/timers.hpp"
#include "solver/copy_bandwidth.hpp"
#include "solver/diffuse.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

constexpr int repeats = 5;
/// Where kernels run beside the host it launches the next step while they work.
constexpr int steps_in_a_row = comm::kernels_run_on_host ? 1 : 10;

/// The time of `work` on the slowest rank, the best of the repeats, after a warm-up.
template <class Work>
double timed(const comm::Communicator& world, const Work& work) {
  double best = 1e300;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    world.barrier();
    const comm::Stopwatch watch;
    work();
    const double slowest = world.max(watch.seconds());
    if (repeat > 0) best = std::min(best, slowest);
  }
  return best;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

}  // namespace

template <class Real>
Calibration calibrate(const comm::Communicator& world, const comm::Streams& streams, Block<Real>& block,
                      solver::Field<Real>& temperature, solver::Field<Real>& next, double time, double dt) {
  Calibration result;
  const auto& edge = streams.edge();
  const auto& bulk = streams.bulk();
  const auto exchange = [&] {
    auto pending = block.halo.start(streams, temperature.view());
    auto ghosted = std::move(pending).finish();
    edge.fence("exchange");
    return ghosted;
  };
  result.measured = true;
  result.boundary = timed(world, [&] { block.apply_conditions(time); });
  result.exchange = timed(world, [&] { (void)exchange(); });
  const auto ghosted = exchange();
  result.interior = timed(world, [&] {
    diffuse(bulk, block.interior, block.step(dt), std::as_const(temperature).view(), next.view());
    bulk.fence("interior");
  });
  result.shell = timed(world, [&] {
    diffuse(edge, block.shell, block.step(dt), ghosted, next.view());
    edge.fence("shell");
  });
  result.computation = timed(world,
                             [&] {
                               for (int n = 0; n < steps_in_a_row; ++n) {
                                 block.apply_conditions(time);
                                 streams.mark_bulk();
                                 diffuse(bulk, block.interior, block.step(dt), std::as_const(temperature).view(), next.view());
                                 streams.edge_awaits_mark();
                                 diffuse(edge, block.shell, block.step(dt), ghosted, next.view());
                                 streams.bulk_awaits_edge();
                               }
                               streams.fence();
                             }) /
                       steps_in_a_row;
  world.barrier();
  result.copy_bandwidth = sum(world.gather(solver::copy_bandwidth(temperature, next, repeats)));
  return result;
}

template Calibration calibrate(const comm::Communicator&, const comm::Streams&, Block<float>&, solver::Field<float>&,
                               solver::Field<float>&, double, double);
template Calibration calibrate(const comm::Communicator&, const comm::Streams&, Block<double>&, solver::Field<double>&,
                               solver::Field<double>&, double, double);

}  // namespace halotherm::app
