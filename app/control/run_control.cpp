// SPDX-License-Identifier: MIT
#include "app/control/run_control.hpp"

#include "app/control/signals.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace halotherm::app {

namespace {

double since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

enum class Stop { no, file, wall_limit, signal };  // a signal's number is added to `signal`

}  // namespace

/// One rank's requests; the ranks act on the maximum of each number.
struct RunControl::LocalRequests {
  std::array<double, 4> numbers{};
  double& stop() { return numbers[0]; }
  double& checkpoint() { return numbers[1]; }
  double& writing() { return numbers[2]; }
  double& steps_to_next() { return numbers[3]; }
};

std::optional<double> job_end_time() {
  const char* text = std::getenv("SLURM_JOB_END_TIME");
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const double time = std::strtod(text, &end);
  return end != text && time > 0 ? std::optional(time) : std::nullopt;
}

RunControl::RunControl(const comm::Communicator& world, std::filesystem::path directory,
                       std::optional<double> interval, WallLimit limit)
    : world_(world), directory_(std::move(directory)), interval_(interval) {
  if (limit.after) end_ = *limit.after;
  if (limit.at) {
    const double end = *limit.at - since_1970();
    end_ = end_ ? std::min(*end_, end) : end;
  }
  if (world_.is_root()) take_file("stop");
}

bool RunControl::take_file(const char* name) const {
  std::error_code error;
  return std::filesystem::remove(directory_ / name, error);
}

RunControl::LocalRequests RunControl::local_requests(std::int64_t step, Writing writing,
                                                     double reserve) {
  LocalRequests mine;
  mine.writing() = static_cast<int>(writing);
  if (const int signal = SignalRequests::stop())
    mine.stop() = static_cast<int>(Stop::signal) + signal;
  const int received = SignalRequests::checkpoints();
  mine.checkpoint() = received > seen_checkpoint_signals_ ? 1 : 0;
  seen_checkpoint_signals_ = received;
  if (!world_.is_root()) return mine;

  const double now = clock_.seconds();
  const auto steps = static_cast<double>(step - met_step_);
  const double pace = steps / std::max(1e-9, now - last_met_);  // steps per s
  // Few steps at first, then at most twice as many as before: the host launches the first steps
  // far faster than the device computes them.
  mine.steps_to_next() = std::clamp(pace * meeting_interval, 1.0, std::max(64.0, 2 * steps));
  const bool due = interval_ && now - last_due_ >= *interval_;
  if (due) last_due_ = now;
  if (due || take_file("checkpoint")) mine.checkpoint() = 1;
  // `reserve` may be a guess; half of the time always remains for steps.
  if (end_ && now + std::min(reserve, *end_ / 2) + 2 * meeting_interval >= *end_)
    mine.stop() = std::max(mine.stop(), double{static_cast<int>(Stop::wall_limit)});
  if (take_file("stop")) mine.stop() = std::max(mine.stop(), double{static_cast<int>(Stop::file)});
  return mine;
}

void RunControl::begin(std::int64_t step) {
  met_step_ = step;
  last_met_ = clock_.seconds();
}

RunRequests RunControl::after_step(std::int64_t step, Writing writing, double reserve) {
  if (step < next_step_) return {};
  auto all = local_requests(step, writing, reserve);
  world_.max(all.numbers);
  last_met_ = clock_.seconds();
  met_step_ = step;
  next_step_ = step + static_cast<std::int64_t>(all.steps_to_next());
  const int stop = static_cast<int>(all.stop());
  if (stop == static_cast<int>(Stop::file)) reason_ = "the file 'stop'";
  if (stop == static_cast<int>(Stop::wall_limit)) reason_ = "the job's time is nearly up";
  if (stop > static_cast<int>(Stop::signal))
    reason_ = name_of_signal(stop - static_cast<int>(Stop::signal));
  return {.met = true,
          .checkpoint = all.checkpoint() > 0,
          .stop = stop > 0,
          .writes_ended = all.writing() == static_cast<int>(Writing::ended)};
}

}  // namespace halotherm::app
