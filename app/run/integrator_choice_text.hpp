// SPDX-License-Identifier: MIT
// The text of a choice among integrators.
#pragma once

#include "app/run/integrator_choice.hpp"

namespace halotherm::app {

/// As the configuration writes it, such as "backward-euler".
std::string name_of(solver::Method method);

/// A table of the candidates, and what is taken.
std::string to_string(const IntegratorChoice& choice);

}  // namespace halotherm::app
