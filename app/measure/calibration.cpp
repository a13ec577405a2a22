// SPDX-License-Identifier: MIT
#include "app/measure/calibration.hpp"

#include "app/measure/statistics.hpp"
#include "comm/system/best_time.hpp"
#include "solver/field/copy_bandwidth.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr comm::Repeats usual{.timings = 5, .calls = 1, .warm_ups = 1};
/// Kernels that run beside the host let it launch the next step meanwhile.
constexpr int steps_in_a_row = comm::kernels_run_on_host ? 1 : 10;
constexpr int launches_in_a_row = 10;

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
Calibration calibrate(ForwardEuler<Real>& euler, solver::Field<Real>& temperature, double time,
                      double dt) {
  const auto& domain = euler.domain();
  const auto& world = domain.world;
  const auto& streams = euler.streams();
  const auto fence = [&] { streams.fence(); };
  Calibration result;
  result.measured = true;
  result.formulas = best_time(world, usual, [&] { euler.problem().apply_conditions(time); });
  result.exchange = best_time(world, usual, [&] { (void)euler.exchange(temperature); });
  const auto ghosted = euler.exchange(temperature);
  result.interior = best_time(
      world, usual, [&] { euler.diffuse_interior(euler.interior(), temperature, dt); }, fence);
  result.shell = best_time(
      world, usual, [&] { euler.diffuse_shell(euler.shell(), ghosted, dt); }, fence);
  result.computation = best_time(
      world, {.timings = usual.timings, .calls = steps_in_a_row},
      [&] { euler.compute(euler.interior(), euler.shell(), temperature, ghosted, time, dt); },
      fence);
  const auto interior = tiny_part(euler.interior(), domain.owned),
             shell = tiny_part(euler.shell(), domain.owned);
  const auto launch = [&] {
    euler.diffuse_interior(interior, temperature, dt);
    euler.diffuse_shell(shell, ghosted, dt);
  };
  const double launches =
      best_time(world, {.timings = usual.timings, .calls = launches_in_a_row}, launch, fence);
  result.launches = std::min(result.computation, launches);
  world.barrier();
  result.copy_bandwidth =
      sum(world.gather(solver::copy_bandwidth(temperature, euler.scratch(), usual.timings)));
  return result;
}

template Calibration calibrate(ForwardEuler<float>&, solver::Field<float>&, double, double);
template Calibration calibrate(ForwardEuler<double>&, solver::Field<double>&, double, double);

}  // namespace halotherm::app
