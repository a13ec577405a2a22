// SPDX-License-Identifier: MIT
#include "app/results/restart_note.hpp"

#include "comm/mpi/error.hpp"
#include "io/text/number_text.hpp"

#include <cmath>

namespace halotherm::app {

namespace {

/// The configuration of the run that wrote the checkpoint; none if this version cannot read it.
std::optional<Config> earlier_config(const RestartState& restart) {
  try {
    return parse_config(restart.info.config, "the checkpoint's configuration", {});
  } catch (const comm::Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string restart_note(const Config& config, const RestartState& restart) {
  if (!restart.checkpoint) return "";
  const auto earlier = earlier_config(restart);
  if (!earlier) return "";
  const bool goes_further =
      config.time.steps ? restart.step() < *config.time.steps : restart.time() < *config.time.end;
  if (!goes_further) return "";
  const auto every = config.output.fields.every;
  if (earlier->output.fields.every != every) {
    return "output.fields.every differs from the checkpoint's, and steps land on its multiples: "
           "the bits differ from those of an uninterrupted run";
  }
  const bool would_land = every && std::round(restart.time() / *every) * *every == restart.time();
  if (earlier->time.end && restart.time() == *earlier->time.end && !would_land) {
    return "the checkpoint's last step was shortened to end at time.end = " +
           io::to_text(*earlier->time.end) +
           " s: the bits differ from those of an uninterrupted run";
  }
  return "";
}

}  // namespace halotherm::app
