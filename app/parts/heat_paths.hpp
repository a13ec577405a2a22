// SPDX-License-Identifier: MIT
// Whether each connected part of the body has something that holds its temperature.
#pragma once

#include "app/problem/field_sampler.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

/// A part of the body without fixed temperature, convection, radiation, or void faces with one of
/// them: its heat content changes by the same heat whatever its temperature is.
struct UnheldPart {
  comm::Int3 cell{};   ///< its first, x fastest
  bool whole = false;  ///< whether it is the whole body
  std::int64_t cells = 0;
  double volume = 0;                   ///< [m³]
  std::vector<std::string> materials;  ///< names
  /// Of the flows into it at the start that are not 0: "sources", sides and patches, "void" [W]
  std::vector<std::pair<std::string, double>> flows;
  double capacity = 0;  ///< at the initial temperature [J/K]

  double power() const;  ///< sum of `flows` [W]
  /// Whether the flows add up to 0, but for rounding.
  bool balanced() const;
};

struct UnheldParts {
  std::vector<UnheldPart> parts;  ///< some, in the order of their first cells
  std::int64_t count = 0;         ///< all
};

/// Collective. Those parts of the body, the same for every partition; of a problem in time only
/// those that something heats or cools. None if `budget` [s] does not suffice to look at all cells.
/// Cells are neighbours if they share a face and are not void. Looks at cells only where the
/// configuration leaves it open. Throws CollectiveError.
UnheldParts find_unheld_parts(const FieldSampler& sampler, const Config& config,
                              const comm::Partition& partition,
                              double budget = std::numeric_limits<double>::infinity());

/// Collective. Throws CollectiveError (usage) if a steady state is asked for and a part is not
/// held, with the flows into it. In time that is a problem of its own (a calorimeter): returns a
/// line for each part whose temperature rises or falls without end, and how fast; usually none.
std::vector<std::string> check_heat_paths(const comm::Communicator& world, const Config& config,
                                          const comm::Partition& partition,
                                          double budget = std::numeric_limits<double>::infinity());

}  // namespace halotherm::app
