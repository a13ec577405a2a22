// SPDX-License-Identifier: MIT
#include "app/run/forecast_text.hpp"

#include "io/text/log.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

constexpr double day = 86400;  // [s]

std::string long_run_text(const Forecast& f) {
  std::string text =
      "warning        the run takes more than a day: cells of twice the size make it 8 to 32 times "
      "shorter (a quarter "
      "of the steps, each on fewer cells)";
  if (f.stages <= 2) text += "; so does time.integrator: rkl2";
  if (f.dt_is_chosen)
    text +=
        "; time.dt: auto takes the longest step without oscillations, time.bound: stable one that "
        "may be longer";
  return text +
         "; so does an earlier end, or more ranks where each keeps some 100000 cells; --walltime "
         "and checkpoints let it go on "
         "in parts\n";
}

std::string steps_text(const Forecast& f) {
  if (f.steady)
    return "steps          none: conjugate gradients and multigrid find the steady state\n";
  if (f.dt_adapts && f.solves)
    return "steps          as many as time.tolerance asks for, each with solves\n";
  if (f.dt_adapts) {
    return fmt::format(
        "steps          {} or more, of at most {} stages and {:.4g} s (time.tolerance)\n", f.steps,
        f.stages, f.dt);
  }
  if (f.dt_follows) {
    return fmt::format("steps          {} of {:.4g} s{} (dt: auto follows the temperatures)\n",
                       f.steps, f.dt, f.dt_is_least ? ", or fewer" : " at first");
  }
  return fmt::format("steps          {} of {:.4g} s{}{}\n", f.steps, f.dt,
                     f.stages > 1 ? fmt::format(", {} stages each", f.stages) : "",
                     f.dt_is_chosen ? "" : " (dt: auto)");
}

}  // namespace

std::string span_text(double seconds) {
  if (seconds >= 365 * day) return fmt::format("{:.3g} years", seconds / (365.25 * day));
  if (seconds >= 2 * day) return fmt::format("{:.3g} days", seconds / day);
  return io::duration_text(seconds);
}

std::string step_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.3g} us", 1e6 * seconds)
                        : fmt::format("{:.3g} ms", 1e3 * seconds);
}

double step_on_fewer(const StepCost& cost, int ranks, int fewer) {
  const double work = (cost.computation - cost.launches) * ranks / fewer;
  const double exposed = fewer == 1 ? 0 : std::max(0.0, cost.at_least() - cost.computation);
  return work + cost.launches + exposed;
}

std::string fewer_ranks_text(const StepCost& cost, int ranks) {
  constexpr double clearly = 0.8;
  if (cost.computation <= 0) return "";
  int best = ranks;
  double shortest = clearly * cost.at_least();
  for (int fewer = 1; fewer < ranks; ++fewer) {
    const double step = step_on_fewer(cost, ranks, fewer);
    if (step >= shortest) continue;
    shortest = step;
    best = fewer;
  }
  if (best == ranks) return "";
  return fmt::format(
      "{} rank{} would be faster: about {} a step, where {} take {}, {} of it launches and {} for "
      "an exchange",
      best, best == 1 ? "" : "s", step_text(shortest), ranks, step_text(cost.at_least()),
      step_text(cost.launches), step_text(cost.exchange));
}

std::string to_string(const Forecast& f) {
  auto text = steps_text(f);
  if (f.cost.at_least() > 0 && !f.steady) {
    text += fmt::format("time           {} {} ({} a step in a trial), and what files take\n",
                        f.dt_adapts ? "at least" : "about", span_text(f.seconds()),
                        step_text(f.cost.at_least()));
  }
  if (f.looked_at < 1) {
    const double unseen = 100 * (1 - f.looked_at);
    text += fmt::format(
        "not seen       {} % of the cells: only a run evaluates every formula and data set "
        "everywhere\n",
        unseen < 99.5 ? fmt::format("{:.0f}", unseen) : "more than 99");
  }
  for (const auto& line : f.unheld) text += "warning        " + line + "\n";
  if (const auto fewer = fewer_ranks_text(f.cost, f.ranks); !fewer.empty() && !f.steady)
    text += "warning        " + fewer + "\n";
  if (f.seconds() > day) text += long_run_text(f);
  return to_string(f.regions) + to_string(f.contacts) + text;
}

std::string expectation_text(Forecast f) {
  f.ranks = 1;
  f.regions = {};
  f.contacts = {};
  auto text = to_string(f);
  text.pop_back();
  return text;
}

}  // namespace halotherm::app
