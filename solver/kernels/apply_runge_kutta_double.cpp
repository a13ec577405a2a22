// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_OF(RungeKuttaStage, double)
