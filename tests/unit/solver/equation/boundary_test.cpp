// SPDX-License-Identifier: MIT
#include "solver/equation/boundary.hpp"

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

TEST(AffineGhost, AFluxIsMet) {
  EXPECT_NEAR(at_face(ghost_of({.flux = 1e4}, 400, 0.01), 300, 400, 0.01).flux, 1e4, 1e-6);
  EXPECT_EQ(ghost_of({}, 400, 0.01).alpha, 1.0);
  EXPECT_EQ(ghost_of({}, 400, 0.01).beta, 0.0);  // insulated: no flux at all, not even rounding
}

TEST(AffineGhost, ConductionBalancesFluxAndConvection) {
  for (const double flux : {0.0, 700.0, -1e4}) {
    const HeatFlows flows{.flux = flux, .coefficient = 25, .ambient = 293};
    const auto face = at_face(ghost_of(flows, 0.5, 0.02), 400, 0.5, 0.02);
    EXPECT_NEAR(face.flux, flux + 25 * (293 - face.temperature), 1e-9);
    EXPECT_NEAR(face_temperature(flows, 400, 2 * 0.5 / 0.02), face.temperature, 1e-10);
  }
}

TEST(AffineGhost, FluxAloneAndConvectionAloneKeepTheirArithmetic) {
  EXPECT_EQ(ghost_of({.flux = 7}, 0.3, 0.7).beta, 7 * 0.7 / 0.3);
  const double conductance = 0.3 / 0.7, half = 0.5 * 11;
  const auto ghost = ghost_of({.coefficient = 11, .ambient = 293.3}, 0.3, 0.7);
  EXPECT_EQ(ghost.alpha, (conductance - half) / (conductance + half));
  EXPECT_EQ(ghost.beta, 11 * 293.3 / (conductance + half));
}

TEST(AffineGhost, ConvectionsLimitsAreInsulationAndFixedTemperature) {
  const HeatFlows weak{.coefficient = 1e-12, .ambient = 293},
      strong{.coefficient = 1e12, .ambient = 293};
  EXPECT_NEAR(ghost_of(weak, 0.5, 0.02).alpha, 1.0, 1e-12);
  EXPECT_NEAR(ghost_of(weak, 0.5, 0.02).beta, 0.0, 1e-9);
  EXPECT_NEAR(at_face(ghost_of(strong, 0.5, 0.02), 400, 0.5, 0.02).temperature, 293, 1e-6);
}

TEST(BoundaryOf, KnowsItsSides) {
  const comm::Box owned{{4, 0, 2}, {9, 3, 6}};
  Boundary<double> boundary(owned, {{1, 0}, {2, 1}});
  const AffineGhost fixed = dirichlet(500);
  boundary.set(0, std::span(&fixed, 1));
  boundary.set(1, std::span(&fixed, 1));
  const auto sides = boundary.view();
  EXPECT_TRUE(sides.at_lower(1, 0));
  EXPECT_FALSE(sides.at_lower(1, 1));
  EXPECT_TRUE(sides.at(1, -3, 4)) << "one of several cells";
  EXPECT_FALSE(sides.at(0, 4)) << "another block adjoins";
  EXPECT_TRUE(sides.at_upper(2, 5));
  EXPECT_TRUE(sides.at_upper(2, 4, 4));
  EXPECT_FALSE(sides.at_lower(2, 2));
}

TEST(BoundaryOf, GhostLayersLieOutside) {
  EXPECT_EQ(Boundary<double>::ghost_layer({{4, 0, 2}, {9, 3, 6}}, {0, 1}),
            (comm::Box{{9, 0, 2}, {10, 3, 6}}));
}

}  // namespace
}  // namespace halotherm::solver
