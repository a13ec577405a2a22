// SPDX-License-Identifier: MIT
// The tile that suits an equation.
#pragma once

#include "comm/device/tile.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// Part of a block. On GPUs threads of a shell take fewer planes, so that all run at once: the next
/// exchange waits for them.
enum class BlockPart { interior, shell };

/// The tile for a part of a block of so many cells. On GPUs the one that was the fastest of 36 for
/// the kind of coefficients, precision and dimension on an H200 (ADR 8). On CPUs stores bypass
/// caches that cannot hold what a step of the block accesses. Instantiated for float and double.
template <class Real>
comm::Tile tile_for(const HeatEquation<Real>& equation, BlockPart part, std::int64_t cells);

}  // namespace halotherm::solver
