// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_KINDS(EulerStep, double)
HALOTHERM_APPLY_KINDS(EulerStep, float)
HALOTHERM_APPLY_KINDS(RungeKuttaStage, double)
HALOTHERM_APPLY_KINDS(RungeKuttaStage, float)
HALOTHERM_APPLY_KINDS(Residual, double)
HALOTHERM_APPLY_KINDS(Residual, float)
HALOTHERM_APPLY_KINDS(Jacobi, double)
HALOTHERM_APPLY_KINDS(Jacobi, float)
