// SPDX-License-Identifier: MIT
#include "solver/diffuse_of.hpp"

HALOTHERM_DIFFUSE_OF(float)
