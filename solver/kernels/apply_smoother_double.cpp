// SPDX-License-Identifier: MIT
#include "solver/kernels/apply_of.hpp"

HALOTHERM_APPLY_OF(Residual, double)
HALOTHERM_APPLY_OF(Jacobi, double)
