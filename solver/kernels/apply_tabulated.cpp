// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_TABULATED(EulerStep, double)
HALOTHERM_APPLY_TABULATED(EulerStep, float)
HALOTHERM_APPLY_TABULATED(RungeKuttaStage, double)
HALOTHERM_APPLY_TABULATED(RungeKuttaStage, float)
HALOTHERM_APPLY_TABULATED(Residual, double)
HALOTHERM_APPLY_TABULATED(Residual, float)
HALOTHERM_APPLY_TABULATED(Jacobi, double)
HALOTHERM_APPLY_TABULATED(Jacobi, float)
