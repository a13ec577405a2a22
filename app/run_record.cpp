// SPDX-License-Identifier: MIT
#include "app/run_record.hpp"

#include <algorithm>
#include <numeric>

namespace halotherm::app {

using comm::Phase;

void RunRecord::set_phases(const comm::Communicator& world, double my_loop_seconds, const comm::PhaseTimers& timers) {
  auto mine = timers.seconds();
  const auto outputs_begin = mine.begin() + static_cast<int>(Phase::diagnostics);
  const double stepping = my_loop_seconds - std::accumulate(outputs_begin, mine.end(), 0.0);
  const double timed = std::accumulate(mine.begin(), outputs_begin, 0.0);
  step_seconds = world.max(stepping);
  for (auto seconds = mine.begin(); seconds != outputs_begin; ++seconds) *seconds *= timed > 0 ? stepping / timed : 0;
  for (std::size_t phase = 0; phase < mine.size(); ++phase) {
    const auto all = world.gather(mine[phase]);
    phases[phase] = std::accumulate(all.begin(), all.end(), 0.0) / world.size();
  }
}

double RunRecord::hidden_share() const {
  const double step = step_seconds / static_cast<double>(steps);
  const double exposed = std::max(0.0, step - calibration.computation);
  return std::clamp(1 - exposed / calibration.exchange, 0.0, 1.0);
}

}  // namespace halotherm::app
