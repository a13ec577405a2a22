// SPDX-License-Identifier: MIT
#include "solver/kernels/tiles.hpp"

#include "comm/device/execution.hpp"
#include "solver/streaming/one_material.hpp"

namespace halotherm::solver {

namespace {

/// With constant coefficients, equal cells and FP64, in 3-D, of a block that is not small.
comm::Tile tile_of_size(std::int64_t cells) {
  constexpr std::int64_t million = 1'000'000;
  if (cells <= million) return {.rows = 1, .planes = 4};
  if (cells > 5 * million && cells <= 27 * million) return {.rows = 2, .planes = 2};
  if (cells > 27 * million && cells <= 50 * million) return {.rows = 2, .planes = 4};
  return {.rows = 2, .planes = 6};
}

}  // namespace

template <class Real>
comm::Tile tile_for(const HeatEquation<Real>& equation, BlockPart part, std::int64_t cells) {
  if constexpr (comm::kernels_run_on_host) {
    const bool bypasses = cells * equation.bytes_per_cell() > comm::last_level_cache_bytes();
    constexpr bool fills_lines = pack_bytes >= 64;  // a store alone
    return {.planes = bypasses && !fills_lines ? 1 : 4, .slab = 48, .non_temporal = bypasses};
  }
  if (part == BlockPart::shell) return {.planes = 2};
  const bool faces_vary = equation.resistivity(0).varies;
  if (equation.materials().count > 0) {
    if (equation.dimensions() < 3) return {.rows = 1, .planes = 4};
    if (is_one_material(equation.materials(), equation.source())) return {.rows = 2, .planes = 8};
    return {.rows = 1, .planes = 16};
  }
  const bool cells_vary = equation.inverse_capacity().varies || equation.source().value.varies;
  const bool uneven = equation.volume_shares().differ();
  const bool constant = !faces_vary && !cells_vary;
  const bool measured_by_size = constant && !uneven && sizeof(Real) == 8;
  if (measured_by_size && cells <= small_block) return {.rows = 1, .planes = 2};
  if (equation.dimensions() < 3) return {.rows = cells_vary ? 1 : faces_vary ? 4 : 2, .planes = 4};
  if (measured_by_size) return tile_of_size(cells);
  if (constant) return {.rows = 2, .planes = uneven ? 8 : 4};
  // one row leaves registers for the coefficients
  const bool one_load = equation.isotropic() || equation.resistivity(0).of_kind != nullptr;
  return {.rows = 1, .planes = faces_vary && one_load ? uneven ? 32 : 16 : 8};
}

template comm::Tile tile_for(const HeatEquation<float>&, BlockPart, std::int64_t);
template comm::Tile tile_for(const HeatEquation<double>&, BlockPart, std::int64_t);

}  // namespace halotherm::solver
