// SPDX-License-Identifier: MIT
// The tile that suits an equation.
#pragma once

#include "comm/device/tile.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// Part of a block. On GPUs threads of a shell take fewer planes, so that all run at once: the next
/// exchange waits for them.
enum class BlockPart { interior, shell };

/// The most cells of a block in which all threads of a GPU run at once, even with few cells each.
inline constexpr std::int64_t small_block = 500'000;

/// The tile for a part of a block of so many cells. On GPUs the one that was the fastest of 36 for
/// the kind of coefficients, precision and dimension on an H200 (ADR 8), in blocks below 300^3 with
/// constant coefficients the fastest of six on an H100, and below 50 million cells on an H200 (ADR
/// 50). On CPUs stores bypass caches that cannot hold what a step of the block accesses.
/// Instantiated for float and double.
template <class Real>
comm::Tile tile_for(const HeatEquation<Real>& equation, BlockPart part, std::int64_t cells);

}  // namespace halotherm::solver
