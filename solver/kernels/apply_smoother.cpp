// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_OF(Residual, double)
HALOTHERM_APPLY_OF(Residual, float)
HALOTHERM_APPLY_OF(Jacobi, double)
HALOTHERM_APPLY_OF(Jacobi, float)
