// SPDX-License-Identifier: MIT
#include "app/wall_schedule.hpp"

#include <algorithm>
#include <array>

namespace halotherm::app {

bool WallSchedule::due(const comm::Communicator& world, std::int64_t step) {
  if (!interval_ || step < next_step_) return false;
  const double now = since_start_.seconds();
  const double pace = static_cast<double>(step - asked_step_) / std::max(1e-9, now - last_asked_);  // steps per s
  const double wait = std::max(1.0, pace * *interval_ / 20);
  std::array<double, 2> decision{now - last_due_ >= *interval_ ? 1.0 : 0.0, std::min(wait, 1e6)};
  world.broadcast(decision);
  last_asked_ = now;
  asked_step_ = step;
  next_step_ = step + static_cast<std::int64_t>(decision[1]);
  if (decision[0] > 0) last_due_ = now;
  return decision[0] > 0;
}

}  // namespace halotherm::app
