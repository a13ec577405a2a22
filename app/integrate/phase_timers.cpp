// SPDX-License-Identifier: MIT
#include "app/integrate/phase_timers.hpp"

namespace halotherm::app {

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, phase_count> names{
      "formulas", "halo start", "interior", "halo wait", "shell", "diagnostics", "output"};
  return names[static_cast<std::size_t>(phase)];
}

}  // namespace halotherm::app
