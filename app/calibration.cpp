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
constexpr int launches_in_a_row = 10;

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

comm::Region tiny_part(const comm::Region& region, const comm::Box& owned) {
  std::vector<comm::Box> boxes;
  const auto few = [](const comm::Box& box, const comm::Int3& extents) {
    comm::Box part{box.lower, box.lower};
    for (int axis = 0; axis < 3; ++axis) part.upper[axis] += std::min(box.extent(axis), extents[axis]);
    return part;
  };
  for (const auto& box : region.large()) boxes.push_back(few(box, {16, 4, 1}));
  if (region.thin().slots() > 0) boxes.push_back(few(owned, {1, 1, 1}));
  comm::Region result(boxes);
  result.set_tile(region.tile());
  return result;
}

template <class Real>
Calibration calibrate(const comm::Communicator& world, const TimeStep<Real>& step, double time, double dt) {
  Calibration result;
  auto& block = step.block;
  const auto& edge = step.streams.edge();
  const auto& bulk = step.streams.bulk();
  result.measured = true;
  result.formulas = timed(world, [&] { block.apply_conditions(time); });
  result.exchange = timed(world, [&] { (void)step.exchange(); });
  const auto ghosted = step.exchange();
  result.interior = timed(world, [&] {
    diffuse(bulk, block.interior, block.step(dt), std::as_const(step.temperature).view(), step.next.view());
    bulk.fence("interior");
  });
  result.shell = timed(world, [&] {
    diffuse(edge, block.shell, block.step(dt), ghosted, step.next.view());
    edge.fence("shell");
  });
  const auto steps = [&] {
    for (int n = 0; n < steps_in_a_row; ++n) step.compute(time, dt, ghosted);
    step.streams.fence();
  };
  result.computation = timed(world, steps) / steps_in_a_row;
  const auto interior = tiny_part(block.interior, block.owned), shell = tiny_part(block.shell, block.owned);
  const auto launches = [&] {
    for (int n = 0; n < launches_in_a_row; ++n) {
      diffuse(bulk, interior, block.step(dt), std::as_const(step.temperature).view(), step.next.view());
      diffuse(edge, shell, block.step(dt), ghosted, step.next.view());
    }
    step.streams.fence();
  };
  result.launches = std::min(result.computation, timed(world, launches) / launches_in_a_row);
  world.barrier();
  result.copy_bandwidth = sum(world.gather(solver::copy_bandwidth(step.temperature, step.next, repeats)));
  return result;
}

template Calibration calibrate(const comm::Communicator&, const TimeStep<float>&, double, double);
template Calibration calibrate(const comm::Communicator&, const TimeStep<double>&, double, double);

}  // namespace halotherm::app
