// SPDX-License-Identifier: MIT
// Conductances of faces between materials with a thermal resistance.
#include "solver/equation/stored_faces.hpp"

#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace halotherm::solver {
namespace {

const comm::Box line{{-1, 0, 0}, {5, 1, 1}};

/// Three cells of one material, then cells of others; of a block of four and its ghost cells.
Contacts contacts() {
  return {.pairs = {{{0, 3}, 0.25}, {{7, 3}, 2.0}},
          .of_cell = std::make_shared<const std::vector<std::uint16_t>>(
              std::vector<std::uint16_t>{0, 0, 0, 3, 7, 7})};
}

Grid grid_of(const std::vector<double>& faces) {
  Grid grid{.dimensions = 1,
            .cells = {4, 1, 1},
            .lower = {faces.front(), 0, 0},
            .upper = {faces.back(), 1, 1}};
  return grid;
}

TEST(StoredFaces, AddTheResistanceOfAContactToThoseOfTheHalfCells) {
  const auto grid = grid_of({0, 2});  // h = 0.5 m
  const Coefficient K = std::vector<double>{4, 4, 4, 1, 5, 5};
  const auto faces = lower_faces(grid, line, 0, K, contacts());
  const double h = 0.5;
  const auto conductance = [&](double one, double other, double R) {
    return 1 / (h / (2 * one) + R + h / (2 * other)) / h;
  };
  EXPECT_NEAR(faces[0], 4 / (h * h), 1e-14 * faces[0]);  // of the box: as inside the material
  EXPECT_NEAR(faces[2], 4 / (h * h), 1e-14 * faces[2]);
  EXPECT_NEAR(faces[3], conductance(4, 1, 0.25), 1e-14 * faces[3]);
  EXPECT_NEAR(faces[4], conductance(1, 5, 2.0), 1e-14 * faces[4]);
  EXPECT_NEAR(faces[5], 5 / (h * h), 1e-14 * faces[5]);
}

TEST(StoredFaces, MaterialsOfOneConductivityMayHaveAContact) {
  const auto faces = lower_faces(grid_of({0, 4}), line, 0, 2.0, contacts());
  EXPECT_DOUBLE_EQ(faces[1], 2);
  EXPECT_DOUBLE_EQ(faces[3], 1 / (0.5 / 2 + 0.25 + 0.5 / 2));
}

TEST(StoredFaces, OnUnevenGridsBothCellsOfAFaceMultiplyTheSameNumber) {
  auto grid = grid_of({0, 10});
  const std::vector<double> positions{0, 1, 3, 4, 10};
  grid.faces[0] = std::make_shared<const std::vector<double>>(positions);
  const Coefficient K = std::vector<double>{4, 4, 4, 1, 5, 5};
  const auto faces = lower_faces(grid, line, 0, K, contacts());
  EXPECT_DOUBLE_EQ(faces[2], 1 / (1 / 4.0 + 2 / 4.0));
  EXPECT_DOUBLE_EQ(faces[3], 1 / (2 / 4.0 + 1 / 1.0 + 2 * 0.25));
  EXPECT_DOUBLE_EQ(faces[4], 1 / (1 / 1.0 + 6 / 5.0 + 2 * 2.0));
}

/// 5 x 4 x 3 cells and their ghost cells, of two materials in a pattern.
struct Block {
  Grid grid{.dimensions = 3, .cells = {5, 4, 3}, .lower = {0, 0, 0}, .upper = {5, 4, 3}};
  comm::Box owned{{0, 0, 0}, {5, 4, 3}};
  comm::Box all = comm::grown(owned, {1, 1, 1}, {1, 1, 1});
  std::vector<double> conductivity;
  Contacts contacts{.pairs = {{{0, 1}, 0.7}}, .of_cell = {}};

  Block() {
    std::vector<std::uint16_t> materials;
    for (std::int64_t n = 0; n < all.size(); ++n) {
      materials.push_back(std::sin(static_cast<double>(7 * n)) > 0 ? 1 : 0);
      conductivity.push_back(2 + std::cos(static_cast<double>(n)));
    }
    contacts.of_cell = std::make_shared<const std::vector<std::uint16_t>>(std::move(materials));
  }
  std::size_t at(int i, int j, int k) const {
    return static_cast<std::size_t>((i + 1) + 7 * ((j + 1) + 6 * (k + 1)));
  }
};

TEST(StoredFaces, AreThoseOfEachAxis) {
  const Block b;
  const int before[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    const auto faces = lower_faces(b.grid, b.all, axis, b.conductivity, b.contacts);
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < 6; ++i) {
          const auto here = b.at(i, j, k),
                     below = b.at(i - before[axis][0], j - before[axis][1], k - before[axis][2]);
          const double R = (*b.contacts.of_cell)[here] != (*b.contacts.of_cell)[below] ? 0.7 : 0;
          const double expected =
              1 / (0.5 / b.conductivity[below] + R + 0.5 / b.conductivity[here]);
          ASSERT_NEAR(faces[here], expected, 1e-14) << axis << ": " << i << " " << j << " " << k;
        }
      }
    }
  }
}

TEST(StoredFaces, BoundTheStep) {
  const Block b;
  const double with =
      HeatEquation<double>(b.grid, b.owned, Material{{b.conductivity}, 1.0, 0.0, b.contacts})
          .stable_dt(b.owned);
  const double without = HeatEquation<double>(b.grid, b.owned, Material{{b.conductivity}, 1.0, 0.0})
                             .stable_dt(b.owned);
  EXPECT_GT(with, without);
  double largest = 0;
  std::array<std::vector<double>, 3> faces;
  for (int axis = 0; axis < 3; ++axis)
    faces[static_cast<std::size_t>(axis)] =
        lower_faces(b.grid, b.all, axis, b.conductivity, b.contacts);
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 5; ++i) {
        const double sum = faces[0][b.at(i, j, k)] + faces[0][b.at(i + 1, j, k)] +
                           faces[1][b.at(i, j, k)] + faces[1][b.at(i, j + 1, k)] +
                           faces[2][b.at(i, j, k)] + faces[2][b.at(i, j, k + 1)];
        largest = std::max(largest, sum);
      }
    }
  }
  EXPECT_NEAR(with, 1 / largest, 1e-14 / largest);
}

TEST(StoredFaces, StateTheirPrice) {
  const Block b;
  const auto bytes_on = [&](const Grid& grid) {
    const HeatEquation<double> equation(grid, b.owned,
                                        Material{{b.conductivity}, 1.0, 0.0, b.contacts});
    return equation.bytes_per_cell();
  };
  auto uneven = b.grid;
  test::make_uneven(uneven);
  EXPECT_EQ(bytes_on(uneven), 40) << "T twice, and a face of each axis";
  EXPECT_EQ(bytes_on(b.grid), 17) << "T twice, and the kind of a cell";
}

}  // namespace
}  // namespace halotherm::solver
