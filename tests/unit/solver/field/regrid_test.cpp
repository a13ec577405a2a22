// SPDX-License-Identifier: MIT
#include "solver/field/regrid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

namespace halotherm::solver {
namespace {

using Function = std::function<double(int, int, int)>;

/// Of the cells of a box; beyond the grid the nearest cell's value.
std::vector<double> sampled(const comm::Box& box, const comm::Int3& cells, const Function& value) {
  const auto inside = [](int i, int n) { return std::min(std::max(i, 0), n - 1); };
  std::vector<double> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        values.push_back(value(inside(i, cells[0]), inside(j, cells[1]), inside(k, cells[2])));
      }
    }
  }
  return values;
}

std::vector<double> regridded(const comm::Int3& from, const comm::Int3& to, const comm::Box& block,
                              const Function& value) {
  const auto regrid = *Regrid::between(from, to);
  return regrid.values(block, sampled(regrid.source(block), from, value));
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Regrid, takes_whole_multiples_and_fractions_only) {
  EXPECT_TRUE(Regrid::between({4, 6, 1}, {8, 3, 1}));
  EXPECT_TRUE(Regrid::between({4, 6, 5}, {4, 6, 5}));
  EXPECT_FALSE(Regrid::between({4, 6, 1}, {6, 6, 1}));
}

TEST(Regrid, the_same_grid_keeps_every_bit) {
  const Function value = [](int i, int j, int k) { return std::sin(i + 10.0 * j + 100.0 * k); };
  const comm::Box all{{0, 0, 0}, {5, 4, 3}};
  EXPECT_EQ(regridded({5, 4, 3}, {5, 4, 3}, all, value), sampled(all, {5, 4, 3}, value));
}

TEST(Regrid, parts_have_the_mean_of_the_whole) {
  const Function value = [](int i, int j, int k) {
    return 300 + 50 * std::sin(1.7 * i + 0.9 * j * j + 0.4 * k);
  };
  const comm::Int3 from{6, 5, 4}, to{12, 15, 4};
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 6; ++i) {
        const auto parts =
            regridded(from, to, {{2 * i, 3 * j, k}, {2 * i + 2, 3 * j + 3, k + 1}}, value);
        EXPECT_NEAR(sum(parts) / 6, value(i, j, k), 1e-12 * 300);
      }
    }
  }
}

TEST(Regrid, a_plane_stays_a_plane_inside) {
  const Function value = [](int i, int j, int k) { return 2.0 * i - 3.0 * j + 0.5 * k; };
  const auto parts = regridded({6, 6, 6}, {12, 18, 6}, {{4, 6, 3}, {5, 7, 4}},
                               value);  // the lower part of the cell (2, 2, 3)
  EXPECT_NEAR(parts[0], value(2, 2, 3) + 2.0 * -0.25 - 3.0 * (-1.0 / 3), 1e-14);
}

TEST(Regrid, makes_no_new_extremes_along_an_axis) {
  const Function value = [](int i, int, int) { return i == 3 ? 1000.0 : 300.0 + i; };
  for (const double part : regridded({7, 1, 1}, {28, 1, 1}, {{0, 0, 0}, {28, 1, 1}}, value)) {
    EXPECT_GE(part, 300);
    EXPECT_LE(part, 1000);
  }
}

TEST(Regrid, joined_cells_have_their_mean_and_blocks_agree) {
  const Function value = [](int i, int j, int k) { return std::cos(i + 2.0 * j + 3.0 * k); };
  const comm::Int3 from{6, 4, 8}, to{3, 8, 2};
  const auto whole = regridded(from, to, {{0, 0, 0}, to}, value);
  EXPECT_NEAR(sum(whole) / (3 * 8 * 2), sum(sampled({{0, 0, 0}, from}, from, value)) / (6 * 4 * 8),
              1e-14);
  auto parts = regridded(from, to, {{0, 0, 0}, {3, 8, 1}}, value);
  const auto upper = regridded(from, to, {{0, 0, 1}, {3, 8, 2}}, value);
  parts.insert(parts.end(), upper.begin(), upper.end());
  EXPECT_EQ(parts, whole);
}

}  // namespace
}  // namespace halotherm::solver
