// SPDX-License-Identifier: MIT
// Tangents of ghost temperatures.
#include "solver/linear/tangents.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace halotherm::solver {
namespace {

TEST(SideTangentsOf, RadiatingFacesAreTheirDerivatives) {
  const comm::Box owned{{0, 0, 0}, {4, 3, 1}};
  const Side side{0, 1};
  Boundary<double> boundary(owned, {side, {1, 0}});
  const auto layer = Boundary<double>::inner_layer(owned, side);
  const auto cells = static_cast<std::size_t>(layer.size());
  const double half = 40;
  const std::vector<FaceBalance> faces{
      face_balance({.coefficient = 3, .ambient = 290, .emissivity = 0.8, .surroundings = 900},
                   half),
      {},  // a fixed temperature
      face_balance({.flux = 500, .emissivity = 0.3, .surroundings = 0}, half)};
  boundary.set(0, std::vector<AffineGhost>(cells, dirichlet(7)));
  boundary.set_balances(0, faces);
  const AffineGhost cooled = ghost_of({.coefficient = 5, .ambient = 200}, 2, 0.1);
  boundary.set(1, std::span(&cooled, 1));

  Field<double> T("T", owned, {1, 1, 0}), warmer("warmer", owned, {1, 1, 0});
  const std::vector<double> inside{310, 320, 450};
  copy_from_host<double>(inside, layer, T);
  const comm::Space space;
  SideTangents<double> tangents(boundary);
  tangents.set(space, std::as_const(T).view(), warmer.view(), [&](const auto& at) {
    boundary.balance(space, at);
    space.fence("test");
  });

  const auto view = tangents.view();
  Kokkos::View<AffineGhost*, comm::Memory> found("found", cells);
  Kokkos::deep_copy(
      found, Kokkos::View<const AffineGhost*, comm::Memory>(view.condition[0][1].of_cell, cells));
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  for (const std::size_t n : {0U, 2U}) {
    const double face = faces[n].temperature(inside[n]);
    EXPECT_NEAR(on_host(n).alpha * inside[n] + on_host(n).beta, 2 * face - inside[n], 1e-10);
    const double outside = faces[n].film + 4 * faces[n].radiated * face * face * face;
    EXPECT_NEAR(1 - on_host(n).alpha, 2 * outside / (half + outside), 0.02) << n;
  }
  EXPECT_EQ(on_host(1).alpha, -1) << "a linear condition keeps its bits";
  EXPECT_EQ(on_host(1).beta, 14);
  EXPECT_EQ(view.condition[1][0].of_all.alpha, cooled.alpha);
}

}  // namespace
}  // namespace halotherm::solver
