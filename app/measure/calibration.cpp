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
Calibration calibrate(Integrator<Real>& integrator, solver::Field<Real>& temperature, double time,
                      double dt) {
  const auto& domain = integrator.domain();
  const auto& world = domain.world;
  const auto& streams = integrator.streams();
  const auto& interior = integrator.interior();
  const auto& shell = integrator.shell();
  const comm::Region nothing;
  const auto fence = [&] { streams.fence(); };
  Calibration result;
  result.measured = true;
  result.formulas = best_time(
      world, usual, [&] { integrator.apply_conditions(time, dt); }, fence);
  result.exchange = best_time(world, usual, [&] { integrator.exchange(temperature, dt); });
  const auto fields = integrator.fields_at_rest(temperature);
  const auto diffuse = [&](const comm::Region& first, const comm::Region& second) {
    return [&] { integrator.diffuse(first, second, temperature, fields, dt); };
  };
  if (const int steps = integrator.together(); steps > 1) {
    using Part = typename Passes<Real>::Part;
    const auto out = integrator.scratch().view();
    const auto time_of = [&](Part part) {
      const auto diffuse_part = [&] { integrator.passes().diffuse(part, fields.front(), out); };
      return best_time(world, usual, diffuse_part, fence) / steps;
    };
    result.exchange /= steps;
    result.interior = time_of(Part::interior);
    result.shell = time_of(Part::shell);
    result.computation = time_of(Part::all);
  } else {
    result.interior = best_time(world, usual, diffuse(interior, nothing), fence);
    result.shell = best_time(world, usual, diffuse(nothing, shell), fence);
    result.computation = best_time(
        world, {.timings = usual.timings, .calls = steps_in_a_row},
        [&] { integrator.compute(interior, shell, temperature, fields, time, dt); }, fence);
  }
  const auto few = tiny_part(interior, domain.owned), few_of_shell = tiny_part(shell, domain.owned);
  const double launches = best_time(world, {.timings = usual.timings, .calls = launches_in_a_row},
                                    diffuse(few, few_of_shell), fence);
  result.launches = std::min(result.computation, launches);
  world.barrier();
  result.copy_bandwidth =
      sum(world.gather(solver::copy_bandwidth(temperature, integrator.scratch(), usual.timings)));
  return result;
}

template Calibration calibrate(Integrator<float>&, solver::Field<float>&, double, double);
template Calibration calibrate(Integrator<double>&, solver::Field<double>&, double, double);

}  // namespace halotherm::app
