// SPDX-License-Identifier: MIT
#include "solver/kernels/tiles.hpp"

#include "comm/device/execution.hpp"

namespace halotherm::solver {

template <class Real>
comm::Tile tile_for(const HeatEquation<Real>& equation, BlockPart part, std::int64_t cells) {
  if constexpr (comm::kernels_run_on_host) {
    const bool bypasses = cells * equation.bytes_per_cell() > comm::last_level_cache_bytes();
    constexpr bool fills_lines = pack_bytes >= 64;  // a store alone
    return {.planes = bypasses && !fills_lines ? 1 : 4, .slab = 48, .non_temporal = bypasses};
  }
  if (part == BlockPart::shell) return {.planes = 2};
  const bool faces_vary = equation.resistivity(0).varies;
  if (equation.materials().count > 0)
    return {.rows = 1, .planes = equation.dimensions() < 3 ? 4 : 16};
  const bool cells_vary = equation.inverse_capacity().varies || equation.source().value.varies;
  if (equation.dimensions() < 3) return {.rows = cells_vary ? 1 : faces_vary ? 4 : 2, .planes = 4};
  const bool uneven = equation.volume_shares().differ();
  if (!faces_vary && !cells_vary)
    return {.rows = 2, .planes = uneven ? 8 : sizeof(Real) == 8 ? 6 : 4};
  // one row leaves registers for the coefficients
  return {.rows = 1, .planes = faces_vary && equation.isotropic() ? uneven ? 32 : 16 : 8};
}

template comm::Tile tile_for(const HeatEquation<float>&, BlockPart, std::int64_t);
template comm::Tile tile_for(const HeatEquation<double>&, BlockPart, std::int64_t);

}  // namespace halotherm::solver
