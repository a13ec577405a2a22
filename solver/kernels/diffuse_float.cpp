// SPDX-License-Identifier: MIT
#include "solver/kernels/diffuse_of.hpp"

HALOTHERM_DIFFUSE_OF(float)
