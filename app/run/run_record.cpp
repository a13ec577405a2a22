// SPDX-License-Identifier: MIT
#include "app/run/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace halotherm::app {

void RunRecord::set_phases(const comm::Communicator& world, double my_loop_seconds,
                           const PhaseTimers& timers) {
  auto mine = timers.seconds();
  const auto outputs_begin = mine.begin() + static_cast<int>(Phase::diagnostics);
  const double stepping = my_loop_seconds - std::accumulate(outputs_begin, mine.end(), 0.0);
  const double timed = std::accumulate(mine.begin(), outputs_begin, 0.0);
  step_seconds = world.max(stepping);
  for (auto seconds = mine.begin(); seconds != outputs_begin; ++seconds)
    *seconds *= timed > 0 ? stepping / timed : 0;
  phases = {};
  for (const auto& rank : world.gather_on_root(mine)) {
    for (std::size_t phase = 0; phase < mine.size(); ++phase) phases[phase] += rank[phase];
  }
  for (auto& seconds : phases) seconds /= world.size();
  world.broadcast(std::span(phases));
}

std::string RunRecord::not_graded() const {
  constexpr double much = 0.2;  // of a step
  const double step = seconds_of_step();
  if (calibration.launches >= much * step) {
    if (submitted > 1) {
      return fmt::format(
          "too small: a step takes {:.3g} us, and one that the host launches by itself {:.3g} us, "
          "however few cells there are",
          1e6 * step, 1e6 * calibration.launches);
    }
    return fmt::format(
        "too small: of {:.3g} us a step {:.3g} us are launches, however few cells there are",
        1e6 * step, 1e6 * calibration.launches);
  }
  const double bytes = static_cast<double>(cells) * held_bytes_per_cell / ranks();
  if (!on_devices && bytes < 0.5 * static_cast<double>(cache_bytes)) {
    return fmt::format(
        "caches of {:.3g} MB hold the {:.3g} MB of a rank, so that arithmetic, and not memory, "
        "limits "
        "a step (a copy there: "
        "{:.4g} GB/s)",
        1e-6 * static_cast<double>(cache_bytes), 1e-6 * bytes, 1e-9 * calibration.copy_bandwidth);
  }
  return "";
}

double RunRecord::hidden_share() const {
  const double exposed = std::max(0.0, seconds_of_step() - calibration.computation);
  return std::clamp(1 - exposed / calibration.exchange, 0.0, 1.0);
}

}  // namespace halotherm::app
