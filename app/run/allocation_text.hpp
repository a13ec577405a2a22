// SPDX-License-Identifier: MIT
// An allocation as text and as JSON.
#pragma once

#include "app/run/allocation.hpp"

#include <string>

namespace halotherm::app {

/// Lines to plan an allocation by.
std::string to_string(const Allocation& allocation);

/// The same with documented keys (docs/planning.md); those that a run's report.json has, too, have
/// the same names and meanings.
std::string allocation_json(const Allocation& allocation);

}  // namespace halotherm::app
