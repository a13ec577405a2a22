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

std::string label(const Candidate& candidate) {
  auto name = name_of(candidate.method);
  if (candidate.step_tolerance > 0) name += fmt::format(", {:.2g} K", candidate.step_tolerance);
  return name;
}

std::string length_text(const Candidate& candidate, double end) {
  if (candidate.step_tolerance > 0) return fmt::format("to {:.2g}", candidate.longest_step);
  return fmt::format("{:.4g}", end / static_cast<double>(candidate.steps));
}

std::string row(const Candidate& candidate, const IntegratorChoice& choice, bool best) {
  if (candidate.steps == 0) return fmt::format("  {:<23} {}\n", label(candidate), candidate.reason);
  const auto& measured = candidate.measured;
  const bool known = measured.steps > 0;
  return fmt::format(
      "  {:<23} {:>12} {:>10} {:>6} {:>12} {:>18} {:>10.3g} {:>12}{}\n", label(candidate),
      candidate.steps, length_text(candidate, choice.end), candidate.stages,
      known ? fmt::format("{:.2g} K", candidate.error()) : "not measured",
      known ? fmt::format("{:.2g} K in {}", measured.error, measured.steps) : "",
      1e3 * candidate.step_seconds, seconds_text(candidate.seconds()), best ? "  taken" : "");
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
      "  {:<23} {:>12} {:>10} {:>6} {:>12} {:>18} {:>10} {:>12}\n",
      choice.tolerance, choice.pilot_cells, "", "steps", "of s", "stages", "error", "measured",
      "ms a step", "predicted");
  for (std::size_t n = 0; n < choice.candidates.size(); ++n)
    text += row(choice.candidates[n], choice, n == choice.best);
  return text;
}

}  // namespace halotherm::app
