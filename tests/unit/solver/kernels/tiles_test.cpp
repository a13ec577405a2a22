// SPDX-License-Identifier: MIT
#include "solver/kernels/tiles.hpp"

#include "comm/device/execution.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

constexpr comm::Box block{{0, 0, 0}, {8, 6, 4}};

HeatEquation<double> equation_of(const Coefficient& conductivity, const Coefficient& source) {
  return {{.dimensions = 3, .cells = block.upper}, block, Material{{conductivity}, 1.0, source}};
}

TEST(Tiles, StoresBypassCachesThatCannotHoldTheBlock) {
  const auto equation = equation_of(1.0, 0.0);
  const auto held = comm::last_level_cache_bytes() / equation.bytes_per_cell();
  for (const auto part : {BlockPart::interior, BlockPart::shell}) {
    EXPECT_FALSE(tile_for(equation, part, held).non_temporal);
    EXPECT_EQ(tile_for(equation, part, held + 1).non_temporal, comm::kernels_run_on_host);
  }
}

TEST(Tiles, StoresOfHalfALineTakePlaneByPlane) {
  if (!comm::kernels_run_on_host) GTEST_SKIP() << "no CPU";
  const auto equation = equation_of(1.0, 0.0);
  const auto held = comm::last_level_cache_bytes() / equation.bytes_per_cell();
  EXPECT_EQ(tile_for(equation, BlockPart::interior, held).planes, 4);
  EXPECT_EQ(tile_for(equation, BlockPart::interior, held + 1).planes, pack_bytes < 64 ? 1 : 4);
}

TEST(Tiles, OnGpusThreadsOfSmallBlocksTakeFewCells) {
  if (comm::kernels_run_on_host) GTEST_SKIP() << "no GPU";
  const auto tile = [](std::int64_t cells) {
    return tile_for(equation_of(1.0, 0.0), BlockPart::interior, cells);
  };
  EXPECT_EQ(tile(small_block).rows * tile(small_block).planes, 2);
  EXPECT_EQ(tile(small_block + 1).rows * tile(small_block + 1).planes, 4);
}

TEST(Tiles, OnGpusThreadsTakeOneRowWhereCoefficientsVary) {
  if (comm::kernels_run_on_host) GTEST_SKIP() << "no GPU";
  const std::vector<double> varying(std::size_t{10} * 8 * 6, 1.0);
  const std::int64_t cells = 512 * 512 * 512;
  EXPECT_EQ(tile_for(equation_of(1.0, 0.0), BlockPart::interior, cells).rows, 2);
  EXPECT_EQ(tile_for(equation_of(varying, 0.0), BlockPart::interior, cells).rows, 1);
  EXPECT_EQ(tile_for(equation_of(1.0, varying), BlockPart::interior, cells).rows, 1);
}

TEST(Tiles, OnGpusThreadsTakeTwoRowsWithinOneMaterialWithTables) {
  if (comm::kernels_run_on_host) GTEST_SKIP() << "no GPU";
  const PropertyTable constant{{0, 1}}, rising{{300, 1}, {400, 2}};
  const auto rows = [](const std::vector<MaterialTables>& materials, const Coefficient& source) {
    TabulatedMaterial material{materials, {}, source, {}};
    const Grid grid{.dimensions = 3, .cells = block.upper};
    if (materials.size() > 1) material.of_cell.assign(std::size_t{10} * 8 * 6, 0);
    const HeatEquation<double> equation(grid, block, material);
    return tile_for(equation, BlockPart::interior, 512 * 512 * 512).rows;
  };
  EXPECT_EQ(rows({{{rising}, constant}}, 5.0), 2);
  EXPECT_EQ(rows({{{rising}, rising}}, 5.0), 2);
  EXPECT_EQ(rows({{{rising, constant, constant}, constant}}, 5.0), 1);
  EXPECT_EQ(rows({{{rising}, constant}, {{constant}, constant}}, 5.0), 1);
  EXPECT_EQ(rows({{{rising}, constant}}, std::vector<double>(std::size_t{10} * 8 * 6, 1.0)), 1);
}

}  // namespace
}  // namespace halotherm::solver
