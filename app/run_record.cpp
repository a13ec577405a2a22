// SPDX-License-Identifier: MIT
#include "app/run_record.hpp"

#include <algorithm>

namespace halotherm::app {

using comm::Phase;

void RunRecord::set_phases(const comm::Communicator& world, const comm::PhaseTimers& timers) {
  const auto& mine = timers.seconds();
  double stepping = 0;
  for (int phase = 0; phase < static_cast<int>(Phase::diagnostics); ++phase) stepping += mine[static_cast<std::size_t>(phase)];
  step_seconds = world.max(stepping);
  for (std::size_t phase = 0; phase < mine.size(); ++phase) {
    double sum = 0;
    for (const double seconds : world.gather(mine[phase])) sum += seconds;
    phases[phase] = sum / world.size();
  }
}

double RunRecord::hidden_share() const {
  const double step = step_seconds / static_cast<double>(steps);
  const double exposed = std::max(0.0, step - calibration.computation());
  return std::clamp(1 - exposed / calibration.exchange, 0.0, 1.0);
}

}  // namespace halotherm::app
