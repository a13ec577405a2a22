// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_STORED(EulerStep, double)
HALOTHERM_APPLY_STORED(EulerStep, float)
HALOTHERM_APPLY_STORED(RungeKuttaStage, double)
HALOTHERM_APPLY_STORED(RungeKuttaStage, float)
HALOTHERM_APPLY_STORED(Residual, double)
HALOTHERM_APPLY_STORED(Residual, float)
HALOTHERM_APPLY_STORED(Jacobi, double)
HALOTHERM_APPLY_STORED(Jacobi, float)
