// SPDX-License-Identifier: MIT
// Corrections of temperatures at which something melts.
#include "solver/linear/correction.hpp"

#include "solver/linear/matrix.hpp"
#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace halotherm::solver {
namespace {

class Correction : public ::testing::Test {
 protected:
  /// Temperatures after corrections of a substance that melts between 400 and 402 K: 10 J/(m³ K),
  /// and 2000 J/m³ of latent heat.
  std::vector<double> corrected(const std::vector<double>& from, const std::vector<float>& by,
                                bool by_heat, double factor) {
    const int count = static_cast<int>(from.size());
    const Grid grid{
        .dimensions = 1, .cells = {count, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
    const comm::Box box{{0, 0, 0}, grid.cells};
    const TabulatedMaterial wax{
        {{{{{300, 1}}}, with_latent_heat({{300, 10}}, 2000, 400, 402)}}, {}, 0.0};
    const HeatEquation<double> equation(grid, box, wax);
    Field<double> before("before", box, grid.ghosts(1)), after("after", box, grid.ghosts(1));
    copy_from_host<double>(from, box, before);
    auto x = zero_field({1, grid.cells, {false, false, false}}, box, "x");
    set(x, box, by);
    const comm::Space space;
    take_correction<double>(space, box, equation, by_heat, factor, std::as_const(x).view(),
                            std::as_const(before).view(), after.view());
    space.fence("test");
    std::vector<double> values(from.size());
    copy_to_host<double>(after, box, values);
    return values;
  }
};

TEST_F(Correction, StopsWithinTheMeltingRange) {
  // 50 K mean 500 J: 10 K to 400 K, and 400 of 2020 J of the range of 2 K
  const auto T = corrected({390}, {25}, true, 2);
  EXPECT_NEAR(T[0], 400 + 2 * 400.0 / 2020, 1e-9);
  EXPECT_NEAR(corrected({412}, {-25}, true, 2)[0], 402 - 2 * 400.0 / 2020, 1e-9) << "and freezes";
}

TEST_F(Correction, DoesNotGoFarBeyondIt) {
  // 3 K from 401 mean 3030 J, of which the range takes up 1010 and the liquid 202 K more
  EXPECT_NEAR(corrected({401}, {3}, true, 1)[0], 404, 1e-9);
}

TEST_F(Correction, OfASteadyStateIsThatOfTheTemperature) {
  const auto T = corrected({390, 401}, {50, -3}, false, 0.5);
  EXPECT_NEAR(T[0], 415, 1e-9);
  EXPECT_NEAR(T[1], 399.5, 1e-9);
}

}  // namespace
}  // namespace halotherm::solver
