// SPDX-License-Identifier: MIT
// The heat that flows through void faces as a source of the cells beside them.
#pragma once

#include "comm/partition/box.hpp"

namespace halotherm::solver {

/// Flows per volume of the cells that have such faces, part of the equation's source there.
struct VoidHeat {
  bool present = false;              ///< the same on all ranks
  int count = 0;                     ///< of the block's cells that have such faces
  const comm::Int3* cell = nullptr;  ///< on the device, one each
  const double* rate = nullptr;      ///< [W/m³]
};

}  // namespace halotherm::solver
