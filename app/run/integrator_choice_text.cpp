// SPDX-License-Identifier: MIT
#include "app/run/integrator_choice_text.hpp"

#include "io/text/log.hpp"

#include <fmt/format.h>

namespace halotherm::app {

using solver::Method;

namespace {

std::string seconds_text(double seconds) {
  return seconds < 60 ? fmt::format("{:.3g} s", seconds) : io::duration_text(seconds);
}

std::string row(const Candidate& candidate, const IntegratorChoice& choice, bool best) {
  const auto name = name_of(candidate.method);
  if (candidate.steps == 0) return fmt::format("  {:<15} {}\n", name, candidate.reason);
  const auto& measured = candidate.measured;
  const std::string error = measured.steps == 0
                                ? "not measured"
                                : fmt::format("{:.2g} K", measured.error_of(candidate.steps));
  const std::string basis =
      measured.steps == 0 ? "" : fmt::format("{:.2g} K in {}", measured.error, measured.steps);
  return fmt::format("  {:<15} {:>12} {:>10.4g} {:>6} {:>12} {:>18} {:>10.3g} {:>12}{}\n", name,
                     candidate.steps, choice.end / static_cast<double>(candidate.steps),
                     candidate.stages, error, basis, 1e3 * candidate.step_seconds,
                     seconds_text(candidate.seconds()), best ? "  taken" : "");
}

}  // namespace

std::string name_of(Method method) {
  switch (method) {
    case Method::euler:
      return "euler";
    case Method::rk2:
      return "rk2";
    case Method::rkl2:
      return "rkl2";
    case Method::backward_euler:
      return "backward-euler";
    case Method::crank_nicolson:
      return "crank-nicolson";
    case Method::tr_bdf2:
      return "tr-bdf2";
    case Method::steady:
      return "steady";
    case Method::automatic:
      break;
  }
  return "auto";
}

std::string to_string(const IntegratorChoice& choice) {
  auto text = fmt::format(
      "integrator     auto: the shortest run with an error of {:.4g} K in any cell; errors of runs "
      "on {:.0f} cells\n"
      "  {:<15} {:>12} {:>10} {:>6} {:>12} {:>18} {:>10} {:>12}\n",
      choice.tolerance, choice.pilot_cells, "", "steps", "of s", "stages", "error", "measured",
      "ms a step", "predicted");
  for (std::size_t n = 0; n < choice.candidates.size(); ++n)
    text += row(choice.candidates[n], choice, n == choice.best);
  return text;
}

}  // namespace halotherm::app
