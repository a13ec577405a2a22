// SPDX-License-Identifier: MIT
#include "app/results/restart_note.hpp"

#include "comm/mpi/error.hpp"
#include "io/text/number_text.hpp"

#include <cmath>

namespace halotherm::app {

namespace {

/// That of the run which wrote the checkpoint, as far as this program can read it.
std::optional<Config> earlier_config(const RestartState& start) {
  try {
    return parse_config(start.info.config, "the checkpoint's configuration", {});
  } catch (const comm::Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string restart_note(const Config& config, const RestartState& start) {
  if (!start.checkpoint) return "";
  const auto earlier = earlier_config(start);
  if (!earlier) return "";
  const bool goes_further =
      config.time.steps ? start.step() < *config.time.steps : start.time() < *config.time.end;
  if (!goes_further) return "";
  const auto every = config.output.fields.every;
  if (earlier->output.fields.every != every) {
    return "output.fields.every differs from the checkpoint's, and steps land on its multiples: "
           "the bits differ from those of a "
           "run "
           "with one value all along";
  }
  const bool would_land = every && std::round(start.time() / *every) * *every == start.time();
  if (earlier->time.end && start.time() == *earlier->time.end && !would_land) {
    return "the checkpoint's last step was shortened to end at time.end = " +
           io::to_text(*earlier->time.end) +
           " s: the bits differ from those of a run that goes further at once";
  }
  return "";
}

}  // namespace halotherm::app
