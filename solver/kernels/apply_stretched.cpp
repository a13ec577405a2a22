// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_STRETCHED(EulerStep, double)
HALOTHERM_APPLY_STRETCHED(EulerStep, float)
HALOTHERM_APPLY_STRETCHED(RungeKuttaStage, double)
HALOTHERM_APPLY_STRETCHED(RungeKuttaStage, float)
HALOTHERM_APPLY_STRETCHED(Residual, double)
HALOTHERM_APPLY_STRETCHED(Residual, float)
HALOTHERM_APPLY_STRETCHED(Jacobi, double)
HALOTHERM_APPLY_STRETCHED(Jacobi, float)
