// SPDX-License-Identifier: MIT
#include "app/measure/calibration.hpp"

#include "comm/system/best_time.hpp"
#include "solver/field/copy_bandwidth.hpp"
#include "solver/kernels/diffuse.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

constexpr comm::Repeats usual{.timings = 5, .calls = 1, .warm_ups = 1};
/// Where kernels run beside the host it launches the next step while they work.
constexpr int steps_in_a_row = comm::kernels_run_on_host ? 1 : 10;
constexpr int launches_in_a_row = 10;

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
    for (int axis = 0; axis < 3; ++axis)
      part.upper[axis] += std::min(box.extent(axis), extents[axis]);
    return part;
  };
  for (const auto& box : region.large()) boxes.push_back(few(box, {16, 4, 1}));
  if (region.thin().slots() > 0) boxes.push_back(few(owned, {1, 1, 1}));
  comm::Region result(boxes);
  result.set_tile(region.tile());
  return result;
}

template <class Real>
Calibration calibrate(const comm::Communicator& world, const TimeStep<Real>& step, double time,
                      double dt) {
  Calibration result;
  auto& block = step.block;
  const auto& edge = step.streams.edge();
  const auto& bulk = step.streams.bulk();
  result.measured = true;
  result.formulas = best_time(world, usual, [&] { block.apply_conditions(time); });
  result.exchange = best_time(world, usual, [&] { (void)step.exchange(); });
  const auto ghosted = step.exchange();
  const auto interior_step = [&] {
    diffuse(bulk, block.interior, block.step(dt), std::as_const(step.temperature).view(),
            step.next.view());
  };
  result.interior = best_time(world, usual, interior_step, [&] { bulk.fence("interior"); });
  const auto shell_step = [&] {
    diffuse(edge, block.shell, block.step(dt), ghosted, step.next.view());
  };
  result.shell = best_time(world, usual, shell_step, [&] { edge.fence("shell"); });
  const auto fence = [&] { step.streams.fence(); };
  result.computation = best_time(
      world, {.timings = usual.timings, .calls = steps_in_a_row},
      [&] { step.compute(time, dt, ghosted); }, fence);
  const auto interior = tiny_part(block.interior, block.owned),
             shell = tiny_part(block.shell, block.owned);
  const auto launch = [&] {
    diffuse(bulk, interior, block.step(dt), std::as_const(step.temperature).view(),
            step.next.view());
    diffuse(edge, shell, block.step(dt), ghosted, step.next.view());
  };
  const double launches =
      best_time(world, {.timings = usual.timings, .calls = launches_in_a_row}, launch, fence);
  result.launches = std::min(result.computation, launches);
  world.barrier();
  result.copy_bandwidth =
      sum(world.gather(solver::copy_bandwidth(step.temperature, step.next, usual.timings)));
  return result;
}

template Calibration calibrate(const comm::Communicator&, const TimeStep<float>&, double, double);
template Calibration calibrate(const comm::Communicator&, const TimeStep<double>&, double, double);

}  // namespace halotherm::app
