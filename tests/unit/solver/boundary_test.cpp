// SPDX-License-Identifier: MIT
#include "solver/boundary.hpp"

#include "solver/field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// The temperature at the face and the heat flux into the domain that a ghost cell gives.
struct AtFace {
  double temperature;
  double flux;
};

AtFace at_face(const AffineGhost& ghost, double inside, double conductivity, double h) {
  const double outside = ghost.alpha * inside + ghost.beta;
  return {(inside + outside) / 2, conductivity * (outside - inside) / h};
}

TEST(AffineGhost, DirichletFixesTheFace) {
  EXPECT_DOUBLE_EQ(at_face(dirichlet(350), 300, 2, 0.1).temperature, 350);
}

TEST(AffineGhost, NeumannFixesTheFlux) {
  EXPECT_NEAR(at_face(neumann(1e4, 400, 0.01), 300, 400, 0.01).flux, 1e4, 1e-6);
  EXPECT_EQ(neumann(0, 400, 0.01).alpha, 1.0);
  EXPECT_EQ(neumann(0, 400, 0.01).beta, 0.0);  // insulated: no flux at all, not even rounding
}

TEST(AffineGhost, RobinBalancesConductionAndConvection) {
  const auto face = at_face(robin(25, 293, 0.5, 0.02), 400, 0.5, 0.02);
  EXPECT_NEAR(face.flux, 25 * (293 - face.temperature), 1e-9);
}

TEST(AffineGhost, RobinsLimitsAreInsulationAndFixedTemperature) {
  EXPECT_DOUBLE_EQ(robin(0, 293, 0.5, 0.02).alpha, 1.0);
  EXPECT_DOUBLE_EQ(robin(0, 293, 0.5, 0.02).beta, 0.0);
  EXPECT_NEAR(at_face(robin(1e12, 293, 0.5, 0.02), 400, 0.5, 0.02).temperature, 293, 1e-6);
}

class BoundaryFill : public testing::Test {
 protected:
  BoundaryFill() : field_("field", owned_, {1, 1, 1}) {
    std::vector<double> values(static_cast<std::size_t>(owned_.size()));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = 100.0 + static_cast<double>(n);
    copy_from_host<double>(values, owned_, field_);
  }

  double value(int i, int j, int k) {
    double cell = 0;
    copy_to_host<double>(field_, {{i, j, k}, {i + 1, j + 1, k + 1}}, std::span(&cell, 1));
    return cell;
  }

  const comm::Box owned_{{4, 0, 2}, {9, 3, 6}};
  Field<double> field_;
};

TEST_F(BoundaryFill, FillsTheGivenSidesOnly) {
  Boundary<double> boundary(owned_, {{1, 0}, {2, 1}});
  const AffineGhost fixed = dirichlet(500);
  const AffineGhost insulated = neumann(0, 1, 1);
  boundary.set(0, std::span(&fixed, 1));
  boundary.set(1, std::span(&insulated, 1));
  boundary.fill(comm::Space(), field_.view());
  comm::Space().fence("test");
  EXPECT_EQ(value(5, -1, 3), 1000 - value(5, 0, 3));
  EXPECT_EQ(value(5, 1, 6), value(5, 1, 5));
  EXPECT_TRUE(std::isnan(value(3, 1, 3)));
  EXPECT_TRUE(std::isnan(value(5, 3, 3)));
  EXPECT_TRUE(std::isnan(value(5, 1, 1)));
}

TEST_F(BoundaryFill, ConditionsFollowTheLayersCells) {
  const Side side{0, 1};
  Boundary<double> boundary(owned_, {side});
  const auto layer = Boundary<double>::ghost_layer(owned_, side);
  EXPECT_EQ(layer, (comm::Box{{9, 0, 2}, {10, 3, 6}}));
  std::vector<AffineGhost> conditions;
  for (int n = 0; n < layer.size(); ++n) conditions.push_back({0.0, static_cast<double>(n)});
  boundary.set(0, conditions);
  boundary.fill(comm::Space(), field_.view());
  comm::Space().fence("test");
  EXPECT_EQ(value(9, 0, 2), 0);
  EXPECT_EQ(value(9, 2, 2), 2);
  EXPECT_EQ(value(9, 1, 5), 3 * 3 + 1);
}

}  // namespace
}  // namespace halotherm::solver
