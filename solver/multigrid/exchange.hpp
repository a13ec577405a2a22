// SPDX-License-Identifier: MIT
// How a level's ghost cells become valid between sweeps.
#pragma once

#include "solver/field/field.hpp"

#include <functional>

namespace halotherm::solver {

/// Makes ghost cells of a field valid. Collective over neighbours.
using Exchange = std::function<void(Field<float>&)>;

}  // namespace halotherm::solver
