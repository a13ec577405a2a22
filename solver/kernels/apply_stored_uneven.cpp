// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_STORED_UNEVEN(EulerStep, double)
HALOTHERM_APPLY_STORED_UNEVEN(EulerStep, float)
HALOTHERM_APPLY_STORED_UNEVEN(RungeKuttaStage, double)
HALOTHERM_APPLY_STORED_UNEVEN(RungeKuttaStage, float)
HALOTHERM_APPLY_STORED_UNEVEN(Residual, double)
HALOTHERM_APPLY_STORED_UNEVEN(Residual, float)
HALOTHERM_APPLY_STORED_UNEVEN(Jacobi, double)
HALOTHERM_APPLY_STORED_UNEVEN(Jacobi, float)
