// SPDX-License-Identifier: MIT
#include "solver/equation/boundary.hpp"
#include "solver/field/field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

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

/// The flux into the domain, and the sum of the terms' magnitudes, by which it is judged.
struct Flux {
  double value, magnitude;
};
Flux flux_at(const HeatFlows& f, double T) {
  const double in = f.emissivity * stefan_boltzmann * std::pow(f.surroundings, 4);
  const double out = f.emissivity * stefan_boltzmann * T * T * T * std::abs(T);
  return {
      f.flux + f.coefficient * (f.ambient - T) + in - out,
      std::abs(f.flux) + f.coefficient * (std::abs(f.ambient) + std::abs(T)) + in + std::abs(out)};
}

/// Heat that reaches the face from either side, whatever the numbers are.
TEST(FaceBalance, BalancesConductionConvectionAndRadiation) {
  for (const double inside : {1e-3, 4.0, 300.0, 1500.0, 1e5}) {
    for (const double half : {1e-6, 0.5, 4e3, 1e9}) {
      for (const double emissivity : {1e-9, 0.02, 0.8, 1.0}) {
        for (const double surroundings : {0.0, 300.0, 1300.0, 2e4}) {
          for (const double film : {0.0, 25.0, 1e6}) {
            const HeatFlows flows{.flux = 40,
                                  .coefficient = film,
                                  .ambient = 290,
                                  .emissivity = emissivity,
                                  .surroundings = surroundings};
            const double T = face_temperature(flows, inside, half);
            const auto [flux, magnitude] = flux_at(flows, T);
            EXPECT_NEAR(flux, half * (T - inside), 8e-16 * (magnitude + half * (T + inside)))
                << inside << ' ' << half << ' ' << emissivity << ' ' << surroundings << ' ' << film;
          }
        }
      }
    }
  }
}

TEST(FaceBalance, IsAtRestAmongEquals) {
  const HeatFlows flows{.coefficient = 10, .ambient = 450, .emissivity = 0.7, .surroundings = 450};
  EXPECT_NEAR(face_temperature(flows, 450, 80), 450, 1e-13 * 450);
}

/// As convection with 4 eps sigma T³ where differences are small; as none without emissivity.
TEST(FaceBalance, HasTheLimitsOfConvection) {
  const double T = 300, difference = 1e-4;
  const HeatFlows radiation{.emissivity = 0.9, .surroundings = T + difference};
  const HeatFlows convection{.coefficient = 4 * 0.9 * stefan_boltzmann * T * T * T,
                             .ambient = T + difference};
  EXPECT_NEAR(face_temperature(radiation, T, 3) - T, face_temperature(convection, T, 3) - T,
              1e-5 * difference);
  EXPECT_EQ(face_balance({.coefficient = 5, .ambient = 200}, 20).temperature(300),
            face_temperature({.coefficient = 5, .ambient = 200}, 300, 20));
}

TEST(FaceBalance, RisesWithTheTemperatureInsideEvenBelowZero) {
  const auto face = face_balance({.flux = -5e4, .emissivity = 1, .surroundings = 3}, 40);
  double before = -HUGE_VAL;
  for (double inside = 0; inside < 5000; inside += 7) {
    const double T = face.temperature(inside);
    EXPECT_GT(T, before);
    EXPECT_LT(T, inside);
    before = T;
  }
  EXPECT_LT(face.temperature(0), 0);
}

/// The mean of K inside and beyond conducts what arrives from outside, from weak to strong changes
/// of K within a cell.
TEST(FaceBalance, FindsTheGhostWhereKDependsOnTheTemperature) {
  const PropertyTable table{{250, 1}, {300, 3}, {320, 0.7}, {900, 40}};
  const double h = 0.01;
  for (const double flux : {-900.0, 0.0, 50.0, 2e3}) {
    for (const double film : {0.0, 30.0, 3e3}) {
      for (const double emissivity : {0.0, 0.9}) {
        const HeatFlows flows{flux, film, 310, emissivity, 800};
        const double inside = 305;
        const double face = face_temperature(flows, inside, table, h);
        const double ghost = 2 * face - inside;
        const double mean = 0.5 * (value_at(table, inside) + value_at(table, ghost));
        const auto [in, magnitude] = flux_at(flows, face);
        EXPECT_NEAR(in, mean / h * (ghost - inside), 1e-11 * (magnitude + mean / h * ghost))
            << flux << ' ' << film << ' ' << emissivity;
      }
    }
  }
}

TEST(BoundaryOf, FaceBalancesFollowTheTemperatureInside) {
  const comm::Box owned{{4, 0, 2}, {9, 3, 6}};
  const Side side{1, 1};
  Boundary<double> boundary(owned, {side});
  const auto layer = Boundary<double>::inner_layer(owned, side);
  ASSERT_EQ(layer, (comm::Box{{4, 2, 2}, {9, 3, 6}}));
  const auto cells = static_cast<std::size_t>(layer.size());
  std::vector<FaceBalance> faces;
  for (std::size_t n = 0; n < cells; ++n) {
    faces.push_back(n % 3 == 0
                        ? FaceBalance{}
                        : face_balance({.emissivity = 0.5, .surroundings = 100.0 * n}, 2 / 0.1));
  }
  boundary.set(0, std::vector<AffineGhost>(cells, dirichlet(7)));
  boundary.set_balances(0, faces);
  Field<double> T("T", owned, {1, 1, 1});
  std::vector<double> inside(cells);
  for (std::size_t n = 0; n < cells; ++n) inside[n] = 300 + 10.0 * n;
  copy_from_host<double>(inside, layer, T);
  const comm::Space space;
  boundary.balance(space, std::as_const(T).view());
  space.fence("test");
  Kokkos::View<AffineGhost*, comm::Memory> found("found", cells);
  const auto sides = boundary.view();
  Kokkos::deep_copy(
      found, Kokkos::View<const AffineGhost*, comm::Memory>(sides.condition[1][1].of_cell, cells));
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  for (std::size_t n = 0; n < cells; ++n) {
    const auto [alpha, beta] = on_host(n);
    EXPECT_EQ(alpha, n % 3 == 0 ? -1 : 0) << n;
    const double face = n % 3 == 0 ? 7 : faces[n].temperature(inside[n]);
    EXPECT_NEAR((alpha * inside[n] + beta + inside[n]) / 2, face, 1e-12) << n;
  }
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
